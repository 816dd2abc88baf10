// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <utility>
#include <vector>

#include "gpu_quicksort_sides.hpp"

namespace papers {

namespace detail = gpusort::detail;

// GPU-Quicksort's first phase: blocks part sequences together until there are enough of them. What
// the host does between two launches is as in the paper. Source: paper 000, section 3.2.1,
// algorithms 1 and 2.

/// The pivots of the first phase. The paper's algorithms 1 and 2 have the median of the first, the
/// middle and the last key; its experiments have the average of the least and the greatest key
/// (section 5.2). The second phase always has the median.
enum class pivot_rule { average, median };

/// Holds a sequence that blocks part in a launch, and what they find out for its two parts.
struct parted_sequence {
  key_sequence whole;
  std::uint32_t pivot;
  std::uint32_t low, high;  // the least and the greatest key; with averages as pivots only
  std::uint32_t left_end, right_begin;  // of what blocks have claimed: sstart and send
  std::uint32_t blocks;                 // that have not finished
  std::uint32_t left_high, right_low;   // next to the pivot; with averages as pivots only
  std::uint32_t left_pivot, right_pivot;

  parted_sequence left() const {
    return of({whole.begin, left_end, !whole.is_in_auxiliary}, left_pivot, low, left_high);
  }
  parted_sequence right() const {
    return of({right_begin, whole.end, !whole.is_in_auxiliary}, right_pivot, right_low, high);
  }
  static parted_sequence of(const key_sequence& whole, std::uint32_t pivot, std::uint32_t low,
                            std::uint32_t high) {
    return {whole, pivot, low, high, whole.begin, whole.end, 0, 0, ~0u, 0, 0};
  }
};

/// A block's share of a sequence.
struct sequence_section {
  std::uint32_t sequence, begin, end;
};

GPUSORT_HOST_DEVICE inline std::uint32_t average_of(std::uint32_t low, std::uint32_t high) {
  return low + (high - low) / 2;
}

/// Adds the block's range to `low` and `high`, which are shared by all blocks.
template <int Threads>
GPUSORT_DEVICE void add_range(std::uint32_t my_low, std::uint32_t my_high, std::uint32_t* low,
                              std::uint32_t* high) {
  __shared__ std::uint32_t block_low, block_high;
  if (threadIdx.x == 0) {
    block_low = ~0u;
    block_high = 0;
  }
  __syncthreads();
  atomicMin(&block_low, my_low);
  atomicMax(&block_high, my_high);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMin(low, block_low);
    atomicMax(high, block_high);
  }
}

/// Finds the range of the input, for its first pivot.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    find_key_range_kernel(const std::uint32_t* keys, std::uint32_t n, parted_sequence* sequence) {
  std::uint32_t low = ~0u, high = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * Threads + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * Threads) {
    low = detail::min_of(low, keys[i]);
    high = keys[i] > high ? keys[i] : high;
  }
  add_range<Threads>(low, high, &sequence->low, &sequence->high);
}

/// Chooses the pivots of the two parts; `parted` has their keys.
template <pivot_rule Rule>
GPUSORT_DEVICE void choose_pivots(parted_sequence& parent, const std::uint32_t* parted) {
  if constexpr (Rule == pivot_rule::average) {
    parent.left_pivot = average_of(parent.low, parent.left_high);
    parent.right_pivot = average_of(parent.right_low, parent.high);
  } else {
    const key_sequence& whole = parent.whole;
    if (whole.begin < parent.left_end) {
      parent.left_pivot = median_of(parted, whole.begin, parent.left_end);
    }
    if (parent.right_begin < whole.end) {
      parent.right_pivot = median_of(parted, parent.right_begin, whole.end);
    }
  }
}

/// Counts the thread's keys; with averages as pivots it also tells the parent its parts' ranges.
template <pivot_rule Rule, int Threads>
GPUSORT_DEVICE side_counts count_for(const keys_to_part<Threads>& mine, parted_sequence& parent) {
  if constexpr (Rule == pivot_rule::average) {
    std::uint32_t left_high = 0, right_low = ~0u;
    const side_counts counts = mine.count(left_high, right_low);
    add_range<Threads>(right_low, left_high, &parent.right_low, &parent.left_high);
    return counts;
  } else {
    return mine.count();
  }
}

/// Parts sequences: the paper's gqsort. All threads of a sequence's last block write the keys that
/// equal the pivot; in algorithm 2 one thread does so. FAA returns what was there before, so the
/// last block is told 1, where algorithm 2 has 0.
template <int Threads, pivot_rule Rule>
__global__ void __launch_bounds__(Threads)
    part_sequences_kernel(key_buffers buffers, const sequence_section* sections,
                          parted_sequence* sequences) {
  using block_scan = cub::BlockScan<std::uint64_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  __shared__ std::uint32_t left, right;
  __shared__ bool is_last;
  const sequence_section section = sections[blockIdx.x];
  parted_sequence& parent = sequences[section.sequence];
  const bool is_in_auxiliary = parent.whole.is_in_auxiliary;
  std::uint32_t* const to = buffers.at(!is_in_auxiliary);
  const keys_to_part<Threads> mine{buffers.at(is_in_auxiliary), to, section.begin, section.end,
                                   parent.pivot};
  std::uint64_t before, all;
  block_scan(storage).ExclusiveSum(count_for<Rule>(mine, parent).both, before, all);
  if (threadIdx.x == 0) {
    const side_counts claimed(all);
    left = atomicAdd(&parent.left_end, claimed.below());
    right = atomicSub(&parent.right_begin, claimed.above()) - claimed.above();
  }
  __syncthreads();
  mine.move(left + side_counts(before).below(), right + side_counts(before).above());
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicSub(&parent.blocks, 1u) == 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  fill_by_block<Threads>(buffers.primary, parent.left_end, parent.right_begin, mine.pivot);
  if (threadIdx.x == 0) choose_pivots<Rule>(parent, to);
}

