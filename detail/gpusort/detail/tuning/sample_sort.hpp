// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/block_pairwise_merge_sort.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <gpusort/detail/tuning/block_tiles.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of sample sort for elements of one size, by part. What is said to be measured was
/// measured on sm_90; docs/internals/tuning.md says how to measure the others.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct sample_sort {
  static constexpr architecture arch = Arch;
  using bucket_tile = tuning::bucket_tile<ElementBytes>;
  using sample_tile = large_tile<ElementBytes, Arch>;

  /// The sampler: samples for each splitter, and the tile in which one block sorts them.
  struct sampling {
    static constexpr int items_per_tile =
        static_cast<int>(max_tile_items(ElementBytes, shared_memory_of(Arch)));
    static constexpr int log_oversample = 4;  // swept (docs/internals/tuning.md)

    // The least sample of a level that is not the only one. With 16 samples for each splitter of
    // two levels, 1% of the buckets of 2^22 numbers were larger than twice the mean, and so than a
    // tile: by a run-time comparator that is `<` 2^22 took 0.247 ms on an H100, and 0.173 with
    // 2^12, 2^23 0.344 and 0.279. Larger elements have no shorter way to sort a tile, and longer
    // ones to sort the sample: of 16 bytes, 2^20 took 0.151 and 0.166.
    static constexpr int min_log_sample = ElementBytes <= 8 ? 12 : 0;

    // With one level there are few elements and latency is all: a sample of 4 per bucket is sorted
    // soon.
    static constexpr int one_level_log_oversample = 2;

    // The least threads of the blocks that look at the input while another one sorts the sample.
    // Measured with 128, 256 and 512 at 2^24, in order, ms: u32 0.107, 0.070, 0.053; u64
    // 0.100, 0.099, 0.088.
    static constexpr int probe_threads = 512;
  };

  /// The distributor. One tile of elements is in registers, with their buckets, while the one
  /// before it is written from shared memory, where it has been regrouped.
  struct distribution {
    // A tile should bring several elements to each bucket, or the scatter writes single sectors;
    // and splitters want an oversample of 4 at least.
    static constexpr int max_log_buckets =
        min_of(ElementBytes <= 8 ? 10 : 9, ceil_log2(sampling::items_per_tile) - 2);

    // 4 bytes: 384 threads have 80 registers each, which is what they need: 2^28 6.56 ms, with
    // 512 6.88.
    static constexpr int threads_per_block = ElementBytes <= 4 ? 384 : 512;
    static constexpr int items_per_thread = [] {
      // A counter and a destination for each bucket; a scan's words, and a bit and more for each
      // slot.
      constexpr std::size_t beside = (std::size_t{1} << max_log_buckets) * 12 + 4096;
      int items = ElementBytes <= 4    ? 16
                  : ElementBytes <= 8  ? 8
                  : ElementBytes <= 16 ? 6
                  : ElementBytes <= 32 ? 3
                                       : 2;
      while (items * threads_per_block * (ElementBytes + 2) + beside > shared_memory_of(Arch)) {
        --items;
      }
      return items;
    }();
    static constexpr int blocks_resident = 2;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;

    // A block of the distribution kernels takes up to this many tiles of its bucket, to load the
    // tree and flush its counters once for all of them; fewer, down to one row of a tile, while
    // that leaves multiprocessors without a block.
    static constexpr int tiles_per_chunk = 4;
    static constexpr int blocks_wanted = 256;

    static_assert(blocks_resident * threads_per_block <= threads_per_multiprocessor(Arch),
                  "launch bounds that the hardware can keep");
    static_assert(items_per_thread > 0, "an item fits beside the counters");
    static_assert(items_per_tile <= 1 << 15, "ranks in a tile share an int with buckets");
  };

  /// The tiles of counting, in the same chunks: it waits for shared memory, and for more warps.
  struct counting {
    static constexpr int max_log_buckets = distribution::max_log_buckets;
    static constexpr int threads_per_block = 512;
    static constexpr int items_per_thread = distribution::items_per_thread;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
    static constexpr int blocks_resident = 2;
  };

  /// The tiles of a first level that does not count its input: it scatters to pages of its buckets'
  /// own, of the size of chunks. It is taken if at most one of `least_share` pages may stay empty,
  /// which is one of each bucket, and for at most 2^max_log_buckets buckets.
  /// Measured, opaque, 2^24 and 2^28, ms, counted and not: u32 0.442, 6.52 and 0.427, 6.17; u64
  /// 0.729, 11.70 and 0.689, 10.81. Records of 12 bytes and more lose by it, up to 16%: their
  /// elements, with their buckets, are not in registers but in local memory.
  struct paging {
    static constexpr bool is_used = ElementBytes <= 8;
    static constexpr int least_share = 8;
    static constexpr int max_log_buckets =  // so that two blocks fit
        min_of(shared_memory_of(Arch) > 128 * 1024 ? 9 : 8, distribution::max_log_buckets);
    static constexpr int threads_per_block = distribution::threads_per_block;
    static constexpr int items_per_thread = distribution::items_per_thread;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
    static constexpr int blocks_resident = distribution::blocks_resident;
  };

  /// The bucket sorters. A bucket fills half of a tile on average, so half of the warps of a block
  /// of a thread for each chunk would wait: a thread takes two. Measured, opaque, 7 * 2^24 and
  /// 2^28, ms, no other number changed: u32 256 x 16 3.12 and 7.11, 128 x 16 twice 2.94
  /// and 6.78; u64 256 x 8 5.60 and 13.0, 128 x 8 twice 5.31 and 12.5.
  struct buckets {
    static constexpr int threads_per_block = bucket_tile::threads_per_block;
    static constexpr int items_per_thread = ElementBytes <= 4 ? 16 : bucket_tile::items_per_thread;
    static constexpr int chunks_per_thread = ElementBytes <= 8 ? 2 : 1;
    static constexpr int items_per_tile = chunks_per_thread * threads_per_block * items_per_thread;
    static constexpr int threads_resident = 0;       // the compiler's choice of registers
    static constexpr bool has_number_tiles = false;  // that proxmap sort can take

    // Bucket sizes vary by about 1 / sqrt(samples per bucket). As levels are powers of two wide,
    // buckets are between 3/8 and 3/4 of a tile on average. Swept (docs/internals/tuning.md).
    static constexpr int target = items_per_tile * 3 / 4;

    // With one level smaller buckets leave room for sizes that vary by half.
    static constexpr int one_level_target =
        bucket_tile::threads_per_block * bucket_tile::items_per_thread / 4;

    template <class T>
    using sorter =
        tile::block_merge_sort<T, threads_per_block, items_per_thread, false, chunks_per_thread>;

    // Few buckets are sorted by blocks with a thread for each chunk: latency is all. Measured at
    // 2^20, u32, ms: 0.092 by the others, 0.069 by these.
    template <class T>
    using latency_sorter = std::conditional_t<
        ElementBytes <= 8,
        tile::block_merge_sort<T, chunks_per_thread * threads_per_block, items_per_thread, false>,
        sorter<T>>;

    // Fewer have latency_sorter. Measured with 2^13 and 2^15, u32, ms: 2^24 0.479 and 0.460,
    // 3 * 2^24 1.27 and 1.21, in order 0.070 and 0.078.
    static constexpr std::uint64_t few = ElementBytes <= 4 ? 1 << 15 : 1 << 13;
  };

  /// Long buckets, of which there are hardly ever any, in tiles like those of others.
  struct long_ranges {
    // Few, by estimate, as nearly every sort waits for blocks that find nothing to do.
    static constexpr int threads_per_multiprocessor = 512;
  };

  // How much of a multiprocessor's memory is shared memory, in percent; the driver's choice is as
  // much as its blocks can use.
  static constexpr int carveout = -1;

  /// The whole sort in one launch: one block for each multiprocessor, with up to 1024 elements in
  /// registers, and two where that is not enough. Buckets of some 256, and of up to 8 bytes no more
  /// of them than about one for each block, whose tile is at least four times as large as they are
  /// on average; tiles of larger elements hold fewer. A sample of 4 for each of them, and of 8 for
  /// 128 large buckets: u64 2^17 34.2 and 31.3 us, few distinct values a microsecond longer. More
  /// is in the notebook, "Few elements".
  struct single_launch {
    static constexpr int threads_per_block = 512;
    static constexpr int items_per_thread = 2;
    static constexpr int blocks_resident = ElementBytes <= 16 ? 2 : 1;
    static constexpr int buckets_per_block = ElementBytes <= 8 ? 128 : 256;
    static constexpr int max_buckets = blocks_resident * buckets_per_block;
    static constexpr int target_bucket = 256;
    static constexpr int large_bucket = 768;
    static constexpr int log_oversample = 2;
    static constexpr int log_sample = 10;  // at least, of large buckets
    static constexpr int max_samples = max_buckets << log_oversample > 1 << log_sample
                                           ? max_buckets << log_oversample
                                           : 1 << log_sample;
    static constexpr bool fits =
        tile_bytes(threads_per_block * bucket_tile::items_per_thread, ElementBytes) +
            max_buckets * (ElementBytes + 16) + 8192 <=
        shared_memory_of(Arch);
    // About what blocks of 132 multiprocessors hold.
    static constexpr std::uint64_t max_n = fits ? blocks_resident << 17 : 0;
    template <class T>
    using sorter =
        tile::block_merge_sort<T, threads_per_block, bucket_tile::items_per_thread, false>;

    static_assert(max_samples <= threads_per_block * bucket_tile::items_per_thread,
                  "the sample fits in one tile");
    static_assert(max_buckets <= threads_per_block, "a thread for each bucket scans their counts");
    static_assert(blocks_resident * threads_per_block <= threads_per_multiprocessor(Arch),
                  "launch bounds that the hardware can keep");
  };

  /// The whole sort by one cluster: 8 blocks, the most that every device with clusters can have
  /// together, each with a share of two elements for each thread. Warps of one block wait for each
  /// other's instructions, so a bucket is sorted by few threads with many items each. With a sample
  /// of 8 for each bucket, which takes no longer to rank than to wait for, one in a million buckets
  /// has more than 4 shares, and is sorted slowly.
  struct cluster {
    static constexpr int blocks = 8;
    static constexpr int threads_per_block = 512;
    static constexpr int min_threads_per_block = 256;
    static constexpr int share_items = 2;
    static constexpr int bucket_items = ElementBytes <= 8 ? 8 : ElementBytes <= 32 ? 4 : 2;
    static constexpr int bucket_chunks = 1;
    static constexpr int bucket_shares = 4;
    static constexpr int samples = 64;
    static constexpr int max_n = [] {
      int n = ElementBytes <= 8 ? 8192 : ElementBytes <= 32 ? 4096 : 2048;
      while (tile_bytes(n, ElementBytes) + 16384 > shared_memory_of(Arch)) n /= 2;
      return n;
    }();
    static constexpr int least_numbers = max_n + 1;  // that proxmap sort takes
  };
};

