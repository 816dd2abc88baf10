// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/error.hpp>
#include <limits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Cuts arrays out of one scratch allocation. An algorithm lays its scratch out in one function,
/// which also measures it when the base is null. Throws gpusort::out_of_memory where that is more
/// than any memory has.
class scratch_cursor {
 public:
  static constexpr std::size_t alignment = 256;

  explicit scratch_cursor(void* base) : base_(static_cast<unsigned char*>(base)) {}

  template <class T>
  T* take(std::uint64_t count) {
    if (count > (most - used_) / sizeof(T)) throw out_of_memory();
    T* const p = base_ ? reinterpret_cast<T*>(base_ + used_) : nullptr;
    used_ += round_up<std::size_t>(static_cast<std::size_t>(count) * sizeof(T), alignment);
    return p;
  }

  std::size_t used() const { return used_; }

 private:
  static constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)() / 2 + 1;

  unsigned char* base_;
  std::size_t used_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
