// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/order.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

namespace host {

/// Reads the indices, or their inverse, as positions. False where they are no permutation of n.
template <bool Inverse, class Index, class IndexIt>
bool read_positions(IndexIt indices, std::size_t n, bare_position<Index>* positions) {
  constexpr Index met = Index{1} << (8 * sizeof(Index) - 1);
  for_each_index(n, [=](std::size_t i) { positions[i].index = 0; });
  for (std::size_t i = 0; i < n; ++i) {
    const auto index = static_cast<std::uint64_t>(element(indices, i));
    if (index >= n || (positions[index].index & met) != 0) return false;
    positions[index].index |= met;
    positions[Inverse ? index : i].index |= static_cast<Index>(Inverse ? i : index);
  }
  for_each_index(n, [=](std::size_t i) { positions[i].index &= ~met; });
  return true;
}

template <bool Inverse, class Index, class IndexIt, class... Its>
bool apply_permutation_of(IndexIt indices, std::size_t n, Its... ranges) {
  const scratch memory = scratch::of<bare_position<Index>>(n);
  if (!memory) throw out_of_memory();
  auto* const positions = memory.as<bare_position<Index>>();
  if (!read_positions<Inverse>(indices, n, positions)) return false;
  permute(n, positions, ranges...);
  return true;
}

/// Gives every index i of all ranges the element from indices[i]; Inverse: gives that of i to
/// indices[i]. False, and nothing has moved, where the indices are no permutation. Throws
/// gpusort::out_of_memory before anything moves.
template <bool Inverse, class IndexIt, class... Its>
bool apply_permutation(IndexIt indices, std::size_t n, Its... ranges) {
  // 32 bits leave room for what permute adds to n.
  if (n <= INT32_MAX) return apply_permutation_of<Inverse, std::uint32_t>(indices, n, ranges...);
  return apply_permutation_of<Inverse, std::uint64_t>(indices, n, ranges...);
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
