// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/launch.hpp>

#include "list_table.hpp"
#include "vector_merge.hpp"

namespace papers {

template <int Threads>
__global__ void __launch_bounds__(Threads)
    sort_vectors_kernel(float4* vectors, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * Threads + threadIdx.x;
  if (i >= count) return;
  float4 v = vectors[i];
  sort_vector(v);
  vectors[i] = v;
}

/// Merges the runs, `run` vectors long, of each list in pairs, one thread for a pair. A list that
/// is one run is done and stays where it is.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    merge_vectors_kernel(list_table table, std::uint32_t blocks_per_list, std::uint32_t run,
                         const float4* from, float4* to) {
  const list_share share(blocks_per_list);
  const std::uint32_t vectors = table.vectors(share.list);
  if (vectors <= run) return;
  const std::uint32_t list_begin = table.begins[share.list];
  for (std::uint64_t pair = share.first; pair * 2 * run < vectors; pair += share.stride) {
    const auto begin = static_cast<std::uint32_t>(pair * 2 * run), left = vectors - begin;
    const std::uint32_t a_count = detail::min_of(run, left);
    const std::uint32_t b_count = detail::min_of(run, left - a_count);
    merge_vector_lists(from + list_begin + begin, a_count, b_count, to + list_begin + begin);
  }
}

/// Sorts each list but the last: log2 of its vectors passes between two arrays, the first of which
/// has the elements. Calls `after_pass` when the vectors are sorted, and after each pass. Source:
/// paper 001, section 4.
template <class AfterPass>
void vector_merge_sort(cudaStream_t stream, const list_table& table, const list_totals& totals,
                       float4* vectors, float4* spare, AfterPass after_pass) {
  constexpr int threads = list_threads;
  detail::launch(sort_vectors_kernel<threads>,
                 detail::ceil_div<std::size_t>(totals.vectors, threads), threads, 0, stream,
                 vectors, totals.vectors);
  after_pass();
  for (std::uint32_t run = 1; run < totals.longest; run *= 2) {
    const std::uint32_t pairs = detail::ceil_div(totals.longest, 2 * run);
    const std::uint32_t blocks = blocks_per_list(table.sorted_lists, pairs);
    detail::launch(merge_vectors_kernel<threads>, std::size_t{blocks} * table.sorted_lists, threads,
                   0, stream, table, blocks, run, vectors, spare);
    float4* const merged = spare;
    spare = vectors;
    vectors = merged;
    after_pass();
  }
}

}  // namespace papers
