// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/memory_source.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline constexpr std::uint64_t unlimited_bytes = ~std::uint64_t{0};

/// Names whom to tell how far a call has come; nobody where `function` is null.
struct progress_report {
  void (*function)(void* user, std::uint64_t done, std::uint64_t total) = nullptr;
  void* user = nullptr;

  void operator()(std::uint64_t done, std::uint64_t total) const {
    if (function != nullptr) function(user, done, total);
  }
};

/// A call that has at most `max_bytes` of device memory at a time, and may report. Its memory
/// refers to it.
template <class Call>
struct with_limits : Call {
  static constexpr bool is_limited = true;

  with_limits(cudaStream_t on, const memory_source& source, std::uint64_t most,
              const progress_report& to)
      : Call{on, {this, &allocate, &deallocate}}, max_bytes(most), report(to), source_(source) {}
  with_limits(const with_limits& other)
      : with_limits(other.stream, other.source_, other.max_bytes, other.report) {}
  with_limits& operator=(const with_limits&) = delete;

  std::uint64_t max_bytes;
  progress_report report;

 private:
  static void* allocate(void* state, std::size_t bytes, cudaStream_t stream) {
    auto& call = *static_cast<with_limits*>(state);
    if (bytes > call.max_bytes - call.used_) return nullptr;
    void* const p = call.source_.allocate(call.source_.state, bytes, stream);
    if (p != nullptr) call.used_ += bytes;
    return p;
  }
  static void deallocate(void* state, void* p, std::size_t bytes, cudaStream_t stream) {
    auto& call = *static_cast<with_limits*>(state);
    call.used_ -= bytes;
    call.source_.deallocate(call.source_.state, p, bytes, stream);
  }

  memory_source source_;
  std::uint64_t used_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
