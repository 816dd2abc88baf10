// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/contiguous.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the pointer that an iterator of a contiguous range stands for, where the range is on the
/// host that is not empty; any other iterator as it is.
template <class Iterator>
auto host_iterator(Iterator first) {
  if constexpr (is_host_contiguous<Iterator>()) {
    return address_of(first);
  } else {
    return first;
  }
}

/// Returns host_iterator for a range that may be empty.
template <class Iterator>
auto host_iterator(Iterator first, std::uint64_t n) {
  using result = decltype(host_iterator(first));
  if constexpr (std::is_pointer_v<result>) {
    return n == 0 ? result{} : host_iterator(first);
  } else {
    return first;
  }
}

[[noreturn]] inline void throw_no_device(const char* why) {
  constexpr int no_device = 100;  // cudaErrorNoDevice
  throw cuda_error(no_device, error_text(std::string("there is no CUDA device, and ") + why));
}

/// Runs body(functions...) where all of them can be called on the CPU, and throws where they
/// cannot.
template <class Call, class Body, class... Functions>
void on_host([[maybe_unused]] Body body, [[maybe_unused]] const Functions&... functions) {
  if constexpr (Call::requires_device) {
    throw_no_device("the policy requires one; leave out require_device");
  } else if constexpr ((runs_on_host<Functions>::value && ...)) {
    body(host_callable<Functions>{functions}...);
  } else {
    throw_no_device("a __device__ lambda cannot run on the CPU; make it __host__ __device__");
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
