// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/block/block_scan.cuh>
#include <gpusort/detail/kernel/classify.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/optimization_barrier.hpp>
#include <gpusort/detail/tile/element_pieces.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

// The distributor: a block regroups the items of a tile by bucket in shared memory, so that those
// of a bucket are written one after the other. Where they go, its users claim.

/// Runs of slots go to consecutive outputs. Per 32 slots: a bitmask of those that begin a run, and
/// the number of runs before them. Popcount finds a slot's run.
template <int Slots>
struct run_starts {
  struct width {
    std::uint32_t first_slots;
    std::uint32_t runs_before;
  };
  width widths[Slots / tile::warp_size + 1];

  /// Clears, block-wide, before a barrier.
  GPUSORT_DEVICE void clear() {
    for (int i = threadIdx.x; i <= Slots / tile::warp_size; i += blockDim.x) widths[i] = {0, 0};
  }

  /// Adds run number `run`, which has `count` > 0 slots from `slot` on.
  GPUSORT_DEVICE void add(std::uint32_t run, std::uint32_t slot, std::uint32_t count) {
    atomicOr(&widths[slot / tile::warp_size].first_slots, 1u << slot % tile::warp_size);
    for (std::uint32_t i = slot / tile::warp_size + 1; i * tile::warp_size <= slot + count; ++i) {
      widths[i].runs_before = run + 1;
    }
  }

  GPUSORT_DEVICE std::uint32_t run_of(std::uint32_t slot) const {
    return run_of(slot, slot % tile::warp_size);
  }

  /// Returns the run of a slot whose offset in its width is known.
  GPUSORT_DEVICE std::uint32_t run_of(std::uint32_t slot, std::uint32_t offset) const {
    const width mine = widths[slot / tile::warp_size];
    const std::uint32_t up_to_me = 0xffffffffu >> (tile::warp_size - 1 - offset);
    return mine.runs_before + __popc(mine.first_slots & up_to_me) - 1;
  }
};

template <class Shape>
using slot_scan = cub::BlockScan<std::uint32_t, Shape::threads_per_block>;

/// Holds what a thread holds of a tile: item i is number i * threads_per_block + thread of it. What
/// is loaded is encoded by hold(), when it is needed: until then the thread has other work.
template <class Tuning, class T, class Fetched = T>
struct held_items {
  T x[Tuning::items_per_thread];
  Fetched fetched[Tuning::items_per_thread];
  std::uint32_t bucket[Tuning::items_per_thread];

  static GPUSORT_DEVICE int index_in_tile(int i) {
    return i * Tuning::threads_per_block + static_cast<int>(threadIdx.x);
  }

  /// Loads the first `count` items of the tile that begins at `first`, or none.
  template <class In>
  GPUSORT_DEVICE void load(const In& in, const std::uint16_t* buckets, global_size first,
                           int count) {
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      bucket[i] = 0;
      if (index_in_tile(i) < count) {
        load_one(in, i, first + index_in_tile(i));
        bucket[i] = buckets[first + index_in_tile(i)];
      }
    }
  }

  /// Loads the items of the tile that begins at `first`, and the last one of all instead of those
  /// beyond `last`; or none, where the tile is beyond.
  template <class In>
  GPUSORT_DEVICE void load(const In& in, global_size first, global_size last) {
    if (first >= last) return;
    const global_size most = last - first - 1;
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      load_one(in, i, first + min_of<global_size>(index_in_tile(i), most));
    }
  }
  template <class In>
  GPUSORT_DEVICE void hold([[maybe_unused]] const In& in) {
    if constexpr (is_encoded_v<In>) {
#pragma unroll
      for (int i = 0; i < Tuning::items_per_thread; ++i) x[i] = in.hold(fetched[i]);
    }
  }
  template <class Finder, class Compare>
  GPUSORT_DEVICE void find_buckets(const Finder& finder, Compare& compare) {
    int found[Tuning::items_per_thread];
    finder.classify(x, found, full_tile{}, compare);
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) bucket[i] = found[i];
  }

  /// Counts them. From bit 16 on, `bucket` is then the rank among those of the bucket: in one
  /// register, as two for each item are more than there are.
  GPUSORT_DEVICE void count_in(std::uint32_t* histogram, int count) {
    const std::uint32_t like_first =
        __ballot_sync(tile::full_warp, bucket[0] == __shfl_sync(tile::full_warp, bucket[0], 0));
    if (count == Tuning::items_per_tile && __popc(like_first) > tile::warp_size * 3 / 4) {
      return count_neighbours_in(histogram);
    }
    constexpr int items = Tuning::items_per_thread;
    std::uint32_t rank[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      rank[i] = atomicAdd(histogram + bucket[i], index_in_tile(i) < count ? 1u : 0u);
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      bucket[i] |= rank[i] << 16;
      optimization_barrier(bucket[i]);
    }
  }

  /// Counts all items of a tile where neighbours of the input are alike: one lane counts for its
  /// warp, as one by one lanes would wait for each other. Where half of the lanes have items of one
  /// bucket only, it counts all of these at once, else the items of each step of which all lanes
  /// are of one bucket. That share, and how many neighbours are alike to begin with, are by
  /// estimate.
  GPUSORT_DEVICE void count_neighbours_in(std::uint32_t* histogram) {
    constexpr int items = Tuning::items_per_thread;
    const std::uint32_t same = __shfl_sync(tile::full_warp, bucket[0], 0);
    std::uint32_t differing = 0;
#pragma unroll
    for (int i = 0; i < items; ++i) differing |= bucket[i] ^ same;
    std::uint32_t alike = __ballot_sync(tile::full_warp, differing == 0);
    if (__popc(alike) < tile::warp_size / 2) alike = 0;
    std::uint32_t rank = alike != 0 ? rank_among(alike, histogram + same, items) : 0;
    const bool is_counted = (alike >> tile::lane_id() & 1) != 0;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      std::uint32_t* const counter = histogram + bucket[i];
      if (alike == 0 && tile::is_same_in_warp(bucket[i])) {
        rank = rank_among(tile::full_warp, counter, 1);
      } else if (!is_counted) {
        rank = atomicAdd(counter, 1u);
      }
      bucket[i] |= rank << 16;
      optimization_barrier(bucket[i]);
      rank += __popc(alike);
    }
  }

  /// Counts as many items for each of some lanes of a warp; the rank of the lane's first one, if
  /// its others have those that follow by the number of the lanes. For all lanes.
  static GPUSORT_DEVICE std::uint32_t rank_among(std::uint32_t lanes, std::uint32_t* counter,
                                                 int items) {
    const int lane = tile::lane_id();
    std::uint32_t first = 0;
    if (lane == 0) first = atomicAdd(counter, static_cast<std::uint32_t>(items * __popc(lanes)));
    return __shfl_sync(tile::full_warp, first, 0) + __popc(lanes & ((1u << lane) - 1));
  }

  /// Puts them into their slots, of which bucket b has those from first_slots[b], below bit 16, on.
  GPUSORT_DEVICE void regroup(const std::uint32_t* first_slots, T* slots, int count) const {
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      const std::uint32_t first = first_slots[bucket[i] & 0xffff] & 0xffff;
      if (index_in_tile(i) < count) slots[first + (bucket[i] >> 16)] = x[i];
    }
  }

 private:
  template <class In>
  GPUSORT_DEVICE void load_one(const In& in, int i, global_size index) {
    if constexpr (is_encoded_v<In>) {
      fetched[i] = in.fetch(index);
    } else {
      x[i] = in.load(index);
    }
  }
};

