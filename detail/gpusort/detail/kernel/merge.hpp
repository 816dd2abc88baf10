// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/block_merge.hpp>
#include <gpusort/detail/tile/lane_search.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Two sorted runs.
template <class A, class B>
struct run_pair {
  A a;
  B b;
  std::uint64_t a_count;
  std::uint64_t b_count;

  GPUSORT_HOST_DEVICE std::uint64_t n() const { return a_count + b_count; }
};

/// Neighbours in the merged order: the elements of ranks [begin, end), of which those of run a
/// are [a_begin, a_end).
struct merge_section {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t a_begin;
  std::uint64_t a_end;

  /// Whether as many elements of a can be in it. Cuts are found one by one; where a comparator
  /// lies, some do not fit each other.
  GPUSORT_DEVICE bool is_non_monotone() const {
    return a_begin > a_end || a_end - a_begin > end - begin;
  }

  /// Returns how many elements of a are in front of `rank` where b is after a.
  GPUSORT_DEVICE std::uint64_t joined(std::uint64_t rank) const {
    return min_of(a_begin + (rank - begin), a_end);
  }
};

/// A section of the merged order, cut into parts of `items` elements: from_a[i] elements of run a
/// are in front of part i. That of the first part is not read.
struct section_cuts {
  std::uint64_t* from_a;
  std::uint64_t items;

  GPUSORT_HOST_DEVICE std::uint64_t parts(const merge_section& whole) const {
    return ceil_div(whole.end - whole.begin, items);
  }

  /// Returns the section of a part; if the cuts are not monotone, of run a with b after it.
  GPUSORT_DEVICE merge_section part(const merge_section& whole, std::uint64_t i,
                                    bool are_non_monotone = false) const {
    const std::uint64_t begin = whole.begin + i * items;
    const bool is_last = whole.end - begin <= items;
    const std::uint64_t end = is_last ? whole.end : begin + items;
    if (are_non_monotone) return {begin, end, whole.joined(begin), whole.joined(end)};
    return {begin, end, i == 0 ? whole.a_begin : from_a[i], is_last ? whole.a_end : from_a[i + 1]};
  }

  /// Whether some parts do not fit each other; all threads of the block call it.
  GPUSORT_DEVICE bool are_non_monotone(const merge_section& whole) const {
    bool is_non_monotone = false;
    for (std::uint64_t i = threadIdx.x; i < parts(whole); i += blockDim.x) {
      is_non_monotone |= part(whole, i).is_non_monotone();
    }
    return __syncthreads_or(is_non_monotone) != 0;
  }
};

/// Returns how many elements of a are in front of `rank`, at most the section's end; Lanes lanes
/// look for it, at first around where it is if the runs are alike. All lanes of the warp call it.
template <int Lanes, class Pair, class Compare>
GPUSORT_DEVICE std::uint64_t find_cut(const Pair& runs, const merge_section& in, std::uint64_t rank,
                                      Compare& compare) {
  const std::uint64_t into = rank - in.begin, length = in.end - in.begin;
  const std::uint64_t a_count = in.a_end - in.a_begin, b_count = length - a_count;
  const std::uint64_t low = into > b_count ? into - b_count : 0, high = min_of(into, a_count);
  const double share = static_cast<double>(a_count) / static_cast<double>(length);
  // Three standard deviations, if the runs are of one random source.
  const float spread = 0.75f * sqrtf(static_cast<float>(length));
  return in.a_begin + tile::lane_search<Lanes>(
                          low, high, static_cast<std::uint64_t>(share * static_cast<double>(into)),
                          static_cast<std::uint64_t>(spread / Lanes) + 1, [&](std::uint64_t i) {
                            const std::uint64_t a = in.a_begin + i;
                            return !compare(runs.b.load(rank - 1 - a), runs.a.load(a));
                          });
}

/// Finds a cut of both runs in each warp.
template <int ThreadsPerBlock, class Pair, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    cut_runs_kernel(Pair runs, section_cuts cuts, Compare compare) {
  const merge_section whole{0, runs.n(), 0, runs.a_count};
  const std::uint64_t i =
      std::uint64_t{blockIdx.x} * (ThreadsPerBlock / tile::warp_size) + tile::warp_id();
  if (i >= cuts.parts(whole)) return;
  const std::uint64_t found = find_cut<tile::warp_size>(runs, whole, i * cuts.items, compare);
  if (tile::lane_id() == 0) cuts.from_a[i] = found;
}

/// Finds the cuts of one piece of the merged order at the beginnings of its tiles in each block;
/// they fit each other whatever the comparator says: where it lies, b is joined to a.
template <int ThreadsPerBlock, int LanesPerCut, class Pair, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    cut_pieces_kernel(Pair runs, section_cuts pieces, section_cuts tiles, Compare compare) {
  const merge_section whole{0, runs.n(), 0, runs.a_count};
  const bool are_non_monotone = pieces.are_non_monotone(whole);
  const merge_section piece = pieces.part(whole, blockIdx.x, are_non_monotone);
  tiles.from_a += piece.begin / tiles.items;
  const std::uint64_t count = tiles.parts(piece);
  constexpr int cuts_at_once = ThreadsPerBlock / LanesPerCut;
  for (std::uint64_t first = 0; first < count; first += cuts_at_once) {
    const std::uint64_t i = first + threadIdx.x / LanesPerCut;
    const std::uint64_t rank = min_of(piece.begin + i * tiles.items, piece.end);
    const std::uint64_t found =
        are_non_monotone ? piece.joined(rank) : find_cut<LanesPerCut>(runs, piece, rank, compare);
    if (i < count && threadIdx.x % LanesPerCut == 0) tiles.from_a[i] = found;
  }
  __syncthreads();
  if (!tiles.are_non_monotone(piece)) return;
  for (std::uint64_t i = threadIdx.x; i < count; i += ThreadsPerBlock) {
    tiles.from_a[i] = piece.joined(piece.begin + i * tiles.items);
  }
}

/// Writes one tile of the merged order in each block. Cuts that are not checked yet, it checks.
template <class Merger, class Pair, class Out, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Merger::threads_per_block)
    merge_kernel(Pair runs, section_cuts cuts, bool are_checked, Out out, Compare compare) {
  __shared__ typename Merger::storage shared;
  const merge_section whole{0, runs.n(), 0, runs.a_count};
  const bool are_non_monotone = !are_checked && cuts.are_non_monotone(whole);
  const merge_section part = cuts.part(whole, blockIdx.x, are_non_monotone);
  const auto count = static_cast<int>(part.end - part.begin);
  const auto a_count = static_cast<int>(part.a_end - part.a_begin);
  tile::block_merge<Merger>(shared, runs.a + part.a_begin, a_count,
                            runs.b + (part.begin - part.a_begin), count - a_count, out + part.begin,
                            compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
