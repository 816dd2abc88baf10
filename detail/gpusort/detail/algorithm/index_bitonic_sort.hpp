// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tile/fetched_network.hpp>
#include <gpusort/detail/tile/indexed_elements.hpp>
#include <gpusort/detail/tuning/index_bitonic_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Sorting in place what only the user's callables reach: the bitonic network, O(1) scratch. The
// launches see what earlier ones swapped, and so do the steps of one launch; callables that read
// through a cache that does not (__ldg) break that.

/// Sorts the elements at the n indices from `first` on by compare(i, j), whether the element at i
/// goes before the one at j, and swap(i, j).
///
/// Not stable; deterministic. Swaps that may run at the same time have no index in common. The
/// result is a permutation for any comparator: it decides only which pairs of a fixed network are
/// swapped. Comparisons: for n = 2^k, k (k + 1) / 4 for each element, and at most as many swaps; a
/// few percent more where a launch repeats steps. Launches: see launches(). No scratch, no
/// synchronization; capturable. Source: paper 004, sections 3.1.5 and 3.4.
template <class Index, class Compare, class Swap>
struct index_bitonic_sort {
  using elements = tile::indexed_elements<Index, Swap>;
  using network =
      bitonic_sort<elements, Compare, network_in_place<detail::tuning::index_bitonic_sort>>;

  static void run(cudaStream_t stream, Index first, std::uint64_t n, Compare compare, Swap swap) {
    network::run(stream, elements{first, swap}, n, compare);
  }

  static int launches(std::uint64_t n) { return network::launches(n); }
};

/// Makes up the network of fetched keys.
template <class Key>
struct network_of_fetched {
  using item = key_value<stored_t<Key>, std::uint16_t>;
  using in_registers = network_in_registers<item, detail::tuning::fetch_bitonic_sort<sizeof(item)>>;
  using tuning = typename in_registers::tuning;
  using sort_tile = tile::tile_of_fetched<typename in_registers::sort_tile>;
  using merge_tile = tile::tile_of_fetched<typename in_registers::merge_tile>;
  using steps = tile::steps_of_fetched;
};

/// Sorts by fetch(i), a key, compare(a, b) on keys, and swap(i, j).
///
/// Keys of up to 16 bytes that may be moved as bytes are fetched once in a launch, and each launch
/// swaps fewer than n times, whatever the number of its steps; others are fetched for every
/// comparison, by index_bitonic_sort. fetch is only called with indices of the range, compare only
/// with what it returned. All else as there.
template <class Index, class Fetch, class Compare, class Swap>
struct fetch_bitonic_sort {
  using elements = tile::fetched_elements<Index, Fetch, Swap>;
  using key = typename elements::key;

  static void run(cudaStream_t stream, Index first, std::uint64_t n, Fetch fetch, Compare compare,
                  Swap swap) {
    if constexpr (holds_keys) {
      network::run(stream, elements{{first, swap}, fetch}, n, {{compare}});
    } else {
      on_indices::run(stream, first, n, {fetch, compare}, swap);
    }
  }

  static int launches(std::uint64_t n) {
    if constexpr (holds_keys) {
      return network::launches(n);
    } else {
      return on_indices::launches(n);
    }
  }

 private:
  static constexpr bool holds_keys = sizeof(key) <= 16 && is_trivially_relocatable_v<key>;
  using on_indices = index_bitonic_sort<Index, tile::by_fetched<Fetch, Compare>, Swap>;
  using network = bitonic_sort<elements, by_key<by_stored_value<Compare>>, network_of_fetched<key>>;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
