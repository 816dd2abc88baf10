// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>

#include "session.hpp"

namespace record_bench {

/// Orders keys by Thrust: sorts them, and gives the index that each was at.
inline word* sorted_indices(word* keys, std::size_t n, word* indices) {
  thrust::sequence(thrust::cuda::par_nosync, indices, indices + n);
  thrust::sort_by_key(thrust::cuda::par_nosync, keys, keys + n, indices);
  return indices;
}

/// Orders keys by sample sort of keys with indices.
inline word* indices_by_sample_sort(word* keys, std::size_t n, word* indices) {
  thrust::sequence(thrust::cuda::par_nosync, indices, indices + n);
  gpusort::sort_by_key(gpusort::par_gpu_nosync.with(gpusort::algorithm::sample_sort), keys,
                       keys + n, indices);
  return indices;
}

/// Gathers out[i] = in[indices[i]].
template <class Row>
void gather_rows(const word* indices, std::size_t n, const Row* in, Row* out) {
  thrust::gather(thrust::cuda::par_nosync, indices, indices + n, in, out);
}

}  // namespace record_bench
