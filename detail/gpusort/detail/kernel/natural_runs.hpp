// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/arrival.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The runs that an input consists of, where they are few: each ascends, and the next begins with
/// an element that is before the last one.
struct natural_runs {
  static constexpr std::uint32_t max_count = 64;

  std::uint32_t descents;               // found so far, or more than there is room for
  std::uint32_t ticket;                 // both are 0 before the search
  std::uint32_t count;                  // 0: they are too many
  std::uint64_t begins[max_count + 1];  // the last one is the end
};

/// Notes where the pairs of neighbours [begin, end) descend, until max_count runs are not enough.
/// Block-wide.
template <class In, class Compare>
GPUSORT_DEVICE void note_descents(const In& in, std::uint64_t begin, std::uint64_t end,
                                  std::uint32_t max_count, natural_runs* found, Compare& compare) {
  constexpr int pairs_per_thread = 4;
  const volatile std::uint32_t& descents = found->descents;
  for (std::uint64_t first = begin; first < end; first += pairs_per_thread * blockDim.x) {
    bool descends[pairs_per_thread];
    bool is_noteworthy = descents >= max_count;
#pragma unroll
    for (int k = 0; k < pairs_per_thread; ++k) {
      const std::uint64_t i = first + k * blockDim.x + threadIdx.x;
      descends[k] = i < end && compare(in.load(i + 1), in.load(i));
      is_noteworthy |= descends[k];
    }
    if (!__syncthreads_or(is_noteworthy)) continue;
#pragma unroll
    for (int k = 0; k < pairs_per_thread; ++k) {
      const auto together = static_cast<std::uint32_t>(__syncthreads_count(descends[k]));
      if (together >= max_count) {
        if (threadIdx.x == 0) atomicAdd(&found->descents, together);
      } else if (descends[k]) {
        const std::uint32_t index = 1 + atomicAdd(&found->descents, 1u);
        if (index < max_count) found->begins[index] = first + k * blockDim.x + threadIdx.x + 1;
      }
    }
    if (__syncthreads_or(descents >= max_count)) return;
  }
}

/// Finds the runs of n > 1 elements, if they are at most max_count. found->descents and
/// found->ticket are 0.
template <int ThreadsPerBlock, class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    find_natural_runs_kernel(In in, std::uint64_t n, std::uint32_t max_count, natural_runs* found,
                             Compare compare) {
  static_assert(ThreadsPerBlock >= natural_runs::max_count);
  const std::uint64_t share = ceil_div<std::uint64_t>(n - 1, gridDim.x);
  const std::uint64_t begin = min_of(share * blockIdx.x, n - 1);
  note_descents(in, begin, min_of(begin + share, n - 1), max_count, found, compare);
  if (!is_last_to_arrive(&found->ticket, gridDim.x)) return;

  const std::uint32_t descents = found->descents;
  if (threadIdx.x == 0) found->count = descents < max_count ? descents + 1 : 0;
  if (descents >= max_count) return;
  const bool has_one = threadIdx.x < descents;
  const std::uint64_t own = has_one ? found->begins[threadIdx.x + 1] : 0;
  std::uint32_t index = 1;
  for (std::uint32_t i = 1; i <= descents; ++i) index += has_one && found->begins[i] < own;
  __syncthreads();
  if (has_one) found->begins[index] = own;
  if (threadIdx.x == 0) {
    found->begins[0] = 0;
    found->begins[descents + 1] = n;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
