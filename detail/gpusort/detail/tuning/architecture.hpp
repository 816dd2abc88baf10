// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/shared_memory.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The generations that a number may differ for. A number is what was measured on sm_90; the others
/// take the same, as far as it fits, and were not measured. Code for `every` runs on whatever a
/// translation unit is compiled for, with the numbers of selected_architecture().
enum class architecture {
  every = 0,
  sm_75 = 750,
  sm_80 = 800,
  sm_90 = 900,
  sm_100 = 1000,
  sm_120 = 1200
};

/// Returns the generation of an architecture, spelled as in __CUDA_ARCH__.
constexpr architecture generation_of(int compiled) {
  return compiled >= 1200   ? architecture::sm_120
         : compiled >= 1000 ? architecture::sm_100
         : compiled >= 900  ? architecture::sm_90
         : compiled >= 800  ? architecture::sm_80
                            : architecture::sm_75;
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

/// Returns the generation whose numbers fit whatever this translation unit is compiled for. Host
/// and device agree, as neither asks what it is being compiled for just now.
constexpr architecture selected_architecture() {
  return generation_of(weakest_of(compiled_architectures));
}

/// Returns the generation whose numbers code for `which` takes.
constexpr architecture numbers_of(architecture which) {
  return which == architecture::every ? selected_architecture() : which;
}

constexpr bool is_at_least(architecture which, architecture least) {
  return numbers_of(which) >= least;
}

/// Returns the shared memory that a block has on every device of the generation.
constexpr std::size_t shared_memory_of(architecture which) {
  return detail::shared_memory_of(static_cast<int>(numbers_of(which)));
}

static_assert(shared_memory_of(architecture::every) == shared_memory_per_block());

/// Returns the threads that a multiprocessor holds on every device of the generation: launch bounds
/// must not ask for more. Source: CUDA programming guide, compute capabilities.
constexpr int threads_per_multiprocessor(architecture which) {
  const architecture numbers = numbers_of(which);
  return numbers == architecture::sm_75 ? 1024 : numbers == architecture::sm_90 ? 2048 : 1536;
}

/// Whether code for `which` may have the features of a generation on some device.
constexpr bool is_compiled_for(architecture which, architecture wanted) {
  return which == architecture::every ? detail::is_compiled_for(static_cast<int>(wanted))
                                      : which >= wanted;
}

/// The generations that this translation unit is compiled for, each once.
struct generation_list {
  architecture items[5];  // there are no more
  int count;
};
constexpr generation_list compiled_generations() {
  generation_list all{};
  for (int compiled : compiled_architectures) {
    bool is_new = true;
    for (int i = 0; i < all.count; ++i) is_new &= all.items[i] != generation_of(compiled);
    if (is_new) all.items[all.count++] = generation_of(compiled);
  }
  return all;
}

/// Whether a kernel of code for `Arch` has a body in this pass of the compiler: nobody launches it
/// on devices of another generation.
template <architecture Arch>
inline constexpr bool is_compiled_here =
#if defined(__CUDA_ARCH__)
    Arch == architecture::every || Arch == generation_of(__CUDA_ARCH__);
#else
    true;
#endif

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