/// Tuning of sample sort with another shape of the tiles that sort buckets; a bucket is at most
/// three quarters of one.
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread, int ChunksPerThread = 1>
struct with_bucket_tile : Tuning {
  struct buckets : Tuning::buckets {
    static constexpr int threads_per_block = ThreadsPerBlock;
    static constexpr int items_per_thread = ItemsPerThread;
    static constexpr int chunks_per_thread = ChunksPerThread;
    static constexpr int items_per_tile = ChunksPerThread * ThreadsPerBlock * ItemsPerThread;
    static constexpr int target = items_per_tile * 3 / 4;
    template <class T>
    using sorter =
        tile::block_merge_sort<T, ThreadsPerBlock, ItemsPerThread, false, ChunksPerThread>;
    template <class T>
    using latency_sorter = sorter<T>;
  };
};

/// Sorts buckets by proxmap sort where the order is that of numbers, or may be, with two words of
/// registers for each item, so that some 1024 threads are resident. A thread has as many items as
/// its window, so that all threads have one; comparisons then take two chunks, as elsewhere.
/// Measured, less, 2^20, 2^24 and 2^28, ms: u32 256 x 16 0.040, 0.325 and 4.52; 512 x 16 0.037,
/// 0.335, 4.54; five blocks instead of four 0.044, 0.332, 4.73. At 2^28, u64 512 x 8 7.77, 256 x 8
/// twice 7.17; at 2^26, u128 256 x 4 3.62, 128 x 4 twice 3.31, 256 x 4 twice 3.21. Elsewhere, where
/// blocks have half as much shared memory, tiles are half as large, also of numbers that turn out
/// to be compared; that, and what is said of more than 16 bytes, which take more registers than
/// half of the threads would have, is by sizes, not measured.
template <std::size_t ElementBytes, architecture Arch>
struct number_tile {
  static constexpr bool is_small = shared_memory_of(Arch) < 128 * 1024;
  static constexpr int threads_per_block = 256;
  static constexpr int items_per_thread =
      ElementBytes <= 4 && !is_small ? 16 : bucket_tile<ElementBytes>::items_per_thread;
  static constexpr int chunks_per_thread =
      4 < ElementBytes && ElementBytes <= 16 && !is_small ? 2 : 1;

