// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Narrows the windows of all ranks, in which a cut before the element of rank `target` is, by
/// their samples in order.
///
/// Elements are ordered by key, then by rank, then by position in the rank. A cut before or after a
/// sample leaves of the sample's own rank what is before it, and of every other one a number of
/// elements between two of its samples: so the rank of the cut lies between two sums. The last cut
/// that is surely not after the target is where windows begin, the first that is surely not before
/// it where they end. Nothing but the order of samples is needed, and for any order
///   sum of low <= target <= sum of high,
/// because the sums of neighbouring cuts grow, and begin and end with those of the windows.
class narrowing {
 public:
  /// Narrows by rank_of, which has the rank of each sample, in the order of the samples.
  narrowing(window* windows, std::size_t p, std::uint64_t target, const std::uint32_t* rank_of,
            std::size_t samples)
      : windows_(windows),
        p_(p),
        target_(target),
        rank_of_(rank_of),
        samples_(samples),
        passed_(p) {}

  void run() {
    if (samples_ == 0) return;
    find_cuts();
    std::vector<std::uint64_t> low = bounds_at(last_not_after_, false);
    const std::vector<std::uint64_t> high =
        is_exact_ ? std::vector<std::uint64_t>() : bounds_at(first_not_before_, true);
    for (std::size_t i = 0; i < p_; ++i) {
      windows_[i].low = low[i];
      windows_[i].high = is_exact_ ? low[i] : high[i];
    }
  }

 private:
  // Cut 2 s is before sample s of the order, 2 s + 1 after it.

  std::uint64_t least_before(std::size_t i) const {
    const std::uint64_t t = passed_[i];
    return t == 0 ? windows_[i].low : windows_[i].position(t - 1) + 1;
  }
  std::uint64_t most_before(std::size_t i) const {
    const std::uint64_t t = passed_[i];
    return t == windows_[i].count ? windows_[i].high : windows_[i].position(t);
  }

  void find_cuts() {
    std::uint64_t least = 0;  // elements before the cut, over all ranks
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < p_; ++i) {
      least += least_before(i);
      most += most_before(i);
    }
    bool is_found = false;
    const auto consider = [&](std::size_t cut) {
      if (most <= target_) {
        last_not_after_ = cut;
        is_exact_ = least == target_;
      }
      if (least >= target_ && !is_found) {
        first_not_before_ = cut;
        is_found = true;
      }
    };
    for (std::size_t s = 0; s < samples_ && !(is_found && most > target_); ++s) {
      const std::size_t i = rank_of_[s];
      least += most_before(i) - least_before(i);
      consider(2 * s);
      ++least;
      ++most;
      consider(2 * s + 1);
      ++passed_[i];
      most += most_before(i) - least_before(i);
    }
  }

  /// Returns where the cut may be in each rank: the least, or the greatest index.
  std::vector<std::uint64_t> bounds_at(std::size_t cut, bool greatest) {
    passed_.assign(p_, 0);
    for (std::size_t s = 0; s < cut / 2; ++s) ++passed_[rank_of_[s]];
    std::vector<std::uint64_t> bounds(p_);
    for (std::size_t i = 0; i < p_; ++i) bounds[i] = greatest ? most_before(i) : least_before(i);
    const std::size_t own = rank_of_[cut / 2];
    bounds[own] = windows_[own].position(passed_[own]) + cut % 2;
    return bounds;
  }

  window* windows_;
  std::size_t p_;
  std::uint64_t target_;
  const std::uint32_t* rank_of_;
  std::size_t samples_;
  std::vector<std::uint64_t> passed_;  // samples of each rank
  std::size_t last_not_after_ = 0;
  std::size_t first_not_before_ = 0;
  bool is_exact_ = false;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
