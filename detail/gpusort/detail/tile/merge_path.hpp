// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <climits>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/padding_key.hpp>
#include <gpusort/detail/tile/thread_network_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns how many of the first `diagonal` elements of the merged order come from run a, looked
/// for in [lowest, highest]; equivalent elements come from a first. `a(i)` and `b(i)` read the
/// runs; with lowest >= diagonal - b_count and highest <= min(diagonal, a_count) no read is out of
/// range, and the answer is in the interval, whatever the comparator says.
template <class Index, class A, class B, class Compare>
GPUSORT_DEVICE Index merge_path(A a, B b, Index diagonal, Index lowest, Index highest,
                                Compare& compare) {
  // As an unsigned number a difference is halved by a shift.
  using natural = std::make_unsigned_t<Index>;
  while (lowest < highest) {
    const auto middle = static_cast<Index>(lowest + static_cast<natural>(highest - lowest) / 2);
    if (compare(b(diagonal - 1 - middle), a(middle))) {
      highest = middle;
    } else {
      lowest = middle + 1;
    }
  }
  return lowest;
}

/// Tells where the items of a tile are in shared memory. Threads that walk neighbouring chunks of a
/// power of two of items meet in different banks: small items have one unused slot after every 128
/// bytes, large ones a gap of one access after each.
template <std::size_t ItemBytes>
struct tile_padding {
  static constexpr bool has_gaps = ItemBytes > 16;
  static constexpr unsigned stretch = ItemBytes >= 128 ? 1 : 128 / ItemBytes;

  // A merge reads ahead of its run's end, by as many items as a thread writes; or writes a chunk
  // after the tile.
  static constexpr int max_read_ahead = 16;

  /// Returns the slots for n items, and for what may be read or written after them.
  static constexpr int slots(int n) {
    const int items = n + max_read_ahead;
    return has_gaps ? items : items + items / static_cast<int>(stretch) + 1;
  }
};

/// A tile's items in shared memory.
template <class T, int ItemsPerTile>
class padded_items : public tile_padding<sizeof(T)> {
  using padding = tile_padding<sizeof(T)>;

 public:
  // Indices are not negative; as unsigned numbers they divide by a shift.
  GPUSORT_DEVICE T& operator[](unsigned i) {
    if constexpr (padding::has_gaps) {
      return slots_[i].item;
    } else {
      return slots_[i + i / padding::stretch].item;
    }
  }

  /// Returns item i of the chunk of Items items that begins at `first`, a multiple of Items.
  template <int Items>
  GPUSORT_DEVICE T& in_chunk(unsigned first, unsigned i) {
    if constexpr (!padding::has_gaps && padding::stretch % Items == 0) {
      return slots_[first + first / padding::stretch + i].item;
    } else {
      return (*this)[first + i];
    }
  }

  /// Returns item first + distance, where the two numbers have no bit in common: of a distance
  /// known at compile time nothing is left to compute where items fill stretches of a power of two.
  GPUSORT_DEVICE T& at_distance(unsigned first, unsigned distance) {
    if constexpr (padding::has_gaps || (padding::stretch & (padding::stretch - 1)) != 0) {
      return (*this)[first + distance];
    } else {
      return (slots_ + (first + first / padding::stretch))[distance + distance / padding::stretch]
          .item;
    }
  }

  /// Returns what the first n items take.
  static constexpr std::size_t bytes(int n) { return padding::slots(n) * sizeof(slot); }

 private:
  struct dense_slot {
    T item;
  };
  struct slot_with_gap {
    T item;
    unsigned char gap[alignof(T) < 4 ? 4 : alignof(T)];
  };
  using slot = std::conditional_t<padding::has_gaps, slot_with_gap, dense_slot>;

  slot slots_[padding::slots(ItemsPerTile)];
};

/// Two neighbouring runs in a tile and the chunk of their merged order that a thread writes.
struct merge_chunk {
  int begin;     // where run a begins in the tile; run b follows it, and the merged order replaces
                 // both
  int a_count;   // elements of run a
  int b_count;   // elements of run b
  int diagonal;  // first element of the merged order that is this thread's, at most a_count +
                 // b_count
  int next_diagonal;

  GPUSORT_DEVICE int count() const { return next_diagonal - diagonal; }
};

/// Writes the first elements of the merged order of [a, a_end) and [b, b_end), one after the other:
/// stable. Without meaning, but harmless, where a range ends before it begins.
template <int ItemsPerThread, class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE void merge_serially(padded_items<T, ItemsPerTile>& items, int a, int a_end, int b,
                                   int b_end, T (&merged)[ItemsPerThread], Compare& compare,
                                   int last = INT_MAX) {
  // Reads may go beyond a run, to slots of the tile that exist, but not beyond `last`; what is
  // there is not compared.
  static_assert(ItemsPerThread <= padded_items<T, ItemsPerTile>::max_read_ahead);
  T a_item = items[min_of(a, last)], b_item = items[min_of(b, last)];
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    const bool take_b = b < b_end && (a >= a_end || compare(b_item, a_item));
    merged[i] = select(take_b, b_item, a_item);
    a += !take_b;
    b += take_b;
    if (i + 1 < ItemsPerThread) {
      const T next_item = items[min_of(take_b ? b : a, last)];
      a_item = select(take_b, a_item, next_item);
      b_item = select(take_b, next_item, b_item);
    }
  }
}

/// Merges, not stably: all loads at once, then a network. The ranges have ItemsPerThread elements
/// together, or at most ItemsPerThread unless IsFull.
template <bool IsFull, int ItemsPerThread, class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE void merge_by_network(padded_items<T, ItemsPerTile>& items, int a, int a_end, int b,
                                     int b_end, T (&merged)[ItemsPerThread], Compare& compare) {
  using last = padding_key<T, Compare>;
  const int b_count = b_end - b, count = a_end - a + b_count;
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    if constexpr (!IsFull && last::is_known) merged[i] = last::value();
    if (IsFull || i < count) merged[i] = items[i < b_count ? b_end - 1 - i : a + i - b_count];
  }
  thread_network_merge<IsFull || last::is_known, false>(merged, count, compare);
}

/// Returns how many elements of its run a are before a chunk.
template <class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE int find_boundary(padded_items<T, ItemsPerTile>& items, const merge_chunk& chunk,
                                 Compare& compare) {
  const int b_begin = chunk.begin + chunk.a_count;
  return merge_path<int>([&](int i) -> const T& { return items[chunk.begin + i]; },
                         [&](int i) -> const T& { return items[b_begin + i]; }, chunk.diagonal,
                         chunk.diagonal > chunk.b_count ? chunk.diagonal - chunk.b_count : 0,
                         min_of(chunk.diagonal, chunk.a_count), compare);
}

/// Holds what a chunk takes of its two runs.
struct chunk_ranges {
  int a, a_end;
  int b, b_end;

  /// Makes the ranges of a chunk with the boundary `found`, and the next one's.
  GPUSORT_DEVICE chunk_ranges(const merge_chunk& chunk, int found, int found_by_next) {
    const int b_begin = chunk.begin + chunk.a_count;
    const bool is_last = chunk.next_diagonal == chunk.a_count + chunk.b_count;
    const int next = is_last ? chunk.a_count : found_by_next;
    a = chunk.begin + found;
    a_end = chunk.begin + next;
    b = b_begin + chunk.diagonal - found;
    b_end = b_begin + chunk.next_diagonal - next;
  }

  /// Tells whether they exist, which they may not where a comparator lies.
  GPUSORT_DEVICE bool exist() const { return a <= a_end && b <= b_end; }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
