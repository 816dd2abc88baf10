// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <new>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Elements at equal distances, as kernels index them.
template <class T>
struct strided_array {
  T* first;
  std::ptrdiff_t stride;  // in bytes

  GPUSORT_HOST_DEVICE T& operator[](std::uint64_t i) const {
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return *reinterpret_cast<T*>(reinterpret_cast<byte*>(first) +
                                 static_cast<std::ptrdiff_t>(i) * stride);
  }
};

/// Elements anywhere.
template <class T>
struct addressed_array {
  T* const* addresses;
  GPUSORT_HOST_DEVICE T& operator[](std::uint64_t i) const { return *addresses[i]; }
};

/// n > 0 elements in memory that the device reaches, behind an iterator that refers to them and
/// that only the host can be trusted to call: it is asked for their addresses, and reads none.
/// Elements at equal distances take no memory; others a table of addresses in host memory, and one
/// on the device, for a piece of the range at a time.
template <class Iterator>
class scattered_range {
  using element = std::remove_reference_t<decltype(*std::declval<Iterator&>())>;

 public:
  /// Returns the bytes of device memory that it may take.
  static constexpr std::size_t max_table_bytes(std::uint64_t n) {
    return static_cast<std::size_t>(min_of(n, piece)) * sizeof(element*);
  }

  /// Throws gpusort::out_of_memory, and gpusort::cuda_error where a table would be read by a graph.
  scattered_range(Iterator first, std::uint64_t n, const memory_source& memory, cudaStream_t stream)
      : first_(first), n_(n), stream_(stream) {
    if (n > 1) stride_ = distance(1);
    std::atomic<bool> has_stride{true};
    host::for_each_piece(n, [&](std::size_t i, std::size_t end) {
      while (i < end && distance(i) == static_cast<std::ptrdiff_t>(i) * stride_) ++i;
      if (i < end) has_stride = false;
    });
    if (has_stride) return;
    if (is_capturing(stream)) {
      throw cuda_error(cudaErrorStreamCaptureUnsupported,
                       error_text("its iterator's elements are not at equal distances, so the host "
                                  "makes tables of their addresses, which no graph can keep; copy "
                                  "the range into an array"));
    }
    table_.reset(new (std::nothrow) element*[min_of(n, piece)]);
    if (table_ == nullptr) throw out_of_memory();
    on_device_ = scratch_buffer::or_throw(memory, max_table_bytes(n), stream);
  }

  /// Calls body(array, begin, count) for each piece, of which array[i] is element begin + i.
  template <class Body>
  void for_each_piece(const Body& body) const {
    if (table_ == nullptr)
      return body(strided_array<element>{at(0), stride_}, std::uint64_t{0}, n_);
    for (std::uint64_t begin = 0; begin < n_; begin += piece) {
      const std::uint64_t count = min_of(n_ - begin, piece);
      host::for_each_piece(count, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) table_[i] = at(begin + i);
      });
      copy_to_device(on_device_.data(), table_.get(), count * sizeof(element*), {}, stream_);
      body(addressed_array<element>{on_device_.template as<element*>()}, begin, count);
    }
  }

 private:
  static constexpr std::uint64_t piece = std::uint64_t{1} << 17;  // addresses: 1 MB

  element* at(std::uint64_t i) const { return std::addressof(*host::advanced(first_, i)); }
  std::ptrdiff_t distance(std::uint64_t i) const {
    return reinterpret_cast<const char*>(at(i)) - reinterpret_cast<const char*>(at(0));
  }

  Iterator first_;
  std::uint64_t n_;
  cudaStream_t stream_;
  std::ptrdiff_t stride_ = 0;
  std::unique_ptr<element*[]> table_;
  scratch_buffer on_device_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
