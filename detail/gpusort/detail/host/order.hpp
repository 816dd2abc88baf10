// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/records.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <memory>
#include <type_traits>

// Sorting where the elements are too long, or too many ranges, to move them in every pass: what is
// sorted are their positions, and then each element moves once.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// A position with its key, so that comparing touches nothing else.
template <class Index, class Key>
struct keyed_position {
  slot<Key> key;
  Index index;
};

template <class Index>
struct bare_position {
  Index index;
};

/// Elements above this size are not moved in every pass: their positions are sorted.
inline constexpr std::size_t moved_element_bytes = 64;

/// A key this short is cheaper to move along than to look up.
inline constexpr std::size_t moved_key_bytes = 16;

template <class It, class Compare>
class position_order {
 public:
  position_order(It first, Compare& comp) : first_(first), comp_(comp) {}

  template <class Index, class Key>
  bool operator()(const keyed_position<Index, Key>& a, const keyed_position<Index, Key>& b) {
    return static_cast<bool>(comp_(*a.key.get(), *b.key.get()));
  }
  template <class Index>
  bool operator()(const bare_position<Index>& a, const bare_position<Index>& b) {
    return static_cast<bool>(comp_(element(first_, a.index), element(first_, b.index)));
  }

  /// Returns what comparing a bare position will read; see looks_up.
  template <class Index, class Iterator = It, class = std::enable_if_t<yields_element_v<Iterator>>>
  const void* looked_up(const bare_position<Index>& position) const {
    return std::addressof(element(first_, position.index));
  }

 private:
  It first_;
  Compare& comp_;
};

/// Hands the stable order of first[0, n) under comp to use(positions): positions[i].index is where
/// the i-th least element is. False, and use not called, where memory for it cannot be allocated.
template <class Index, class It, class Compare, class Use>
bool with_order_of(It first, std::size_t n, Compare& comp, const Use& use) {
  using Key = value_t<It>;
  constexpr bool key_moves = sizeof(Key) <= moved_key_bytes;
  using Position = std::conditional_t<key_moves, keyed_position<Index, Key>, bare_position<Index>>;

  const scratch memory = scratch::of<Position>(n);
  if (!memory) return false;
  Position* const positions = memory.as<Position>();
  for_each_index(n, [&](std::size_t i) {
    if constexpr (key_moves) take_out(first, i, positions[i].key.get());
    positions[i].index = static_cast<Index>(i);
  });
  position_order<It, Compare> order(first, comp);
  sort_elements(positions, n, order);
  use(positions);
  return true;
}

/// Hands over the order; 32 bits leave room for what permute adds to n.
template <class It, class Compare, class Use>
bool with_order(It first, std::size_t n, Compare& comp, const Use& use) {
  if (n <= INT32_MAX) return with_order_of<std::uint32_t>(first, n, comp, use);
  return with_order_of<std::uint64_t>(first, n, comp, use);
}

/// Tells where a walk along a cycle starts: the element that was there, and where its successor is.
template <class Index, class... Its>
struct cycle_start {
  record<Its...> element;
  Index next;
};

/// Gives every index i of all ranges the element from positions[i].index; uses the positions up.
/// Cannot fail. Each element moves once, along the cycles of the permutation, which beats gathering
/// into fresh memory and copying back by 2 to 6 for elements of 64 bytes and more. Cycles are cut
/// where a walk starts; each walk ends at the next start, so all run in parallel.
template <class Position, class... Its>
void permute(std::size_t n, Position* positions, Its... ranges) {
  using Index = decltype(positions->index);
  using Start = cycle_start<Index, Its...>;
  constexpr std::size_t least_share = 256;    // elements a walk must move to be worth a task
  constexpr std::size_t walks_per_core = 16;  // they are of unequal length
  const std::size_t cores = concurrency();
  const std::size_t wanted = cores == 1 ? 0 : (std::min)(walks_per_core * cores, n / least_share);
  const scratch memory = scratch::of<Start>(wanted);
  const std::size_t walks = memory ? wanted : 0;
  Start* const starts = memory.as<Start>();
  const auto start_of = [=](std::size_t walk) { return walk * (n / walks); };

  // Until all walks have ended, the position at a start holds n + the number of its walk.
  for (std::size_t walk = 0; walk < walks; ++walk) {
    starts[walk].element.take(start_of(walk), ranges...);
    starts[walk].next = positions[start_of(walk)].index;
    positions[start_of(walk)].index = static_cast<Index>(n + walk);
  }
  const auto follow = [=](std::size_t walk) {
    std::size_t at = start_of(walk);
    std::size_t from = starts[walk].next;
    while (positions[from].index < n) {
      (move_element(ranges, at, from), ...);
      at = from;
      from = positions[at].index;
      positions[at].index = static_cast<Index>(at);
    }
    starts[positions[from].index - n].element.put(at, ranges...);
  };
  if (walks != 0) {
    isolated(
        [&] { divide_range(0, walks, 1, [&](std::size_t walk, std::size_t) { follow(walk); }); });
  }
  for (std::size_t walk = 0; walk < walks; ++walk) {
    positions[start_of(walk)].index = static_cast<Index>(start_of(walk));
  }

  for (std::size_t i = 0; i < n; ++i) {  // the cycles without a start
    if (positions[i].index == i) continue;
    record<Its...> held;
    held.take(i, ranges...);
    std::size_t at = i;
    std::size_t from = positions[at].index;
    while (from != i) {
      (move_element(ranges, at, from), ...);
      positions[at].index = static_cast<Index>(at);
      at = from;
      from = positions[at].index;
    }
    positions[at].index = static_cast<Index>(at);
    held.put(at, ranges...);
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
