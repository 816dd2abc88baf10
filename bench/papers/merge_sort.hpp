// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bitonic_merge.hpp"
#include "block_quicksort.hpp"
#include "block_wise_merge.hpp"
#include "sequential_selection.hpp"

// Merge sort: a block sorts each of k sequences by quicksort, multiway selection cuts all of them
// into parts of equal length, and a block merges the k pieces of each part, two at a time. Source:
// paper 003, sections 5.1, 5.4 and 5.5.6.

namespace papers {

/// Sets how much is done at once. The paper merges by 128 threads and as many blocks as the device
/// holds; how many sequences it sorts it does not tell.
struct merge_sort_tuning {
  static constexpr int threads_to_sort = 256;
  static constexpr int most_in_network = 2048;
  static constexpr int threads_to_merge = 128;
  static constexpr int parts_per_multiprocessor = 16;
  static constexpr std::uint32_t most_sequences = 128;
  using selection = sequential_selection;
};

/// Sequences that a selection has cut into parts. positions[part * count + s]: where the part
/// begins in sequence s; there is one row more than there are parts.
struct cut_sequences {
  std::uint32_t count, items;  // of each but the last
  const std::uint64_t* positions;
  const std::uint64_t* ranks;  // where the parts begin in the result
};

/// Finds where the pieces of a part begin in it, and where it ends: count + 1 offsets. Ends with a
/// barrier.
template <int Width>
GPUSORT_DEVICE void lay_out_pieces(const cut_sequences& cut, std::uint32_t* offsets) {
  using block_scan = cub::BlockScan<std::uint32_t, Width>;
  __shared__ typename block_scan::TempStorage storage;
  const std::uint64_t* const begins = cut.positions + std::uint64_t{blockIdx.x} * cut.count;
  const bool exists = threadIdx.x < cut.count;
  const auto length =
      exists ? static_cast<std::uint32_t>(begins[threadIdx.x + cut.count] - begins[threadIdx.x])
             : 0;
  std::uint32_t before, all;
  block_scan(storage).ExclusiveSum(length, before, all);
  if (exists) offsets[threadIdx.x] = before;
  if (threadIdx.x == 0) offsets[cut.count] = all;
  __syncthreads();
}

/// Merges the runs of a part by one block, two at a time. In round r they consist of 2^r pieces
/// each. In the first round pieces are where the selection has cut them, later where the round
/// before has left them.
template <int Width, template <class, int> class Method, class T, class Compare>
__global__ void __launch_bounds__(Width)
    merge_round_kernel(cut_sequences cut, int round, T* from, T* to, Compare compare) {
  using array = detail::key_array<T>;
  using reader = run_reader<array, Width>;
  using merger = block_wise_merger<Width, Method, false, reader, reader>;
  __shared__ typename merger::storage shared;
  __shared__ std::uint32_t offsets[Width + 1];
  lay_out_pieces<Width>(cut, offsets);
  const std::uint64_t part = cut.ranks[blockIdx.x];
  const auto run = [&](std::uint32_t first, std::uint32_t last) {
    const std::uint64_t cut_at =
        std::uint64_t{first} * cut.items +
        (first < last ? cut.positions[std::uint64_t{blockIdx.x} * cut.count + first] : 0);
    return reader(array{from + (round == 0 ? cut_at : part + offsets[first])},
                  offsets[last] - offsets[first]);
  };
  const std::uint32_t pieces = 1u << round;
  for (std::uint32_t first = 0; first < cut.count; first += 2 * pieces) {
    const std::uint32_t middle = detail::min_of(first + pieces, cut.count);
    const std::uint32_t last = detail::min_of(middle + pieces, cut.count);
    store_merged(merger(run(first, middle), run(middle, last)), shared,
                 array{to + part + offsets[first]}, compare);
    __syncthreads();
  }
}

/// Sorts up to 2^31 elements; not stable.
template <class T, class Tuning = merge_sort_tuning>
class merge_sort {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  template <class Compare>
  static void run(cudaStream_t stream, T* data, std::uint64_t n, void* scratch, Compare compare) {
    if (n < 2) return;
    const layout parts(n, scratch);
    const int rounds = detail::ceil_log2(parts.sequences);
    T *from = rounds % 2 == 0 ? data : parts.spare, *to = rounds % 2 == 0 ? parts.spare : data;
    sort_sequences(stream, parts, two_arrays<T>{from, to}, rounds % 2 != 0, compare);
    if (rounds > 0) {
      cut(stream, parts, from, compare);
      for (int round = 0; round < rounds; ++round) {
        detail::launch(merge_round_kernel<Tuning::threads_to_merge, bitonic_merge, T, Compare>,
                       parts.parts, Tuning::threads_to_merge, 0, stream,
                       cut_sequences{parts.sequences, parts.items, parts.positions, parts.ranks},
                       round, from, to, compare);
        std::swap(from, to);
      }
    }
    detail::check(cudaStreamSynchronize(stream), "merging");
  }

