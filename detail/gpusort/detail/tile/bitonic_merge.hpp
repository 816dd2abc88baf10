// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/swap_elements.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// The bitonic network in its mirrored form. Spans are aligned ranges of 2^log_span positions. The
// first step of a merge pairs each position of a span with its mirror image, so that both runs may
// be ascending; the steps after it pair positions half a span apart, of smaller and smaller spans.
// Every exchange puts the smaller element at the lower position: positions from n on behave as if
// they held infinity, and an exchange with one of them, which would change nothing, is skipped.
// Source: paper 004, sections 3.1.5 (virtual padding) and 3.2.

/// 2^Log positions of one span that `Log` steps in a row permute among themselves: those at the
/// same offset in each of its 2^Log parts, or at the mirrored offset in the upper half of the
/// parts.
template <int Log, bool Mirrored, class Index>
struct exchange_group {
  static constexpr int size = 1 << Log;
  Index part;    // positions in a part of the span
  Index offset;  // in the part
  Index begin;   // of the span

  GPUSORT_DEVICE exchange_group(Index group, int log_span)
      : part(Index{1} << (log_span - Log)),
        offset(group & (part - 1)),
        begin((group - offset) << Log) {}

  /// Returns the position of q, ascending in q.
  GPUSORT_DEVICE Index position(int q) const {
    return begin + q * part + (Mirrored && q >= size / 2 ? part - 1 - offset : offset);
  }
};

/// Makes `Log` steps through registers, on a group of the positions [0, n) of `items`.
template <bool IsFull, int Log, bool Mirrored, class T, class Items, class Index, class Compare>
GPUSORT_DEVICE void exchange_group_in_registers(const Items& items, Index n, Index group,
                                                int log_span, Compare& compare) {
  using positions = exchange_group<Log, Mirrored, Index>;
  const positions at(group, log_span);
  T x[positions::size];
  int valid = 0;
#pragma unroll
  for (int q = 0; q < positions::size; ++q) {
    const bool exists = IsFull || at.position(q) < n;
    if (exists) x[q] = items.load(at.position(q));
    valid += exists;
  }
  thread_network_merge<IsFull, Mirrored>(x, valid, compare);
#pragma unroll
  for (int q = 0; q < positions::size; ++q) {
    if (q < valid) items.store(at.position(q), x[q]);
  }
}

// What a thread does in a launch of some steps: with a group of the elements [0, n) of an array.

/// Makes steps through registers.
template <class T>
struct steps_in_registers {
  template <int Log, bool Mirrored, class Array, class Compare>
  static GPUSORT_DEVICE void run(const Array& array, std::uint64_t n, std::uint64_t group,
                                 int log_span, Compare& compare) {
    const exchange_group<Log, Mirrored, std::uint64_t> at(group, log_span);
    if (at.position(at.size - 1) < n) {
      exchange_group_in_registers<true, Log, Mirrored, T>(array, n, group, log_span, compare);
    } else {
      exchange_group_in_registers<false, Log, Mirrored, T>(array, n, group, log_span, compare);
    }
  }
};

/// Makes steps where the elements are. What a step compares, it compares before it swaps: the reads
/// of a step need not wait for each other.
struct steps_in_place {
  template <int Log, bool Mirrored, class Array, class Index, class Compare>
  static GPUSORT_DEVICE void run(const Array& array, Index n, Index group, int log_span,
                                 Compare& compare) {
    const exchange_group<Log, Mirrored, Index> at(group, log_span);
    constexpr int pairs = at.size / 2;
#pragma unroll 1
    for (int half = pairs; half > 0; half /= 2) {
      const auto lower = [&](int pair) { return 2 * pair - (pair & (half - 1)); };
      const auto upper = [&](int pair) {
        const int q = lower(pair);
        return at.position(Mirrored && half == pairs ? at.size - 1 - q : q + half);
      };
      bool is_swapped[pairs];
#pragma unroll
      for (int pair = 0; pair < pairs; ++pair) {
        is_swapped[pair] =
            upper(pair) < n && is_before(array, upper(pair), at.position(lower(pair)), compare);
      }
#pragma unroll
      for (int pair = 0; pair < pairs; ++pair) {
        if (is_swapped[pair]) swap_elements(array, at.position(lower(pair)), upper(pair));
      }
    }
  }
};

// Tiles: what a block does with array[first, first + count). All threads call; not stable.

/// Sorts, in shared memory.
template <class T, int ThreadsPerBlock, int ItemsPerThread>
struct tile_sort_in_shared_memory {
  using sorter = block_merge_sort<T, ThreadsPerBlock, ItemsPerThread, false>;
  using storage = typename sorter::storage;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = sorter::items_per_tile;

  template <class Array, class Compare>
  static GPUSORT_DEVICE void run(storage& shared, const Array& array, std::uint64_t first,
                                 int count, Compare& compare) {
    stage_tile<sorter>(shared, count, [&](int i) { return array.load(first + i); });
    __syncthreads();
    sorter::sort(shared, count, compare);
    unstage_tile<sorter>(shared, count, array, first);
  }
};

/// The steps of all spans up to a tile, LogGroup at a time in registers and between them through
/// shared memory.
template <class T, int ThreadsPerBlock, int ItemsPerTile, int LogGroup>
struct tile_merge_in_shared_memory {
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = ItemsPerTile;

