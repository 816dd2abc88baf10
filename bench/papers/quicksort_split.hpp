// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cub/block/block_scan.cuh>
#include <utility>
#include <vector>

#include "bucket_pivots.hpp"
#include "list_table.hpp"

namespace papers {

// The split by the first steps of a quicksort: each step parts every list in those that are not
// above the middle of its range and the rest. In the paper the geometry shader does it for one list
// at a time, by two passes that each leave one side out; here a step of all lists is a count for
// each tile, their prefix sums, and a pass that moves both sides. As there, sizes are read back
// after each step. Source: paper 001, section 5.2.

inline constexpr int part_threads = 256;
inline constexpr int part_tile = 2048;

/// Contiguous lists and their tiles: those of list k begin at first_tiles[k].
/// There is one entry more of begins and first_tiles.
struct part_table {
  std::uint32_t lists;
  const std::uint32_t* begins;
  const std::uint32_t* first_tiles;
  const float* pivots;
  std::uint32_t* tile_lefts;  // of each tile, then of all tiles before it; and of all
  std::uint32_t* list_lefts;

  GPUSORT_DEVICE std::uint32_t list_of(std::uint32_t tile) const {
    std::uint32_t low = 0, high = lists;  // the list is one of [low, high)
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (first_tiles[middle] <= tile ? low : high) = middle;
    }
    return low;
  }
};

/// Holds what one block has: a tile of a list.
struct part_share {
  std::uint32_t list, begin, end, in_list;
  float pivot;

  GPUSORT_DEVICE explicit part_share(const part_table& table)
      : list(table.list_of(blockIdx.x)),
        begin(table.begins[list] + (blockIdx.x - table.first_tiles[list]) * part_tile),
        end(detail::min_of(begin + part_tile, table.begins[list + 1])),
        in_list(begin - table.begins[list]),
        pivot(table.pivots[list]) {}
};

template <int Threads>
__global__ void __launch_bounds__(Threads) count_lefts_kernel(part_table table, const float* from) {
  __shared__ std::uint32_t lefts;
  if (threadIdx.x == 0) lefts = 0;
  const part_share share(table);
  std::uint32_t mine = 0;
  for (std::uint32_t i = share.begin + threadIdx.x; i < share.end; i += Threads) {
    mine += from[i] <= share.pivot;
  }
  __syncthreads();
  atomicAdd(&lefts, mine);
  __syncthreads();
  if (threadIdx.x == 0) table.tile_lefts[blockIdx.x] = lefts;
}

/// Sums the lefts, by one block.
template <int Threads>
__global__ void __launch_bounds__(Threads) sum_lefts_kernel(part_table table) {
  using block_scan = cub::BlockScan<std::uint32_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  const std::uint32_t tiles = table.first_tiles[table.lists];
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < tiles; first += Threads) {
    const std::uint32_t tile = first + threadIdx.x;
    const std::uint32_t lefts = tile < tiles ? table.tile_lefts[tile] : 0;
    std::uint32_t sum, all;
    block_scan(storage).ExclusiveSum(lefts, sum, all);
    if (tile < tiles) table.tile_lefts[tile] = before + sum;
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) table.tile_lefts[tiles] = before;
  __syncthreads();
  for (std::uint32_t list = threadIdx.x; list < table.lists; list += Threads) {
    table.list_lefts[list] =
        table.tile_lefts[table.first_tiles[list + 1]] - table.tile_lefts[table.first_tiles[list]];
  }
}

template <int Threads>
__global__ void __launch_bounds__(Threads)
    move_parts_kernel(part_table table, const float* from, float* to) {
  using block_scan = cub::BlockScan<std::uint32_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  const part_share share(table);
  float* const left_side = to + table.begins[share.list];
  float* const right_side = left_side + table.list_lefts[share.list];
  std::uint32_t lefts =
      table.tile_lefts[blockIdx.x] - table.tile_lefts[table.first_tiles[share.list]];
  for (std::uint32_t first = share.begin; first < share.end; first += Threads) {
    const std::uint32_t i = first + threadIdx.x;
    const bool exists = i < share.end;
    const float x = exists ? from[i] : 0;
    const bool goes_left = exists && x <= share.pivot;
    std::uint32_t before, all;
    block_scan(storage).ExclusiveSum(goes_left, before, all);
    __syncthreads();
    before += lefts;
    if (goes_left) {
      left_side[before] = x;
    } else if (exists) {
      right_side[share.in_list + (i - share.begin) - before] = x;
    }
    lefts += all;
  }
}

/// The least and the greatest finite number that a list may have.
struct range_of_list {
  float low, high;

  /// Returns the middle, whatever the range; one of its ends where there is nothing between them.
  float middle() const {
    return static_cast<float>((static_cast<double>(low) + static_cast<double>(high)) / 2);
  }
};

template <int Lists>
class quicksort_split {
 public:
  static constexpr std::uint32_t most_lists = 2 * Lists;  // a step doubles fewer than Lists

