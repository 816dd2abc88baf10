// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// A buffer as a memory_source, handed out as a stack on one stream. What does not fit is out of
/// memory, so that a call takes a route with less.
class arena {
 public:
  arena(void* data, std::size_t bytes) : data_(static_cast<char*>(data)), bytes_(bytes) {}
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  memory_source source() { return {this, &allocate, &deallocate}; }

 private:
  static void* allocate(void* state, std::size_t bytes, cudaStream_t) {
    auto& own = *static_cast<arena*>(state);
    if (bytes > own.bytes_ - own.used_) return nullptr;
    char* const p = own.data_ + own.used_;
    own.used_ = min_of(own.bytes_, own.used_ + round_up<std::size_t>(bytes, scratch_alignment));
    ++own.live_;
    return p;
  }
  /// Gives memory back; a hole lasts until everything above it, or everything, is given back.
  static void deallocate(void* state, void* p, std::size_t bytes, cudaStream_t) {
    auto& own = *static_cast<arena*>(state);
    const std::size_t offset = static_cast<char*>(p) - own.data_;
    const std::size_t end = offset + round_up<std::size_t>(bytes, scratch_alignment);
    if (min_of(end, own.bytes_) == own.used_) own.used_ = offset;
    if (--own.live_ == 0) own.used_ = 0;
  }

  char* data_;
  std::size_t bytes_;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
