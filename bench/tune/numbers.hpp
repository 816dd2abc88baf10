// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sample sort's numbers with one of them replaced. They nest: one more is replaced in the result.
// What follows from a replaced number is replaced with it, in the proportion that tuning has.
#pragma once

#include <gpusort/detail/tile/block_pairwise_merge_sort.hpp>
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

/// Changes the tile of the distribution, and counts in the same chunks.
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_tile : Tuning {
  using distribution =
      with_shape<typename Tuning::distribution, ThreadsPerBlock, ItemsPerThread, BlocksResident>;
  using counting = with_shape<typename Tuning::counting, Tuning::counting::threads_per_block,
                              ItemsPerThread, Tuning::counting::blocks_resident>;
};

template <class Tuning, int ItemsPerThread>
using with_items_per_thread = with_tile<Tuning, Tuning::distribution::threads_per_block,
                                        ItemsPerThread, Tuning::distribution::blocks_resident>;

/// Changes the tile of a distribution that does not count.
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread, int BlocksResident>
struct with_paging_tile : Tuning {
  using paging =
      with_shape<typename Tuning::paging, ThreadsPerBlock, ItemsPerThread, BlocksResident>;
};

template <class Tuning>
struct without_pages : Tuning {
  struct paging : Tuning::paging {
    static constexpr bool is_used = false;
  };
};

template <class Tuning, int Tiles>
struct with_tiles_per_chunk : Tuning {
  struct distribution : Tuning::distribution {
    static constexpr int tiles_per_chunk = Tiles;
  };
};

using gpusort::detail::tuning::with_bucket_tile;

/// Buckets sorted from runs of several lanes, which a warp merges by itself as long as they are its
/// own.
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread, int LanesPerRun>
struct with_lane_runs : Tuning {
  struct buckets : with_bucket_tile<Tuning, ThreadsPerBlock, ItemsPerThread>::buckets {
    template <class T>
    using sorter =
        gpusort::detail::tile::block_pairwise_merge_sort<T, ThreadsPerBlock, ItemsPerThread,
                                                         LanesPerRun, false>;
    template <class T>
    using latency_sorter = sorter<T>;
  };
};

template <class Tuning, int Items>
struct with_target_bucket : Tuning {
  struct buckets : Tuning::buckets {
    static constexpr int target = Items;
  };
};

template <class Tuning, int LogOversample>
struct with_log_oversample : Tuning {
  struct sampling : Tuning::sampling {
    static constexpr int log_oversample = LogOversample;
  };
};

}  // namespace tune
