// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <limits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Every scratch allocation begins at a multiple of this, as cudaMalloc's do.
inline constexpr std::size_t scratch_alignment = 256;

/// Returns the size of n elements of T. Throws gpusort::out_of_memory where no memory has it.
template <class T>
std::size_t bytes_of(std::uint64_t n) {
  if (n > (std::numeric_limits<std::size_t>::max)() / sizeof(T)) throw out_of_memory();
  return static_cast<std::size_t>(n) * sizeof(T);
}

/// Provides scratch, without the type of the allocator, so that no algorithm is compiled once per
/// allocator. The policy that it was made from must outlive it.
struct memory_source {
  void* state;  // the allocator object, or null for the library's pool
  /// Null: out of memory. Aligned to scratch_alignment. Never called with 0 bytes.
  void* (*allocate)(void* state, std::size_t bytes, cudaStream_t stream);
  /// Work queued on `stream` before this call may still use the memory. Must not throw.
  void (*deallocate)(void* state, void* p, std::size_t bytes, cudaStream_t stream);
};

/// Owns one scratch allocation, given back in stream order when it goes out of scope.
class scratch_buffer {
 public:
  scratch_buffer() noexcept = default;

  /// Takes memory; null when the source is out of it; nothing is allocated for 0 bytes.
  scratch_buffer(const memory_source& source, std::size_t bytes, cudaStream_t stream)
      : source_(source), stream_(stream), bytes_(bytes) {
    if (bytes_ != 0) data_ = source_.allocate(source_.state, bytes_, stream_);
  }

  /// Throws gpusort::out_of_memory where there is none: for routes that have nothing to descend to.
  static scratch_buffer or_throw(const memory_source& source, std::size_t bytes,
                                 cudaStream_t stream) {
    scratch_buffer buffer(source, bytes, stream);
    if (!buffer) throw out_of_memory();
    return buffer;
  }

  scratch_buffer(scratch_buffer&& other) noexcept { swap(other); }
  scratch_buffer& operator=(scratch_buffer&& other) noexcept {
    scratch_buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~scratch_buffer() {
    if (data_ != nullptr) source_.deallocate(source_.state, data_, bytes_, stream_);
  }

  /// Returns false only when an allocation was wanted and failed.
  explicit operator bool() const noexcept { return data_ != nullptr || bytes_ == 0; }
  void* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return bytes_; }
  /// Returns the memory at `offset` as a T; it counts bytes, and must be a multiple of alignof(T).
  template <class T>
  T* as(std::size_t offset = 0) const noexcept {
    return reinterpret_cast<T*>(static_cast<char*>(data_) + offset);
  }
  void swap(scratch_buffer& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

 private:
  memory_source source_{};
  cudaStream_t stream_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
