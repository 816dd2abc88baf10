// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <tuning::architecture Arch>
using architecture_constant = std::integral_constant<tuning::architecture, Arch>;

/// Returns use(architecture_constant<Arch>{}) of the generation whose code the current device runs:
/// one of those that this translation unit is compiled for. Where they are one, nothing is asked.
template <int Last = tuning::compiled_generations().count - 1, class Use>
auto with_generation(const Use& use) {
  constexpr tuning::generation_list compiled = tuning::compiled_generations();
  if constexpr (compiled.count == 1) {
    return use(architecture_constant<tuning::architecture::every>{});
  } else {
    using this_one = architecture_constant<compiled.items[Last]>;
    if constexpr (Last > 0) {
      const int code = 10 * current_device_properties().compiled_architecture;
      if (tuning::generation_of(code) != this_one::value) return with_generation<Last - 1>(use);
    }
    return use(this_one{});
  }
}

/// Returns the shared memory of a block that tiles are tuned for on the current device.
inline std::size_t tuned_block_bytes() {
  return with_generation([](auto arch) { return tuning::shared_memory_of(arch()); });
}

/// The algorithm of a family with the numbers of the generation whose code the current device runs.
/// Family::on<Arch> is the algorithm with those of one.
template <class Family>
struct algorithm_by_generation {
  static std::uint64_t max_n() {
    return with_generation([](auto arch) { return Family::template on<arch()>::max_n(); });
  }

  template <class... Arguments>
  static std::size_t scratch_bytes(const Arguments&... arguments) {
    return with_generation(
        [&](auto arch) { return Family::template on<arch()>::scratch_bytes(arguments...); });
  }

  template <class... Arguments>
  static void run(const Arguments&... arguments) {
    with_generation([&](auto arch) { Family::template on<arch()>::run(arguments...); });
  }
};

template <class Family, bool IsOne = tuning::compiled_generations().count == 1>
struct by_generation_impl {
  using type = algorithm_by_generation<Family>;
};
template <class Family>
struct by_generation_impl<Family, true> {
  using type = typename Family::template on<tuning::architecture::every>;
};
/// Names the algorithm of a family that serves the current device.
template <class Family>
using by_generation = typename by_generation_impl<Family>::type;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
