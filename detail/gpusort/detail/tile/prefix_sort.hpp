// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/linear_map.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts a tile of elements whose order is that of numbers: not the elements, but words of
/// the first bits in which their numbers differ, and of their places. Neighbours whose words do
/// not tell them apart are put in order afterwards; where they are too many, the elements are
/// sorted by comparisons. Sorter is what does that.
template <class T, class Sorter>
struct prefix_sort {
  static constexpr int items_per_tile = Sorter::items_per_tile;
  static constexpr int threads = Sorter::threads_per_block;
  static constexpr int items_per_thread = items_per_tile / threads;
  using word_sorter = block_sort<std::uint32_t, threads, items_per_thread, false>;

  struct storage {
    typename Sorter::storage elements;
    typename word_sorter::storage words;
    std::uint64_t some_bits[threads / warp_size];  // that some number of a warp has
    std::uint64_t all_bits[threads / warp_size];   // that all have
  };

  /// Sorts `count` elements of one array into another; they may be the same.
  template <class From, class To, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const From& from, const To& to, int count,
                                  Compare& compare) {
    using number = order_number<T, Compare>;
    auto& elements = shared.elements.tile;
    auto& words = shared.words.tile;
    std::uint64_t numbers[items_per_thread];
    std::uint64_t some = 0, all = ~std::uint64_t{0};
    for_each_item(count, [&](int i, int place) {
      const T x = from.load(place);
      elements[place] = x;
      numbers[i] = number::of(x);
      some |= numbers[i];
      all &= numbers[i];
    });
    const int bits = differing_bits(shared, some, all);
    if (!number::is_whole && bits == 0) {
      sort_elements(shared, to, count, compare);
      return;
    }
    const int shift = bits > prefix_bits ? bits - prefix_bits : 0;
    for_each_item(count, [&](int i, int place) {
      const auto prefix = static_cast<std::uint32_t>(numbers[i] >> shift);
      words[place] = prefix << place_bits | place;
    });
    __syncthreads();
    by_stored_value<less> by_word;
    word_sorter::sort(shared.words, count, by_word);
    const bool tells_all = number::is_whole && shift == 0;
    if (!tells_all && !repair(shared, count, compare)) {
      sort_elements(shared, to, count, compare);
      return;
    }
    for_each_item(count,
                  [&](int, int place) { to.store(place, elements[words[place] & place_mask]); });
  }

 private:
  static constexpr int place_bits = ceil_log2(items_per_tile);
  static constexpr int prefix_bits = 32 - place_bits;
  static constexpr std::uint32_t place_mask = (std::uint32_t{1} << place_bits) - 1;
  // Two neighbours with the same prefix take one round, three take two; the number is a choice,
  // not the result of a sweep.
  static constexpr int max_rounds = 4;

  template <class To, class Compare>
  static GPUSORT_DEVICE void sort_elements(storage& shared, const To& to, int count,
                                           Compare& compare) {
    Sorter::sort(shared.elements, count, compare);
    for_each_item(count, [&](int, int place) { to.store(place, shared.elements.tile[place]); });
  }

  /// body(i, place) for the thread's items that exist.
  template <class Body>
  static GPUSORT_DEVICE void for_each_item(int count, const Body& body) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      const int place = i * threads + static_cast<int>(threadIdx.x);
      if (place < count) body(i, place);
    }
  }

  /// How many of the lower bits are not the same in all numbers of the block. Ends with a barrier.
  static GPUSORT_DEVICE int differing_bits(storage& shared, std::uint64_t some, std::uint64_t all) {
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
      some |= shuffle_xor(some, mask);
      all &= shuffle_xor(all, mask);
    }
    if (lane_id() == 0) {
      shared.some_bits[warp_id()] = some;
      shared.all_bits[warp_id()] = all;
    }
    __syncthreads();
    for (int warp = 0; warp < threads / warp_size; ++warp) {
      some |= shared.some_bits[warp];
      all &= shared.all_bits[warp];
    }
    return 64 - __clzll(static_cast<long long>(some & ~all));
  }

  /// Exchanges neighbours that are in the wrong order, some rounds. False where some are left.
  template <class Compare>
  static GPUSORT_DEVICE bool repair(storage& shared, int count, Compare& compare) {
    auto& words = shared.words.tile;
    const auto element_at = [&](int place) -> const T& {
      return shared.elements.tile[words[place] & place_mask];
    };
    const auto is_wrong = [&](int place) {
      return place + 1 < count && words[place] >> place_bits == words[place + 1] >> place_bits &&
             compare(element_at(place + 1), element_at(place));
    };
    for (int round = 0;; ++round) {
      bool found = false;
      for (int place = threadIdx.x; place < count; place += threads) found |= is_wrong(place);
      if (!__syncthreads_or(found)) return true;
      if (round == max_rounds) return false;
      for (int parity = 0; parity < 2; ++parity) {
        for (int place = 2 * threadIdx.x + parity; place < count; place += 2 * threads) {
          if (!is_wrong(place)) continue;
          const std::uint32_t word = words[place];
          words[place] = words[place + 1];
          words[place + 1] = word;
        }
        __syncthreads();
      }
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
