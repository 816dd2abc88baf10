// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/order_preserving_bits.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/thread_network_sort.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Tells what has become of a tile of numbers: whether they are in order, and else whether
/// comparisons are known to be expensive.
struct tile_outcome {
  bool is_sorted = false;
  bool are_expensive = false;
};

/// A block sorts a tile of elements whose order is that of numbers by proxmap sort: it maps each
/// number to a slot, in proportion to where it is between the least and the greatest, counts what
/// the slots have, and puts elements in the order of these. Where few share a slot, each is near
/// its destination then, and sorting windows of neighbours finishes. Whether it did is checked; if
/// not, the elements are sorted by comparisons, which is what Sorter does. Source: the map and the
/// counts are Standish and Jacobson's proxmap sort; windows are ours.
template <class T, class Sorter, int SlotsPerItem = sizeof(T) <= 8 ? 1 : 4>
struct proxmap_sort {
  static constexpr int items_per_tile = Sorter::items_per_tile;
  static constexpr int threads = Sorter::threads_per_block;
  static constexpr int items_per_thread = items_per_tile / threads;

 private:
  // Sorting windows misses a slot that more than half + 1 elements share. In tiles three quarters
  // full of random numbers, one of 10^4 has such a slot; large elements, of which
  // registers hold a shorter window, take more slots for that.
  static constexpr int window = sizeof(T) <= 8 ? 16 : 8, half = window / 2;
  static constexpr int log_slots = ceil_log2(SlotsPerItem * items_per_tile);
  static constexpr int warps = threads / warp_size;
  static constexpr int vectors_per_thread = (1 << log_slots) / (4 * threads);

  /// Holds what a thread reads of the slots at once.
  struct alignas(16) slot_vector {
    std::uint32_t slot[4];
  };

 public:
  struct storage {
    typename Sorter::storage elements;
    union {
      slot_vector vectors[(1 << log_slots) / 4];
      std::uint32_t slots[1 << log_slots];  // counts, then the destination of the first one
    };
    std::uint32_t lows[warps], highs[warps], sums[warps];
  };

  /// Checks what is left to check where windows were sorted by the order itself.
  template <class Compare>
  struct between_windows {
    static constexpr bool sees_all = false;
    Compare& compare;
    GPUSORT_DEVICE bool is_wrong(const T& lower, const T& upper) const {
      return static_cast<bool>(compare(upper, lower));
    }
  };

