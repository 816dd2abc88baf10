// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>

namespace papers {

namespace detail = gpusort::detail;

// What one block of Width threads merges at once is a window: 2 * Width places in shared memory,
// two ascending runs that meet in its middle. Run a is the last a_count places of the lower half,
// run b the first b_count of the upper half. The places before a behave as if they held minus
// infinity, those after b as if they held infinity, and an exchange with one of them, which would
// change nothing, is skipped: so runs of any length merge without a key value that stands for
// padding, and padding is never compared. The result replaces both runs.
//
// The methods - bitonic_merge, odd_even_merge, rank_merge - are called by all threads after a
// barrier, and end with one. For honest comparators only.

template <int Width>
struct merge_window {
  static constexpr int middle = Width;
  int first;  // the first place that exists
  int last;   // after the last one

  GPUSORT_DEVICE merge_window(int a_count, int b_count)
      : first(middle - a_count), last(middle + b_count) {}

  /// Puts the smaller element at the lower place.
  template <class T, class Compare>
  GPUSORT_DEVICE void exchange(T* items, int lower, int upper, Compare& compare) const {
    if (lower < first || upper >= last) return;
    const T x = items[lower], y = items[upper];
    if (compare(y, x)) {
      items[lower] = y;
      items[upper] = x;
    }
  }
};

}  // namespace papers
