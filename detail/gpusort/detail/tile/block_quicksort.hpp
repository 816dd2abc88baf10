// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/partition.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts up to MaxItems items in shared memory. Level by level, sequences are split from
/// one side of the memory to the other, by all warps at once; parts that a warp's registers hold,
/// of ItemsPerLane each, are sorted by a warp. Levels are bounded by MaxLevels: what pivots were
/// too bad for, or a comparator lies about, is merge sorted. Source: papers 000 and 004, second
/// phase, whose stack became levels: sequences that are longer than a warp sorts cannot be many.
template <class T, int ThreadsPerBlock, int ItemsPerLane, int BatchPerLane, int MaxItems,
          int MaxLevels>
class block_quicksort {
 public:
  static constexpr int max_items = MaxItems;
  static constexpr int items_per_warp = warp_size * ItemsPerLane;
  using items = padded_items<T, MaxItems>;
  using merge_sorter =
      block_merge_sort<T, ThreadsPerBlock, (ItemsPerLane < 8 ? ItemsPerLane : 8), false>;

  struct sequence {
    int begin;
    int count;
    int lefts;   // destinations given away from the left end on
    int rights;  // and from the right end on
    lower_bound_of<T> bound;
    split_rule<T> rule;
  };
  /// Needs no more splits.
  struct part {
    int begin;
    int count;
    int side;
    bool is_finished;  // all equivalent
  };

  // Those of a level are disjoint, and longer than a warp sorts.
  static constexpr int max_sequences = MaxItems / (items_per_warp + 1) + 1;
  static_assert(max_sequences <= warp_size, "a warp finds a batch's sequence");
  static constexpr int max_listed = 4 * max_sequences;

  struct storage {
    union memory {
      items sides[2];
      typename merge_sorter::storage merging;
    };
    alignas(16) unsigned char raw[sizeof(memory)];
    sequence sequences[2][max_sequences];
    int count[2];  // of sequences
    part listed[max_listed];
    int listed_count;

    GPUSORT_DEVICE items& side(int s) { return reinterpret_cast<memory*>(raw)->sides[s]; }
    GPUSORT_DEVICE typename merge_sorter::storage& merging() {
      return reinterpret_cast<memory*>(raw)->merging;
    }
  };

