// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/arrival.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/inferred_order.hpp>
#include <gpusort/detail/tile/sample.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Holds what has been inferred of elements and their comparator.
struct inferred {
  tile::inferred_order order;
  std::uint32_t is_narrow;   // conditions: they are to be sorted by a word of 4 bytes,
  std::uint32_t is_wide;     // of 8 bytes,
  std::uint32_t is_any;      // of either
  std::uint32_t violations;  // of the whole input; all bits set until the sort's probe
  std::uint32_t ticket;
};

/// Samples 2^log_inferred_groups groups of neighbours: two correlated words that agree over a
/// sparse sample usually disagree between neighbours.
inline constexpr int log_inferred_groups = 6;
inline constexpr int inferred_group = 8;
inline constexpr int inferred_samples = inferred_group << log_inferred_groups;
using inferred_sorter = tile::block_merge_sort<std::uint32_t, inferred_samples / 2, 2, false>;

/// Sorts a sample and looks for the word that orders it, unless half of its elements are equivalent
/// to others: elements with many equal keys are compared in less time. Block-wide.
template <int Alignment, class Element, class Compare>
GPUSORT_DEVICE tile::inferred_order learn_from_sample(const Element* elements, std::uint64_t n,
                                                      std::uint64_t seed, Compare& compare) {
  __shared__ typename inferred_sorter::storage indices;
  __shared__ bool is_before_next[inferred_samples];
  for (int i = threadIdx.x; i < inferred_samples; i += blockDim.x) {
    const std::uint64_t group =
        tile::sample_index(i / inferred_group, log_inferred_groups, n - inferred_group, seed);
    indices.tile[i] = static_cast<std::uint32_t>(group + i % inferred_group);
  }
  __syncthreads();
  by_pointee<Element, Compare> by_element{elements, compare};
  inferred_sorter::sort(indices, inferred_samples, by_element);
  int different = 0;
  for (int i = threadIdx.x; i < inferred_samples; i += blockDim.x) {
    const bool is_last = i == inferred_samples - 1;
    is_before_next[i] = !is_last && by_element(indices.tile[i], indices.tile[i + 1]);
    different += __syncthreads_count(is_before_next[i]);
  }
  if (different < inferred_samples / 2) return {};
  const auto* const bytes = reinterpret_cast<const unsigned char*>(elements);
  return tile::infer_order<sizeof(Element), Alignment>(
      inferred_samples,
      [&](int i) { return bytes + std::size_t{indices.tile[i]} * sizeof(Element); },
      [&](int i) { return is_before_next[i]; });
}

/// Learns the order of n elements, many more than inferred_samples and fewer than 2^32, in block 0;
/// the others look whether they are in order already: then there is nothing to sort. result->ticket
/// is 0.
template <int Alignment, class Element, class Compare>
GPUSORT_KERNEL void __launch_bounds__(inferred_sorter::threads_per_block)
    infer_order_kernel(const Element* elements, std::uint64_t n, sortedness probe,
                       std::uint64_t seed, inferred* result, Compare compare) {
  if (blockIdx.x > 0) {
    const int mine = static_cast<int>(blockIdx.x) - 1;
    by_pointee<Element, Compare> by_element{elements, compare};  // copies of elements may be large
    const std::uint32_t found =
        find_violations(index_sequence_array<std::uint32_t>{}, n, mine, probe.blocks, by_element);
    if (threadIdx.x == 0) probe.violations[mine] = found;
  } else {
    const tile::inferred_order order = learn_from_sample<Alignment>(elements, n, seed, compare);
    if (threadIdx.x == 0) result->order = order;
  }
  if (is_last_to_arrive(&result->ticket, gridDim.x)) {
    const bool is_unordered = all_violations(probe) == neither;
    if (threadIdx.x > 0) return;
    result->violations = neither;
    const std::uint32_t bytes = is_unordered ? result->order.word_bytes : 0;
    result->is_narrow = bytes == 4;
    result->is_wide = bytes == 8;
    result->is_any = bytes != 0;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
