// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sample sort's numbers with one of them replaced. They nest: one more is replaced in the result.
// What follows from a replaced number is replaced with it, in the proportion that tuning has.
#pragma once

#include <gpusort/detail/tile/tile_merge_sort.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>

namespace tune {

/// The shape of the distribution's tiles.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_tile : Numbers {
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_thread = ItemsPerThread;
  static constexpr int blocks_resident = BlocksResident;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  struct counting : Numbers::counting {
    static constexpr int items_per_thread = ItemsPerThread;
    static constexpr int items_per_tile = counting::threads_per_block * items_per_thread;
  };
};

template <class Numbers, int ItemsPerThread>
using with_items_per_thread =
    with_tile<Numbers, Numbers::threads_per_block, ItemsPerThread, Numbers::blocks_resident>;

/// The same of a distribution that does not count.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_paging_tile : Numbers {
  struct paging : Numbers::paging {
    static constexpr int threads_per_block = ThreadsPerBlock;
    static constexpr int items_per_thread = ItemsPerThread;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
    static constexpr int blocks_resident = BlocksResident;
  };
};

template <class Numbers>
struct without_pages : Numbers {
  static constexpr bool has_pages = false;
};

template <class Numbers, int Tiles>
struct with_tiles_per_chunk : Numbers {
  static constexpr int tiles_per_chunk = Tiles;
};

using gpusort::detail::tuning::with_bucket_tile;

/// Buckets sorted from runs of several lanes, which a warp merges by itself as long as they are its
/// own.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int LanesPerRun>
struct with_lane_runs : with_bucket_tile<Numbers, ThreadsPerBlock, ItemsPerThread> {
  template <class T>
  using bucket_sorter = gpusort::detail::tile::tile_merge_sort<T, ThreadsPerBlock, ItemsPerThread,
                                                               LanesPerRun, false>;
  template <class T>
  using few_bucket_sorter = bucket_sorter<T>;
};

template <class Numbers, int Items>
struct with_target_bucket : Numbers {
  static constexpr int target_bucket = Items;
};

template <class Numbers, int LogOversample>
struct with_log_oversample : Numbers {
  static constexpr int log_oversample = LogOversample;
};

template <class Numbers, int Buckets>
struct with_buckets_per_block : Numbers {
  static constexpr int buckets_per_block = Buckets;
};

}  // namespace tune