  /// Sorts side 0's first `count` items into `out`; `spare` may be overwritten. Block-wide, between
  /// barriers.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& out, const Array& spare, int count,
                                  Compare& compare) {
    if (threadIdx.x == 0) shared.count[0] = shared.listed_count = 0;
    __syncthreads();
    if (warp_id() == 0) add(shared, 0, part{0, count, 0, false}, {T{}, false}, compare);
    __syncthreads();
    int level = 0;
    for (; level < MaxLevels && shared.count[level % 2] > 0; ++level) {
      if (threadIdx.x == 0) shared.count[(level + 1) % 2] = 0;
      partition(shared, level % 2, compare);
      __syncthreads();
      for (int k = warp_id(); k < 2 * shared.count[level % 2]; k += warps) {
        add_part(shared, level % 2, k / 2, k % 2 == 0, compare);
      }
      __syncthreads();
      if (shared.listed_count > max_listed - 2 * max_sequences) sort_listed(shared, out, compare);
    }
    sort_listed(shared, out, compare);
    if (shared.count[level % 2] > 0) merge_sort(shared, level % 2, out, spare, compare);
  }

 private:
  static constexpr int warps = ThreadsPerBlock / warp_size;

  /// Adds one of the two parts of a sequence that has been split from `side`. By a warp.
  template <class Compare>
  static GPUSORT_DEVICE void add_part(storage& shared, int side, int number, bool is_left,
                                      Compare& compare) {
    const sequence& whole = shared.sequences[side][number];
    const int to = 1 - side;
    if (is_left) {
      add(shared, to, part{whole.begin, whole.lefts, to, whole.rule.takes_equal}, whole.bound,
          compare);
    } else {
      add(shared, to, part{whole.begin + whole.lefts, whole.rights, to, false},
          {whole.rule.pivot, true}, compare);
    }
  }

  /// Makes a part of `side`, if it is not empty, a sequence, or lists it. By a warp.
  template <class Compare>
  static GPUSORT_DEVICE void add(storage& shared, int side, const part& p,
                                 const lower_bound_of<T>& bound, Compare& compare) {
    if (p.count == 0) return;
    if (p.is_finished || p.count <= items_per_warp) {
      if (lane_id() == 0) shared.listed[atomicAdd(&shared.listed_count, 1)] = p;
      return;
    }
    items& from = shared.side(side);
    const auto load = [&](std::uint64_t i) -> const T& {
      return from[p.begin + static_cast<int>(i)];
    };
    const split_rule<T> rule =
        choose_split<3, T>(load, static_cast<unsigned>(p.count), p.begin, bound, compare);
    if (lane_id() == 0) {
      const int slot = atomicAdd(shared.count + side, 1);
      shared.sequences[side][slot] = {p.begin, p.count, 0, 0, bound, rule};
    }
  }

  /// Splits all sequences of a side. Warps take a batch of one of them at a time, and reserve
  /// destinations for its items in both ends of the sequence's range on the other side.
  template <class Compare>
  static GPUSORT_DEVICE void partition(storage& shared, int side, Compare& compare) {
    constexpr int batch = warp_size * BatchPerLane;
    const int mine = lane_id() < shared.count[side]
                         ? ceil_div(shared.sequences[side][lane_id()].count, batch)
                         : 0;
    const int end = warp_prefix(mine);  // of the lane's sequence, in batches
    const int batches = __shfl_sync(full_warp, end, warp_size - 1);
    for (int b = warp_id(); b < batches; b += warps) {
      const int number = __popc(__ballot_sync(full_warp, end <= b));
      const int first = (b - __shfl_sync(full_warp, end - mine, number)) * batch;
      partition_batch(shared, side, shared.sequences[side][number], first, compare);
    }
  }

  template <class Compare>
  static GPUSORT_DEVICE void partition_batch(storage& shared, int side, sequence& whole, int first,
                                             Compare& compare) {
    constexpr int batch = warp_size * BatchPerLane;
    const int count = whole.count - first;
    if (count >= batch) {
      partition_batch(
          shared, side, whole, first, [](int) { return true; }, compare);
    } else {
      const auto exists = [=](int i) { return warp_size * i + lane_id() < count; };
      partition_batch(shared, side, whole, first, exists, compare);
    }
  }

  template <class Exists, class Compare>
  static GPUSORT_DEVICE void partition_batch(storage& shared, int side, sequence& whole, int first,
                                             const Exists& exists, Compare& compare) {
    items& from = shared.side(side);
    items& to = shared.side(1 - side);
    const int begin = whole.begin, mine = begin + first + lane_id();
    T x[BatchPerLane];
#pragma unroll
    for (int i = 0; i < BatchPerLane; ++i) {
      if (exists(i)) x[i] = from[mine + warp_size * i];
    }
    warp_split<BatchPerLane> split;
    whole.rule.find(split, x, exists, compare);
    int reserved = 0;
    if (lane_id() == 0) reserved = atomicAdd(&whole.lefts, split.lefts());
    if (lane_id() == 1) reserved = atomicAdd(&whole.rights, split.rights());
    const int left = begin + __shfl_sync(full_warp, reserved, 0);
    const int right = begin + whole.count - 1 - __shfl_sync(full_warp, reserved, 1);
    split.for_each(exists, left, right, [&](int i, int where) { to[where] = x[i]; });
  }

  /// Empties the list: its parts are final. After a barrier; ends with one.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort_listed(storage& shared, const Array& out, Compare& compare) {
    const int listed = shared.listed_count;
    for (int k = warp_id(); k < listed; k += warps) {
      const part p = shared.listed[k];
      items& from = shared.side(p.side);
      if (!p.is_finished) sort_by_warp(from, p.begin, p.count, compare);
      for (int i = lane_id(); i < p.count; i += warp_size) {
        out.store(p.begin + i, from[p.begin + i]);
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) shared.listed_count = 0;
    __syncthreads();
  }

  template <class Compare>
  static GPUSORT_DEVICE void sort_by_warp(items& from, int begin, int count, Compare& compare) {
    using last = padding_key<T, Compare>;
    const int first = lane_id() * ItemsPerLane;
    T x[ItemsPerLane];
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if constexpr (last::is_known) x[i] = last::value();
      if (first + i < count) x[i] = from[begin + first + i];
    }
    warp_bitonic_sort<last::is_known, ItemsPerLane>(x, count, compare);
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if (first + i < count) from[begin + first + i] = x[i];
    }
    __syncwarp();
  }

  /// Sorts the sequences that are left over, by merging.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge_sort(storage& shared, int side, const Array& out,
                                        const Array& spare, Compare& compare) {
    items& from = shared.side(side);
    const int left_over = shared.count[side];
    for (int k = 0; k < left_over; ++k) {
      const int begin = shared.sequences[side][k].begin, count = shared.sequences[side][k].count;
      for (int i = threadIdx.x; i < count; i += ThreadsPerBlock) {
        out.store(begin + i, from[begin + i]);
      }
    }
    __syncthreads();
    for (int k = 0; k < left_over; ++k) {
      const int begin = shared.sequences[side][k].begin, count = shared.sequences[side][k].count;
      block_sort_any_length<merge_sorter>(shared.merging(), out + begin, out + begin, spare + begin,
                                          count, compare);
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
