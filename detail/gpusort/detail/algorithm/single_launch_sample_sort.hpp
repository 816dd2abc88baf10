// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/algorithm/sample_sort_tuning.hpp>
#include <gpusort/detail/kernel/single_launch_sample_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sample sort of few elements by all multiprocessors in one cooperative launch. Not stable. A
/// permutation for any comparator. For any input each element is compared log2(n) times at most to
/// distribute it, and then as in a merge sort of its bucket: buckets that sampling misjudged are
/// merge sorted by all blocks together. Scratch: n elements, and some KB. No synchronization;
/// capturable. The idea is ours (docs/decisions, 4); the rest: paper 003, section 6.
template <class Array, class Compare,
          class Tuning = sample_sort_tuning<typename Array::value_type, Compare>>
class single_launch_sample_sort {
  using element = typename Array::value_type;
  using storage = kernel::single_launch_storage<Tuning, element>;
  using tuning = typename Tuning::single_launch;
  static constexpr bool is_possible = tuning::max_n > 0;
  static_assert(!is_possible || sizeof(storage) <= detail::tuning::shared_memory_of(Tuning::arch));

 public:
  /// Returns the most elements that it sorts on the current device; 0 where no launch may
  /// cooperate.
  static std::uint64_t max_n() {
    if (!is_possible) return 0;
    const std::uint64_t blocks = most_cooperating_blocks(tuning::threads_per_block, sizeof(storage),
                                                         tuning::blocks_resident);
    return std::min<std::uint64_t>(blocks * block_items, tuning::max_n);
  }

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  /// Sorts the n <= max_n() elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    if constexpr (is_possible) launch_all(stream, in, out, n, compare, layout(n, scratch));
  }

 private:
  static constexpr int block_items = tuning::threads_per_block * tuning::items_per_thread;

  struct layout {
    Array spare;
    std::uint32_t* counts;
    std::uint8_t* equal;
    std::uint16_t* sample_ranks;
    kernel::long_ranges longer;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      spare = Array::in_scratch(cursor, n);
      counts = cursor.take<std::uint32_t>(tuning::max_buckets);
      equal = cursor.take<std::uint8_t>(tuning::max_buckets);
      sample_ranks = cursor.take<std::uint16_t>(tuning::max_samples);
      longer = kernel::long_ranges::in_scratch<typename storage::sorter>(
          cursor, n, storage::sorter::items_per_tile, cursor.take<kernel::long_range_totals>(1));
      bytes = cursor.used();
    }
  };

  template <class In>
  static void launch_all(const call_stream& stream, In in, Array out, std::uint64_t n,
                         Compare compare, const layout& parts) {
    const int items = static_cast<int>(n);
    const int multiprocessors = cooperating_multiprocessors();
    const int blocks_resident = ceil_div(items, multiprocessors * block_items);
    const int most_buckets = blocks_resident * tuning::buckets_per_block;
    const int most_blocks = blocks_resident * multiprocessors;
    const int log_k =
        ceil_log2((std::min)(ceil_div(items, int{tuning::target_bucket}), most_buckets));
    const bool is_large = items >> log_k > tuning::large_bucket;
    const int log_sample =
        (std::max)(is_large ? int{tuning::log_sample} : 0, log_k + tuning::log_oversample);
    const int items_per_block =
        (std::max)(round_up(ceil_div(items, most_blocks), tile::warp_size), 256);
    launch_cooperatively(
        kernel::single_launch_sample_sort_kernel<Tuning::arch, Tuning, Array, In, Compare>,
        ceil_div(items, items_per_block), tuning::threads_per_block, sizeof(storage), stream, in,
        out, parts.spare, parts.counts, parts.equal, parts.sample_ranks, parts.longer, items,
        items_per_block, log_k, log_sample - log_k, stream.seed().bits, compare);
  }
};

template <class Array, class Compare>
struct single_launch_sample_sorts {
  template <tuning::architecture Arch>
  using on =
      single_launch_sample_sort<Array, Compare,
                                sample_sort_tuning<typename Array::value_type, Compare, Arch>>;
};
template <class Array, class Compare>
using tuned_single_launch_sample_sort = by_generation<single_launch_sample_sorts<Array, Compare>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
