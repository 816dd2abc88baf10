// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/cycles.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tuning/apply_permutation.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Puts n things into an order by swaps: thing i becomes what thing order[i] was. `order` is a
/// permutation of 0 .. n - 1, and swap(i, j) a device functor that exchanges things i and j.
///
/// One thing in 8, or in 4, is a ruler. From each, a thread rotates the segment of the cycle that
/// ends before the next ruler; what is left is the same problem for the ends of the segments.
/// Cycles that have no ruler are short, and one thread rotates each. The last level is one block's.
///
/// Swaps: n minus the number of cycles, which is the least there can be; those that run at the same
/// time have no thing in common. Where the condition `gate` is not set, nothing is done. The
/// result depends on the order only, not on the rulers, which are random. Work: O(n). Scratch: 0.7
/// times as much as the order at most, none up to 4096 things. Launches: 1 up to 4096 things, 4 up
/// to 2^15, 12 for 2^24. No synchronization; capturable. Source: rulers are those of list ranking
/// (Helman and JaJa, ALENEX 1999); that their segments can be rotated at once is ours:
/// docs/internals/container_free.md.
template <class Index, class Swap>
class apply_permutation {
  using tuning = detail::tuning::apply_permutation;
  using few = tile::swap_cycles<tuning::block_threads, tuning::block_items_per_thread>;

 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  static int launches(std::uint64_t n) {
    if (n < 2) return 0;
    const int levels = layout(n, nullptr).levels;
    return levels == 0 ? 1 : 2 + 2 * levels;
  }

  static void run(cudaStream_t stream, const Index* order, std::uint64_t n, Swap swap,
                  void* scratch, kernel::predicate gate = {}) {
    if (n < 2) return;
    const layout parts(n, scratch);
    kernel::permutation<Index> rest{order, nullptr, static_cast<Index>(n), gate};
    if (parts.levels > 0) {
      launch(kernel::begin_cycles_kernel<threads>, blocks_of(parts.words), threads, 0, stream,
             parts.seed, parts.marks[0].words, parts.words);
    }
    for (int level = 0; level < parts.levels; ++level) {
      rest = rotate_segments(stream, rest, parts, level, swap);
    }
    launch(kernel::rotate_few_kernel<tuning::block_threads, tuning::block_items_per_thread, Index,
                                     Swap>,
           1, tuning::block_threads, 0, stream, rest, swap);
  }

 private:
  static constexpr int threads = tuning::threads_per_block;

  static std::uint64_t blocks_of(std::uint64_t n) { return ceil_div<std::uint64_t>(n, threads); }
  static std::uint64_t rulers_of(std::uint64_t n) {
    return ceil_div(n, std::uint64_t{1} << tuning::log_window(n));
  }

  struct layout {
    static constexpr int max_levels = 64 / tuning::min_log_window;

    int levels = 0;
    std::uint64_t* seed = nullptr;
    std::uint64_t words = 0;  // of all marks together, which lie one after the other
    kernel::thing_marks marks[max_levels];
    Index* successors[max_levels];
    Index* ends[max_levels];
    std::size_t bytes = 0;

    layout(std::uint64_t n, void* scratch) {
      if (n <= few::max_slots) return;
      scratch_cursor cursor(scratch);
      seed = cursor.take<std::uint64_t>(1);
      std::uint64_t first_word[max_levels];
      for (std::uint64_t left = n; left > few::max_slots; left = rulers_of(left)) {
        successors[levels] = cursor.take<Index>(rulers_of(left));
        ends[levels] = cursor.take<Index>(rulers_of(left));
        first_word[levels] = words;
        words += ceil_div<std::uint64_t>(left, 32);
        ++levels;
      }
      std::uint32_t* const all = cursor.take<std::uint32_t>(words);
      bytes = cursor.used();
      if (scratch == nullptr) return;
      for (int level = 0; level < levels; ++level) marks[level] = {all + first_word[level]};
    }
  };

  /// Returns what is left of the rulers.
  static kernel::permutation<Index> rotate_segments(cudaStream_t stream,
                                                    const kernel::permutation<Index>& p,
                                                    const layout& parts, int level, Swap swap) {
    const kernel::ruler_choice choice{parts.seed, static_cast<std::uint64_t>(level),
                                      tuning::log_window(p.n)};
    const std::uint64_t rulers = rulers_of(p.n);
    launch(kernel::rotate_segments_kernel<threads, Index, Swap>, blocks_of(rulers), threads, 0,
           stream, p, choice, parts.marks[level], parts.successors[level], parts.ends[level], swap);
    launch(kernel::rotate_short_cycles_kernel<threads, Index, Swap>,
           blocks_of(ceil_div<std::uint64_t>(p.n, 32)), threads, 0, stream, p, choice,
           parts.marks[level], swap);
    return {parts.successors[level], parts.ends[level], static_cast<Index>(rulers), p.gate};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
