// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/order.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <type_traits>

// Sorting what only callables reach. Positions are sorted while nothing is moved; then a
// permutation is applied by swaps. Callables are called by several threads at once, swap for pairs
// that have no element in common. What compare or fetch throws leaves before anything has moved;
// what swap throws, with some of the swaps done.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Gives every element i what is at positions[i].index, by swap(i, j): of a cycle of L
/// elements, L - 1 swaps. Needs memory for some walks per core, and without it swaps one after the
/// other. Uses the positions up.
///
/// A walk along a cycle carries what was at its start to its end, swap by swap: element a_0 gets
/// what a_1 had, and so on. Cycles are cut where a walk starts. All walks run at once, and leave at
/// their ends what has to go one walk further along the cycle: a permutation of the ends alone.
/// Where walks start is random, so their lengths are, whatever the permutation.
template <class Position, class Swap>
class swap_permutation {
 public:
  swap_permutation(std::size_t n, Position* positions, const Swap& swap)
      : n_(n), positions_(positions), swap_(swap) {}

  void apply() const {
    const std::size_t walks = (std::min)(walks_per_core * concurrency(), n_ / least_share);
    const scratch memory = scratch::of<walk>(walks);
    if (!memory) return apply_cycles();
    apply_walks(memory.as<walk>(), walks);
  }

 private:
  using index = decltype(Position::index);

  struct walk {
    std::size_t start;
    std::size_t end;   // where what was at the start is now
    std::size_t next;  // the walk that starts after the end; itself where it has been dealt with
  };

  static constexpr std::size_t walks_at_once = 16;
  static constexpr std::size_t walks_per_core = 8 * walks_at_once;  // they are of unequal length
  static constexpr std::size_t least_share = 256;  // swaps that a walk must be worth
  static constexpr index starts_walk = index{1} << (8 * sizeof(index) - 1);  // positions are less

  /// Applies one cycle after the other.
  void apply_cycles() const {
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t at = i;
      for (std::size_t from = next_of(at); from != i; from = next_of(at)) {
        swap_(at, from);
        positions_[at].index = static_cast<index>(at);
        at = from;
      }
      positions_[at].index = static_cast<index>(at);
    }
  }

  void apply_walks(walk* walks, std::size_t count) const {
    const auto seed =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::size_t share = n_ / count;
    for (std::size_t w = 0; w < count; ++w) {
      walks[w].start = w * share + mix_bits(seed + w) % share;
      positions_[walks[w].start].index |= starts_walk;
    }
    const std::size_t groups = (count + walks_at_once - 1) / walks_at_once;
    isolated([&] {
      divide_range(0, groups, 1, [&](std::size_t group, std::size_t) {
        const std::size_t first = group * walks_at_once;
        follow(walks + first, (std::min)(walks_at_once, count - first), share);
      });
    });
    for (std::size_t w = 0; w < count; ++w) {
      positions_[walks[w].start].index = static_cast<index>(walks[w].start);
    }
    join_ends(walks, count);
    apply_rest(seed);
  }

  /// Follows some walks, in turns, so that one need not wait while another's next position comes
  /// from memory. Reads of the positions of other walks only whether they start one, and changes
  /// nothing of its own start.
  void follow(walk* walks, std::size_t count, std::size_t share) const {
    std::size_t from[walks_at_once];
    for (std::size_t w = 0; w < count; ++w) {
      walks[w].end = walks[w].start;
      from[w] = next_of(walks[w].start);
    }
    for (std::size_t going = count; going != 0;) {
      going = 0;
      for (std::size_t w = 0; w < count; ++w) {
        if ((positions_[from[w]].index & starts_walk) != 0) continue;
        ++going;
        swap_(walks[w].end, from[w]);
        const std::size_t at = walks[w].end = from[w];
        from[w] = next_of(at);
        positions_[at].index = static_cast<index>(at);
      }
    }
    for (std::size_t w = 0; w < count; ++w) walks[w].next = from[w] / share;
  }

  void join_ends(walk* walks, std::size_t count) const {
    for (std::size_t w = 0; w < count; ++w) {
      std::size_t at = w;
      for (std::size_t from = walks[at].next; from != w; from = walks[at].next) {
        swap_(walks[at].end, walks[from].end);
        walks[at].next = at;
        at = from;
      }
      walks[at].next = at;
    }
  }

  /// Applies the cycles in which no walk starts: few elements, or many short cycles. The element of
  /// a cycle with the least hash leads it, and swaps for all. One that does not lead meets a lesser
  /// hash after a few steps, on average as many as the logarithm of the length.
  void apply_rest(std::uint64_t seed) const {
    const auto hash_of = [=](std::size_t i) { return mix_bits(seed ^ i); };
    for_each_index(n_, [&](std::size_t i) {
      if (next_of(i) == i) return;
      std::size_t at = next_of(i);
      while (at != i && hash_of(i) < hash_of(at)) at = next_of(at);
      if (at != i) return;
      for (std::size_t from = next_of(at); from != i; from = next_of(at)) {
        swap_(at, from);
        at = from;
      }
    });
  }

  std::size_t next_of(std::size_t i) const {
    return static_cast<std::size_t>(positions_[i].index & static_cast<index>(~starts_walk));
  }

  std::size_t n_;
  Position* positions_;
  const Swap& swap_;
};

