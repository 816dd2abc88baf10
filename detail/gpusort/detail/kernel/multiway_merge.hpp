// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/multiway_merge.hpp>
#include <gpusort/detail/tile/multiway_select.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Neighbouring runs that a pass merges into one.
struct merge_group {
  std::uint64_t first_tile;
  std::uint64_t first_out;  // where the merged run begins in the output
  std::uint64_t n;
  std::uint64_t first_run;
  int k;
};

/// The groups of a pass as a list.
struct listed_groups {
  const merge_group* groups;  // each begins at a tile of its own
  int group_count;

  GPUSORT_DEVICE merge_group group_of(std::uint64_t tile) const {
    int low = 0, high = group_count - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (groups[middle].first_tile <= tile) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return groups[low];
  }
  GPUSORT_DEVICE static constexpr bool are_settled() { return false; }
};

/// The runs of a pass as a list.
template <class Array>
struct listed_runs : listed_groups {
  using array = Array;
  using groups_only = listed_groups;

  const sorted_run<Array>* runs;

  GPUSORT_DEVICE sorted_run<Array> run(const merge_group& group, int i) const {
    return runs[group.first_run + i];
  }
};

/// Tells where the runs of each group are cut at the beginning of each of its tiles but the first:
/// counts[tile * stride + i] elements of the group's run i are before it, ranks[tile] of all. That
/// is at most `slack` away from a multiple of items_per_tile, so a tile has as many elements, or 2
/// * slack more or less. Cuts are found one by one; where a comparator lies, and some are not
/// monotone, is_non_monotone says so, and all groups are cut as if each run were after the last
/// one.
struct merge_cuts {
  std::uint64_t tiles;
  std::uint64_t items_per_tile;
  std::uint32_t slack;
  int stride;
  std::uint64_t* counts;
  std::uint64_t* ranks;
  int* is_non_monotone;

  GPUSORT_DEVICE std::uint64_t& at(std::uint64_t tile, int i) const {
    return counts[tile * stride + i];
  }
};

/// Finds, by a group of lanes, the cuts at the beginning of one tile of those that are a multiple
/// of `wanted` tiles after their group's first, between the cuts that are known: at multiples of
/// `known`, and the ends of the runs. Index holds what is between two of those.
template <class Index, int ThreadsPerBlock, int Lanes, int RunsPerLane, class Runs, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    multiway_cut_kernel(Runs runs, merge_cuts cuts, std::uint64_t wanted, std::uint64_t known,
                        Compare compare) {
  using lanes = tile::lane_group<Lanes>;
  if (runs.are_settled()) return;
  const std::uint64_t tile = (std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x) / Lanes;
  const merge_group group = runs.group_of(min_of(tile, cuts.tiles - 1));
  const std::uint64_t tile_in_group = tile - group.first_tile, into = tile_in_group % known;
  bool is_wanted = tile < cuts.tiles && tile_in_group % wanted == 0 && into != 0;
  if (!__any_sync(tile::full_warp, is_wanted)) return;
  const std::uint64_t from = tile - into, next = tile_in_group - into + known;
  const bool is_first = into == tile_in_group;
  const bool is_last = next >= ceil_div(group.n, cuts.items_per_tile);
  const auto low_of = [&](int i) { return is_first ? 0 : cuts.at(from, i); };

  tile::lane_bounds<Index, RunsPerLane, Lanes> bounds;
  typename Runs::array own[RunsPerLane];
  std::uint64_t all = 0;
  bool is_non_monotone = false;
#pragma unroll
  for (int j = 0; j < RunsPerLane; ++j) {
    const int i = j * Lanes + lanes::id();
    std::uint64_t low = 0, high = 0;
    if (is_wanted && i < group.k) {
      const auto run = runs.run(group, i);
      low = low_of(i);
      high = is_last ? run.count : cuts.at(group.first_tile + next, i);
      own[j] = run.data + low;
    }
    is_non_monotone |= low > high;
    bounds[j] = {0, static_cast<Index>(high - low), 0};
    all += high - low;
  }
  if (lanes::ballot(is_non_monotone) != 0) {
    *cuts.is_non_monotone = 1;
    is_wanted = false;
  }
  const std::uint64_t rank = is_wanted && !is_first ? cuts.ranks[from] : 0;
  const std::uint64_t left = is_wanted ? tile_in_group * cuts.items_per_tile - rank : 0;
  tile::multiway_select<typename Runs::array::value_type>(
      [&](int j) { return own[j]; }, static_cast<Index>(left), static_cast<Index>(lanes::sum(all)),
      static_cast<Index>(cuts.slack), bounds, compare);
  std::uint64_t taken = 0;
#pragma unroll
  for (int j = 0; j < RunsPerLane; ++j) {
    const int i = j * Lanes + lanes::id();
    if (is_wanted && i < group.k) cuts.at(tile, i) = low_of(i) + bounds[j].low;
    taken += bounds[j].low;
  }
  taken = lanes::sum(taken);
  if (is_wanted && lanes::id() == 0) cuts.ranks[tile] = rank + taken;
}

