// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/kernel/list_long_range.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merge sort by all blocks together: sample sort's last kernel, which is there for buckets that
/// sampling has misjudged, takes the whole input for one of these. So it is for sorts that have no
/// scratch for more, and costs no kernel of its own.
///
/// Not stable. A permutation for any comparator. O(n log n) comparisons for any input. Scratch: n
/// elements, and 8 bytes for each part of 2048 or fewer. Launches: 2. No
/// synchronization; capturable. Source: decision 20.
template <class Array, class Compare>
class grid_merge_sort : sample_sort<Array, Compare> {
  using sorts = sample_sort<Array, Compare>;

 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  /// Sorts the n > 0 elements of `in` into `out`: the same array, or one that does not overlap it.
  static void run(const call_stream& stream, Array in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    const layout parts(n, scratch);
    const kernel::bucket_list& none = parts.buckets;
    constexpr int threads = 256;
    launch(kernel::list_long_range_kernel<threads>, 1, threads, 0, stream, none.state, none.longer,
           n, parts.violations, parts.counts, none.buckets);
    kernel::segment_table input{};
    input.n = n;
    input.probe.all = parts.violations;
    if constexpr (sorts::are_numbers) {
      sorts::template launch_bucket_sorts<sorter, has_several>(stream, none.buckets, in, input, in,
                                                               out, parts.elements, none, compare);
    } else {
      sorts::template launch_long_sort<sorter>(stream, threads_per_multiprocessor, input, in, out,
                                               parts.elements, none.longer, compare);
    }
  }

 private:
  using sorter = typename sorts::bucket_sorter;
  static constexpr bool has_several = sorts::bucket_numbers::per_block > 1;

  // As many as any device has room for. More than are resident do no harm: a block that comes late
  // finds the work done.
  static constexpr int threads_per_multiprocessor = 2048;

  static std::uint32_t blocks_of_grid() {
    return static_cast<std::uint32_t>(current_device_properties().multiprocessors) *
           (threads_per_multiprocessor / sorter::threads_per_block);
  }

  struct layout {
    Array elements;
    kernel::bucket_list buckets{};  // one for each block, all empty
    kernel::global_size* counts;
    std::uint32_t* violations;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      elements = Array::in_scratch(cursor, n);
      buckets.buckets = blocks_of_grid();
      counts = cursor.take<kernel::global_size>(buckets.buckets);
      buckets.counts = buckets.starts = counts;
      buckets.state = cursor.take<kernel::bucket_sort_state>(1);
      violations = cursor.take<std::uint32_t>(1);
      auto* const totals = buckets.state ? &buckets.state->long_buckets : nullptr;
      const std::uint64_t least_long = 4 * sorter::items_per_tile + 1;
      buckets.longer =
          sorts::template long_buckets_in<sorter>(cursor, (std::max)(n, least_long), totals);
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
