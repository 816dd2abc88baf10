// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/warp_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// How a sequence is split in two: elements before the pivot go left. Where no element is, because
/// one that is equivalent to the pivot bounds the sequence from below, those that are not behind
/// the pivot go left instead: all of them are equivalent, and need no sorting any more.
template <class T>
struct split_rule {
  T pivot;
  bool takes_equal;

  template <class Compare>
  GPUSORT_DEVICE bool goes_left(const T& x, Compare& compare) const {
    return takes_equal ? !compare(pivot, x) : static_cast<bool>(compare(x, pivot));
  }
};

/// Which of a warp's items go left. Item i of lane l is number 32 i + l. Each is asked about once,
/// and the answer kept, so that every item has one place of its own whatever a comparator says.
template <int ItemsPerThread>
class warp_split {
 public:
  /// All lanes; says how many go left. Items that do not exist are not asked about.
  template <class Exists, class GoesLeft>
  GPUSORT_DEVICE int find(const Exists& exists, const GoesLeft& goes_left) {
    int lefts = 0;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      left_[i] = __ballot_sync(full_warp, exists(i) && goes_left(i));
      lefts += __popc(left_[i]);
    }
    return lefts;
  }

  /// Calls place(i, is_left, rank) for each existing item with its rank among the warp's items on
  /// its side.
  template <class Exists, class Place>
  GPUSORT_DEVICE void for_each(const Exists& exists, const Place& place) const {
    const unsigned below = (1u << lane_id()) - 1;
    int lefts = 0;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const int lefts_before = lefts + __popc(left_[i] & below);
      const bool is_left = (left_[i] >> lane_id() & 1) != 0;
      if (exists(i)) {
        place(i, is_left, is_left ? lefts_before : warp_size * i + lane_id() - lefts_before);
      }
      lefts += __popc(left_[i]);
    }
  }

 private:
  unsigned left_[ItemsPerThread];
};

/// A warp chooses how to split `count` elements, from a random sample of 32 * SamplesPerThread of
/// them that load(i) gets; `lower`, if there is one, is not behind any of them. Where half of the
/// sample is equivalent to its first element, the pivot is the next larger one instead of the
/// median: the median would leave nothing on its left. Valid in the one lane for which it returns
/// true.
template <int SamplesPerThread, class T, class Load, class Compare>
GPUSORT_DEVICE bool choose_split(const Load& load, std::uint64_t count, std::uint64_t seed,
                                 const T& lower, bool has_lower, split_rule<T>& rule,
                                 Compare& compare) {
  constexpr int log_samples = ceil_log2(warp_size * SamplesPerThread);
  T x[SamplesPerThread];
#pragma unroll
  for (int i = 0; i < SamplesPerThread; ++i) {
    const int number = lane_id() * SamplesPerThread + i;
    x[i] = load(sample_place(number, log_samples, count, seed));
  }
  warp_sort<true, SamplesPerThread>(x, warp_size * SamplesPerThread, compare);
  constexpr unsigned upper_lanes = full_warp << warp_size / 2;
  const T first = shuffle_from(x[0], 0);
  const unsigned larger =
      __ballot_sync(full_warp, static_cast<bool>(compare(first, x[0]))) & upper_lanes;
  const unsigned ends_at_lower =
      __ballot_sync(full_warp, has_lower && !compare(lower, x[0])) & upper_lanes;
  // The median's lane, or that of the first larger element of the upper half.
  const int median = warp_size / 2;
  const bool takes_equal = (ends_at_lower >> median & 1) != 0;
  const int chosen = takes_equal || larger == 0 ? median : __ffs(static_cast<int>(larger)) - 1;
  rule = {x[0], takes_equal};
  return lane_id() == chosen;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
