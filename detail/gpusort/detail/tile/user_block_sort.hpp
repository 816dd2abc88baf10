// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tile/block_merge.hpp>
#include <gpusort/detail/tile/block_pairwise_merge_sort.hpp>
#include <gpusort/detail/tile/block_serial_merge_sort.hpp>
#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/tile_elements.hpp>
#include <gpusort/detail/tile/tile_items.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns the lanes whose items are sorted in registers before merging begins: exchanges between
/// lanes are cheaper than merging first, and dearer in the end. Measured on an H200, Gkeys/s with
/// 1, 8 and 32 lanes: 256 x 8 u32 96, 110, 116, u64 61, 70, 63; 512 x 16 u32 100, 111, 109, u64 56,
/// 60, 51. Items of 16 bytes have not been measured.
constexpr int lanes_per_run(std::size_t item_bytes, int items_per_thread) {
  const bool can = items_per_thread > 1 && (items_per_thread & (items_per_thread - 1)) == 0;
  if (!can) return 1;
  if (item_bytes > 8) return 4;
  return item_bytes <= 4 && items_per_thread <= 8 ? 32 : 8;
}

/// The sorter of a tile of T. Threads with many items sort them in shared memory: they would not
/// fit into registers.
template <class T, int ThreadsPerBlock, int ItemsPerThread, bool Stable, int LanesPerRun>
struct choose_sorter {
  static constexpr bool in_registers = ItemsPerThread <= 16;
  using type = std::conditional_t<
      in_registers,
      block_pairwise_merge_sort<T, ThreadsPerBlock, in_registers ? ItemsPerThread : 1, LanesPerRun,
                                Stable>,
      block_serial_merge_sort<T, ThreadsPerBlock, ItemsPerThread | 1>>;
};

template <class Sorter>
inline constexpr bool is_merge_sort = false;
template <class T, int ThreadsPerBlock, int ItemsPerThread, int LanesPerRun, bool Stable>
inline constexpr bool is_merge_sort<
    block_pairwise_merge_sort<T, ThreadsPerBlock, ItemsPerThread, LanesPerRun, Stable>> = true;

/// A block sorts what a user's kernel has: up to a tile in shared memory, whatever the size of the
/// elements, and ranges of any length.
template <class Key, class Value, int ThreadsPerBlock, int ItemsPerThread>
class user_block_sort {
  template <class Order, bool Stable>
  using elements = tile_elements<Key, Value, Order, Stable>;
  template <class Order, bool Stable>
  using element_t = typename elements<Order, Stable>::element;

  // Larger elements stay where they are while their slots are sorted: moved in every round they
  // would take the registers of several.
  static constexpr std::size_t max_moved_bytes = 16;

  template <class T, bool Stable>
  using element_sorter =
      typename choose_sorter<T, ThreadsPerBlock, ItemsPerThread, Stable,
                             Stable ? 1 : lanes_per_run(sizeof(T), ItemsPerThread)>::type;
  // A comparison of slots reads two elements: merging takes the fewest.
  template <bool Stable>
  using slot_sorter =
      typename choose_sorter<std::uint32_t, ThreadsPerBlock, ItemsPerThread, Stable, 1>::type;

  template <bool Stable>
  struct slots_storage {
    union either {
      padded_items<stored_t<Key>, ThreadsPerBlock * ItemsPerThread> keys;
      padded_items<stored_t<Value>, ThreadsPerBlock * ItemsPerThread> values;
    } items;
    typename slot_sorter<Stable>::storage slots;
  };

  /// Digits are sorted, not compared, where keys have few of them.
  template <class Order>
  static constexpr bool is_by_digits = std::is_same_v<Value, no_value> && sizeof(Key) <= 2 &&
                                       is_held_as_ordered_bits_v<Key, Order, false>;
  using digit_sorter = cub::BlockRadixSort<unsigned_of_size_t<(sizeof(Key) <= 2 ? sizeof(Key) : 1)>,
                                           ThreadsPerBlock, ItemsPerThread>;

