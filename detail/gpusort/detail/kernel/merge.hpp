// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/block_merge.hpp>
#include <gpusort/detail/tile/gallop.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Two sorted runs, and where they are cut at the beginning of each tile of their merged order but
/// the first: from_a[tile] elements before it come from a. Cuts are found one by one; where a
/// comparator lies, and some are not monotone, is_torn says so, and the runs are cut as if b were
/// behind a.
template <class A, class B>
struct run_pair {
  A a;
  B b;
  std::uint64_t a_count;
  std::uint64_t b_count;
  std::uint64_t items_per_tile;
  std::uint64_t* from_a;
  int* is_torn;

  GPUSORT_HOST_DEVICE std::uint64_t n() const { return a_count + b_count; }

  GPUSORT_DEVICE std::uint64_t cut_at(std::uint64_t tile) const {
    const std::uint64_t place = tile * items_per_tile;
    if (tile == 0) return 0;
    if (place >= n()) return a_count;
    return *is_torn != 0 ? min_of(place, a_count) : from_a[tile];
  }
};

/// A thread finds the cut at the beginning of one tile, outwards from where it would be if the runs
/// were alike.
template <int ThreadsPerBlock, class Pair, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    merge_split_kernel(Pair pair, Compare compare) {
  const std::uint64_t tile = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (tile == 0) *pair.is_torn = 0;
  const std::uint64_t place = tile * pair.items_per_tile;
  if (tile == 0 || place >= pair.n()) return;
  const std::uint64_t low = place > pair.b_count ? place - pair.b_count : 0;
  const std::uint64_t high = min_of(place, pair.a_count);
  const auto share = static_cast<double>(pair.a_count) / static_cast<double>(pair.n());
  const auto alike = static_cast<std::uint64_t>(share * static_cast<double>(place));
  const std::uint64_t guess = alike < low ? low : min_of(alike, high - (high > low ? 1 : 0));
  const auto step = static_cast<std::uint64_t>(sqrtf(static_cast<float>(place)));
  tile::gallop<std::uint64_t> search{low, high, guess, step};
  while (search.is_open()) {
    const auto b = pair.b.load(place - 1 - search.place);
    search.tell(!compare(b, pair.a.load(search.place)));
  }
  pair.from_a[tile] = search.low;
}

/// Each thread looks at the two cuts of a tile.
template <int ThreadsPerBlock, class Pair>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock) check_splits_kernel(Pair pair) {
  const std::uint64_t tile = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const std::uint64_t next = (tile + 1) * pair.items_per_tile;
  if (tile == 0 || next >= pair.n()) return;
  const std::uint64_t first = pair.from_a[tile], last = pair.from_a[tile + 1];
  if (first > last || last - first > pair.items_per_tile) *pair.is_torn = 1;
}

/// Each block writes one tile of the merged order.
template <class Merger, class Pair, class Out, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Merger::threads_per_block)
    merge_kernel(Pair pair, Out out, Compare compare) {
  __shared__ typename Merger::storage shared;
  const std::uint64_t tile = blockIdx.x;
  const std::uint64_t first = tile * Merger::items_per_tile;
  const auto count = static_cast<int>(min_of(pair.n() - first, Merger::items_per_tile));
  const std::uint64_t a = pair.cut_at(tile);
  const int a_count = static_cast<int>(pair.cut_at(tile + 1) - a);
  tile::block_merge<Merger>(shared, pair.a + a, a_count, pair.b + (first - a), count - a_count,
                            out + first, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
