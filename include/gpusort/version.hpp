// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {

/// Version of gpusort.
struct version_number {
  int major, minor, patch;
};

inline constexpr version_number version{GPUSORT_VERSION_MAJOR, GPUSORT_VERSION_MINOR,
                                        GPUSORT_VERSION_PATCH};

}  // namespace gpusort
