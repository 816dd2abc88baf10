// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_window.hpp"

namespace papers {

/// Parallel ranking: each thread finds the rank of one element of either run in the other by binary
/// search. Two barriers in place of one per step, one write per element, and stable: equivalent
/// elements come from run a first. Source: paper 003, section 5.3.3.
template <class T, int Width>
struct rank_merge {
  static constexpr bool is_stable = true;

  template <class Compare>
  static GPUSORT_DEVICE void merge(T* items, int a_count, int b_count, Compare& compare) {
    const T *a = items + Width - a_count, *b = items + Width;
    const int i = static_cast<int>(threadIdx.x);
    T from_a, from_b;
    int rank_of_a = 0, rank_of_b = 0;
    if (i < a_count) {
      from_a = a[i];
      rank_of_a = partition_point(b_count, [&](int j) { return compare(b[j], from_a); });
    }
    if (i < b_count) {
      from_b = b[i];
      rank_of_b = partition_point(a_count, [&](int j) { return !compare(from_b, a[j]); });
    }
    __syncthreads();
    T* const merged = items + Width - a_count;
    if (i < a_count) merged[i + rank_of_a] = from_a;
    if (i < b_count) merged[i + rank_of_b] = from_b;
    __syncthreads();
  }

 private:
  /// Returns how many of the first `count` places, a prefix of them, fulfil a predicate.
  template <class Predicate>
  static GPUSORT_DEVICE int partition_point(int count, Predicate holds) {
    int lowest = 0, highest = count;
    while (lowest < highest) {
      const int middle = (lowest + highest) / 2;
      if (holds(middle)) {
        lowest = middle + 1;
      } else {
        highest = middle;
      }
    }
    return lowest;
  }
};

}  // namespace papers
