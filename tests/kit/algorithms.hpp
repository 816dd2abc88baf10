// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <tuple>
#include <type_traits>

namespace kit {

/// An algorithm and what may be asked of it.
template <class Tag, bool Stable, bool Opaque, bool OnlyShort = false>
struct algorithm_entry {
  static constexpr bool stable = Stable;         // stable_sort may be forced to it
  static constexpr bool opaque = Opaque;         // takes any comparator
  static constexpr bool only_short = OnlyShort;  // takes integers of one or two bytes and no others

  using tag_type = Tag;

  const char* name;
  Tag tag;
  std::size_t largest = std::numeric_limits<std::size_t>::max();  // elements it takes at most
};

template <bool Stable, bool Opaque, bool OnlyShort = false, class Tag>
constexpr algorithm_entry<Tag, Stable, Opaque, OnlyShort> entry(
    const char* name, const Tag& tag,
    std::size_t largest = std::numeric_limits<std::size_t>::max()) {
  return {name, tag, largest};
}

/// Every property is tested on every algorithm here: a new one is one line.
inline constexpr auto every_algorithm =
    std::make_tuple(entry<true, true>("small_sort", gpusort::algorithm::small_sort, 2048),
                    entry<true, false, true>("counting_sort", gpusort::algorithm::counting_sort),
                    entry<true, false>("radix_sort", gpusort::algorithm::radix_sort),
                    entry<true, true>("sample_sort", gpusort::algorithm::sample_sort),
                    entry<false, true>("quicksort", gpusort::algorithm::quicksort),
                    entry<true, true>("merge_sort", gpusort::algorithm::merge_sort),
                    entry<false, true>("bitonic_sort", gpusort::algorithm::bitonic_sort));

inline constexpr int algorithm_count = std::tuple_size_v<decltype(every_algorithm)>;

/// Number of an algorithm above, of a call, or this for the router's choice.
inline constexpr int automatic = -1;

/// Calls visit(entry) for the algorithm numbered `number`.
template <int First = 0, class Visit>
void visit_algorithm(int number, Visit visit) {
  if constexpr (First < algorithm_count) {
    if (number == First) {
      visit(std::get<First>(every_algorithm));
    } else {
      visit_algorithm<First + 1>(number, visit);
    }
  }
}

}  // namespace kit