/// The buckets of a thread: as many in a row as are needed for all threads to have all of them.
template <class Shape>
struct own_buckets {
  static constexpr int most = ceil_div(1 << Shape::max_log_buckets, Shape::threads_per_block);

  int k;

  GPUSORT_DEVICE int first() const { return each() * static_cast<int>(threadIdx.x); }
  GPUSORT_DEVICE int count() const { return min_of(each(), k - first()); }

  /// Calls body(i, bucket) for i in [0, most), where there is a bucket. `i` is known when
  /// compiling.
  template <class Body>
  GPUSORT_DEVICE void for_each(const Body& body) const {
#pragma unroll
    for (int i = 0; i < most; ++i) {
      if (i < count()) body(i, first() + i);
    }
  }

 private:
  GPUSORT_DEVICE int each() const { return ceil_div(k, int{Shape::threads_per_block}); }
};

/// Scans the bucket histogram in place: bits 0 to 15 become the bucket's first slot, bits 16 to 31
/// its first run. runs(i, count) is the number of runs of this thread's i-th bucket. Block-wide,
/// between barriers.
template <class Shape, class Runs>
GPUSORT_DEVICE void scan_slots(typename slot_scan<Shape>::TempStorage& temporary,
                               std::uint32_t* histogram, int k, const Runs& runs) {
  const own_buckets<Shape> mine{k};
  std::uint32_t before[mine.most] = {}, all;
  mine.for_each([&](int i, int b) { before[i] = histogram[b] | runs(i, histogram[b]) << 16; });
  slot_scan<Shape>(temporary).ExclusiveSum(before, before, all);
  mine.for_each([&](int i, int b) { histogram[b] = before[i]; });
  if (threadIdx.x == 0) histogram[k] = all;
  __syncthreads();
}

/// Writes the items in a tile's slots to the destinations of their runs: those that take several
/// writes by pieces, so that neighbouring threads write neighbouring pieces. Block-wide.
template <class Shape, class Out, class T>
GPUSORT_DEVICE void write_slots(const T* items, const run_starts<Shape::items_per_tile>& starts,
                                const global_size* destinations, const Out& out, int count) {
  using parts = tile::element_pieces<Out>;
  constexpr int each = parts::per_element;
  const auto write = [&](int i) {
    if constexpr (each > 1) {
      const int slot = i / each, part = i % each;
      parts::store(out, destinations[starts.run_of(slot)] + slot, part,
                   parts::load(items[slot], part));
    } else {
      out.store(destinations[starts.run_of(i, tile::lane_id())] + i, items[i]);
    }
  };
  constexpr int threads = Shape::threads_per_block;
  if (count == Shape::items_per_tile) {
#pragma unroll
    for (int i = 0; i < each * Shape::items_per_thread; ++i) write(i * threads + threadIdx.x);
  } else {
#pragma unroll 1
    for (int i = threadIdx.x; i < each * count; i += threads) write(i);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
