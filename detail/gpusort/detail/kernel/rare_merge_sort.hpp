// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_merge_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The storage of a block_merge_sort in dynamic shared memory, in bytes from its beginning. A
/// function that is not inlined takes these, as it would read addresses like those of any memory.
struct tile_offsets {
  std::uint32_t boundaries, tile;

  template <class Storage>
  static GPUSORT_DEVICE tile_offsets of(Storage& shared) {
    extern __shared__ __align__(16) unsigned char raw[];
    const auto offset_of = [&](void* part) {
      return static_cast<std::uint32_t>(static_cast<unsigned char*>(part) - raw);
    };
    return {offset_of(shared.boundaries), offset_of(&shared.tile)};
  }

  /// Returns the storage of a sort by any number of threads.
  template <class Sorter>
  GPUSORT_DEVICE typename Sorter::storage in() const {
    extern __shared__ __align__(16) unsigned char raw[];
    using items = typename Sorter::items;
    return {reinterpret_cast<int*>(raw + boundaries), *reinterpret_cast<items*>(raw + tile)};
  }
};

/// Makes a step of a sort.
template <class Sorter, class Array, class Compare>
GPUSORT_RARE void run_tile_step(tile_offsets where, Array array, tile::tile_step step,
                                Compare compare) {
  typename Sorter::storage shared = where.template in<Sorter>();
  Sorter::run(shared, array, step, compare);
}

/// A block sorts tiles as block_merge_sort does, for code that hardly any input runs: by functions
/// that take any number of threads, so that all kernels share their PTX; ptxas gives each kernel
/// code of its own. MayBeExpensive: the fewest
/// comparisons may be asked for.
template <class Array, int ItemsPerThread, int ChunksPerThread, bool MayBeExpensive = false>
struct rare_merge_sort {
  static constexpr int threads_per_block = tile::any_threads;
  static constexpr int items_per_thread = ItemsPerThread;
  static constexpr int chunks_per_thread = ChunksPerThread;

 private:
  static constexpr int most_items = 1 << 16;
  template <bool FewestComparisons>
  using sorter =
      tile::block_merge_sort<typename Array::value_type, tile::any_threads, ItemsPerThread, false,
                             ChunksPerThread, most_items, FewestComparisons>;

 public:
  class storage {
   public:
    typename sorter<false>::items& tile;

    GPUSORT_DEVICE explicit storage(tile_offsets offsets, bool comparisons_are_expensive = false)
        : tile(offsets.in<sorter<false>>().tile),
          where_(offsets),
          are_expensive_(comparisons_are_expensive) {}

    template <class Compare>
    GPUSORT_DEVICE void run(const Array& array, const tile::tile_step& step, Compare& compare) {
      if constexpr (MayBeExpensive) {
        if (are_expensive_) return run_tile_step<sorter<true>>(where_, array, step, compare);
      }
      run_tile_step<sorter<false>>(where_, array, step, compare);
    }

   private:
    tile_offsets where_;
    bool are_expensive_;
  };

  /// Sorts storage.tile[0, count).
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    shared.run(Array{}, {count, tile::tile_step::to_sort, true}, compare);
  }

  /// Sorts the first `count` elements of an array into storage.tile[0, count).
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, int count,
                                  Compare& compare) {
    shared.run(array, {count, tile::tile_step::to_sort, false}, compare);
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    shared.run(Array{}, {a_count + b_count, a_count, true}, compare);
  }
};

/// Names the rare_merge_sort that a sorter of tiles has the shape of.
template <class Sorter, class Array, bool MayBeExpensive = false>
using rare_sort_of =
    rare_merge_sort<Array, Sorter::items_per_merge / Sorter::threads_per_block,
                    Sorter::items_per_tile / Sorter::items_per_merge, MayBeExpensive>;

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
