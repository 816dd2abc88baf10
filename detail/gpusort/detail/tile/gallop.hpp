// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A search for the first index in [low, high) that is not before something, outwards from `index`
/// in steps that double. It ends in the interval whatever it is told.
template <class Index>
struct gallop {
  Index low;
  Index high;
  Index index;  // to be asked about next
  Index step;
  bool is_galloping = true;
  bool has_begun = false;
  bool upwards = false;

  GPUSORT_DEVICE bool is_open() const { return low < high; }

  GPUSORT_DEVICE void tell(bool is_before) {
    upwards = has_begun ? upwards : is_before;
    has_begun = true;
    low = is_before ? index + 1 : low;
    high = is_before ? high : index;
    is_galloping = is_galloping && is_before == upwards && step < high - low;
    index = is_galloping ? (upwards ? low + step : high - 1 - step) : low + (high - low) / 2;
    step *= 2;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
