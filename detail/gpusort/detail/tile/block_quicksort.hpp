// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/partition.hpp>
#include <gpusort/detail/tile/sort_range.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts up to MaxItems items in shared memory: the block splits sequences, the shorter
/// part first, from one side of the memory to the other; parts that a warp's registers hold, of
/// ItemsPerLane each, are sorted by a warp. Splits are bounded: where pivots are so bad that they
/// do not suffice, or a comparator lies, the rest is merge sorted. Source: papers 000 and 004,
/// second phase.
template <class T, int ThreadsPerBlock, int ItemsPerLane, int BatchPerLane, int MaxItems>
class block_quicksort {
 public:
  static constexpr int max_items = MaxItems;
  using items = padded_items<T, MaxItems>;
  using merge_sorter = block_sort<T, ThreadsPerBlock, (ItemsPerLane < 8 ? ItemsPerLane : 8), false>;

  /// Elements [begin, begin + count) of a side.
  struct part {
    int begin;
    int count;
    int side;
    bool is_finished;  // all equivalent
  };
  struct sequence {
    part elements;
    bool has_lower;  // `lower` is not behind any element
    T lower;
    split_rule<T> rule;
  };

  static constexpr int items_per_warp = warp_size * ItemsPerLane;
  static constexpr int max_listed = 64;
  // The part on top is at most half of the one below it, and longer than a warp sorts.
  static constexpr int max_depth = ceil_log2(ceil_div(MaxItems, items_per_warp)) + 1;

  struct storage {
    union memory {
      items sides[2];
      typename merge_sorter::storage merging;
    };
    alignas(16) unsigned char raw[sizeof(memory)];
    sequence stack[max_depth];
    part listed[max_listed];
    int lefts[2], rights[2];

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
    // The same in all threads.
    int depth = 0, listed = 0, splits = 8 * ceil_div(count, items_per_warp);
    if (threadIdx.x < 2) shared.lefts[threadIdx.x] = shared.rights[threadIdx.x] = 0;
    add(shared, {0, count, 0, false}, false, T{}, 0, depth, listed, compare);
    while (depth > 0 && splits > 0) {
      if (listed > max_listed - 2) sort_listed(shared, out, listed, compare);
      __syncthreads();
      split(shared, splits-- % 2, depth, listed, compare);
    }
    sort_listed(shared, out, listed, compare);
    if (depth > 0) merge_sort(shared, out, spare, depth, compare);
  }

 private:
  static constexpr int warps = ThreadsPerBlock / warp_size;

  /// Puts a part, if there is any, where it belongs: on the list, or on the stack. The work is that
  /// of one warp.
  template <class Compare>
  static GPUSORT_DEVICE void add(storage& shared, const part& p, bool has_lower, const T& lower,
                                 int warp, int& depth, int& listed, Compare& compare) {
    if (p.count == 0) return;
    if (p.is_finished || p.count <= items_per_warp) {
      if (threadIdx.x == warp * warp_size) shared.listed[listed] = p;
      ++listed;
      return;
    }
    if (warp_id() == warp) {
      items& from = shared.side(p.side);
      split_rule<T> rule;
      if (choose_split<2>([&](std::uint64_t i) -> const T& { return from[p.begin + i]; }, p.count,
                          p.begin, lower, has_lower, rule, compare)) {
        shared.stack[depth] = {p, has_lower, lower, rule};
      }
    }
    ++depth;
  }