  struct storage {
    padded_items<T, ItemsPerTile> tile;
  };

  template <class Array, class Compare>
  static GPUSORT_DEVICE void run(storage& shared, const Array& array, std::uint64_t first,
                                 int count, Compare& compare) {
    if (count == ItemsPerTile) {
      merge<true>(shared, array + first, count, compare);
    } else {
      merge<false>(shared, array + first, count, compare);
    }
  }

 private:
  static constexpr int log_tile = ceil_log2(ItemsPerTile);
  // The first round may be shorter. Its groups are the widest apart, so that it is the others
  // whose banks matter: those of whole groups conflict little.
  static constexpr int log_first = (log_tile - 1) % LogGroup + 1;
  static_assert(ItemsPerTile == 1 << log_tile, "the network wants a power of two");

  template <bool IsFull, class Array, class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, const Array& array, int count,
                                   Compare& compare) {
    round<IsFull, log_tile, log_first>(
        shared, count, compare,
        [&](unsigned begin, unsigned distance) { return array.load(begin + distance); });
    later_rounds<IsFull, log_tile - log_first>(shared, count, compare);
#pragma unroll
    for (int k = 0; k < ItemsPerTile / ThreadsPerBlock; ++k) {
      const int i = static_cast<int>(threadIdx.x) + k * ThreadsPerBlock;
      if (IsFull || i < count) array.store(i, shared.tile[i]);
    }
  }

  template <bool IsFull, int LogSpan, class Compare>
  static GPUSORT_DEVICE void later_rounds(storage& shared, int count, Compare& compare) {
    if constexpr (LogSpan > 0) {
      round<IsFull, LogSpan, LogGroup>(shared, count, compare,
                                       [&](unsigned begin, unsigned distance) -> const T& {
                                         return shared.tile.at_distance(begin, distance);
                                       });
      later_rounds<IsFull, LogSpan - LogGroup>(shared, count, compare);
    }
  }

  /// Makes Log steps from spans of 2^LogSpan downwards, of what load(begin, distance) gives; ends
  /// with a barrier.
  template <bool IsFull, int LogSpan, int Log, class Compare, class Load>
  static GPUSORT_DEVICE void round(storage& shared, int count, Compare& compare, Load load) {
    constexpr int size = 1 << Log, part = 1 << (LogSpan - Log);
    constexpr int groups = ItemsPerTile / size;
    static_assert(groups % ThreadsPerBlock == 0, "every thread has as many groups");
#pragma unroll
    for (int k = 0; k < groups / ThreadsPerBlock; ++k) {
      const int group = static_cast<int>(threadIdx.x) + k * ThreadsPerBlock;
      const int offset = group & (part - 1), begin = ((group - offset) << Log) + offset;
      T x[size];
      int valid = 0;
#pragma unroll
      for (int q = 0; q < size; ++q) {
        const bool exists = IsFull || begin + q * part < count;
        if (exists) x[q] = load(begin, q * part);
        valid += exists;
      }
      thread_network_merge<IsFull, false>(x, valid, compare);
#pragma unroll
      for (int q = 0; q < size; ++q) {
        if (IsFull || q < valid) shared.tile.at_distance(begin, q * part) = x[q];
      }
    }
    __syncthreads();
  }
};

/// Makes the steps of all spans up to 2^log_span, where the elements are.
template <int ThreadsPerBlock, int ItemsPerTile, class Array, class Compare>
GPUSORT_DEVICE void merge_tile_in_place(const Array& tile, int count, int log_span,
                                        Compare& compare) {
  for (; log_span > 0; --log_span) {
    for (int pair = static_cast<int>(threadIdx.x); pair < ItemsPerTile / 2;
         pair += ThreadsPerBlock) {
      steps_in_place::run<1, false>(tile, count, pair, log_span, compare);
    }
    __syncthreads();
  }
}

/// Merges tiles of elements that are too large to be moved more than needed, or that only their
/// owner can move: a block works on its tile where it is.
template <int ThreadsPerBlock, int ItemsPerTile>
struct tile_merge_in_place {
  struct storage {};
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = ItemsPerTile;

  template <class Array, class Compare>
  static GPUSORT_DEVICE void run(storage&, const Array& array, std::uint64_t first, int count,
                                 Compare& compare) {
    merge_tile_in_place<ThreadsPerBlock, ItemsPerTile>(array + first, count,
                                                       ceil_log2(ItemsPerTile), compare);
  }
};

template <int ThreadsPerBlock, int ItemsPerTile>
struct tile_sort_in_place {
  struct storage {};
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = ItemsPerTile;

  template <class Array, class Compare>
  static GPUSORT_DEVICE void run(storage&, const Array& array, std::uint64_t first, int count,
                                 Compare& compare) {
    const Array tile = array + first;
    for (int log_span = 1; log_span <= ceil_log2(count); ++log_span) {
      for (int pair = static_cast<int>(threadIdx.x); pair < ItemsPerTile / 2;
           pair += ThreadsPerBlock) {
        steps_in_place::run<1, true>(tile, count, pair, log_span, compare);
      }
      __syncthreads();
      merge_tile_in_place<ThreadsPerBlock, ItemsPerTile>(tile, count, log_span - 1, compare);
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
