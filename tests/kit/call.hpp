// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of gpusort::sort with everything that may vary chosen at run time.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms.hpp"
#include "counting_allocator.hpp"
#include "orders.hpp"

namespace kit {

struct call {
  bool stable = false;
  int algorithm = automatic;
  bool nosync = false;
  cudaStream_t stream = nullptr;
  counting_allocator* allocator = nullptr;  // then the call is synchronous

  friend std::ostream& operator<<(std::ostream& out, const call& c) {
    out << (c.stable ? "stable_sort" : "sort");
    visit_algorithm(c.algorithm, [&](const auto& entry) { out << " by " << entry.name; });
    return out << (c.nosync ? " nosync" : "") << (c.allocator ? " with an allocator" : "");
  }
};

/// Whether the library sees through a comparator on T.
template <class T, class Compare>
inline constexpr bool is_seen_through = is_arithmetic<T> &&
                                        (std::is_same_v<Compare, gpusort::less> ||
                                         std::is_same_v<Compare, gpusort::greater>);

/// Whether an algorithm is forced on T. Quicksort and merge sort have kernels that T's other calls
/// do not have: of elements of more than 64 bytes, which are all sorted by their indices, those of
/// 128 stand for the rest; and quicksort of 1, 16 and 32 bytes is left to
/// sorting/test_quicksort.cu.
template <class T, class Tag>
constexpr bool is_forced_on() {
  constexpr bool is_quicksort =
      std::is_same_v<Tag, std::decay_t<decltype(gpusort::algorithm::quicksort)>>;
  constexpr bool is_merge_sort =
      std::is_same_v<Tag, std::decay_t<decltype(gpusort::algorithm::merge_sort)>>;
  if (sizeof(T) > 64) return sizeof(T) == 128 || !(is_quicksort || is_merge_sort);
  return !(is_quicksort && (sizeof(T) == 1 || sizeof(T) == 16 || sizeof(T) == 32));
}

/// Whether an algorithm is tried on T and Compare. Seen through or not makes no difference to those
/// that compare, so among the orders that are only some are tried on those.
template <class T, class Compare, class Entry>
constexpr bool is_possible(const Entry&) {
  if constexpr (Entry::only_short) {
    return is_seen_through<T, Compare> && is_integer<T> && sizeof(T) <= 2 &&
           !std::is_same_v<T, bool>;  // which are not counted where the sort is to be stable
  } else if constexpr (is_seen_through<T, Compare>) {
    return !Entry::opaque || (std::is_same_v<Compare, gpusort::less> &&
                              (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, double>));
  } else {
    return Entry::opaque && is_forced_on<T, typename Entry::tag_type>();
  }
}

/// Returns every way to sort n elements of T by Compare: sort and stable_sort, the router's choice
/// and every algorithm that can.
template <class T, class Compare>
std::vector<call> every_route(std::size_t n) {
  std::vector<call> calls;
  for (bool stable : {false, true}) {
    for (int a = automatic; a < algorithm_count; ++a) {
      call c;
      c.stable = stable;
      c.algorithm = a;
      bool possible = true;
      visit_algorithm(a, [&](const auto& entry) {
        possible =
            is_possible<T, Compare>(entry) && (entry.stable || !stable) && n <= entry.largest;
      });
      if (possible) calls.push_back(c);
    }
  }
  return calls;
}

}  // namespace kit
