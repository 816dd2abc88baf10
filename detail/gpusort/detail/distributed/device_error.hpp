// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Runs work of one device of several: an error of CUDA's then tells which.
template <class Work>
auto with_device_number(int device, const Work& work) {
  try {
    return work();
  } catch (const cuda_error& e) {
    throw cuda_error(e.code(), e.what() + std::string(" (device ") + std::to_string(device) + ")");
  }
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
