// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Plans how many samples a selection takes in a round, for one target, of p ranks with keys of
/// `key_bytes`, each of which owns up to `owned` targets.
class selection_plan {
 public:
  selection_plan(std::size_t p, std::size_t key_bytes, std::size_t owned = 1)
      : ranks_(p),
        samples_(
            (std::max)(least_per_rank * p, usual(key_bytes) / std::max<std::size_t>(owned, 1))) {}

  /// Returns the targets that p ranks select at once, so that none has more samples of its targets
  /// than it has of one, or the least that there are of one.
  static std::size_t most_targets(std::size_t p, std::size_t key_bytes) {
    return p * std::max<std::size_t>(usual(key_bytes) / (least_per_rank * p), 1);
  }

  /// Samples of all ranks together, at most.
  std::uint64_t samples() const { return samples_; }

  /// Samples that a rank with n elements takes, at most.
  std::uint64_t samples_of_rank(std::uint64_t n) const {
    return (std::min)({n, most_of_rank(), samples()});
  }

  /// Returns the elements between two samples; `width` elements are left in all windows of the
  /// target.
  std::uint64_t stride_of(std::uint64_t width) const {
    const std::uint64_t full =
        samples_ - 2 * ranks_;  // each rank has up to two more than full ones
    return (width - 1) / full + 1;
  }

  /// Samples of a rank's window. All of its elements where they are few: then the cut is exact. The
  /// first and the last always, so that ranks that lie beyond a cut are known to do so. Not more
  /// than four times a rank's share, so that one that holds all elements sends no more than that to
  /// each other.
  std::uint64_t samples_of(std::uint64_t width, std::uint64_t stride) const {
    if (width < 2) return width;
    const std::uint64_t regular = std::max<std::uint64_t>((width - 1) / stride + 2, 2);
    return (std::min)({width, regular, most_of_rank()});
  }

 private:
  static std::size_t usual(std::size_t key_bytes) {
    return (std::min)(usual_samples, usual_sample_bytes / key_bytes);
  }
  std::uint64_t most_of_rank() const { return std::max<std::uint64_t>(4 * (samples_ / ranks_), 2); }

  // A round narrows windows by (least_per_rank - 2) / 2 at least: 2^20 elements of a rank become
  // one in five rounds.
  static constexpr std::size_t least_per_rank = 32;
  // Ordered in less time than a round takes; two ranks need three rounds for 2^28 elements each.
  static constexpr std::size_t usual_samples = 8192;
  static constexpr std::size_t usual_sample_bytes = std::size_t{1} << 20;

  std::size_t ranks_;
  std::size_t samples_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
