// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/tile/guesses.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Whether elements are numbers of 4 or 8 bytes under a comparator that nothing is known of, and
/// which may order them as less or greater do.
template <class T, class Compare>
inline constexpr bool may_order_numbers = false;
template <class T, class Compare>
inline constexpr bool may_order_numbers<T, by_stored_value<Compare>> =
    is_arithmetic_key_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    !is_less_or_greater_v<Compare> && !follows_indices<Compare>;

/// A block sorts a tile of numbers by a comparator that may order them. Each thread shows the
/// comparator two of them. Where no answer contradicts ascending order, or none descending order,
/// proxmap sort takes the tile, and the comparator confirms all neighbours. Otherwise, or where it
/// does not, comparisons must sort, which is what Sorter is for.
template <class T, class Sorter>
struct inferred_number_sort {
  using word = as_ordered_bits::type<T>;
  static constexpr int threads = Sorter::threads_per_block;
  static constexpr int items_per_thread = Sorter::items_per_tile / threads;
  using number_sort = proxmap_sort<word, typename Sorter::template of<word>>;

  union storage {
    typename number_sort::storage numbers;
    typename Sorter::storage elements;
  };

  /// Sorts `count` > 0 elements of one array into another, which may be the same, or leaves both
  /// as they were: the comparator does not order numbers. About `tiles_before` tiles of the sort
  /// were begun before this one.
  template <class From, class To, class Compare>
  static GPUSORT_DEVICE tile_outcome sort(storage& shared, const From& from, const To& to,
                                          int count, Compare& compare, int* wrong,
                                          std::uint32_t tiles_before) {
    const words_in_tile found = sort_words(shared, from, count, compare, wrong);
    if (threadIdx.x == 0 && found.are_guessed && !found.are_sorted) {
      wrong_guesses{wrong}.add(tiles_before);
    }
    if (found.are_sorted) {
      auto& words = shared.numbers.elements.tile;
      store_tile<threads>(from_words<To>{to, found.flips}, 0, count, words);
    }
    return outcome_of(found);
  }

  /// Puts `count` > 0 elements of an array into the tile, in order if the comparator confirms it.
  /// Block-wide; `from` may read the tile; ends with a barrier.
  template <class From, class Compare>
  static GPUSORT_DEVICE tile_outcome sort_into_tile(storage& shared, const From& from, int count,
                                                    Compare& compare) {
    const words_in_tile found = sort_words(shared, from, count, compare, nullptr);
    release_tile(shared, found.flips, count);
    return outcome_of(found);
  }

 private:
  static_assert(sizeof(typename Sorter::template of<word>::storage) ==
                        sizeof(typename Sorter::storage) &&
                    sizeof(T) == sizeof(word) && alignof(T) == alignof(word),
                "a word and its number have the same slot in the tile");
  static_assert(items_per_thread > 1, "a thread has two items to show");

  static GPUSORT_DEVICE T decode(word x, word flips) {
    return as_ordered_bits::decode<T>(x ^ flips);
  }

  /// Numbers as words that ascend with them.
  template <class Array>
  struct as_words {
    Array array;
    GPUSORT_DEVICE word load(std::uint64_t i) const {
      return as_ordered_bits::encode(array.load(i));
    }
  };

  /// Takes such words, of which some bits are flipped, for numbers.
  template <class Array>
  struct from_words {
    Array array;
    word flips;
    GPUSORT_DEVICE void store(std::uint64_t i, word x) const { array.store(i, decode(x, flips)); }
    GPUSORT_DEVICE from_words operator+(std::uint64_t n) const { return {array + n, flips}; }
  };

  /// All of a tile's elements are words of which these bits are flipped.
  struct words_in_tile {
    bool are_guessed;
    bool are_sorted;
    bool are_expensive;
    word flips;
  };

  static GPUSORT_DEVICE tile_outcome outcome_of(const words_in_tile& found) {
    return {found.are_sorted, found.are_expensive};
  }

  /// Puts elements into the tile, in order if the comparator confirms it. Where that has been given
  /// up they are not guessed, which is asked when the elements are on their way already: asked
  /// before, it would take as long as they do. What is not guessed is in the tile only where nobody
  /// counts wrong guesses. Block-wide; ends with a barrier.
  template <class From, class Compare>
  static GPUSORT_DEVICE words_in_tile sort_words(storage& shared, const From& from, int count,
                                                 Compare& compare, int* wrong) {
    word x[items_per_thread];
    number_sort::load(as_words<From>{from}, count, x);
    const bool is_doubted = threadIdx.x == 0 && wrong_guesses{wrong}.are_too_many();
    const direction found = learn(x, compare, is_doubted);
    if (!found.is_known) {
      if (wrong == nullptr) number_sort::put_in_tile(shared.numbers, x, count);
      return {false, false, __syncthreads_and(found.is_expensive_to_warp) != 0, 0};
    }
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) x[i] ^= found.flips;
    by_stored_value<less> ascending;
    const confirmed_by<Compare> check{compare, found.flips};
    const bool are_sorted = number_sort::arrange(shared.numbers, x, count, ascending, check);
    return {true, are_sorted, !are_sorted && __syncthreads_and(found.is_expensive_to_warp) != 0,
            found.flips};
  }

  /// Makes elements of the words of the tile. Block-wide; ends with a barrier.
  static GPUSORT_DEVICE void release_tile(storage& shared, word flips, int count) {
    for (int i = threadIdx.x; i < count; i += threads) {
      shared.elements.tile[i] = decode(shared.numbers.elements.tile[i], flips);
    }
    __syncthreads();
  }

  struct direction {
    bool is_known;
    bool is_expensive_to_warp;  // a comparison
    word flips;
  };

  /// Returns what the comparator says of two numbers of each thread, and how long that takes it.
  /// Block-wide.
  template <class Compare>
  static GPUSORT_DEVICE direction learn(const word (&x)[items_per_thread], Compare& compare,
                                        bool is_doubted) {
    const T low = decode(min_of(x[0], x[1]), 0), high = decode(x[0] < x[1] ? x[1] : x[0], 0);
    const bool differ = x[0] != x[1];
    __syncthreads_or(differ);  // all numbers have arrived
    const timed_answer ascending =
        timed_answer::of([&] { return is_doubted || (differ && compare(high, low)); });
    const bool is_not_ascending = ascending.is_any;
    const bool is_not_descending = __syncthreads_or(is_doubted || (differ && compare(low, high)));
    const bool is_known = !is_not_ascending || !is_not_descending;
    return {is_known, ascending.is_expensive_to_warp, is_not_ascending ? ~word{0} : word{0}};
  }

  /// Every pair of neighbours is shown to the comparator.
  template <class Compare>
  struct confirmed_by {
    static constexpr bool sees_all = true;
    Compare& compare;
    word flips;
    GPUSORT_DEVICE bool is_wrong(word lower, word upper) const {
      return static_cast<bool>(compare(decode(upper, flips), decode(lower, flips)));
    }
  };
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
