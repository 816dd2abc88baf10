// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <exception>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/driver.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <thread>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// The runtime keeps one error for each thread until somebody asks for it. What a caller has left
// there is his: we must not take it for ours, as CUB does, which looks whether there is one, nor
// clear it with one of ours. Nobody can put an error back, so where there is one the call is made
// by another thread, which has none.

inline bool is_error_pending() noexcept { return cudaPeekAtLastError() != cudaSuccess; }

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Calls work(argument) on a thread of its own, in the caller's context.
GPUSORT_LINKABLE void call_on_another_thread(void (*work)(const void*), const void* argument);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void call_on_another_thread(void (*work)(const void*), const void* argument) {
  // In every driver since CUDA 4.0, so that looking for them sets no error.
  static const auto context_of_thread =
      driver_function<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent", 4000);
  static const auto make_current =
      driver_function<decltype(&cuCtxSetCurrent)>("cuCtxSetCurrent", 4000);
  CUcontext context = nullptr;
  int device = 0;
  const bool has_device = cudaGetDevice(&device) == cudaSuccess;
  if (context_of_thread != nullptr) context_of_thread(&context);
  std::exception_ptr thrown;
  std::thread([&, name = public_call::name()] {
    const public_call same(name);
    try {
      if (has_device) cudaSetDevice(device);
      if (context != nullptr && make_current != nullptr) make_current(context);
      work(argument);
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}
#endif

}  // namespace GPUSORT_LINKED

/// Calls work() where no error is pending.
template <class Work>
void apart_from_pending_error(const Work& work) {
  constexpr auto call = [](const void* w) { (*static_cast<const Work*>(w))(); };
  if (!is_error_pending()) return call(&work);
  call_on_another_thread(call, &work);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
