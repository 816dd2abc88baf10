// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// Elements that only the user's callables reach, as the steps of a network in place take them. The
// callables may have a call operator that is not const, as mutable lambdas do.

/// Elements at the indices from `first` on, which swap(i, j) exchanges.
template <class Index, class Swap>
struct indexed_elements {
  Index first;
  mutable Swap swap;

  GPUSORT_HOST_DEVICE Index index(std::uint64_t i) const { return index_at(first, i); }
  GPUSORT_HOST_DEVICE indexed_elements operator+(std::uint64_t i) const { return {index(i), swap}; }
};

/// Elements at indices whose keys fetch(i) gives.
template <class Index, class Fetch, class Swap>
struct fetched_elements : indexed_elements<Index, Swap> {
  using key = std::decay_t<std::invoke_result_t<Fetch&, Index>>;

  mutable Fetch fetch;

  GPUSORT_HOST_DEVICE fetched_elements operator+(std::uint64_t i) const {
    return {indexed_elements<Index, Swap>::operator+(i), fetch};
  }
  GPUSORT_DEVICE stored_t<key> load(std::uint64_t i) const {
    const key fetched = fetch(this->index(i));
    stored_t<key> stored;
    memcpy(&stored, &fetched, sizeof(key));
    return stored;
  }
};

/// The order of indices by what is fetched from them.
template <class Fetch, class Compare>
struct by_fetched {
  Fetch fetch;
  Compare compare;

  template <class Index>
  GPUSORT_DEVICE bool operator()(Index i, Index j) {
    return static_cast<bool>(compare(fetch(i), fetch(j)));
  }
};

/// Orders indices by compare(i, j).
template <class Index, class Swap, class Compare>
GPUSORT_DEVICE bool is_before(const indexed_elements<Index, Swap>& elements, std::uint64_t i,
                              std::uint64_t j, Compare& compare) {
  return static_cast<bool>(compare(elements.index(i), elements.index(j)));
}

template <class Index, class Swap>
GPUSORT_DEVICE void swap_elements(const indexed_elements<Index, Swap>& elements, std::uint64_t i,
                                  std::uint64_t j) {
  elements.swap(elements.index(i), elements.index(j));
}

template <class Index, class Fetch, class Swap>
GPUSORT_DEVICE void swap_elements(const fetched_elements<Index, Fetch, Swap>& elements,
                                  std::uint64_t i, std::uint64_t j) {
  elements.swap(elements.index(i), elements.index(j));
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
