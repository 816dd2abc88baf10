// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// The devices that a call names, or all.
struct device_list {
  static constexpr std::size_t most = 64;

  int numbers[most] = {};
  std::size_t count = 0;
  bool are_all = true;

  constexpr device_list() noexcept = default;
  /// Keeps the first `most`; `count` tells that there were more.
  constexpr explicit device_list(std::initializer_list<int> list) noexcept : are_all(false) {
    for (const int device : list) {
      if (count < most) numbers[count] = device;
      ++count;
    }
  }

  /// Returns the devices of a process that has `present` of them. Throws std::invalid_argument
  /// where some is absent, or named twice; of a process without devices, where it is absent
  /// everywhere.
  std::vector<int> resolve(int present) const {
    std::vector<int> devices;
    if (are_all) {
      for (int device = 0; device < present; ++device) devices.push_back(device);
      return devices;
    }
    if (count == 0) refuse("on_devices names no device; name some, or none at all for all");
    if (count > most) refuse("on_devices names more than 64 devices; name fewer");
    for (std::size_t i = 0; i < count; ++i) {
      const int device = numbers[i];
      if (device < 0 || (present > 0 && device >= present)) {
        throw std::invalid_argument(error_text(
            "there is no device " + std::to_string(device) +
            (present > 0
                 ? " but " + std::to_string(present) + " from 0 on; name those that there are"
                 : "; devices are numbered from 0 on")));
      }
      if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
        throw std::invalid_argument(error_text("device " + std::to_string(device) +
                                               " is named twice; name each device once"));
      }
      devices.push_back(device);
    }
    return devices;
  }
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
