// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tuning/block_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of sample sort for elements of one size.
template <std::size_t ElementBytes>
struct sample_sort {
  // Distribution: one tile of elements is in registers while it is classified, and once in shared
  // memory while it is regrouped. 512 threads x 16 words: 32 KB of items.
  static constexpr int threads_per_block = 512;
  static constexpr int items_per_thread = ElementBytes <= 4    ? 16
                                          : ElementBytes <= 8  ? 12
                                          : ElementBytes <= 16 ? 6
                                          : ElementBytes <= 32 ? 3
                                                               : 2;
  static constexpr int blocks_resident = 2;  // 64 registers a thread, 32 warps to hide latency
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  // A block of the distribution kernels takes up to this many tiles of its bucket, to load the tree
  // and flush its counters once for all of them; fewer, down to one row of a tile, while that
  // leaves multiprocessors without a block.
  static constexpr int tiles_per_chunk = 4;
  static constexpr int blocks_wanted = 256;

  // A tile should bring several elements to each bucket, or the scatter writes single sectors.
  static constexpr int max_log_buckets = ElementBytes <= 8 ? 10 : 9;

  static constexpr int sample_items_per_tile =
      large_tile<ElementBytes>::threads_per_block * large_tile<ElementBytes>::items_per_thread;

  static constexpr int bucket_items_per_tile =
      bucket_tile<ElementBytes>::threads_per_block * bucket_tile<ElementBytes>::items_per_thread;

  // Bucket sizes vary by about 1 / sqrt(samples per bucket). Half a tile on average leaves room for
  // that. 16 samples are a choice, not the result of a sweep.
  static constexpr int target_bucket = bucket_items_per_tile / 2;
  static constexpr int samples_per_bucket = 16;

  // With one level there are few elements and latency is all: a sample of 4 per bucket is sorted
  // soon, and smaller buckets leave room for sizes that vary by half.
  static constexpr int one_level_target_bucket = bucket_items_per_tile / 4;
  static constexpr int one_level_samples_per_bucket = 4;

  // The whole sort in one launch: one block for each multiprocessor at most, so that all of them
  // are resident everywhere, each with up to 1024 elements in registers; buckets of some 256, and a
  // sample of 4 for each of them, which is what one block sorts soonest.
  static constexpr int single_launch_threads = 512;
  static constexpr int single_launch_items_per_thread = 2;
  static constexpr int single_launch_buckets = 256;
  static constexpr int single_launch_target_bucket = 256;
  static constexpr int single_launch_samples_per_bucket = 4;
  static constexpr std::uint64_t single_launch_max_n =
      single_launch_buckets * 2 * single_launch_target_bucket;
  template <class T>
  using single_launch_sorter = tile::block_sort<T, single_launch_threads, 2, false>;

  static constexpr std::uint64_t seed = 0x67707573;

  static_assert(single_launch_buckets * single_launch_samples_per_bucket <=
                    2 * single_launch_threads,
                "the sample fits in one tile");
  static_assert(items_per_tile <= 1 << 15, "ranks in a tile share an int with buckets");
  static_assert((1 << max_log_buckets) <= 2 * threads_per_block,
                "the scan of a tile's counters takes two of them per thread");
  static_assert(sample_items_per_tile >= 4 << max_log_buckets, "splitters want an oversample");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
