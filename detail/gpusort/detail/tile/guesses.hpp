// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/cycles_now.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The wrong guesses of a sort's tiles, 0 before the first: keeps tiles from being guessed in vain
/// where others have been. A right guess writes nothing: one counter for the tiles of all blocks
/// would take longer than some tiles do. For thread 0 of a block.
struct wrong_guesses {
  int* count;  // null: nobody counts

  GPUSORT_DEVICE bool are_too_many() const { return count != nullptr && __ldcg(count) >= given_up; }

  /// Adds one more, by a tile before which about `tiles_before` others were begun.
  GPUSORT_DEVICE void add(std::uint32_t tiles_before) const {
    const auto others = static_cast<std::uint32_t>(atomicAdd(count, 1));
    if (others >= forgiven + tiles_before / tiles_per_wrong_guess) atomicMax(count, given_up);
  }

 private:
  // By estimate, not measured: a wrong guess costs as much as four right ones save.
  static constexpr std::uint32_t tiles_per_wrong_guess = 5, forgiven = 8;
  static constexpr int given_up = 1 << 30;
};

// A comparison is expensive if it takes every warp of a block more cycles. Measured on an H100, the
// least of a block's warps: 16 to 32 for an order of numbers, 40 to 64 for one of 32-bit products,
// 72 to 96 for a test and a flipped bit, 96 to 130 for a hash, 112 to 200 for 64-bit products and
// switches, 500 and more for tables. With 68 products took 3% more, 13% of few elements; what each
// of the two sorts takes is in docs/decisions, 19.
inline constexpr long long expensive_cycles = 92;

/// Times one comparison by each thread of a block: whether any of them answered true, and whether
/// it took the caller's warp long. A warp may be slow because others run, so comparisons are
/// expensive only where they were slow to all warps. Block-wide.
struct timed_answer {
  bool is_any;
  bool is_expensive_to_warp;

  template <class Ask>
  static GPUSORT_DEVICE timed_answer of(const Ask& ask) {
    const long long begin = cycles_now();
    const bool is_any_of_warp = __any_sync(full_warp, ask());
    const bool is_expensive_to_warp = cycles_now() - begin > expensive_cycles;
    return {__syncthreads_or(is_any_of_warp) != 0, is_expensive_to_warp};
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
