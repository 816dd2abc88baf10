// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>
#include <gpusort/detail/tile/indexed_elements.hpp>
#include <gpusort/detail/tile/swap_cycles.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// The network on fetched keys. Keys are moved with the slots they came from; the elements
// themselves are swapped once the order is known. So in a launch an element is in two swaps at
// most, whatever the number of steps.

/// The keys of a tile with their slots in it. What is stored are the slots.
template <class Elements, class Slot>
struct keys_with_slots {
  using value_type = key_value<stored_t<typename Elements::key>, Slot>;

  Elements elements;
  Slot* slots;

  GPUSORT_DEVICE value_type load(std::uint64_t i) const {
    return {elements.load(i), static_cast<Slot>(i)};
  }
  GPUSORT_DEVICE void store(std::uint64_t i, const value_type& x) const { slots[i] = x.value; }
  GPUSORT_DEVICE keys_with_slots operator+(std::uint64_t i) const {
    return {elements + i, slots + i};
  }
};

/// Does with the keys and slots of a tile what Tile does with elements, then swaps: fewer times
/// than the tile has elements.
template <class Tile>
struct tile_of_fetched {
  static constexpr int threads_per_block = Tile::threads_per_block;
  static constexpr int items_per_tile = Tile::items_per_tile;
  using cycles = swap_cycles<threads_per_block, items_per_tile / threads_per_block>;
  using slot = typename cycles::slot;

  struct storage {
    union {
      typename Tile::storage tile;
      typename cycles::storage cycles_of_tile;
    };
    slot slots[items_per_tile];
  };

  template <class Elements, class Compare>
  static GPUSORT_DEVICE void run(storage& shared, const Elements& elements, std::uint64_t first,
                                 int count, Compare& compare) {
    const Elements here = elements + first;
    const keys_with_slots<Elements, slot> keys{here, shared.slots};
    Tile::run(shared.tile, keys, 0, count, compare);
    __syncthreads();
    cycles::apply(shared.cycles_of_tile, shared.slots, count,
                  [&](int i, int j) { swap_elements(here, i, j); });
  }
};

/// Some steps on a group, one thread: at most one swap less than the group has elements.
struct steps_of_fetched {
  template <int Log, bool Mirrored, class Elements, class Compare>
  static GPUSORT_DEVICE void run(const Elements& elements, std::uint64_t n, std::uint64_t group,
                                 int log_span, Compare& compare) {
    using item = key_value<stored_t<typename Elements::key>, int>;
    const exchange_group<Log, Mirrored, std::uint64_t> at(group, log_span);
    item x[at.size];
    int valid = 0;
#pragma unroll
    for (int q = 0; q < at.size; ++q) {
      const bool exists = at.position(q) < n;
      if (exists) x[q] = {elements.load(at.position(q)), q};
      valid += exists;
    }
    thread_network_merge<false, Mirrored>(x, valid, compare);
    swap_back(elements, at, x, valid);
  }

 private:
  /// Swaps back: position q gets what x[q] came from.
  template <class Elements, class Group, class Item, int Size>
  static GPUSORT_DEVICE void swap_back(const Elements& elements, const Group& at,
                                       const Item (&x)[Size], int valid) {
    constexpr int bits = 4;
    static_assert(Size <= 1 << bits, "a position in four bits");
    std::uint64_t from = 0;
#pragma unroll
    for (int q = 0; q < Size; ++q) {
      if (q < valid) from |= static_cast<std::uint64_t>(x[q].value) << (bits * q);
    }
    const auto source = [&](int q) { return static_cast<int>(from >> (bits * q)) & (Size - 1); };
#pragma unroll 1
    for (int q = 0; q < valid; ++q) {
      // What position p < q had is now where position p got its own from.
      int p = source(q);
      while (p < q) p = source(p);
      if (p != q) swap_elements(elements, at.position(q), at.position(p));
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
