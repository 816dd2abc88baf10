// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/predicate.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Words of 8 bytes, and indices in an array of their own; or, where that is null, words of 4 bytes
/// and, below them, indices.
struct sorted_words {
  const std::uint64_t* words;
  const std::uint32_t* indices;
  GPUSORT_DEVICE std::uint64_t number(std::uint64_t i) const {
    return words[i] >> (indices == nullptr ? 32 : 0);
  }
  GPUSORT_DEVICE std::uint32_t index(std::uint64_t i) const {
    return indices == nullptr ? static_cast<std::uint32_t>(words[i]) : indices[i];
  }
};

/// Runs of more equal words than this are left as they are.
inline constexpr int max_ties = 32;

/// Puts the elements whose words are equal to the i-th in order by their comparator. The thread of
/// the first one does it, by insertion: runs are rare, and mostly of two.
template <class Element, class Compare>
GPUSORT_DEVICE void order_run(const sorted_words& sorted, std::uint64_t n, std::uint64_t i,
                              const Element* elements, std::uint32_t* out, Compare& compare) {
  const std::uint64_t number = sorted.number(i);
  std::uint64_t before = 0, after = 0;
  while (before < max_ties && before < i && sorted.number(i - before - 1) == number) ++before;
  while (after < max_ties && i + after + 1 < n && sorted.number(i + after + 1) == number) ++after;
  const int ties = static_cast<int>(before + 1 + after);
  if (ties > max_ties) {
    out[i] = sorted.index(i);
    return;
  }
  if (before > 0) return;
  std::uint32_t indices[max_ties];
  for (int k = 0; k < ties; ++k) {
    const std::uint32_t index = sorted.index(i + k);
    int to = k;
    for (; to > 0 && compare(elements[index], elements[indices[to - 1]]); --to) {
      indices[to] = indices[to - 1];
    }
    indices[to] = index;
  }
  for (int k = 0; k < ties; ++k) out[i + k] = indices[k];
}

/// Puts indices of elements in the order of their words into the order of their comparator. `out`
/// may be where the indices are.
template <int ThreadsPerBlock, class Element, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    order_ties_kernel(sorted_words sorted, std::uint64_t n, const Element* elements,
                      std::uint32_t* out, predicate gate, Compare compare) {
  if (!gate.is_set()) return;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * ThreadsPerBlock;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x; i < n;
       i += stride) {
    const std::uint64_t number = sorted.number(i);
    const bool is_tied =
        (i > 0 && sorted.number(i - 1) == number) || (i + 1 < n && sorted.number(i + 1) == number);
    if (is_tied) {
      order_run(sorted, n, i, elements, out, compare);
    } else {
      out[i] = sorted.index(i);
    }
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