  /// Takes the sequence on top and puts its parts in its place, the shorter one on top. `parity`
  /// alternates.
  template <class Compare>
  static GPUSORT_DEVICE void split(storage& shared, int parity, int& depth, int& listed,
                                   Compare& compare) {
    const sequence& top = shared.stack[--depth];
    const part whole = top.elements;
    const bool has_lower = top.has_lower, takes_equal = top.rule.takes_equal;
    const T lower = warp_id() == 0 ? top.lower : top.rule.pivot;
    partition(shared, parity, whole, top.rule, compare);
    __syncthreads();
    if (threadIdx.x == 0) shared.lefts[1 - parity] = shared.rights[1 - parity] = 0;
    const int lefts = shared.lefts[parity];
    const part left{whole.begin, lefts, 1 - whole.side, takes_equal};
    const part right{whole.begin + lefts, whole.count - lefts, 1 - whole.side, false};
    // Warp 0 has the left part's lower bound in `lower`, warp 1 the right part's.
    if (left.count >= right.count) {
      add(shared, left, has_lower, lower, 0, depth, listed, compare);
      add(shared, right, true, lower, 1, depth, listed, compare);
    } else {
      add(shared, right, true, lower, 1, depth, listed, compare);
      add(shared, left, has_lower, lower, 0, depth, listed, compare);
    }
  }

  /// Warps take a batch at a time, and reserve places for its items on either end of the other
  /// side.
  template <class Compare>
  static GPUSORT_DEVICE void partition(storage& shared, int parity, const part& p,
                                       const split_rule<T>& rule, Compare& compare) {
    constexpr int batch = warp_size * BatchPerLane;
    items& from = shared.side(p.side);
    items& to = shared.side(1 - p.side);
    for (int first = warp_id() * batch; first < p.count; first += warps * batch) {
      const int count = min_of(batch, p.count - first);
      const auto exists = [&](int i) { return warp_size * i + lane_id() < count; };
      T x[BatchPerLane];
#pragma unroll
      for (int i = 0; i < BatchPerLane; ++i) {
        if (exists(i)) x[i] = from[p.begin + first + warp_size * i + lane_id()];
      }
      warp_split<BatchPerLane> split;
      const int lefts = split.find(exists, [&](int i) { return rule.goes_left(x[i], compare); });
      int reserved = 0;
      if (lane_id() == 0) reserved = atomicAdd(shared.lefts + parity, lefts);
      if (lane_id() == 1) reserved = atomicAdd(shared.rights + parity, count - lefts);
      const int left = p.begin + __shfl_sync(full_warp, reserved, 0);
      const int right = p.begin + p.count - 1 - __shfl_sync(full_warp, reserved, 1);
      split.for_each(exists, [&](int i, bool is_left, int rank) {
        to[is_left ? left + rank : right - rank] = x[i];
      });
    }
  }

  /// Empties the list: its parts are final. Begins with a barrier, and ends with one.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort_listed(storage& shared, const Array& out, int& listed,
                                         Compare& compare) {
    __syncthreads();
    for (int k = warp_id(); k < listed; k += warps) {
      const part p = shared.listed[k];
      items& from = shared.side(p.side);
      if (!p.is_finished) sort_by_warp(from, p.begin, p.count, compare);
      for (int i = lane_id(); i < p.count; i += warp_size)
        out.store(p.begin + i, from[p.begin + i]);
    }
    listed = 0;
    __syncthreads();
  }

  template <class Compare>
  static GPUSORT_DEVICE void sort_by_warp(items& from, int begin, int count, Compare& compare) {
    using last = last_key<T, Compare>;
    const int first = lane_id() * ItemsPerLane;
    T x[ItemsPerLane];
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if constexpr (last::is_known) x[i] = last::value();
      if (first + i < count) x[i] = from[begin + first + i];
    }
    warp_sort<last::is_known, ItemsPerLane>(x, count, compare);
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if (first + i < count) from[begin + first + i] = x[i];
    }
    __syncwarp();
  }

  /// What is on the stack, by merging.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge_sort(storage& shared, const Array& out, const Array& spare,
                                        int depth, Compare& compare) {
    for (int k = 0; k < depth; ++k) {
      const part p = shared.stack[k].elements;
      items& from = shared.side(p.side);
      for (int i = threadIdx.x; i < p.count; i += ThreadsPerBlock) {
        out.store(p.begin + i, from[p.begin + i]);
      }
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      const part p = shared.stack[k].elements;
      const Array place = out + p.begin;
      sort_range<merge_sorter>(shared.merging(), place, place, spare + p.begin, p.count, compare);
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
