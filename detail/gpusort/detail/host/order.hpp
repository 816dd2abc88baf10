// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/merge_sort.hpp>
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

/// A position, with its key beside it so that comparing touches nothing else.
template <class Index, class Key>
struct keyed_position {
  raw_storage<Key> key;
  Index index;
};

template <class Index>
struct bare_position {
  Index index;
};

/// A key this short is cheaper to move along than to look up.
inline constexpr std::size_t moved_key_bytes = 16;

/// The stable order of first[0, n) under comp, handed to use(positions): positions[i].index is where
/// the i-th least element is. False, and use not called, where memory for it cannot be had.
template <class Index, class It, class Compare, class Use>
bool with_order_of(It first, std::size_t n, Compare& comp, const Use& use) {
  using Key = value_t<It>;
  constexpr bool key_moves = sizeof(Key) <= moved_key_bytes;
  using position =
      std::conditional_t<key_moves, keyed_position<Index, Key>, bare_position<Index>>;

  const scratch memory = scratch::of<position>(n);
  if (!memory) return false;
  position* const positions = memory.as<position>();
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if constexpr (key_moves) {
        take_out(first, i, reinterpret_cast<Key*>(positions[i].key.bytes));
      }
      positions[i].index = static_cast<Index>(i);
    }
  });
  auto compare = [&](const position& a, const position& b) {
    if constexpr (key_moves) {
      return static_cast<bool>(comp(stored_value(a.key), stored_value(b.key)));
    } else {
      return static_cast<bool>(comp(element(first, a.index), element(first, b.index)));
    }
  };
  if (!merge_sort(positions, n, compare)) return false;
  use(positions);
  return true;
}

template <class It, class Compare, class Use>
bool with_order(It first, std::size_t n, Compare& comp, const Use& use) {
  if (n <= UINT32_MAX) return with_order_of<std::uint32_t>(first, n, comp, use);
  return with_order_of<std::uint64_t>(first, n, comp, use);
}

template <class It, class Position>
void gather(It first, std::size_t n, const Position* positions, void* memory) {
  using T = value_t<It>;
  T* const gathered = static_cast<T*>(memory);
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      take_out(first, positions[i].index, gathered + i);
    }
  });
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) put_back(first, i, gathered + i);
  });
}

/// Puts all ranges into the order of `positions`, which is used up. Cannot fail: without memory for
/// the longest range it follows the cycles, on one core.
template <class Position, class... Its>
void permute(std::size_t n, Position* positions, Its... ranges) {
  constexpr std::size_t largest = [] {
    std::size_t bytes = 0;
    ((bytes = sizeof(value_t<Its>) > bytes ? sizeof(value_t<Its>) : bytes), ...);
    return bytes;
  }();
  constexpr std::size_t strictest = [] {
    std::size_t alignment = 0;
    ((alignment = alignof(value_t<Its>) > alignment ? alignof(value_t<Its>) : alignment), ...);
    return alignment;
  }();
  const scratch memory(n, largest, strictest);
  if (memory) {
    (gather(ranges, n, positions, memory.as<void>()), ...);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t at = i;
    while (positions[at].index != i) {
      const std::size_t from = positions[at].index;
      (swap_elements(ranges, at, from), ...);
      positions[at].index = static_cast<decltype(positions[at].index)>(at);
      at = from;
    }
    positions[at].index = static_cast<decltype(positions[at].index)>(at);
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