template <class Position, class Index, class Swap>
void swap_into_order(Position* positions, Index first, std::size_t n, Swap& swap) {
  const auto swap_from_first = [&](std::size_t i, std::size_t j) {
    swap(index_at(first, i), index_at(first, j));
  };
  swap_permutation<Position, decltype(swap_from_first)>(n, positions, swap_from_first).apply();
}

/// Sorts without memory by O(n log^2 n) swaps. Stable.
template <class Index, class Compare, class Swap>
void sort_indices_in_place(Index first, std::size_t n, Compare& compare, Swap& swap) {
  sort_in_place(
      n,
      [&](std::size_t i, std::size_t j) {
        return static_cast<bool>(compare(index_at(first, i), index_at(first, j)));
      },
      [&](std::size_t i, std::size_t j) { swap(index_at(first, i), index_at(first, j)); });
}

/// Sorts positions; returns false, with nothing done, where memory for them cannot be allocated.
template <class Offset, class Index, class Compare, class Swap>
bool sort_positions(Index first, std::size_t n, Compare& compare, Swap& swap) {
  using position = bare_position<Offset>;
  const scratch memory = scratch::of<position>(n);
  if (!memory) return false;
  position* const positions = memory.as<position>();
  for_each_index(n, [&](std::size_t i) { positions[i].index = static_cast<Offset>(i); });
  auto order = [&](const position& a, const position& b) {
    return static_cast<bool>(compare(index_at(first, a.index), index_at(first, b.index)));
  };
  sort_elements(positions, n, order);
  swap_into_order(positions, first, n, swap);
  return true;
}

/// Sorts the elements at the n indices from `first` on by compare(i, j) and swap(i, j).
///
/// Stable. A permutation for any comparator. n - c swaps, c the number of cycles of the
/// permutation; O(n log n) comparisons; memory for 2 n positions. In place, or without that
/// memory, O(n log^2 n) swaps.
template <class Index, class Compare, class Swap>
void sort_by_index(Index first, std::uint64_t n, Compare compare, Swap swap, bool in_place) {
  const auto by_positions = [&] {
    return n <= INT32_MAX ? sort_positions<std::uint32_t>(first, n, compare, swap)
                          : sort_positions<std::uint64_t>(first, n, compare, swap);
  };
  if (in_place || !by_positions()) sort_indices_in_place(first, n, compare, swap);
}

/// The keys that fetch gives, as a range.
template <class Index, class Fetch>
class fetch_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::decay_t<std::invoke_result_t<Fetch&, Index>>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = value_type;

  fetch_iterator(Index index, Fetch& fetch) : index_(index), fetch_(&fetch) {}

  value_type operator*() const { return (*fetch_)(index_); }
  fetch_iterator operator+(difference_type i) const {
    return {index_at(index_, static_cast<std::size_t>(i)), *fetch_};
  }

 private:
  Index index_;
  Fetch* fetch_;
};

/// Sorts by fetch(i), a key, compare(a, b) on keys, and swap(i, j). Short keys are fetched once
/// and sorted with their positions; others are fetched for each comparison.
template <class Index, class Fetch, class Compare, class Swap>
void sort_by_fetch(Index first, std::uint64_t n, Fetch fetch, Compare compare, Swap swap,
                   bool in_place) {
  using keys = fetch_iterator<Index, Fetch>;
  using key = typename keys::value_type;
  auto compare_fetched = [&](Index i, Index j) {
    return static_cast<bool>(compare(fetch(i), fetch(j)));
  };
  constexpr bool is_held = sizeof(key) <= moved_key_bytes &&
                           std::is_trivially_destructible_v<key> && is_trivially_relocatable_v<key>;
  if constexpr (is_held) {
    const auto swap_all = [&](auto* positions) { swap_into_order(positions, first, n, swap); };
    if (in_place || !with_order(keys(first, fetch), n, compare, swap_all)) {
      sort_indices_in_place(first, n, compare_fetched, swap);
    }
  } else {
    sort_by_index(first, n, compare_fetched, swap, in_place);
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
