// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/router/plan.hpp>
#include <utility>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A policy as dispatch sees it: what it decides at compile time, and where to work.
template <bool Synchronizes, bool InPlace, bool Deterministic, bool RequiresDevice, route Forced>
struct call {
  static constexpr bool synchronizes = Synchronizes;
  static constexpr bool in_place = InPlace;
  static constexpr bool deterministic = Deterministic;
  static constexpr bool requires_device = RequiresDevice;
  static constexpr route forced = Forced;
  // Its options: each is a type around it, in this order from within, and run_call() peels them.
  static constexpr bool is_limited = false;
  static constexpr bool is_spread = false;
  static constexpr bool is_verified = false;
  static constexpr bool keeps_input = false;

#if GPUSORT_CUDA
  cudaStream_t stream;
  memory_source memory;
  int device = -1;  // where it works on what no device owns; -1: the stream's, or the current one
#endif
};

/// The call of a policy with max_device_bytes or progress: <gpusort/external.hpp>.
template <class Call>
struct limited_call;

/// The call of a policy with devices: <gpusort/devices.hpp>.
template <class Call>
struct spread_call;

#if GPUSORT_CUDA

/// Returns what the algorithms of a call work on: its stream, whom to tell of its completion, and a
/// seed.
template <class Call>
call_stream stream_of_call(const Call& call, completion* done) {
  return {call.stream, done};
}

#endif

/// The call of a policy with verify.
template <class Call>
struct verified_call : Call {
  static constexpr bool is_verified = true;

  template <class... Arguments>
  explicit verified_call(Arguments&&... arguments) : Call{std::forward<Arguments>(arguments)...} {}
};

/// The call of a policy with keep_input, of those that overwrite their input.
template <class Call>
struct keeping_call : Call {
  static constexpr bool keeps_input = true;

  template <class... Arguments>
  explicit keeping_call(Arguments&&... arguments) : Call{std::forward<Arguments>(arguments)...} {}
};

/// Returns the call without its outermost option.
template <template <class> class Option, class Call>
const Call& without_option(const Option<Call>& call) {
  return call;
}

#if GPUSORT_CUDA

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

#endif

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
