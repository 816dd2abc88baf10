// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/shared_memory.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The generations that a number may differ for, to be compared by >=. A number is what was
/// measured on sm_90; the others take the same, as far as it fits, and were not measured.
enum class architecture { sm_75 = 750, sm_80 = 800, sm_90 = 900, sm_100 = 1000, sm_120 = 1200 };

/// Returns the generation of an architecture, spelled as in __CUDA_ARCH__.
constexpr architecture generation_of(int compiled) {
  return compiled >= 1200   ? architecture::sm_120
         : compiled >= 1000 ? architecture::sm_100
         : compiled >= 900  ? architecture::sm_90
         : compiled >= 800  ? architecture::sm_80
                            : architecture::sm_75;
}

/// Returns the shared memory that a block has on every device of the generation.
constexpr std::size_t shared_memory_of(architecture which) {
  return detail::shared_memory_of(static_cast<int>(which));
}

/// Returns the threads that a multiprocessor holds on every device of the generation: launch bounds
/// must not ask for more. Source: CUDA programming guide, compute capabilities.
constexpr int threads_per_multiprocessor(architecture which) {
  return which == architecture::sm_75 ? 1024 : which == architecture::sm_90 ? 2048 : 1536;
}

/// Returns the one of several architectures with the least shared memory, the oldest of those: what
/// fits its shared memory fits all.
template <std::size_t N>
constexpr int weakest_of(const int (&compiled)[N]) {
  int weakest = compiled[0];
  for (int other : compiled) {
    const std::size_t least = detail::shared_memory_of(weakest);
    const std::size_t bytes = detail::shared_memory_of(other);
    if (bytes < least || (bytes == least && other < weakest)) weakest = other;
  }
  return weakest;
}

/// Returns the generation whose tuning this translation unit takes. Host and device agree, as
/// neither asks what it is being compiled for just now.
constexpr architecture selected_architecture() {
  return generation_of(weakest_of(compiled_architectures));
}

static_assert(shared_memory_of(selected_architecture()) == shared_memory_per_block());

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