  quicksort_split(detail::scratch_cursor& cursor, std::uint32_t n)
      : n_(n),
        range_(cursor.take<value_range>(1)),
        begins_(cursor.take<std::uint32_t>(most_lists + 1)),
        first_tiles_(cursor.take<std::uint32_t>(most_lists + 1)),
        pivots_(cursor.take<float>(most_lists)),
        tile_lefts_(cursor.take<std::uint32_t>(n / part_tile + most_lists + 1)),
        list_lefts_(cursor.take<std::uint32_t>(most_lists)) {}

  /// Parts `data` until there are Lists lists, or for as many steps as make them from even parts
  /// and two more. They go to and fro between two arrays; the one that they end in is returned.
  float* run(cudaStream_t stream, const float* data, list_table& table, float* a, float* b) {
    constexpr int most_steps = detail::ceil_log2(Lists) + 2;
    const bool has_nans = find_range(stream, data);
    std::vector<std::uint32_t> begins{0, n_};
    const float* from = data;
    for (int step = has_nans ? -1 : 0; step < most_steps && begins.size() <= Lists; ++step) {
      begins = part(stream, begins, from, a, step < 0);
      from = a;
      std::swap(a, b);
    }
    write_counts(stream, begins, has_nans, table);
    return b;
  }

 private:
  /// Returns true where there are NaNs.
  bool find_range(cudaStream_t stream, const float* data) {
    constexpr int threads = 512;
    value_range range;
    detail::check(cudaMemsetAsync(range_, 0, sizeof(range), stream), "clearing counters");
    detail::launch(find_range_kernel<threads>, blocks_of_strides(n_, threads), threads, 0, stream,
                   data, n_, range_);
    copy(stream, &range, range_, 1);
    ranges_ = {{static_cast<float>(range.low()), static_cast<float>(range.high())}};
    return range.nans > 0;
  }

  /// Parts the lists by one step; returns where those that it makes begin, and the last one ends.
  std::vector<std::uint32_t> part(cudaStream_t stream, const std::vector<std::uint32_t>& begins,
                                  const float* from, float* to, bool parts_nans) {
    const std::size_t lists = begins.size() - 1;
    std::vector<std::uint32_t> first_tiles{0}, lefts(lists), parted{0};
    for (std::size_t list = 0; list < lists; ++list) {
      first_tiles.push_back(first_tiles.back() + detail::ceil_div<std::uint32_t>(
                                                     begins[list + 1] - begins[list], part_tile));
    }
    copy(stream, begins_, begins.data(), lists + 1);
    copy(stream, first_tiles_, first_tiles.data(), lists + 1);
    const part_table table{static_cast<std::uint32_t>(lists),
                           begins_,
                           first_tiles_,
                           pivots_,
                           tile_lefts_,
                           list_lefts_};
    const std::size_t tiles = first_tiles.back();
    std::vector<float> pivots(lists, HUGE_VALF);
    for (std::size_t list = 0; list < lists && !parts_nans; ++list) {
      pivots[list] = ranges_[list].middle();
    }
    copy(stream, pivots_, pivots.data(), lists);
    detail::launch(count_lefts_kernel<part_threads>, tiles, part_threads, 0, stream, table, from);
    detail::launch(sum_lefts_kernel<table_threads>, 1, table_threads, 0, stream, table);
    detail::launch(move_parts_kernel<part_threads>, tiles, part_threads, 0, stream, table, from,
                   to);
    copy(stream, lefts.data(), list_lefts_, lists);
    std::vector<range_of_list> ranges;
    for (std::size_t list = 0; list < lists; ++list) {
      const std::uint32_t middle = begins[list] + lefts[list];
      const range_of_list whole = ranges_[list];
      if (middle > begins[list]) {
        parted.push_back(middle);
        ranges.push_back(parts_nans ? whole : range_of_list{whole.low, pivots[list]});
      }
      if (middle < begins[list + 1]) {
        parted.push_back(begins[list + 1]);
        ranges.push_back(parts_nans ? whole : range_of_list{pivots[list], whole.high});
      }
    }
    ranges_ = std::move(ranges);
    return parted;
  }

  void write_counts(cudaStream_t stream, const std::vector<std::uint32_t>& begins, bool has_nans,
                    list_table& table) {
    std::vector<std::uint32_t> counts;
    for (std::size_t list = 1; list < begins.size(); ++list) {
      counts.push_back(begins[list] - begins[list - 1]);
    }
    if (!has_nans) counts.push_back(0);
    table.sorted_lists = static_cast<std::uint32_t>(counts.size() - 1);
    copy(stream, table.counts, counts.data(), counts.size());
  }

  /// Returns when it is done.
  template <class T>
  static void copy(cudaStream_t stream, T* to, const T* from, std::size_t count) {
    detail::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream),
                  "copying the lengths of lists");
    detail::check(cudaStreamSynchronize(stream), "copying the lengths of lists");
  }

  std::uint32_t n_;
  std::vector<range_of_list> ranges_;
  value_range* range_;
  std::uint32_t* begins_;
  std::uint32_t* first_tiles_;
  float* pivots_;
  std::uint32_t* tile_lefts_;
  std::uint32_t* list_lefts_;
};

}  // namespace papers