  // A slot for each item of up to 8 bytes, four for larger ones.
  static constexpr int items = chunks_per_thread * threads_per_block * items_per_thread;
  static constexpr std::size_t bytes = ElementBytes <= 8
                                           ? items * (ElementBytes * 9 / 8 + 4) + 4096
                                           : tile_bytes(items, ElementBytes) + items * 16 + 2048;
  static constexpr int blocks_that_fit = static_cast<int>(shared_memory_of(Arch) / bytes);
  static constexpr int most_blocks = ElementBytes <= 16 ? 1024 / threads_per_block : 0;
  static constexpr int threads_resident = min_of(most_blocks, blocks_that_fit) * threads_per_block;
};
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct sample_sort_of_numbers
    : with_bucket_tile<sample_sort<ElementBytes, Arch>,
                       number_tile<ElementBytes, Arch>::threads_per_block,
                       number_tile<ElementBytes, Arch>::items_per_thread,
                       number_tile<ElementBytes, Arch>::chunks_per_thread> {
  using others = sample_sort<ElementBytes, Arch>;
  using shape = number_tile<ElementBytes, Arch>;

  // The buckets of one level vary more, as each has a sample of 4: one in 24 is twice as large as
  // they are on average, one in 10^4 four times, which this tile holds. Measured with half of it,
  // so that a block merged its bucket in device memory, and with this, us: 2^19 opaque u32 67 and
  // 48, u64 67 and 50; 2^20 opaque u32 71 and 55, u64 88 and 66, skewed less u32 76 and 63, u64 89
  // and 70; but less, uniform, u32 45.7 and 47.7, u64 53 and 55. Two levels have larger samples, so
  // they take the other tiles: u64 2^22 less 163 and 152.
  static constexpr bool has_large_tiles = ElementBytes <= 8 && !shape::is_small;

  struct buckets : with_bucket_tile<others, shape::threads_per_block, shape::items_per_thread,
                                    shape::chunks_per_thread>::buckets {
    static constexpr int threads_resident = shape::threads_resident;
    static constexpr bool has_number_tiles = true;
    template <class T>
    using latency_sorter = std::conditional_t<
        has_large_tiles, tile::block_merge_sort<T, 512, 8, false, 2>,
        tile::block_merge_sort<T, shape::chunks_per_thread * shape::threads_per_block,
                               shape::items_per_thread, false>>;
    static constexpr std::uint64_t few =
        has_large_tiles ? (1 << others::distribution::max_log_buckets) + 1 : 1 << 12;
  };

  // Numbers of which buckets are worth it. Measured, with comparisons and with proxmap sort, us:
  // u32 2^13 less 16.9 and 14.6, in no numeric order 17.1 and 19.1, 2^14 21.5 and 16.2, 21.8
  // and 23.1; u64 2^14 less 24.4 and 17.9, in no order 26.5 and 28.6, skewed 24.4 and 27.4;
  // 2^13 19.0 and 16.2, 22.4 and 24.3, skewed 19.2 and 22.5. At 2^12 it makes no difference.
  struct cluster : others::cluster {
    static constexpr int share_items = has_large_tiles ? 4 : 2;
    static constexpr int bucket_chunks = has_large_tiles ? 2 : 1;
    static constexpr int max_n = has_large_tiles ? 16384 : others::cluster::max_n;
    static constexpr int least_numbers = !has_large_tiles    ? max_n + 1
                                         : ElementBytes <= 4 ? 4097
                                                             : 8193;
  };
};

