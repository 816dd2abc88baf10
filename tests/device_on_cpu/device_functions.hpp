// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>

#include "grid_on_cpu.hpp"
#include "kit/block_on_cpu.hpp"

// The one instruction that the library spells itself reads a clock, of which it takes whatever it
// is.
asm(".macro mov.u64 to, clock\n mov %rsp, \\to\n .endm");

// What device code calls beyond what kit/block_on_cpu.hpp has.

inline void cudaGridDependencySynchronize() { kit::block_on_cpu::current().has_waited(); }
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline unsigned __activemask() { return 1u << threadIdx.x % 32; }
inline void __threadfence() {}
inline void __threadfence_system() {}
inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
template <class To, class From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
inline long long __double_as_longlong(double x) { return same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return same_bits<double>(x); }
inline unsigned __float_as_uint(float x) { return same_bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return same_bits<float>(x); }

// An address of shared memory is its distance from what the block's thread has as its own.
inline std::size_t __cvta_generic_to_shared(const void* p) {
  return static_cast<std::size_t>(static_cast<const char*>(p) -
                                  reinterpret_cast<const char*>(gpusort::detail::kernel::raw)) &
         0xffffffffu;
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return reinterpret_cast<char*>(gpusort::detail::kernel::raw) + static_cast<int>(address);
}

template <class T>
T __reduce_add_sync(unsigned, T given) {
  T sum = 0;
  kit::block_on_cpu::current().exchange(given, [&](int, const T& theirs) { sum += theirs; });
  return sum;
}
template <class T>
T __reduce_min_sync(unsigned, T given) {
  T least = given;
  kit::block_on_cpu::current().exchange(
      given, [&](int, const T& theirs) { least = std::min(least, theirs); });
  return least;
}
namespace kit {
/// Puts a value there and returns the one before.
template <class T>
T put(T* to, T x) {
  const T before = *to;
  *to = x;
  return before;
}
}  // namespace kit
template <class T>
T atomicExch(T* to, decltype(T{} + 0) x) {
  return kit::put(to, static_cast<T>(x));
}
template <class T>
T atomicCAS(T* to, T expected, T x) {
  return kit::put(to, *to == expected ? x : *to);
}
template <class T>
T atomicSub(T* to, T x) {
  return kit::put(to, static_cast<T>(*to - x));
}
template <class T>
T atomicAnd(T* to, T x) {
  return kit::put(to, static_cast<T>(*to & x));
}
template <class T>
T atomicOr(T* to, T x) {
  return kit::put(to, static_cast<T>(*to | x));
}
template <class T>
T atomicMin(T* to, T x) {
  return kit::put(to, std::min(*to, x));
}
