// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_merge.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/swap_elements.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// The bitonic network in its mirrored form. Spans are aligned ranges of 2^log_span places. The
// first step of a merge pairs each place of a span with its mirror image, so that both runs may be
// ascending; the steps after it pair places half a span apart, of smaller and smaller spans. Every
// exchange puts the smaller element at the lower place: places from n on behave as if they held
// infinity, and an exchange with one of them, which would change nothing, is skipped.
// Source: paper 004, sections 3.1.5 (virtual padding) and 3.2.

/// 2^Log places of one span that `Log` steps in a row permute among themselves: those at the same
/// offset in each of its 2^Log parts, or at the mirrored offset in the upper half of the parts.
template <int Log, bool Mirrored, class Index>
struct exchange_group {
  static constexpr int size = 1 << Log;
  Index part;    // places in a part of the span
  Index offset;  // in the part
  Index begin;   // of the span

  GPUSORT_DEVICE exchange_group(Index group, int log_span)
      : part(Index{1} << (log_span - Log)),
        offset(group & (part - 1)),
        begin((group - offset) << Log) {}

  /// Ascending in q.
  GPUSORT_DEVICE Index place(int q) const {
    return begin + q * part + (Mirrored && q >= size / 2 ? part - 1 - offset : offset);
  }
};

/// `Log` steps through registers, on a group of the places [0, n) of `items`.
template <int Log, bool Mirrored, class T, class Items, class Index, class Compare>
GPUSORT_DEVICE void exchange_in_registers(const Items& items, Index n, Index group, int log_span,
                                          Compare& compare) {
  using places = exchange_group<Log, Mirrored, Index>;
  const places at(group, log_span);
  T x[places::size];
#pragma unroll
  for (int q = 0; q < places::size; ++q) {
    if (at.place(q) < n) x[q] = items.load(at.place(q));
  }
#pragma unroll
  for (int step = Log - 1; step >= 0; --step) {
    const int half = 1 << step;
#pragma unroll
    for (int q = 0; q < places::size; ++q) {
      const bool is_lower = (q & half) == 0;
      const int upper = Mirrored && step == Log - 1 ? places::size - 1 - q : q | half;
      if (is_lower && at.place(upper) < n) compare_exchange(x[q], x[upper], compare);
    }
  }
#pragma unroll
  for (int q = 0; q < places::size; ++q) {
    if (at.place(q) < n) items.store(at.place(q), x[q]);
  }
}

/// One step on a pair of the elements [0, n) of an array, where they are.
template <bool Mirrored, class Array, class Index, class Compare>
GPUSORT_DEVICE void exchange_in_place(const Array& array, Index n, Index pair, int log_span,
                                      Compare& compare) {
  const exchange_group<1, Mirrored, Index> at(pair, log_span);
  if (at.place(1) < n && is_before(array, at.place(1), at.place(0), compare)) {
    swap_elements(array, at.place(0), at.place(1));
  }
}

/// What is in shared memory, as the steps take it.
template <class Items>
struct items_view {
  Items& items;
  GPUSORT_DEVICE auto load(int i) const { return items[i]; }
  template <class T>
  GPUSORT_DEVICE void store(int i, const T& x) const {
    items[i] = x;
  }
};

/// A block sorts any number of items in shared memory, step by step: slow, but without a bound. All
/// threads call; it begins and ends with a barrier. Not stable.
template <class T, class Items, class Compare>
GPUSORT_DEVICE void bitonic_sort_items(Items& items, int count, Compare& compare) {
  const items_view<Items> view{items};
  for (int log_run = 1; 1 << (log_run - 1) < count; ++log_run) {
    for (int log_span = log_run; log_span > 0; --log_span) {
      __syncthreads();
      for (int pair = static_cast<int>(threadIdx.x); pair < round_up(count, 1 << log_span) / 2;
           pair += static_cast<int>(blockDim.x)) {
        if (log_span == log_run) {
          exchange_in_registers<1, true, T>(view, count, pair, log_span, compare);
        } else {
          exchange_in_registers<1, false, T>(view, count, pair, log_span, compare);
        }
      }
    }
  }
  __syncthreads();
}

/// Tiles that a block sorts, or merges, in shared memory. All threads call; not stable.
template <class T, int ThreadsPerBlock, int ItemsPerThread, int LogGroup>
struct bitonic_tile_in_shared_memory {
  using sorter = block_sort<T, ThreadsPerBlock, ItemsPerThread, false>;
  using storage = typename sorter::storage;
  static constexpr int items_per_tile = sorter::items_per_tile;

  /// Sorts array[first, first + count).
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, std::uint64_t first,
                                  int count, Compare& compare) {
    stage_tile<sorter>(shared, count, [&](int i) { return array.load(first + i); });
    __syncthreads();
    sorter::sort(shared, count, compare);
    unstage_tile<sorter>(shared, count, array, first);
  }

  /// The steps of all spans up to a tile.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, const Array& array, std::uint64_t first,
                                   int count, Compare& compare) {
    stage_tile<sorter>(shared, count, [&](int i) { return array.load(first + i); });
    __syncthreads();
    merge_spans<ceil_log2(items_per_tile)>(shared, count, compare);
    unstage_tile<sorter>(shared, count, array, first);
  }

 private:
  template <int LogSpan, class Compare>
  static GPUSORT_DEVICE void merge_spans(storage& shared, int count, Compare& compare) {
    if constexpr (LogSpan > 0) {
      constexpr int log_group = min_of(LogGroup, LogSpan);
      for (int group = static_cast<int>(threadIdx.x); group < items_per_tile >> log_group;
           group += ThreadsPerBlock) {
        exchange_in_registers<log_group, false, T>(items_view<typename sorter::items>{shared.tile},
                                                   count, group, LogSpan, compare);
      }
      __syncthreads();
      merge_spans<LogSpan - log_group>(shared, count, compare);
    }
  }
};

/// The same for elements that are too large to be moved more than needed: a block works on its tile
/// where it is.
template <int ThreadsPerBlock, int ItemsPerTile>
struct bitonic_tile_in_place {
  struct storage {};
  static constexpr int items_per_tile = ItemsPerTile;

  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, std::uint64_t first,
                                  int count, Compare& compare) {
    for (int log_span = 1; log_span <= ceil_log2(count); ++log_span) {
      step<true>(array + first, count, log_span, compare);
      merge_spans(array + first, count, log_span - 1, compare);
    }
  }

  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge(storage&, const Array& array, std::uint64_t first, int count,
                                   Compare& compare) {
    merge_spans(array + first, count, ceil_log2(ItemsPerTile), compare);
  }

 private:
  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge_spans(const Array& tile, int count, int log_span,
                                         Compare& compare) {
    for (; log_span > 0; --log_span) step<false>(tile, count, log_span, compare);
  }

  template <bool Mirrored, class Array, class Compare>
  static GPUSORT_DEVICE void step(const Array& tile, int count, int log_span, Compare& compare) {
    for (int pair = static_cast<int>(threadIdx.x); pair < ItemsPerTile / 2;
         pair += ThreadsPerBlock) {
      exchange_in_place<Mirrored>(tile, count, pair, log_span, compare);
    }
    __syncthreads();
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
