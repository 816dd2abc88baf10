// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/key_sizes.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tile/guesses.hpp>
#include <gpusort/detail/tile/inferred_order.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Whether elements are short records under a comparator that nothing is known of, and which may
/// compare one word of them.
template <class T, class Compare>
inline constexpr bool may_order_words = false;
template <class T, class Compare>
inline constexpr bool may_order_words<T, by_stored_value<Compare>> =
    !is_arithmetic_key_v<T> && is_word_record(sizeof(T)) && alignof(T) % 4 == 0 &&
    !follows_indices<Compare>;

/// A word of a record that may be in a register, as a number.
template <class T>
struct word_of_record {
  static constexpr bool has_wide_words = alignof(T) % 8 == 0;
  static constexpr bool is_whole = false;
  static constexpr int bits = has_wide_words ? 64 : 32;
  static constexpr int words = sizeof(T) / 4;

  inferred_order order;

  GPUSORT_DEVICE std::uint64_t of(const T& x) const {
    std::uint32_t word[words];
    memcpy(word, &x, sizeof(T));
    std::uint32_t low = word[0], high = 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
      if (order.offset == 4u * i) low = word[i];
      if (has_wide_words && i % 2 == 1 && order.offset + 4 == 4u * i) high = word[i];
    }
    if constexpr (has_wide_words) {
      if (order.word_bytes == 8) return order.number_of(std::uint64_t{high} << 32 | low);
      return std::uint64_t{order.number_of(low)} << 32;
    } else {
      return order.number_of(low);
    }
  }
};

/// Sorts records with two slots for each item: one tile in a hundred then has a slot that too many
/// share, and takes comparisons; with four there is room for fewer blocks. Measured, H100, 2^26,
/// four and two, ms: 12 bytes 4.28 and 4.10, 16 bytes 4.22 and 4.08.
template <class T, class Sorter>
using proxmap_sort_of_records = proxmap_sort<T, Sorter, 2>;

/// A block sorts a tile of records by a comparator that may compare one word of them. Each thread
/// shows the comparator two of them. Where the answers contradict no reading of some word, proxmap
/// sort takes the tile by that, and the comparator sorts the neighbours. Otherwise, or where that
/// does not do, comparisons must sort, which is what Sorter is for.
template <class T, class Sorter>
struct inferred_word_sort {
  static constexpr int threads = Sorter::threads_per_block;
  static constexpr int items_per_thread = Sorter::items_per_tile / threads;
  using word_sort = proxmap_sort_of_records<T, Sorter>;

  struct storage : word_sort::storage {
    std::uint64_t possible[threads / warp_size];  // ways to read a word, by each warp
  };

  /// Sorts `count` > 0 elements of one array into another, which may be the same, or leaves both
  /// as they were: the comparator does not compare a word. About `tiles_before` tiles of the sort
  /// were begun before this one.
  template <class From, class To, class Compare>
  static GPUSORT_DEVICE tile_outcome sort(storage& shared, const From& from, const To& to,
                                          int count, Compare& compare, int* wrong,
                                          std::uint32_t tiles_before) {
    T x[items_per_thread];
    word_sort::load(from, count, x);
    const wrong_guesses guesses{wrong};
    const bool is_doubted = threadIdx.x == 0 && guesses.are_too_many();
    tile_outcome outcome;
    const inferred_order order = learn(shared, x, compare, is_doubted, outcome.are_expensive);
    if (order.word_bytes == 0) return outcome;
    using between_windows = typename word_sort::template between_windows<Compare>;
    outcome.is_sorted = word_sort::arrange(shared, x, count, compare, between_windows{compare},
                                           word_of_record<T>{order});
    if (outcome.is_sorted) {
      store_tile<threads>(to, 0, count, shared.elements.tile);
    } else if (threadIdx.x == 0) {
      guesses.add(tiles_before);
    }
    return outcome;
  }

