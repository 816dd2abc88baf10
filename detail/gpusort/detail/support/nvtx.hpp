// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A range in a profiler's timeline, as long as the scope.
class nvtx_range {
 public:
#if __has_include(<nvtx3/nvToolsExt.h>)
  explicit nvtx_range(const char* name) { nvtxRangePushA(name); }
  ~nvtx_range() { nvtxRangePop(); }
#else
  explicit nvtx_range(const char*) {}
#endif
  nvtx_range(const nvtx_range&) = delete;
  nvtx_range& operator=(const nvtx_range&) = delete;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
