// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/long_ranges.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tile/partition.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Elements that a level of phase one splits, and how.
template <class T>
struct quicksort_sequence {
  global_size begin;
  global_size count;
  global_size lefts;   // destinations given away from the left end on
  global_size rights;  // and from the right end on
  std::uint32_t first_tile;
  tile::lower_bound_of<T> bound;
  tile::split_rule<T> rule;
};

/// Elements that phase one is done with.
struct quicksort_piece {
  enum location : std::uint32_t { in_input, in_spare, in_output };

  global_size begin;
  global_size count;
  location where;
  bool is_finished;  // all equivalent
};

/// The sequences of one level, and their tiles.
struct quicksort_level {
  std::uint32_t sequences;
  std::uint32_t tiles;
};

struct quicksort_totals {
  global_size splits;        // asked for
  std::uint32_t pieces;      // listed
  std::uint32_t next_piece;  // of those that blocks do not begin with
};

/// Holds what the kernels hand on. Level l splits sequences of the input (l = 0), of the spare
/// elements (l odd) or of the output; two neighbouring levels have lists of their own.
template <class T>
struct quicksort_state {
  quicksort_sequence<T>* sequences[2];
  std::uint32_t* tiles[2];  // of which sequence each tile is
  quicksort_level* levels;
  quicksort_piece* pieces;
  quicksort_totals* totals;
  int last_level;          // is not split any more
  global_size max_splits;  // more are not made
  std::uint64_t sample_seed;
  long_ranges longer;  // parts of the last level that are longer than a piece
  sortedness probe;

  // Selected, not indexed: indexed, the kernels' parameters would be copied to local memory.
  GPUSORT_DEVICE quicksort_sequence<T>* sequences_of(int level) const {
    return level % 2 == 0 ? sequences[0] : sequences[1];
  }
  GPUSORT_DEVICE std::uint32_t* tiles_of(int level) const {
    return level % 2 == 0 ? tiles[0] : tiles[1];
  }

  static GPUSORT_DEVICE quicksort_piece::location location_of(int level) {
    return level == 0       ? quicksort_piece::in_input
           : level % 2 == 1 ? quicksort_piece::in_spare
                            : quicksort_piece::in_output;
  }
};

/// A part of a sequence after its split, before it is a sequence or a piece.
struct quicksort_part {
  global_size begin;
  global_size count;
  bool is_finished;  // all equivalent
};

/// Lists a part as a piece, or as a long range; finished ones in shares, as many blocks are to move
/// them. By a warp.
template <class Tuning, class T>
GPUSORT_DEVICE void list_pieces(const quicksort_state<T>& state, const quicksort_part& part,
                                quicksort_piece::location where) {
  if (part.is_finished && where == quicksort_piece::in_output) return;
  if (!part.is_finished && state.longer.is_long(part.count)) {
    if (tile::lane_id() == 0) {
      state.longer.add(part.begin, part.count, where == quicksort_piece::in_spare);
    }
    return;
  }
  const global_size share = part.is_finished ? Tuning::piece_items : part.count;
  const auto shares = static_cast<std::uint32_t>(ceil_div(part.count, share));
  std::uint32_t slot = 0;
  if (tile::lane_id() == 0) slot = atomicAdd(&state.totals->pieces, shares);
  slot = __shfl_sync(tile::full_warp, slot, 0);
  for (std::uint32_t k = tile::lane_id(); k < shares; k += tile::warp_size) {
    const global_size first = share * k;
    state.pieces[slot + k] = {part.begin + first, min_of(share, part.count - first), where,
                              part.is_finished};
  }
}

/// Makes a part of `from` a sequence of `level`, or a piece where it is short, or may not be split
/// any more. By a warp.
template <class Tuning, class T, class From, class Compare>
GPUSORT_DEVICE void plan_part(const quicksort_state<T>& state, int level, const From& from,
                              const quicksort_part& part, const tile::lower_bound_of<T>& bound,
                              Compare& compare) {
  if (part.count == 0) return;
  const auto where = quicksort_state<T>::location_of(level);
  bool is_split = !part.is_finished && part.count > Tuning::piece_items && level < state.last_level;
  if (is_split) {
    global_size split = 0;
    if (tile::lane_id() == 0) split = atomicAdd(&state.totals->splits, global_size{1});
    is_split = __shfl_sync(tile::full_warp, split, 0) < state.max_splits;
  }
  if (!is_split) return list_pieces<Tuning>(state, part, where);

  const auto tiles =
      static_cast<std::uint32_t>(ceil_div<global_size>(part.count, Tuning::items_per_tile));
  std::uint32_t slot = 0, first_tile = 0;
  if (tile::lane_id() == 0) {
    slot = atomicAdd(&state.levels[level].sequences, 1u);
    first_tile = atomicAdd(&state.levels[level].tiles, tiles);
  }
  slot = __shfl_sync(tile::full_warp, slot, 0);
  first_tile = __shfl_sync(tile::full_warp, first_tile, 0);
  for (std::uint32_t k = tile::lane_id(); k < tiles; k += tile::warp_size) {
    state.tiles_of(level)[first_tile + k] = slot;
  }
  const auto load = [&](std::uint64_t i) { return from.load(part.begin + i); };
  const tile::split_rule<T> rule = tile::choose_split<Tuning::samples_per_thread, T>(
      load, part.count, static_cast<std::uint32_t>(state.sample_seed + part.begin), bound, compare);
  if (tile::lane_id() == 0) {
    state.sequences_of(level)[slot] = {part.begin, part.count, 0, 0, first_tile, bound, rule};
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
