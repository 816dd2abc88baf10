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

// The network on fetched keys. Keys are moved with the places they came from; the elements
// themselves are swapped once the order is known. So in a launch a place is in two swaps at most,
// whatever the number of steps.

/// The keys of a tile with their places in it. What is stored are the places.
template <class Elements, class Place>
struct keys_with_places {
  using value_type = key_value<stored_t<typename Elements::key>, Place>;

  Elements elements;
  Place* places;

  GPUSORT_DEVICE value_type load(std::uint64_t i) const {
    return {elements.load(i), static_cast<Place>(i)};
  }
  GPUSORT_DEVICE void store(std::uint64_t i, const value_type& x) const { places[i] = x.value; }
  GPUSORT_DEVICE keys_with_places operator+(std::uint64_t i) const {
    return {elements + i, places + i};
  }
};

/// Does with the keys and places of a tile what Tile does with elements, then swaps: fewer times
/// than the tile has elements.
template <class Tile>
struct tile_of_fetched {
  static constexpr int threads_per_block = Tile::threads_per_block;
  static constexpr int items_per_tile = Tile::items_per_tile;
  using cycles = swap_cycles<threads_per_block, items_per_tile / threads_per_block>;
  using place = typename cycles::place;

  struct storage {
    union {
      typename Tile::storage tile;
      typename cycles::storage cycles_of_tile;
    };
    place places[items_per_tile];
  };

  template <class Elements, class Compare>
  static GPUSORT_DEVICE void run(storage& shared, const Elements& elements, std::uint64_t first,
                                 int count, Compare& compare) {
    const Elements here = elements + first;
    const keys_with_places<Elements, place> keys{here, shared.places};
    Tile::run(shared.tile, keys, 0, count, compare);
    __syncthreads();
    cycles::apply(shared.cycles_of_tile, shared.places, count,
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
      const bool exists = at.place(q) < n;
      if (exists) x[q] = {elements.load(at.place(q)), q};
      valid += exists;
    }
    thread_merge<false, Mirrored>(x, valid, compare);
    swap_back(elements, at, x, valid);
  }

 private:
  /// Place q gets what x[q] came from.
  template <class Elements, class Places, class Item, int Size>
  static GPUSORT_DEVICE void swap_back(const Elements& elements, const Places& at,
                                       const Item (&x)[Size], int valid) {
    constexpr int bits = 4;
    static_assert(Size <= 1 << bits, "a place in four bits");
    std::uint64_t from = 0;
#pragma unroll
    for (int q = 0; q < Size; ++q) {
      if (q < valid) from |= static_cast<std::uint64_t>(x[q].value) << (bits * q);
    }
    const auto source = [&](int q) { return static_cast<int>(from >> (bits * q)) & (Size - 1); };
#pragma unroll 1
    for (int q = 0; q < valid; ++q) {
      // What place p < q had is now where place p got its own from.
      int p = source(q);
      while (p < q) p = source(p);
      if (p != q) swap_elements(elements, at.place(q), at.place(p));
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