  /// Sorts `count` > 0 elements of one array into another; they may be the same.
  template <class From, class To, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const From& from, const To& to, int count,
                                  Compare& compare) {
    if (!sort_into_tile(shared, from, count, compare).is_sorted) {
      Sorter::sort(shared.elements, count, compare);
    }
    store_tile<threads>(to, 0, count, shared.elements.tile);
  }

  /// Puts `count` > 0 elements of an array into the tile, in order where few share a slot.
  /// Block-wide; `from` may read the tile; ends with a barrier.
  template <class From, class Compare>
  static GPUSORT_DEVICE tile_outcome sort_into_tile(storage& shared, const From& from, int count,
                                                    Compare& compare) {
    fetched_element_t<From> fetched[items_per_thread];
    load(from, count, fetched);
    T x[items_per_thread];
    hold(from, count, fetched, x);
    return {arrange(shared, x, count, compare, between_windows<Compare>{compare})};
  }

  /// Loads a thread's items of `count` > 0 elements of an array, in the order that arrange() wants.
  template <class From>
  static GPUSORT_DEVICE void load(const From& from, int count,
                                  fetched_element_t<From> (&fetched)[items_per_thread]) {
    for_each_item(
        count, [&](int i, int index, bool) { fetched[i] = fetch(from, min_of(index, count - 1)); });
  }
  template <class From>
  static GPUSORT_DEVICE void hold(const From& from, int count,
                                  const fetched_element_t<From> (&fetched)[items_per_thread],
                                  T (&x)[items_per_thread]) {
    for_each_item(count, [&](int i, int, bool) { x[i] = detail::hold(from, fetched[i]); });
  }

  /// Puts them into the tile as they are. Block-wide; ends with a barrier.
  static GPUSORT_DEVICE void put_in_tile(storage& shared, const T (&x)[items_per_thread],
                                         int count) {
    for_each_item(count, [&](int i, int index, bool exists) {
      if (exists) shared.elements.tile[index] = x[i];
    });
    __syncthreads();
  }

  /// Puts them into the tile, in order if few share a slot. True if `check` finds no wrong pair of
  /// the neighbours that it is shown, or all are equal, and whole numbers. `number` says which
  /// number an element is. Block-wide, when nobody uses the storage; ends with a barrier.
  template <class Compare, class Check, class Number = order_preserving_bits<T, Compare>>
  static GPUSORT_DEVICE bool arrange(storage& shared, const T (&x)[items_per_thread], int count,
                                     Compare& compare, const Check& check,
                                     const Number& number = {}) {
    auto& tile = shared.elements.tile;
    clear_slots(shared);
    const number_bits bits = choose_bits(shared, x, count, number);
    if (bits.low == bits.high) {
      put_in_tile(shared, x, count);
      return Number::is_whole;
    }
    std::uint32_t at[items_per_thread];  // a slot, and a rank in it
    const slot_map<Number> map{number, bits, scale_of(bits.high - bits.low)};
    const bool is_crowded =
        count_in_slots(shared, count, at, [&](int i) { return slot_of(map.place_of(x[i])); });
    put_at_destinations(shared, x, count, at);
    if (is_crowded && map.scale != finest_scale) spread_in_slots(shared, count, map);
    return sort_windows(tile, count, compare, check);
  }

 private:
  static_assert(vectors_per_thread * 4 * threads == 1 << log_slots && vectors_per_thread <= 8 &&
                    (vectors_per_thread & (vectors_per_thread - 1)) == 0,
                "slots are spread evenly over threads, and over banks by exclusive or");
  static_assert(log_slots <= 16 && items_per_tile < 1 << 16, "a slot and a rank share a word");
  static_assert(window * threads >= items_per_tile, "a thread has a window at most");

  /// 32 bits of numbers, ascending in them: what is left of their difference from `base` without
  /// the lowest `shift` bits. Those of the block are from low to high.
  struct number_bits {
    std::uint64_t base;
    int shift;
    std::uint32_t low, high;

    template <class Number>
    GPUSORT_DEVICE std::uint32_t of(const Number& number, const T& x) const {
      if constexpr (Number::bits <= 32) {
        return static_cast<std::uint32_t>(number.of(x));
      } else {
        return static_cast<std::uint32_t>((number.of(x) - base) >> shift);
      }
    }
  };

  /// Calls body(i, index, exists) for the thread's items. A tile is half full on average: items of
  /// which none of the block's exists are skipped together.
  template <class Body>
  static GPUSORT_DEVICE void for_each_item(int count, const Body& body) {
    constexpr int at_once = items_per_thread % 4 == 0 ? 4 : items_per_thread;
#pragma unroll
    for (int first = 0; first < items_per_thread; first += at_once) {
      if (first > 0 && first * threads >= count) return;
#pragma unroll
      for (int i = first; i < first + at_once; ++i) {
        const int index = i * threads + static_cast<int>(threadIdx.x);
        body(i, index, index < count);
      }
    }
  }

  static GPUSORT_DEVICE void clear_slots(storage& shared) {
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) {
      shared.vectors[i * threads + threadIdx.x] = slot_vector{};
    }
  }

  /// Returns the upper bits of the block's numbers, or where those differ little, the bits from the
  /// first that differs on. Block-wide; ends with a barrier.
  template <class Number>
  static GPUSORT_DEVICE number_bits choose_bits(storage& shared, const T (&x)[items_per_thread],
                                                int count, const Number& number) {
    number_bits bits{0, 32, 0, 0};
    find_range(shared, x, count, number, bits);
    if constexpr (Number::bits > 32) {
      const int width = 32 - __clz(static_cast<int>(bits.high - bits.low));
      if (width <= log_slots) {
        bits.base = std::uint64_t{bits.low} << 32;
        bits.shift = width;
        __syncthreads();
        find_range(shared, x, count, number, bits);
      }
    }
    return bits;
  }

  template <class Number>
  static GPUSORT_DEVICE void find_range(storage& shared, const T (&x)[items_per_thread], int count,
                                        const Number& number, number_bits& bits) {
    std::uint32_t low = ~std::uint32_t{0}, above = low;  // above: the complement of the highest
    for_each_item(count, [&](int i, int, bool) {
      const std::uint32_t mine = bits.of(number, x[i]);
      low = min_of(mine, low);
      above = min_of(~mine, above);
    });
    low = warp_min(low);
    above = warp_min(above);
    if (lane_id() == 0) {
      shared.lows[warp_id()] = low;
      shared.highs[warp_id()] = above;
    }
    __syncthreads();
    const int warp = lane_id() % warps;
    bits.low = warp_min(shared.lows[warp]);
    bits.high = ~warp_min(shared.highs[warp]);
  }

  /// Returns the scale for place_of() of differences up to `range`: so that all are below the
  /// number of slots, though the quotient is not exact; and each has its own where the range is
  /// smaller by two.
  static GPUSORT_DEVICE std::uint32_t scale_of(std::uint32_t range) {
    constexpr float most = (1 - 1e-6f) * 4294967296.0f * ((1 << log_slots) - 1);
    const float scale = most / (static_cast<float>(range) + 1);
    return scale < 4294967040.0f ? static_cast<std::uint32_t>(scale) : finest_scale;
  }
  static constexpr std::uint32_t finest_scale = ~std::uint32_t{0};  // a slot for each number

  /// Tells where an element is in the slots, times 2^32: difference * scale, rounded up to a slot.
  template <class Number>
  struct slot_map {
    Number number;
    number_bits bits;
    std::uint32_t scale;

    GPUSORT_DEVICE std::uint64_t place_of(const T& x) const {
      return std::uint64_t{bits.of(number, x) - bits.low} * scale + ~std::uint32_t{0};
    }
  };
  static GPUSORT_DEVICE std::uint32_t slot_of(std::uint64_t place) {
    return static_cast<std::uint32_t>(place >> 32);
  }

  /// Counts items in the slots of item_slot(i), and scans the slots; `at` becomes where a slot is,
  /// and the rank in it. True where more share one than sorting windows is sure to sort.
  /// Block-wide; ends with a barrier.
  template <class ItemSlot>
  static GPUSORT_DEVICE bool count_in_slots(storage& shared, int count,
                                            std::uint32_t (&at)[items_per_thread],
                                            const ItemSlot& item_slot) {
    for_each_item(count, [&](int i, int, bool exists) {
      const std::uint32_t slot = item_slot(i);
      at[i] = exists ? slot_index(slot) : threadIdx.x;
      at[i] |= atomicAdd(shared.slots + at[i], exists ? 1u : 0u) << 16;
    });
    __syncthreads();
    const bool is_crowded = scan_slots(shared);
    __syncthreads();
    return is_crowded;
  }

  /// Moves items to where their slots and ranks say. Block-wide; ends with a barrier.
  static GPUSORT_DEVICE void put_at_destinations(storage& shared, const T (&x)[items_per_thread],
                                                 int count,
                                                 const std::uint32_t (&at)[items_per_thread]) {
    for_each_item(count, [&](int i, int, bool exists) {
      const std::uint32_t destination = shared.slots[at[i] & 0xffff] + (at[i] >> 16);
      if (exists) shared.elements.tile[destination] = x[i];
    });
    __syncthreads();
  }

  /// Maps all once more, where more share some slot than windows sort, and differ: evenly over the
  /// places that their slot has in the tile, by where in the slot they are. Block-wide; ends with a
  /// barrier.
  template <class Number>
  static GPUSORT_RARE void spread_in_slots(storage& shared, int count, slot_map<Number> map) {
    auto& tile = shared.elements.tile;
    T x[items_per_thread];
    std::uint32_t at[items_per_thread];
    bool are_equal = true;
    for_each_item(count, [&](int i, int index, bool) {
      x[i] = tile[min_of(index, count - 1)];
      const std::uint64_t place = map.place_of(x[i]);
      const std::uint32_t slot = slot_of(place), next = slot + 1;
      const std::uint32_t first = shared.slots[slot_index(slot)];
      const std::uint32_t end = next < 1u << log_slots ? shared.slots[slot_index(next)] : count;
      const std::uint64_t share = (place & ~std::uint32_t{0}) * (end - first);
      at[i] = first + static_cast<std::uint32_t>(share >> 32);
      are_equal &= end - first <= half + 1 || place == map.place_of(tile[first]);
    });
    if (__syncthreads_and(are_equal)) return;
    clear_slots(shared);
    __syncthreads();
    count_in_slots(shared, count, at, [&](int i) { return at[i]; });
    put_at_destinations(shared, x, count, at);
  }

  /// Returns where a slot is, so that threads which read vectors of neighbouring slots meet in
  /// different banks.
  static GPUSORT_DEVICE std::uint32_t slot_index(std::uint32_t slot) {
    return slot ^ (slot >> 5 & (vectors_per_thread - 1)) << 2;
  }

  /// Counts to first destinations. Reads them twice, as registers are full of items. True where
  /// more share a slot than sorting windows is sure to sort. Block-wide, between barriers.
  static GPUSORT_DEVICE bool scan_slots(storage& shared) {
    const unsigned first = threadIdx.x * vectors_per_thread;
    const unsigned turn = first / 8 & (vectors_per_thread - 1);
    std::uint32_t sum = 0, most = 0;
#pragma unroll
    for (int v = 0; v < vectors_per_thread; ++v) {
      const slot_vector counts = shared.vectors[first + (v ^ turn)];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        sum += counts.slot[i];
        most = most < counts.slot[i] ? counts.slot[i] : most;
      }
    }
    const std::uint32_t end = warp_prefix(sum);
    if (lane_id() == warp_size - 1) shared.sums[warp_id()] = end;
    const bool is_crowded = __syncthreads_or(most > half + 1) != 0;
    std::uint32_t start = end - sum;
    start += warp_sum(lane_id() < warp_id() ? shared.sums[lane_id()] : 0u);