/// Compares two cuts of a run that follow each other in each thread.
template <int ThreadsPerBlock, class Groups>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    check_cuts_kernel(Groups groups, merge_cuts cuts) {
  if (groups.are_settled()) return;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const std::uint64_t tile = thread / cuts.stride;
  const int i = static_cast<int>(thread % cuts.stride);
  if (tile + 1 >= cuts.tiles) return;
  const merge_group group = groups.group_of(tile);
  const std::uint64_t next = (tile + 1 - group.first_tile) * cuts.items_per_tile;
  if (i >= group.k || tile == group.first_tile || next >= group.n) return;
  if (cuts.at(tile, i) > cuts.at(tile + 1, i)) *cuts.is_non_monotone = 1;
}

/// A tile of the merged order of its group: its elements, and where they are in the runs.
template <class Runs>
struct merged_tile {
  const Runs& runs;
  const merge_cuts& cuts;
  std::uint64_t tile;
  merge_group group;
  bool is_non_monotone;
  bool is_first;
  bool is_last;
  std::uint64_t begin;
  std::uint64_t end;

  GPUSORT_DEVICE merged_tile(const Runs& all, const merge_cuts& c, std::uint64_t t)
      : runs(all), cuts(c), tile(t), group(all.group_of(t)) {
    is_non_monotone = cuts.tiles > 1 && *cuts.is_non_monotone != 0;
    const std::uint64_t tile_in_group = tile - group.first_tile;
    is_first = tile_in_group == 0;
    is_last = (tile_in_group + 1) * cuts.items_per_tile >= group.n;
    begin = is_first ? 0 : rank_of(tile);
    end = is_last ? group.n : rank_of(tile + 1);
  }

  /// Returns what the tile takes from run i.
  GPUSORT_DEVICE sorted_run<typename Runs::array> operator()(int i) const {
    const auto run = runs.run(group, i);
    std::uint64_t first = 0, last = run.count;
    if (is_non_monotone) {
      std::uint64_t before = 0;
      for (int j = 0; j < i; ++j) before += runs.run(group, j).count;
      first = begin > before ? min_of(begin - before, run.count) : 0;
      last = end > before ? min_of(end - before, run.count) : 0;
    } else {
      if (!is_first) first = cuts.at(tile, i);
      if (!is_last) last = cuts.at(tile + 1, i);
    }
    return {run.data + first, last - first};
  }

 private:
  GPUSORT_DEVICE std::uint64_t rank_of(std::uint64_t t) const {
    return is_non_monotone ? (t - group.first_tile) * cuts.items_per_tile : cuts.ranks[t];
  }
};

/// Writes one tile of the merged order of its group in each block.
template <tuning::architecture Arch, class Merger, class Runs, class Out, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Merger::threads_per_block)
    multiway_merge_kernel(Runs runs, merge_cuts cuts, Out out, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    if (runs.are_settled()) return;
    auto& shared = *reinterpret_cast<typename Merger::storage*>(dynamic);
    const merged_tile<Runs> now(runs, cuts, blockIdx.x);
    Merger::merge(shared, now.group.k, now, compare);
    tile::store_tile(out, now.group.first_out + now.begin, static_cast<int>(now.end - now.begin),
                     shared.tile);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
