// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/stage_tile.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Merges the first a_count elements of a and b_count of b by one block, at most a tile together,
/// to the beginning of `to`. Stable. The output holds the elements of both whatever the comparator
/// answers. Where one is empty the other is copied.
template <class Merger, class A, class B, class To, class Compare>
GPUSORT_DEVICE void block_merge(typename Merger::storage& shared, const A& a, int a_count,
                                const B& b, int b_count, const To& to, Compare& compare) {
  const int count = a_count + b_count;
  stage_tile<Merger>(shared, count,
                     [&](int i) { return i < a_count ? a.load(i) : b.load(i - a_count); });
  __syncthreads();
  if (a_count > 0 && b_count > 0) Merger::merge_two(shared, a_count, b_count, compare);
  unstage_tile<Merger>(shared, count, to, 0);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
