// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Tells which of a warp's items go left. Item i of lane l is number 32 i + l. Each is asked about
/// once, and the answer kept, so that every item has one destination of its own whatever a
/// comparator says. Lanes have consecutive destinations, one for each of their items: counted by
/// ballots, row by row, they would be neighbours, at the price of two slow bit counts for each
/// item.
template <int ItemsPerThread>
class warp_split {
 public:
  static_assert(ItemsPerThread <= 32, "answers are bits of a word");

  /// Finds, by all lanes. Items that do not exist are not asked about.
  template <class Exists, class GoesLeft>
  GPUSORT_DEVICE void find(const Exists& exists, const GoesLeft& goes_left) {
    unsigned existing = 0;
    left_ = 0;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      existing |= unsigned{exists(i)} << i;
      left_ |= unsigned{exists(i) && goes_left(i)} << i;
    }
    const int lefts = __popc(left_);
    const int both = lefts + ((__popc(existing) - lefts) << 16);
    const int end = warp_prefix(both);
    before_ = end - both;
    all_ = __shfl_sync(full_warp, end, warp_size - 1);
  }

  /// Returns how many items of all lanes go left, and right.
  GPUSORT_DEVICE int lefts() const { return all_ & 0xffff; }
  GPUSORT_DEVICE int rights() const { return all_ >> 16; }

  /// Calls put(i, where) for each existing item: those that go left take the destinations from
  /// `left` on, the others those from `right` on downwards.
  template <class Exists, class Put>
  GPUSORT_DEVICE void for_each(const Exists& exists, int left, int right, const Put& put) const {
    left += before_ & 0xffff;
    right -= before_ >> 16;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const bool is_left = (left_ >> i & 1) != 0;
      if (exists(i)) put(i, is_left ? left : right);
      left += is_left;
      right -= !is_left;
    }
  }

 private:
  unsigned left_;  // bit i: item i goes left
  int before_;     // lefts of the lanes before, and from bit 16 on rights
  int all_;        // of all lanes
};

/// Tells how a sequence is split in two: elements before the pivot go left. Where no element is,
/// because one that is equivalent to the pivot bounds the sequence from below, those that are not
/// after the pivot go left instead: all of them are equivalent, and need no sorting any more.
template <class T>
struct split_rule {
  T pivot;
  bool takes_equal;

  /// Finds which of a warp's items go left. All lanes have the same rule.
  template <int ItemsPerThread, class Exists, class Compare>
  GPUSORT_DEVICE void find(warp_split<ItemsPerThread>& split, const T (&x)[ItemsPerThread],
                           const Exists& exists, Compare& compare) const {
    if (takes_equal) {
      split.find(exists, [&](int i) { return !compare(pivot, x[i]); });
    } else {
      split.find(exists, [&](int i) { return static_cast<bool>(compare(x[i], pivot)); });
    }
  }
};

/// The bound of a sequence: `lower`, if there is one, is not after any of its elements.
template <class T>
struct lower_bound_of {
  T lower;
  bool exists;
};

/// Returns where sample j of a lane comes from, of Samples for each of 32 lanes: the lanes share
/// [0, count) out evenly, and each takes evenly spaced indices from a random one on.
template <int Samples>
GPUSORT_HOST_DEVICE constexpr std::uint64_t pivot_index(int lane, int j, std::uint64_t count,
                                                        std::uint32_t seed) {
  constexpr std::uint64_t step = (std::uint64_t{1} << 27) / Samples;  // of 2^32 in all
  std::uint32_t random = seed + static_cast<std::uint32_t>(lane) * 0x9e3779b9u;
  random = (random ^ random >> 16) * 0x85ebca6bu;
  random = (random ^ random >> 13) * 0xc2b2ae35u;
  const std::uint64_t fraction =
      (static_cast<std::uint64_t>(lane) << 27) + step * j + ((random ^ random >> 16) * step >> 32);
  return fraction * (count >> 32) + (fraction * (count & 0xffffffffu) >> 32);
}

template <class T, class Compare>
GPUSORT_DEVICE T median_of_three(T a, T b, const T& c, Compare& compare) {
  compare_exchange(a, b, compare);
  const T least = select(compare(c, b), c, b);
  return select(compare(least, a), a, least);
}

/// Chooses how a warp splits `count` elements, which load(i) gets: about a median of medians of
/// three of a random sample, 3 or 9 for each lane. Where nothing in the sample is before that, it
/// is one that is after it, so that something goes left. All lanes get the same.
template <int SamplesPerThread, class T, class Load, class Compare>
GPUSORT_DEVICE split_rule<T> choose_split(const Load& load, std::uint64_t count, std::uint32_t seed,
                                          const lower_bound_of<T>& bound, Compare& compare) {
  static_assert(SamplesPerThread == 3 || SamplesPerThread == 9);
  T x[SamplesPerThread];
#pragma unroll
  for (int j = 0; j < SamplesPerThread; ++j) {
    x[j] = load(pivot_index<SamplesPerThread>(lane_id(), j, count, seed));
  }
#pragma unroll
  for (int j = 0; j + 2 < SamplesPerThread; j += 3) {
    x[j / 3] = median_of_three(x[j], x[j + 1], x[j + 2], compare);
  }
  if constexpr (SamplesPerThread == 9) x[0] = median_of_three(x[0], x[1], x[2], compare);
  T median = x[0];
#pragma unroll
  for (int third = 9; third > 0; third /= 3) {  // of 27 lanes, 9, 3
    const T b = shuffle_from(median, (lane_id() + third) % warp_size);
    const T c = shuffle_from(median, (lane_id() + 2 * third) % warp_size);
    median = median_of_three(median, b, c, compare);
  }
  median = shuffle_from(median, 0);
  // One lane's answers are all lanes'.
  const bool is_least = bound.exists && !compare(bound.lower, median);
  if ((__ballot_sync(full_warp, is_least) & 1) != 0) return {median, true};
  const unsigned before = __ballot_sync(full_warp, static_cast<bool>(compare(x[0], median)));
  const unsigned behind = __ballot_sync(full_warp, static_cast<bool>(compare(median, x[0])));
  if (before == 0 && behind != 0) median = shuffle_from(x[0], __ffs(static_cast<int>(behind)) - 1);
  return {median, false};
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
