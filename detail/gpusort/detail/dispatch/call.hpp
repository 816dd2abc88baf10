// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/router/plan.hpp>
#include <utility>

#if GPUSORT_CUDA
#include <gpusort/detail/support/completion.hpp>
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
  static constexpr bool is_limited = false;
  static constexpr bool is_spread = false;

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

/// The call of a policy with verify: dispatch/verify.hpp.
template <class Call>
struct verified_call : Call {
  template <class... Arguments>
  explicit verified_call(Arguments&&... arguments) : Call{std::forward<Arguments>(arguments)...} {}
};

/// The call of a policy with keep_input, of those that overwrite their input:
/// dispatch/memory/keep_input.hpp.
template <class Call>
struct keeping_call : Call {
  template <class... Arguments>
  explicit keeping_call(Arguments&&... arguments) : Call{std::forward<Arguments>(arguments)...} {}
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
