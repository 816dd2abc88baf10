// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that take along where they were, and what has to come of sorting or merging them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"

namespace kit {

/// Returns 0 to n - 1, to be moved along with n keys.
template <class Place>
column<Place> places_of(std::size_t n) {
  column<Place> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<Place>(i);
  return places;
}

/// Whether places[i] is where keys[i] was in `input`, each place once, the keys are in order, and,
/// where stability is promised, places of equivalent keys ascend.
template <class T, class Place, class Order>
::testing::AssertionResult moved_with_places(const column<T>& input, const column<T>& keys,
                                             const column<Place>& places, Order order,
                                             promise promised) {
  const std::size_t n = input.size();
  if (keys.size() != n || places.size() != n) return ::testing::AssertionFailure() << "the size";
  const auto failure = [&](std::size_t i) {
    return ::testing::AssertionFailure() << i << " of " << n << ": ";
  };
  std::vector<bool> seen(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::uint64_t>(places[i]);
    if (place >= n || seen[place]) return failure(i) << "a place that is none, or is there twice";
    seen[place] = true;
    if (!same_bytes(keys[i], input[place])) return failure(i) << "not the key of its place";
    if (i == 0 || promised == promise::permutation) continue;
    if (order(keys[i], keys[i - 1])) return failure(i) << "out of order";
    const bool is_tie = !order(keys[i - 1], keys[i]);
    if (promised == promise::stability && is_tie && places[i] < places[i - 1]) {
      return failure(i) << "not stable";
    }
  }
  return ::testing::AssertionSuccess();
}

/// Checks the places of keys that stay where they are.
template <class T, class Place, class Order>
::testing::AssertionResult ordered_by_places(const column<T>& input, const column<Place>& places,
                                             Order order, promise promised) {
  column<T> keys(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::uint64_t>(places[i]);
    if (place >= input.size()) return ::testing::AssertionFailure() << i << ": no place";
    keys[i] = input[place];
  }
  return moved_with_places(input, keys, places, order, promised);
}

}  // namespace kit