/// Short records, of which buckets find the word that is compared, if there is one. Their tiles are
/// large, so that there are few buckets, to which scatters are sooner; comparisons, where there is
/// no such word, make more of them then. Measured, H100, in the tiles above and in these, by a
/// member and by a computed key, ms: 12 bytes, 2^22 0.362, 0.328 and 0.435, 0.52, 2^24 1.31, 1.02
/// and 1.56, 1.66, 2^26 5.69, 4.16 and 6.72, 6.65; 16 bytes, 2^24 1.24, 1.08 and 1.60, 1.77, 2^26
/// 4.89, 4.02 and 6.59, 7.01; 20 bytes, with the order inferred before and with these, 2^22 0.565,
/// 0.517 and 0.847, 0.742, 2^26 7.76, 6.89 and 13.2, 10.4. 24 bytes lose.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct sample_sort_of_words : with_bucket_tile<sample_sort<ElementBytes, Arch>, 256, 4,
                                               shared_memory_of(Arch) < 128 * 1024 ? 1 : 2> {
  using below_least_n = sample_sort<ElementBytes, Arch>;
  static constexpr std::uint64_t least_n = std::uint64_t{1} << (ElementBytes <= 16 ? 23 : 22);

  struct buckets : with_bucket_tile<below_least_n, 256, 4,
                                    shared_memory_of(Arch) < 128 * 1024 ? 1 : 2>::buckets {
    static constexpr int threads_resident = ElementBytes <= 16 ? 1024 : 0;
    static constexpr bool has_number_tiles = true;
  };
};

