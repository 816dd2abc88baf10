// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Integer>
GPUSORT_HOST_DEVICE constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

template <class Integer>
GPUSORT_HOST_DEVICE constexpr Integer round_up(Integer a, Integer multiple) {
  return ceil_div(a, multiple) * multiple;
}

/// Returns the smallest e with 2^e >= x; 0 for x <= 1.
GPUSORT_HOST_DEVICE constexpr int ceil_log2(std::uint64_t x) {
  int e = 0;
  while ((std::uint64_t{1} << e) < x) ++e;
  return e;
}

template <class A, class B>
GPUSORT_HOST_DEVICE constexpr A min_of(A a, B b) {
  return a < static_cast<A>(b) ? a : static_cast<A>(b);
}

/// Returns a bijective mixer of 64 bits (the finalizer of splitmix64): sample positions, fault
/// patterns.
GPUSORT_HOST_DEVICE constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
