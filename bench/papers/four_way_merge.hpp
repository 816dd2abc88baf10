// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block_wise_merge.hpp"

namespace papers {

/// Merges in a pipeline: a tree of three block-wise mergers reads four runs once and writes them
/// once. All threads work for one merger at a time: the head, then that merger below it whose block
/// the head has taken. Windows are in shared memory, the block between two mergers in registers.
/// Source: paper 003, section 5.3.5.
template <int Width, template <class, int> class Method, bool Stable, class Array, class Compare>
__global__ void __launch_bounds__(Width)
    four_way_merge_kernel(cut_runs<Array, 4> from, Array out, Compare compare) {
  using reader = run_reader<Array, Width>;
  using pair = block_wise_merger<Width, Method, Stable, reader, reader>;
  using head = block_wise_merger<Width, Method, Stable, pair, pair>;
  __shared__ typename head::storage shared;
  const auto read = [&](int run) {
    const auto piece = from.of(blockIdx.x, run);
    return reader(piece.array, piece.count);
  };
  store_merged(head(pair(read(0), read(1)), pair(read(2), read(3))), shared,
               out + from.merged_begin(blockIdx.x), compare);
}

/// Merges every part of four runs.
template <int Width, template <class, int> class Method, bool Stable = false>
struct four_way_merge {
  template <class Array, class Compare>
  static void run(cudaStream_t stream, const cut_runs<Array, 4>& from, std::size_t parts,
                  const Array& out, Compare compare) {
    detail::launch(four_way_merge_kernel<Width, Method, Stable, Array, Compare>, parts, Width, 0,
                   stream, from, out, compare);
  }
};

}  // namespace papers