  /// Sorts tiles of a range, and merges them.
  template <class T, bool Stable>
  using range_sorter =
      std::conditional_t<(sizeof(T) > max_moved_bytes),
                         block_serial_merge_sort<T, ThreadsPerBlock, 1>, element_sorter<T, Stable>>;

  struct unknown_order {};
  template <class Order, bool Stable>
  static constexpr std::size_t bytes_for() {
    using element = element_t<Order, Stable>;
    const std::size_t in_range = sizeof(typename range_sorter<element, Stable>::storage);
    if constexpr (sizeof(element) > max_moved_bytes) {
      return (std::max)(sizeof(slots_storage<Stable>), in_range);
    } else if constexpr (is_by_digits<Order>) {
      return (std::max)(sizeof(typename digit_sorter::TempStorage), in_range);
    } else {
      return in_range;
    }
  }

 public:
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;

  /// Shared memory that any of the sorts takes.
  static constexpr std::size_t storage_bytes =
      (std::max)({bytes_for<less, false>(), bytes_for<less, true>(),
                  bytes_for<unknown_order, false>(), bytes_for<unknown_order, true>()});

  using registers = items_in_registers<ThreadsPerBlock, ItemsPerThread>;
  // Copies of large elements stay loops.
  using memory =
      items_in_memory<ThreadsPerBlock, ItemsPerThread,
                      (sizeof(element_t<unknown_order, true>) > max_moved_bytes ? 1
                                                                                : ItemsPerThread)>;

  /// Sorts `count` items, a tile at most; all threads call it. It ends with a barrier.
  template <bool Stable, class Where, class Compare>
  static GPUSORT_DEVICE void sort(unsigned char* raw, Key* keys, Value* values, int count,
                                  Compare compare) {
    const auto order = known_order<Key>(compare);
    using order_t = std::decay_t<decltype(order)>;
    // Which of two equal integers is first cannot be seen.
    constexpr bool must_be_stable = Stable && !(std::is_same_v<Value, no_value> &&
                                                is_held_as_ordered_bits_v<Key, order_t, true>);
    using chosen = elements<order_t, must_be_stable>;
    const auto array = chosen::at(keys, values);
    if constexpr (sizeof(typename chosen::element) > max_moved_bytes) {
      sort_slots<Stable, Where>(raw, keys, values, count, order);
    } else if constexpr (is_by_digits<order_t> && !must_be_stable) {
      sort_digits<Where, std::is_same_v<order_t, greater>>(raw, array, count);
    } else {
      sort_elements<must_be_stable, Where, chosen>(raw, array, count, {order});
    }
  }

  /// Sorts `count` elements, any number, which begin at `keys` and `values`; the other two ranges
  /// are as long, and may be overwritten. All threads call it. It ends with a barrier.
  template <bool Stable, class Compare>
  static GPUSORT_DEVICE void sort_range(unsigned char* raw, Key* keys, Value* values,
                                        Key* spare_keys, Value* spare_values, std::uint64_t count,
                                        Compare compare) {
    if (count <= items_per_tile) {
      return sort<Stable, memory>(raw, keys, values, static_cast<int>(count), compare);
    }
    const auto order = known_order<Key>(compare);
    using chosen = elements<std::decay_t<decltype(order)>, Stable>;
    using sorter = range_sorter<typename chosen::element, Stable>;
    const typename chosen::array data = chosen::at(keys, values);
    typename chosen::compare by_order{order};
    tile::block_sort_any_length<sorter>(*reinterpret_cast<typename sorter::storage*>(raw), data,
                                        data, chosen::at(spare_keys, spare_values), count,
                                        by_order);
  }

 private:
  template <class Where>
  static constexpr bool is_in_registers = std::is_same_v<Where, registers>;