#pragma unroll
    for (int v = 0; v < vectors_per_thread; ++v) {
      slot_vector& here = shared.vectors[first + (v ^ turn)];
      const slot_vector counts = here;
      slot_vector starts;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        starts.slot[i] = start;
        start += counts.slot[i];
      }
      here = starts;
    }
    return is_crowded;
  }

  /// Sorts windows of neighbours, then those between the middles of two windows: elements that
  /// share a slot with no more than `half` others are in one of them together. False where `check`
  /// sees a wrong pair. Block-wide; ends with a barrier.
  template <class Items, class Compare, class Check>
  static GPUSORT_DEVICE bool sort_windows(Items& tile, int count, Compare& compare,
                                          const Check& check) {
    const int first = static_cast<int>(threadIdx.x) * window, items = count - first;
    T x[window];
    if (__all_sync(full_warp, items >= window)) {
      sort_window<true>(tile, first, items, x, compare);
    } else if (items > 0) {
      sort_window<false>(tile, first, items, x, compare);
    }
    __syncthreads();
    bool is_wrong = false;
    if (__all_sync(full_warp, items >= window + half)) {
      merge_halves<true>(tile, first + half, items - half, x, compare);
      if (Check::sees_all) is_wrong = is_wrong_in<true>(x, items - half, check);
    } else if (items > half) {
      merge_halves<false>(tile, first + half, items - half, x, compare);
      if (Check::sees_all) is_wrong = is_wrong_in<false>(x, items - half, check);
    }
    __syncthreads();
    const auto is_wrong_at = [&](int i) { return check.is_wrong(tile[i - 1], tile[i]); };
    if (items > half) is_wrong |= is_wrong_at(first + half);
    const int me = static_cast<int>(threadIdx.x);
    if (Check::sees_all && me > 0 && me < min_of(half, count)) is_wrong |= is_wrong_at(me);
    return !__syncthreads_or(is_wrong);
  }

  /// Whether some pair of the first `items` neighbours is wrong.
  template <bool IsFull, class Check>
  static GPUSORT_DEVICE bool is_wrong_in(const T (&x)[window], int items, const Check& check) {
    bool is_wrong = false;
#pragma unroll
    for (int i = 1; i < window; ++i) {
      if (IsFull || i < items) is_wrong |= check.is_wrong(x[i - 1], x[i]);
    }
    return is_wrong;
  }

  /// Sorts the items of the window that begins at `first`; the lower half of them in the tile.
  template <bool IsFull, class Items, class Compare>
  static GPUSORT_DEVICE void sort_window(Items& tile, int first, int items, T (&x)[window],
                                         Compare& compare) {
    using last = padding_key<T, Compare>;
#pragma unroll
    for (int i = 0; i < window; ++i) {
      if constexpr (!IsFull && last::is_known) x[i] = last::value();
      if (IsFull || i < items)
        x[i] = tile.template in_chunk<half>(first + i / half * half, i % half);
    }
    thread_network_sort<IsFull || last::is_known>(x, items, compare);
#pragma unroll
    for (int i = 0; i < half; ++i) {
      if (IsFull || i < items) tile.template in_chunk<half>(first, i) = x[i];
    }
  }

  /// Merges the upper half of a thread's window, which begins at `first`, with the next one's lower
  /// half.
  template <bool IsFull, class Items, class Compare>
  static GPUSORT_DEVICE void merge_halves(Items& tile, int first, int items, T (&x)[window],
                                          Compare& compare) {
    using last = padding_key<T, Compare>;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      x[i] = x[half + i];
      if constexpr (!IsFull && last::is_known) x[half + i] = last::value();
      if (IsFull || half + i < items) x[half + i] = tile.template in_chunk<half>(first + half, i);
    }
    thread_network_merge<IsFull || last::is_known, true>(x, items, compare);
#pragma unroll
    for (int i = 0; i < window; ++i) {
      if (IsFull || i < items)
        tile.template in_chunk<half>(first + i / half * half, i % half) = x[i];
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
