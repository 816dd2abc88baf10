// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/guesses.hpp>
#include <gpusort/detail/tile/inferred_number_sort.hpp>
#include <gpusort/detail/tile/inferred_word_sort.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Whether proxmap sort may take elements: their order is that of numbers, or may be found to be.
template <class T, class Compare>
inline constexpr bool may_be_numbers = order_preserving_bits<T, Compare>::is_known ||
                                       may_order_numbers<T, Compare> || may_order_words<T, Compare>;

/// Selects what sorts numbers of a tile: of short records or not, whose order is known or is to be
/// found.
template <class T, class Sorter, bool AreRecords, bool IsKnown>
struct sort_of_numbers {
  using type = inferred_number_sort<T, Sorter>;
};
template <class T, class Sorter>
struct sort_of_numbers<T, Sorter, true, false> {
  using type = inferred_word_sort<T, Sorter>;
};
template <class T, class Sorter>
struct sort_of_numbers<T, Sorter, false, true> {
  using type = proxmap_sort<T, Sorter>;
};
template <class T, class Sorter>
struct sort_of_numbers<T, Sorter, true, true> {
  using type = proxmap_sort_of_records<T, Sorter>;
};

/// A block sorts the tile of a bucket, or a segment: selects how, and the storage of it, numbers by
/// where they are, or else by Sorter.
template <class Sorter, class T, class Compare, bool OfNumbers>
struct bucket_sorter {
  using sorter = Sorter;
  static constexpr bool of_numbers = OfNumbers;
  static constexpr bool are_inferred = OfNumbers && !order_preserving_bits<T, Compare>::is_known;
  using numbers =
      typename sort_of_numbers<T, Sorter, may_order_words<T, Compare>, !are_inferred>::type;
  using storage = typename std::conditional_t<of_numbers, numbers, Sorter>::storage;

  /// Sorts `count` > 0 numbers of one array into another, which may be the same, or leaves both as
  /// they were. It is given up where too many tiles had too many numbers in a slot, or an inferred
  /// order too often was another one. Where it has been is asked when the elements are on their
  /// way.
  template <class From, class To>
  static GPUSORT_DEVICE tile_outcome sort_numbers(storage& shared, const From& from, const To& to,
                                                  int count, Compare& compare, int* wrong,
                                                  std::uint32_t tiles_before) {
    if constexpr (are_inferred) {
      return numbers::sort(shared, from, to, count, compare, wrong, tiles_before);
    } else {
      fetched_element_t<From> fetched[numbers::items_per_thread];
      numbers::load(from, count, fetched);
      const wrong_guesses guesses{wrong};
      if (__syncthreads_or(threadIdx.x == 0 && guesses.are_too_many())) return {};
      T x[numbers::items_per_thread];
      numbers::hold(from, count, fetched, x);
      using between_windows = typename numbers::template between_windows<Compare>;
      const bool is_sorted = numbers::arrange(shared, x, count, compare, between_windows{compare});
      if (is_sorted) {
        store_tile<Sorter::threads_per_block>(to, 0, count, shared.elements.tile);
      } else if (threadIdx.x == 0) {
        guesses.add(tiles_before);
      }
      return {is_sorted};
    }
  }

  /// Returns where it has elements that Sorter may sort.
  static GPUSORT_DEVICE typename Sorter::storage& elements(storage& shared) {
    if constexpr (of_numbers) {
      return shared.elements;
    } else {
      return shared;
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