  template <bool Stable, class Where, class Chosen>
  static GPUSORT_DEVICE void sort_elements(unsigned char* raw, const typename Chosen::array& array,
                                           int count, typename Chosen::compare compare) {
    using element = typename Chosen::element;
    using sorter = element_sorter<element, Stable>;
    auto& shared = *reinterpret_cast<typename sorter::storage*>(raw);
    element x[ItemsPerThread];
    if constexpr (is_merge_sort<sorter> && (!Stable || is_in_registers<Where>)) {
      Where::load(array, count, x);
      sorter::sort(shared, x, count, compare);
    } else {
      Where::for_each(count, [&](int i, int) { x[i] = array.load(Where::index(i)); });
      Where::for_each(count, [&](int i, int slot) { shared.tile[slot] = x[i]; });
      __syncthreads();
      sorter::sort(shared, count, compare);
    }
    Where::for_each(is_in_registers<Where> ? items_per_tile : count,
                    [&](int i, int slot) { array.store(Where::index(i), shared.tile[slot]); });
    __syncthreads();
  }

  /// Sorts by digits: equal keys are the same bits, and padding is the last of them, so any may
  /// stand for another.
  template <class Where, bool Descending, class Array>
  static GPUSORT_DEVICE void sort_digits(unsigned char* raw, const Array& array, int count) {
    using digits = unsigned_of_size_t<sizeof(Key)>;
    auto& shared = *reinterpret_cast<typename digit_sorter::TempStorage*>(raw);
    digits x[ItemsPerThread];
    Where::load(array, count, x);
    if (count < items_per_tile) {
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        if (registers::slot(i) >= count) x[i] = static_cast<digits>(Descending ? 0 : ~0);
      }
    }
    if constexpr (is_in_registers<Where>) {
      if constexpr (Descending) {
        digit_sorter(shared).SortDescending(x);
      } else {
        digit_sorter(shared).Sort(x);
      }
    } else if constexpr (Descending) {
      digit_sorter(shared).SortDescendingBlockedToStriped(x);
    } else {
      digit_sorter(shared).SortBlockedToStriped(x);
    }
    Where::for_each(is_in_registers<Where> ? items_per_tile : count,
                    [&](int i, int) { array.store(Where::index(i), x[i]); });
    __syncthreads();
  }

  template <class Items, class Order>
  struct by_item {
    Items& items;
    Order compare;
    GPUSORT_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) {
      return static_cast<bool>(compare(stored_value(items[a]), stored_value(items[b])));
    }
  };

  template <bool Stable, class Where, class Order>
  static GPUSORT_DEVICE void sort_slots(unsigned char* raw, Key* keys, Value* values, int count,
                                        Order order) {
    auto& shared = *reinterpret_cast<slots_storage<Stable>*>(raw);
    auto& slots = shared.slots.tile;
    put<Where>(shared.items.keys, keys, count);
    Where::for_each(count, [&](int, int slot) { slots[slot] = slot; });
    __syncthreads();
    by_item<std::decay_t<decltype(shared.items.keys)>, Order> compare{shared.items.keys, order};
    slot_sorter<Stable>::sort(shared.slots, count, compare);
    take<Where>(shared.items.keys, slots, keys, count);
    __syncthreads();
    if constexpr (!std::is_same_v<Value, no_value>) {
      put<Where>(shared.items.values, values, count);
      __syncthreads();
      take<Where>(shared.items.values, slots, values, count);
      __syncthreads();
    }
  }

  template <class Where, class Items, class T>
  static GPUSORT_DEVICE void put(Items& items, const T* from, int count) {
    Where::for_each(count, [&](int i, int slot) {
      items[slot] = reinterpret_cast<const stored_t<T>&>(from[Where::index(i)]);
    });
  }
  template <class Where, class Items, class Slots, class T>
  static GPUSORT_DEVICE void take(Items& items, Slots& slots, T* to, int count) {
    Where::for_each(count, [&](int i, int slot) {
      reinterpret_cast<stored_t<T>&>(to[Where::index(i)]) = items[slots[slot]];
    });
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