 private:
  using array = detail::key_array<T>;
  using run_of_array = detail::sorted_run<array>;
  static_assert(Tuning::most_sequences <= Tuning::threads_to_merge);

  struct layout {
    detail::scratch_cursor cursor;
    std::uint32_t n, sequences, items, parts;
    T* spare;
    piece* pieces;
    run_of_array* runs;
    std::uint64_t* ranks;
    std::uint64_t* positions;
    std::size_t bytes;

    layout(std::uint64_t count, void* scratch)
        : cursor(scratch),
          n(checked(count)),
          sequences(sequences_of(n)),
          items(detail::ceil_div(n, sequences)),
          parts(parts_of(n)),
          spare(cursor.take<T>(n)),
          pieces(cursor.take<piece>(sequences)),
          runs(cursor.take<run_of_array>(sequences)),
          ranks(cursor.take<std::uint64_t>(parts + 1)),
          positions(cursor.take<std::uint64_t>((parts + std::uint64_t{1}) * sequences)),
          bytes(cursor.used()) {}

    static std::uint32_t checked(std::uint64_t count) {
      if (count > std::uint64_t{1} << 31) throw std::length_error("merge sort sorts 2^31 elements");
      return static_cast<std::uint32_t>(count);
    }

    /// Returns a power of two, so that in a round all runs have a partner; each fills the network.
    static std::uint32_t sequences_of(std::uint32_t n) {
      std::uint32_t sequences = 1;
      while (sequences < Tuning::most_sequences &&
             n / (2 * sequences) >= static_cast<std::uint32_t>(Tuning::most_in_network)) {
        sequences *= 2;
      }
      return sequences;
    }

    static std::uint32_t parts_of(std::uint32_t n) {
      const auto wanted = static_cast<std::uint32_t>(
          detail::current_device_properties().multiprocessors * Tuning::parts_per_multiprocessor);
      return detail::min_of(wanted, n / Tuning::threads_to_merge + 1);
    }

    std::uint32_t begin_of(std::uint32_t sequence) const {
      return static_cast<std::uint32_t>(
          detail::min_of(std::uint64_t{sequence} * items, std::uint64_t{n}));
    }
  };

  /// Leaves the sequences in the first of the arrays.
  template <class Compare>
  static void sort_sequences(cudaStream_t stream, const layout& parts, const two_arrays<T>& arrays,
                             bool are_in_second, Compare compare) {
    std::vector<piece> pieces;
    for (std::uint32_t s = 0; s < parts.sequences; ++s) {
      const std::uint32_t begin = parts.begin_of(s);
      pieces.push_back({begin, parts.begin_of(s + 1) - begin, are_in_second});
    }
    upload(stream, parts.pieces, pieces);
    detail::launch(sort_pieces_kernel<by_quicksort, Tuning::threads_to_sort,
                                      Tuning::most_in_network, T, Compare>,
                   parts.sequences, Tuning::threads_to_sort, 0, stream, parts.pieces, arrays,
                   compare);
  }

  template <class Compare>
  static void cut(cudaStream_t stream, const layout& parts, T* data, Compare compare) {
    std::vector<run_of_array> runs;
    std::vector<std::uint64_t> ranks;
    for (std::uint32_t s = 0; s < parts.sequences; ++s) {
      const std::uint32_t begin = parts.begin_of(s);
      runs.push_back({array{data + begin}, parts.begin_of(s + 1) - begin});
    }
    for (std::uint64_t p = 0; p <= parts.parts; ++p) ranks.push_back(parts.n * p / parts.parts);
    upload(stream, parts.runs, runs);
    upload(stream, parts.ranks, ranks);
    const selection_task<array> task{parts.runs, static_cast<int>(parts.sequences), parts.ranks,
                                     parts.positions};
    Tuning::selection::run(stream, task, ranks.size(), compare);
  }

  template <class Element>
  static void upload(cudaStream_t stream, Element* to, const std::vector<Element>& from) {
    detail::check(
        cudaMemcpyAsync(to, from.data(), from.size() * sizeof(Element), cudaMemcpyDefault, stream),
        "copying what is known of sequences");
  }
};

}  // namespace papers