/// Copies them, and returns when that is done. There are none where all keys are in place.
template <class T>
void copy_sequences(cudaStream_t stream, T* to, const T* from, std::size_t count) {
  if (count == 0) return;
  detail::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream),
                "copying sequences");
  detail::check(cudaStreamSynchronize(stream), "copying sequences");
}

class quicksort_first_phase {
 public:
  quicksort_first_phase(detail::scratch_cursor& cursor, std::uint32_t n,
                        std::uint32_t max_sequences)
      : n_(n),
        max_sequences_(max_sequences),
        sequences_(cursor.take<parted_sequence>(max_sequences)),
        sections_(cursor.take<sequence_section>(2 * max_sequences)) {}

  /// Parts the input until there are max_sequences, or until all are shorter than n /
  /// max_sequences. Those that it returns are fewer than 2 * max_sequences. The keys between them
  /// are in place.
  template <int Threads, pivot_rule Rule>
  std::vector<key_sequence> run(cudaStream_t stream, const key_buffers& buffers) {
    std::vector<key_sequence> done;
    std::vector<parted_sequence> work;
    if (max_sequences_ > 1) {
      work.push_back(whole_input<Threads, Rule>(stream, buffers.primary));
    } else {
      done.push_back({0, n_, false});
    }
    while (!work.empty() && work.size() + done.size() < max_sequences_) {
      part<Threads, Rule>(stream, buffers, work);
      std::vector<parted_sequence> parts;
      for (const parted_sequence& parent : work) {
        for (const parted_sequence& part : {parent.left(), parent.right()}) {
          const std::uint32_t length = part.whole.length();
          if (length == 0) continue;  // the paper counts it among those that are done
          if (std::uint64_t{length} * max_sequences_ < n_) {
            done.push_back(part.whole);
          } else {
            parts.push_back(part);
          }
        }
      }
      work = std::move(parts);
    }
    for (const parted_sequence& rest : work) done.push_back(rest.whole);
    return done;
  }

 private:
  template <int Threads, pivot_rule Rule>
  parted_sequence whole_input(cudaStream_t stream, const std::uint32_t* keys) {
    parted_sequence whole = parted_sequence::of({0, n_, false}, 0, ~0u, 0);
    if constexpr (Rule == pivot_rule::average) {
      const std::size_t most_blocks = 8 * detail::current_device_properties().multiprocessors;
      copy_sequences(stream, sequences_, &whole, 1);
      detail::launch(find_key_range_kernel<Threads>,
                     detail::min_of(most_blocks, detail::ceil_div<std::size_t>(n_, Threads)),
                     Threads, 0, stream, keys, n_, sequences_);
      copy_sequences(stream, &whole, sequences_, 1);
      whole.pivot = average_of(whole.low, whole.high);
    } else {
      std::uint32_t first, middle, last;
      copy_sequences(stream, &first, keys, 1);
      copy_sequences(stream, &middle, keys + n_ / 2, 1);
      copy_sequences(stream, &last, keys + n_ - 1, 1);
      whole.pivot = median_of(first, middle, last);
    }
    return whole;
  }

  /// Parts all of them by one launch, with blocks in proportion to lengths.
  template <int Threads, pivot_rule Rule>
  void part(cudaStream_t stream, const key_buffers& buffers, std::vector<parted_sequence>& work) {
    std::uint32_t keys = 0;
    for (const parted_sequence& parent : work) keys += parent.whole.length();
    const std::uint32_t block_size = detail::ceil_div(keys, max_sequences_);
    std::vector<sequence_section> sections;
    for (std::uint32_t i = 0; i < work.size(); ++i) {
      const key_sequence& whole = work[i].whole;
      work[i].blocks = detail::ceil_div(whole.length(), block_size);
      for (std::uint32_t begin = whole.begin; begin < whole.end; begin += block_size) {
        sections.push_back({i, begin, detail::min_of(begin + block_size, whole.end)});
      }
    }
    copy_sequences(stream, sequences_, work.data(), work.size());
    copy_sequences(stream, sections_, sections.data(), sections.size());
    detail::launch(part_sequences_kernel<Threads, Rule>, sections.size(), Threads, 0, stream,
                   buffers, sections_, sequences_);
    copy_sequences(stream, work.data(), sequences_, work.size());
  }

  std::uint32_t n_;
  std::uint32_t max_sequences_;
  parted_sequence* sequences_;
  sequence_section* sections_;
};

}  // namespace papers
