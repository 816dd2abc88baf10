// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// A permutation is applied by two rounds of disjoint swaps. Number the positions of a cycle so that
// position j gets what position j + 1 has, modulo the cycle's length. Swapping j with -j, and then
// j with -1 - j, takes j + 1 to -1 - j and that to j. A cycle of L positions takes L - 1 swaps in
// all, and no sequence of swaps takes fewer.

/// Returns with which position of its cycle the position numbered `rank` is swapped in round 0, or
/// in round 1; itself where with none. Every pair has one position with rank < partner.
template <class Index>
GPUSORT_HOST_DEVICE Index swap_partner(int round, Index rank, Index length) {
  if (round == 1) return length - 1 - rank;
  return rank == 0 ? 0 : length - rank;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
