// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/block_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts each tile of `from` into the same places of `to`, which may be the same array.
template <class Sorter, class From, class To, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    merge_sort_tiles_kernel(From from, To to, std::uint64_t n, Compare compare) {
  __shared__ typename Sorter::storage shared;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Sorter::items_per_tile;
  const int count = static_cast<int>(min_of(n - first, Sorter::items_per_tile));
  tile::stage_tile<Sorter>(shared, count, [&](int i) { return from.load(first + i); });
  __syncthreads();
  Sorter::sort(shared, count, compare);
  tile::unstage_tile<Sorter>(shared, count, to, first);
}

/// Neighbouring sorted runs a = [begin, middle) and b = [middle, end). A place in [begin, end] of
/// their merged order has a cut: how many of the elements before it come from a.
struct run_pair {
  std::uint64_t begin;
  std::uint64_t middle;
  std::uint64_t end;

  GPUSORT_DEVICE std::uint64_t a_count() const { return middle - begin; }
  GPUSORT_DEVICE std::uint64_t b_count() const { return end - middle; }
};

/// One pass over n elements: runs of `run` elements, a power of two, are merged in pairs. cuts[t]
/// is the cut at the first place of tile t, where that is inside a pair.
struct merge_pass {
  std::uint64_t n;
  std::uint64_t run;
  std::uint64_t* cuts;

  GPUSORT_DEVICE run_pair pair_at(std::uint64_t place) const {
    const std::uint64_t begin = place & ~(2 * run - 1);
    return {begin, min_of(begin + run, n), min_of(begin + 2 * run, n)};
  }

  template <int ItemsPerTile>
  GPUSORT_DEVICE std::uint64_t cut_at(const run_pair& pair, std::uint64_t place) const {
    if (place == pair.begin) return 0;
    if (place == pair.end) return pair.a_count();
    return cuts[place / ItemsPerTile];
  }
};

/// Finds the cuts at every multiple of `wanted` between the cuts that are fixed, those at multiples
/// of `known` and at the ends of pairs. `known` is at most ThreadsPerBlock * `wanted`, so one block
/// finds all cuts between two fixed ones and sees whether they are monotone. Where a lying
/// comparator makes them otherwise, the block writes cuts that leave its pieces as they are: either
/// way both neighbours of a cut read the same number, and no element is in two pieces or in none.
/// Source: merge path; paper 003, section 5.2, for the splitting of two sequences.
template <int ThreadsPerBlock, int ItemsPerTile, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    merge_sort_split_kernel(Array from, merge_pass pass, std::uint64_t known, std::uint64_t wanted,
                            Compare compare) {
  __shared__ std::uint64_t cuts[ThreadsPerBlock];
  const std::uint64_t place = (std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x) * wanted;
  const bool exists = place < pass.n;
  const run_pair pair = pass.pair_at(place);
  std::uint64_t first = 0, first_cut = 0, last_cut = 0, cut = 0, next = 0, next_cut = 0;
  if (exists) {
    first = place & ~(known - 1);
    const std::uint64_t last = min_of(first + known, pair.end);
    first_cut = pass.cut_at<ItemsPerTile>(pair, first);
    last_cut = pass.cut_at<ItemsPerTile>(pair, last);
    const std::uint64_t diagonal = place - pair.begin;
    const std::uint64_t b_first = first - pair.begin - first_cut;
    const std::uint64_t b_last = last - pair.begin - last_cut;
    const Array a = from + pair.begin, b = from + pair.middle;
    cut = tile::merge_path<std::uint64_t>(
        [&](std::uint64_t i) { return a.load(i); }, [&](std::uint64_t i) { return b.load(i); },
        diagonal, diagonal > first_cut + b_last ? diagonal - b_last : first_cut,
        min_of(last_cut, diagonal - b_first), compare);
    cuts[threadIdx.x] = cut;
    next = min_of(place + wanted, last);
    next_cut = last_cut;
  }
  __syncthreads();
  if (exists && next < min_of(first + known, pair.end)) next_cut = cuts[threadIdx.x + 1];
  const bool is_monotone = cut <= next_cut && place - cut <= next - next_cut;
  const bool leave = __syncthreads_or(exists && !is_monotone);
  if (exists && place != first) {
    pass.cuts[place / ItemsPerTile] = leave ? min_of(first_cut + (place - first), last_cut) : cut;
  }
}

/// Each block writes one tile of the merged order of its pair.
template <class Sorter, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    merge_sort_merge_kernel(Array from, Array to, merge_pass pass, Compare compare) {
  __shared__ typename Sorter::storage shared;
  constexpr int items_per_tile = Sorter::items_per_tile;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * items_per_tile;
  const std::uint64_t last = min_of(first + items_per_tile, pass.n);
  const run_pair pair = pass.pair_at(first);
  const std::uint64_t cut = pass.cut_at<items_per_tile>(pair, first);
  const int a_count = static_cast<int>(pass.cut_at<items_per_tile>(pair, last) - cut);
  const tile::merge_pieces pieces{pair.begin + cut, pair.middle + (first - pair.begin - cut),
                                  a_count, static_cast<int>(last - first) - a_count};
  tile::block_merge<Sorter>(shared, from, pieces, to, first, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
