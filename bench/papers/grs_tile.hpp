// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>

namespace papers {

namespace detail = gpusort::detail;

/// A pass orders by one digit; a block works on one tile. Source: paper 002, section VI.
inline constexpr int grs_bits_per_digit = 4;
inline constexpr int grs_digits = 1 << grs_bits_per_digit;
inline constexpr int grs_items_per_tile = 1024;

/// Keys of which a pass looks at one digit. Where they are in rows, reads are as far apart as
/// these.
struct grs_keys {
  const std::uint32_t* words;
  std::uint32_t words_per_key;
  int first_bit;

  GPUSORT_DEVICE std::uint32_t digit(std::uint64_t i) const {
    return words[i * words_per_key] >> first_bit & (grs_digits - 1);
  }
};

/// Returns the items of the block's tile: fewer in the last one.
GPUSORT_DEVICE int grs_items_of_tile(std::uint64_t begin, std::uint64_t n) {
  return static_cast<int>(detail::min_of<std::uint64_t>(n - begin, grs_items_per_tile));
}

/// Moves a tile's rows of `pieces_per_row` pieces: from row source(slot) to row destination(slot).
/// Consecutive threads move consecutive pieces, so as many as a row has pieces are the paper's
/// group that moves it together; each has several on the way. Source: paper 002, figure 5.
template <int ThreadsPerBlock, class Piece, class Source, class Destination>
GPUSORT_DEVICE void grs_move_rows(const Piece* __restrict__ in, Piece* __restrict__ out,
                                  std::uint32_t pieces_per_row, int rows, const Source& source,
                                  const Destination& destination) {
  constexpr std::uint32_t pieces_at_once = 4;
  const std::uint32_t pieces = static_cast<std::uint32_t>(rows) * pieces_per_row;
  for (std::uint32_t first = threadIdx.x; first < pieces;
       first += pieces_at_once * ThreadsPerBlock) {
    Piece held[pieces_at_once];
    std::uint64_t to[pieces_at_once];
#pragma unroll
    for (std::uint32_t k = 0; k < pieces_at_once; ++k) {
      const std::uint32_t piece = first + k * ThreadsPerBlock;
      if (piece >= pieces) continue;
      const std::uint32_t slot = piece / pieces_per_row;
      const std::uint32_t within = piece - slot * pieces_per_row;
      held[k] = in[std::uint64_t{source(slot)} * pieces_per_row + within];
      to[k] = std::uint64_t{destination(slot)} * pieces_per_row + within;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < pieces_at_once; ++k) {
      if (first + k * ThreadsPerBlock < pieces) out[to[k]] = held[k];
    }
  }
}

}  // namespace papers