/// Sorts indices, where a comparison reads memory elsewhere, which is all that matters: few
/// comparisons are made, and shared memory is kept so scarce that what the resident blocks compare
/// stays in L1. Measured, ms: u32 by compare(i, j), 2^20, 2^24 and 2^26, merge sort 0.25, 4.47,
/// 20.4, the numbers above 0.52, 6.46, 34.1, these 0.22, 2.36, 12.9; with the driver's carveout
/// 0.35, 4.43, 20.5. By pointers to 128 bytes, 2^22 and 2^24: 6.45, 31.5 before, 2.04, 9.21 now.
/// 128 x 4 is as fast at 7 percent, and nearly twice as slow at 11.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct sample_sort_of_indices : with_bucket_tile<sample_sort<ElementBytes, Arch>, 256, 2> {
  using others = sample_sort<ElementBytes, Arch>;

  // One block sorts the sample, and each comparison waits for memory: with 2^12 samples 2^20 u32 by
  // compare(i, j) took 0.61 ms in place of 0.43 (H200).
  struct sampling : others::sampling {
    static constexpr int min_log_sample = 0;
  };
  struct buckets : with_bucket_tile<others, 256, 2>::buckets {
    template <class T>
    using sorter = tile::block_pairwise_merge_sort<T, 256, 2, 1, false>;
    template <class T>
    using latency_sorter = sorter<T>;
  };
  struct paging : others::paging {
    static constexpr bool is_used = false;
  };
  static constexpr int carveout = 7;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
