// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/cycles_now.hpp>
#include <gpusort/detail/support/math.hpp>

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

  /// One more, by a tile before which about `tiles_before` others were begun.
  GPUSORT_DEVICE void add(std::uint32_t tiles_before) const {
    const auto others = static_cast<std::uint32_t>(atomicAdd(count, 1));
    if (others >= forgiven + tiles_before / tiles_per_wrong_guess) atomicMax(count, given_up);
  }

 private:
  // By estimate, not measured: a wrong guess costs as much as four right ones save.
  static constexpr std::uint32_t tiles_per_wrong_guess = 5, forgiven = 8;
  static constexpr int given_up = 1 << 30;
};

// By estimate: one comparison by each of 256 or 512 threads takes some 200 cycles if it computes,
// and thousands if it reads memory at random. On an H100 this limit tells a 64-bit product from a
// table of 16 MB (docs/decisions, 19); other limits, and other devices, were not measured.
inline constexpr long long dear_cycles = 1000;

/// What a comparison by each thread of a block answers to any of them, and whether it was dear.
/// Block-wide.
struct timed_answer {
  bool is_any;
  bool is_dear;

  template <class Ask>
  static GPUSORT_DEVICE timed_answer of(const Ask& ask) {
    const long long begin = cycles_now();
    const bool is_any = __syncthreads_or(ask());
    return {is_any, cycles_now() - begin > dear_cycles};
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
