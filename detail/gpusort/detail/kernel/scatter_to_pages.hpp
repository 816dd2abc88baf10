// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/distributor.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The elements of a tile are in slots, some of them perhaps in another page than the others of
/// their bucket. While a tile's destinations are being claimed, the one before is written.
template <class Shape, class T>
struct page_storage {
  static constexpr int max_buckets = 1 << Shape::max_log_buckets;

  /// Holds what two tiles hold in turns.
  struct counted {
    run_starts<Shape::items_per_tile> starts;
    std::uint32_t histogram[max_buckets + 1];
  };

  T items[Shape::items_per_tile];
  typename slot_scan<Shape>::TempStorage scan_storage;
  counted tiles[2];
  global_size destinations[2 * max_buckets];  // of each run, less its slot
};

/// Holds what a thread claims for one tile of the pages of its buckets. Registers are scarce: how
/// much it claims is in the tile's histogram.
template <class Shape, std::uint32_t PageItems>
class page_claims {
 public:
  GPUSORT_DEVICE page_claims(const page_table& pages, int k) : pages_(pages), mine_{k} {}

  /// Claims what each of this thread's buckets has in the tile. Between barriers.
  GPUSORT_DEVICE void claim(const std::uint32_t* counts, global_size* claimed) {
    mine_.for_each([&](int i, int b) {
      const global_size first = counts[b] > 0 ? atomicAdd(claimed + b, global_size{counts[b]}) : 0;
      page_[i] = static_cast<std::uint32_t>(first / PageItems);
      before_[i] = static_cast<std::uint32_t>(first % PageItems);
    });
  }

  /// Takes the pages that begin in what was claimed.
  GPUSORT_DEVICE void take_pages(const std::uint32_t* counts) const {
    mine_.for_each([&](int i, int b) {
      if (counts[b] == 0) return;
      if (before_[i] == 0) pages_.take(b, page_[i]);
      if (before_[i] + counts[b] > PageItems) pages_.take(b, page_[i] + 1);
    });
  }

  /// Returns the runs of destinations that `count` elements of the i-th bucket take.
  GPUSORT_DEVICE std::uint32_t runs(int i, std::uint32_t count) const {
    return count == 0 ? 0 : before_[i] + count > PageItems ? 2 : 1;
  }

  /// Finds the destinations of slots. Block-wide, before a barrier.
  template <class Starts>
  GPUSORT_DEVICE void find_destinations(const std::uint32_t* slots, Starts& starts,
                                        global_size* destinations) const {
    mine_.for_each([&](int i, int b) {
      std::uint32_t slot = slots[b] & 0xffff;
      const std::uint32_t run = slots[b] >> 16, end = slots[b + 1] & 0xffff;
      if (slot == end) return;
      const std::uint32_t here = min_of(end - slot, PageItems - before_[i]);
      starts.add(run, slot, here);
      destinations[run] = pages_.begin(b, page_[i]) + before_[i] - slot;
      slot += here;
      if (slot == end) return;
      starts.add(run + 1, slot, end - slot);
      destinations[run + 1] = pages_.begin(b, page_[i] + 1) - slot;
    });
  }

 private:
  page_table pages_;
  own_buckets<Shape> mine_;
  std::uint32_t page_[own_buckets<Shape>::most];    // of the first element
  std::uint32_t before_[own_buckets<Shape>::most];  // it on its page
};

/// Scatters an input that is not counted, in steps 2 and 3: each block finds the buckets of its
/// tiles and scatters them to pages.
template <tuning::architecture Arch, class Shape, std::uint32_t PageItems, class In, class Out,
          class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Shape::threads_per_block, Shape::blocks_resident)
    scatter_to_pages_kernel(In in, Out out, segment_table input, bucket_table<T> level,
                            Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (publish_sortedness(input.probe)) return;
    const chunk mine = find_chunk(input, level);
    if (!mine.exists) return;
    const int k = 1 << level.log_k;
    auto& shared = *reinterpret_cast<page_storage<Shape, T>*>(raw + tree_bytes<T>(k));
    with_finder<In, Compare>(raw, level, 0, [&](const auto& finder) GPUSORT_INLINED {
      held_items<Shape, T, fetched_element_t<In>> held;
      held.load(in, mine.first, mine.last);
      int turn = 0, count = 0;
      const auto write = [&](const auto& tile) {
        write_slots<Shape>(shared.items, tile.starts, shared.destinations, out, count);
      };
#pragma unroll 1
      for (global_size first = mine.first; first < mine.last; first += Shape::items_per_tile) {
        auto &now = shared.tiles[turn], &before = shared.tiles[turn ^= 1];
        for (int b = threadIdx.x; b < k; b += blockDim.x) now.histogram[b] = 0;
        now.starts.clear();
        held.hold(in);
        held.find_buckets(finder, compare);
        __syncthreads();
        const int new_count =
            static_cast<int>(min_of<global_size>(mine.last - first, Shape::items_per_tile));
        held.count_in(now.histogram, new_count);
        __syncthreads();
        page_claims<Shape, PageItems> claims(level.pages, k);
        claims.claim(now.histogram, level.counts);
        write(before);
        count = new_count;
        claims.take_pages(now.histogram);
        scan_slots<Shape>(shared.scan_storage, now.histogram, k,
                          [&](int i, std::uint32_t items) { return claims.runs(i, items); });
        held.regroup(now.histogram, shared.items, count);
        held.load(in, first + Shape::items_per_tile, mine.last);
        claims.find_destinations(now.histogram, now.starts, shared.destinations);
      }
      __syncthreads();
      write(shared.tiles[turn ^ 1]);
    });
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
