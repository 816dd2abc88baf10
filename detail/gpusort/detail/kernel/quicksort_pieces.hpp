// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/copy_elements.hpp>
#include <gpusort/detail/kernel/quicksort_state.hpp>
#include <gpusort/detail/kernel/sort_long_ranges.hpp>
#include <gpusort/detail/tile/block_quicksort.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Tells where a sort's elements are.
template <class In, class Array>
struct quicksort_arrays {
  In in;
  Array spare;
  Array out;
};

/// Sorts a piece in phase two: by one block, between barriers.
template <class Sorter, class In, class Array, class Compare>
GPUSORT_DEVICE void sort_piece(typename Sorter::storage& shared,
                               const quicksort_arrays<In, Array>& arrays,
                               const quicksort_piece& piece, Compare& compare) {
  const Array out = arrays.out + piece.begin, spare = arrays.spare + piece.begin;
  if (piece.is_finished) return copy_elements(spare, out, 0, piece.count);
  const int count = static_cast<int>(piece.count);
  if (piece.where == quicksort_piece::in_input) {
    tile::load_tile(arrays.in, piece.begin, count, shared.side(0));
  } else {
    tile::load_tile(piece.where == quicksort_piece::in_spare ? spare : out, 0, count,
                    shared.side(0));
  }
  __syncthreads();
  Sorter::sort(shared, out, spare, count, compare);
}

/// Sorts pieces in phase two: each block sorts one listed piece after the other, then all sort what
/// is too long for that; none of that is in the input.
template <class Sorter, class In, class Array, class T, class Compare>
GPUSORT_DEVICE void sort_pieces(typename Sorter::storage& shared,
                                const quicksort_arrays<In, Array>& arrays,
                                const quicksort_state<T>& state, Compare& compare) {
  __shared__ std::uint32_t next;
  const std::uint32_t pieces = state.totals->pieces;
  std::uint32_t piece = blockIdx.x;
  while (piece < pieces) {
    if (threadIdx.x == 0) next = gridDim.x + atomicAdd(&state.totals->next_piece, 1u);
    sort_piece<Sorter>(shared, arrays, state.pieces[piece], compare);
    __syncthreads();
    piece = next;
    __syncthreads();
  }
  if (state.longer.totals->added == 0) return;
  using rare = rare_sort_of<typename Sorter::merge_sorter, Array>;
  sort_long_ranges<rare>(tile_offsets::of(shared.merging()), arrays.out, arrays.out, arrays.spare,
                         state.longer, state.longer.totals->added, compare);
}

/// Sorts pieces; where the input is in order, it becomes the output.
template <class Tuning, class Sorter, class In, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::piece_threads_per_block,
                                      Tuning::piece_blocks_resident)
    sort_pieces_kernel(quicksort_arrays<In, Array> arrays, global_size n, quicksort_state<T> state,
                       Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (state.last_level > 0 && state.probe.is_in_order()) {
    return put_in_order(arrays.in, arrays.out, n, (*state.probe.all & not_ascending) != 0);
  }
  sort_pieces<Sorter>(*reinterpret_cast<typename Sorter::storage*>(raw), arrays, state, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
