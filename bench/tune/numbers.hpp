// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sample sort's numbers with one of them replaced. They nest: one more is replaced in the result.
// What follows from a replaced number is replaced with it, in the proportion that tuning has.
#pragma once

#include <gpusort/detail/tile/tile_merge_sort.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>

namespace tune {

/// The shape of tiles.
template <class Shape, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_shape : Shape {
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_thread = ItemsPerThread;
  static constexpr int blocks_resident = BlocksResident;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;
};

/// Sets the tile of the distribution, in the same chunks of counting.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_tile : Numbers {
  using distribution =
      with_shape<typename Numbers::distribution, ThreadsPerBlock, ItemsPerThread, BlocksResident>;
  using counting = with_shape<typename Numbers::counting, Numbers::counting::threads_per_block,
                              ItemsPerThread, Numbers::counting::blocks_resident>;
};

template <class Numbers, int ItemsPerThread>
using with_items_per_thread = with_tile<Numbers, Numbers::distribution::threads_per_block,
                                        ItemsPerThread, Numbers::distribution::blocks_resident>;

/// Sets the tile of a distribution that does not count.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_paging_tile : Numbers {
  using paging =
      with_shape<typename Numbers::paging, ThreadsPerBlock, ItemsPerThread, BlocksResident>;
};

template <class Numbers>
struct without_pages : Numbers {
  struct paging : Numbers::paging {
    static constexpr bool is_used = false;
  };
};

template <class Numbers, int Tiles>
struct with_tiles_per_chunk : Numbers {
  struct distribution : Numbers::distribution {
    static constexpr int tiles_per_chunk = Tiles;
  };
};

using gpusort::detail::tuning::with_bucket_tile;

/// Buckets sorted from runs of several lanes, which a warp merges by itself as long as they are its
/// own.
template <class Numbers, int ThreadsPerBlock, int ItemsPerThread, int LanesPerRun>
struct with_lane_runs : Numbers {
  struct buckets : with_bucket_tile<Numbers, ThreadsPerBlock, ItemsPerThread>::buckets {
    template <class T>
    using sorter = gpusort::detail::tile::tile_merge_sort<T, ThreadsPerBlock, ItemsPerThread,
                                                          LanesPerRun, false>;
    template <class T>
    using few_sorter = sorter<T>;
  };
};

template <class Numbers, int Items>
struct with_target_bucket : Numbers {
  struct buckets : Numbers::buckets {
    static constexpr int target = Items;
  };
};

template <class Numbers, int LogOversample>
struct with_log_oversample : Numbers {
  struct sampling : Numbers::sampling {
    static constexpr int log_oversample = LogOversample;
  };
};

template <class Numbers, int Buckets>
struct with_buckets_per_block : Numbers {
  struct buckets : Numbers::buckets {
    static constexpr int per_block = Buckets;
  };
};

}  // namespace tune
