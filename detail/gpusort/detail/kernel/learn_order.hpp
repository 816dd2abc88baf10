// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/arrival.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/learnt_order.hpp>
#include <gpusort/detail/tile/sample.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What has been learnt of elements and their comparator.
struct learnt {
  tile::learnt_order order;
  std::uint32_t is_narrow;   // conditions: they are to be sorted by a word of 4 bytes,
  std::uint32_t is_wide;     // of 8 bytes,
  std::uint32_t is_any;      // of either
  std::uint32_t violations;  // of all elements, once a sort has asked; before, all there are
  std::uint32_t ticket;
};

/// A sample of 2^log_learnt_groups groups of neighbours, which often are alike: of two words that
/// ascend together from afar, only one does among them.
inline constexpr int log_learnt_groups = 6;
inline constexpr int learnt_group = 8;
inline constexpr int learnt_samples = learnt_group << log_learnt_groups;
using learnt_sorter = tile::block_sort<std::uint32_t, learnt_samples / 2, 2, false>;

/// Sorts a sample and looks for the word that orders it. Where half of its elements are equivalent
/// to others, equal keys are so many that comparing them is sooner done. Block-wide.
template <int Alignment, class Element, class Compare>
GPUSORT_DEVICE tile::learnt_order learn_from_sample(const Element* elements, std::uint64_t n,
                                                    std::uint64_t seed, Compare& compare) {
  __shared__ typename learnt_sorter::storage places;
  __shared__ bool is_before_next[learnt_samples];
  for (int i = threadIdx.x; i < learnt_samples; i += blockDim.x) {
    const std::uint64_t group =
        tile::sample_place(i / learnt_group, log_learnt_groups, n - learnt_group, seed);
    places.tile[i] = static_cast<std::uint32_t>(group + i % learnt_group);
  }
  __syncthreads();
  by_pointee<Element, Compare> by_element{elements, compare};
  learnt_sorter::sort(places, learnt_samples, by_element);
  int different = 0;
  for (int i = threadIdx.x; i < learnt_samples; i += blockDim.x) {
    const bool is_last = i == learnt_samples - 1;
    is_before_next[i] = !is_last && by_element(places.tile[i], places.tile[i + 1]);
    different += __syncthreads_count(is_before_next[i]);
  }
  if (different < learnt_samples / 2) return {};
  const auto* const bytes = reinterpret_cast<const unsigned char*>(elements);
  return tile::learn_order<sizeof(Element), Alignment>(
      learnt_samples, [&](int i) { return bytes + std::size_t{places.tile[i]} * sizeof(Element); },
      [&](int i) { return is_before_next[i]; });
}

/// Block 0 learns the order of n elements, many more than learnt_samples and fewer than 2^32; the
/// others look whether they are in order already: then there is nothing to sort. result->ticket is
/// 0.
template <int Alignment, class Element, class Compare>
GPUSORT_KERNEL void __launch_bounds__(learnt_sorter::threads_per_block)
    learn_order_kernel(const Element* elements, std::uint64_t n, probe_result probe,
                       std::uint64_t seed, learnt* result, Compare compare) {
  if (blockIdx.x > 0) {
    const int mine = static_cast<int>(blockIdx.x) - 1;
    by_pointee<Element, Compare> by_element{elements, compare};  // copies of elements may be large
    const std::uint32_t found =
        find_violations(index_sequence_array<std::uint32_t>{}, n, mine, probe.blocks, by_element);
    if (threadIdx.x == 0) probe.violations[mine] = found;
  } else {
    const tile::learnt_order order = learn_from_sample<Alignment>(elements, n, seed, compare);
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