 private:
  static_assert(items_per_thread > 1, "a thread has two items to show");

  // A bit for each way of reading: of wide words first, as their upper half may seem to hold the
  // order too, if both halves vary.
  static constexpr int words = word_of_record<T>::words;
  static constexpr int wide_words = word_of_record<T>::has_wide_words ? words / 2 : 0;
  static constexpr int readings = 3;
  static constexpr int ways = (wide_words + words) * 2 * readings;
  static_assert(ways <= 64, "a bit for each way");

  /// Returns what two elements, of which the comparator says that one is before the other, leave
  /// possible.
  static GPUSORT_DEVICE std::uint64_t possible_ways(const T& a, const T& b, bool is_before,
                                                    bool is_after) {
    std::uint64_t possible = 0;
    if (!is_before && !is_after) return ~possible;
    std::uint32_t x[words], y[words];
    memcpy(x, &a, sizeof(T));
    memcpy(y, &b, sizeof(T));
    const auto see = [&](auto u, auto v, int word) {
#pragma unroll
      for (int r = 0; r < readings; ++r) {
        const auto reading = static_cast<inferred_order::reading>(r);
        const auto p = inferred_order::ascending(u, reading);
        const auto q = inferred_order::ascending(v, reading);
        const bool is_ascending = is_before ? p < q : q < p,
                   is_descending = is_before ? q < p : p < q;
        possible |= std::uint64_t{is_ascending} << (word * 2 * readings + 2 * r);
        possible |= std::uint64_t{is_descending} << (word * 2 * readings + 2 * r + 1);
      }
    };
#pragma unroll
    for (int i = 0; i < wide_words; ++i) {
      see(std::uint64_t{x[2 * i + 1]} << 32 | x[2 * i],
          std::uint64_t{y[2 * i + 1]} << 32 | y[2 * i], i);
    }
#pragma unroll
    for (int i = 0; i < words; ++i) see(x[i], y[i], wide_words + i);
    return is_before && is_after ? 0 : possible;
  }

  static GPUSORT_DEVICE std::uint64_t common_bits(std::uint64_t bits) {
    for (int mask = warp_size / 2; mask > 0; mask /= 2) bits &= shuffle_xor(bits, mask);
    return bits;
  }

  /// Returns how the comparator seems to read elements, by two of each thread; a word of 0 bytes
  /// where it reads no word, or somebody doubts it. Block-wide.
  template <class Compare>
  static GPUSORT_DEVICE inferred_order learn(storage& shared, const T (&x)[items_per_thread],
                                             Compare& compare, bool is_doubted,
                                             bool& are_expensive) {
    bool is_before = false;
    __syncthreads_or(word_of_record<T>{}.of(x[0]) != word_of_record<T>{}.of(x[1]));  // have arrived
    const timed_answer first =
        timed_answer::of([&] { return is_before = static_cast<bool>(compare(x[0], x[1])); });
    const bool is_after = static_cast<bool>(compare(x[1], x[0]));
    const std::uint64_t mine = is_doubted ? 0 : possible_ways(x[0], x[1], is_before, is_after);
    const std::uint64_t warps_possible = common_bits(mine);
    if (lane_id() == 0) shared.possible[warp_id()] = warps_possible;
    are_expensive = __syncthreads_and(first.is_expensive_to_warp) != 0;
    const std::uint64_t possible = common_bits(shared.possible[lane_id() % (threads / warp_size)]);
    inferred_order order{};
    const int way = __ffsll(static_cast<long long>(possible)) - 1;
    if (way < 0 || way >= ways) return order;
    const int word = way / (2 * readings);
    const bool is_wide = word < wide_words;
    order.word_bytes = is_wide ? 8 : 4;
    order.offset = is_wide ? 8 * word : 4 * (word - wide_words);
    order.read_as = static_cast<inferred_order::reading>(way % (2 * readings) / 2);
    order.is_descending = way % 2 != 0;
    return order;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
