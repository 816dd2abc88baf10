// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <new>
#include <stdexcept>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

class out_of_memory_on_device : public out_of_memory {
 public:
  explicit out_of_memory_on_device(int device)
      : text_("out of memory on device " + std::to_string(device) + ", or on the host for it") {}
  const char* what() const noexcept override { return text_.what(); }

 private:
  std::runtime_error text_;  // whose copies do not throw
};

/// Runs work of one device of several: an error then tells which, as `device` says at that time.
template <class Work>
auto with_device_number(const int& device, const Work& work) {
  try {
    return work();
  } catch (const cuda_error& e) {
    throw cuda_error(e.code(), e.what() + std::string(" (device ") + std::to_string(device) + ")");
  } catch (const std::bad_alloc&) {
    throw out_of_memory_on_device(device);
  }
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
