// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorted runs to be merged, and what has to come of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "generate.hpp"
#include "orders.hpp"

namespace kit {

/// Names how n elements are divided among k runs.
enum class shape { equal, ragged, one_large, mostly_empty };

inline constexpr shape every_shape[] = {shape::equal, shape::ragged, shape::one_large,
                                        shape::mostly_empty};

inline const char* name_of(shape s) {
  constexpr const char* names[] = {"equal runs", "ragged runs", "one large run",
                                   "mostly empty runs"};
  return names[static_cast<int>(s)];
}

/// Returns k + 1 offsets, the last of which is n where k is not 0.
inline std::vector<std::size_t> offsets_of(shape s, std::size_t k, std::size_t n) {
  std::vector<std::size_t> offsets(k + 1, 0);
  if (k == 0) return offsets;
  for (std::size_t i = 1; i < k; ++i) {
    switch (s) {
      case shape::equal:
        offsets[i] = n * i / k;
        break;
      case shape::ragged:
        offsets[i] = static_cast<std::size_t>(random_at(n, i) % (n + 1));
        break;
      case shape::one_large:
        offsets[i] = i <= k / 2 ? n / 200 * i / k : n - n / 200 * (k - i) / k;
        break;
      case shape::mostly_empty:
        offsets[i] = n / 7 * (7 * i / k);
        break;
    }
  }
  offsets[k] = n;
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

/// Runs that follow each other in one column.
template <class T>
struct run_set {
  column<T> all;
  std::vector<std::size_t> offsets;

  std::size_t k() const { return offsets.size() - 1; }
  column<T> run(std::size_t i) const {
    column<T> values(offsets[i + 1] - offsets[i]);
    std::copy(all.begin() + offsets[i], all.begin() + offsets[i + 1], values.begin());
    return values;
  }
};

/// Makes runs, each sorted stably: in their merged order equivalent records are in the order of
/// their positions.
template <class T, class Order>
run_set<T> make_runs(distribution d, std::vector<std::size_t> offsets, Order order) {
  run_set<T> runs{generate<T>(d, offsets.back(), seed()), std::move(offsets)};
  for (std::size_t i = 0; i < runs.k(); ++i) {
    std::stable_sort(runs.all.begin() + runs.offsets[i], runs.all.begin() + runs.offsets[i + 1],
                     order);
  }
  return runs;
}

/// Makes runs for tests of an input that is not what it should be.
template <class T>
run_set<T> make_unsorted_runs(distribution d, std::vector<std::size_t> offsets) {
  return {generate<T>(d, offsets.back(), seed()), std::move(offsets)};
}

/// Returns where the elements of their merged order are in the runs.
template <class T, class Order>
std::vector<std::size_t> merged_places(const column<T>& all, Order order) {
  std::vector<std::size_t> places(all.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return order(all[a], all[b]); });
  return places;
}

template <class T>
bool same_elements(const column<T>& a, const column<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_bytes<T>);
}

/// Holds what has to come of merging runs.
template <class T>
class merged {
 public:
  /// Returns their stable merge, to the byte.
  template <class Order>
  static merged stably(const run_set<T>& runs, Order order) {
    merged m;
    m.expected_ = column<T>(runs.all.size());
    std::size_t i = 0;
    for (std::size_t place : merged_places(runs.all, order)) m.expected_[i++] = runs.all[place];
    return m;
  }
  /// Returns any permutation: of runs that are not sorted, or by a comparator that lies.
  static merged somehow(const run_set<T>& runs) {
    merged m;
    m.expected_ = runs.all;
    m.in_any_order_ = true;
    return m;
  }

  template <class Output>
  ::testing::AssertionResult is(const Output& output) const {
    const column<T> found = output.read();
    const bool holds = in_any_order_ ? checksum_of(found) == checksum_of(expected_)
                                     : same_elements(found, expected_);
    if (holds && output.intact()) return ::testing::AssertionSuccess();
    ::testing::AssertionResult failure = ::testing::AssertionFailure();
    failure << "n = " << expected_.size();
    if (!output.intact()) failure << ", written outside the range";
    if (holds) return failure;
    if (in_any_order_ || checksum_of(found) != checksum_of(expected_)) {
      return failure << ", not a permutation";
    }
    const auto at = std::mismatch(found.begin(), found.end(), expected_.begin(), same_bytes<T>);
    return failure << ", not the stable merge from " << at.first - found.begin();
  }

 private:
  column<T> expected_;
  bool in_any_order_ = false;
};

/// A type and an order under which it is merged, for typed tests.
template <class T, class Compare>
struct merged_as {
  using value = T;
  using compare = Compare;
  static constexpr bool may_lie = std::is_same_v<Compare, opaque>;

  /// Returns what to merge by, and what has to come of it.
  static std::vector<Compare> orders() {
    if constexpr (may_lie) {
      return {opaque(behavior::honest), opaque(behavior::coarse)};
    } else {
      return {Compare{}};
    }
  }
};

}  // namespace kit
