// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/order.hpp>

#include "values.hpp"

namespace kit {

/// Returns a number that grows with the order gpusort documents: IEEE total order with -0 equal to
/// +0.
template <class T>
GPUSORT_HOST_DEVICE auto rank_of(const T& value) {
  if constexpr (is_float<T>) {
    const bits_t<T> bits = to_bits(value);
    return to_ordered(from_bits<T>(bits == sign_bit<T>() ? bits_t<T>(0) : bits));
  } else {
    return key_of(value);
  }
}

/// Orders as gpusort::less has to, written independently of it.
struct reference_less {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return rank_of(a) < rank_of(b);
  }
};

struct reference_greater {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return rank_of(b) < rank_of(a);
  }
};

/// The order that a comparator of the library has to produce, for the checker.
template <class Compare>
struct reference {
  static Compare of(const Compare& comp) { return comp; }
};
template <>
struct reference<gpusort::less> {
  static reference_less of(gpusort::less) { return {}; }
};
template <>
struct reference<gpusort::greater> {
  static reference_greater of(gpusort::greater) { return {}; }
};

/// Names how `opaque` answers. The first seven are strict weak orders (on data without NaN), the
/// others are not; the last two even answer the same question differently each time.
enum class behavior {
  honest,
  descending,
  coarse,         // only the upper half of the key's bits: equivalent keys that are not identical
  inspecting,     // honest, and counts the records it is given that no range ever held
  counting,       // honest, and counts how often it is asked
  middle_digits,  // neither ascending nor descending, and with equivalent keys
  exceptions,     // ascending, but for keys that are rare and after all others
  always_true,
  always_false,
  cyclic,  // rock, paper, scissors
  random,
  slips,  // honest but for one question in 64
  less_or_equal,
  clock,
  counter
};

inline constexpr behavior every_inconsistent_comparator[] = {
    behavior::always_true, behavior::always_false,  behavior::cyclic, behavior::random,
    behavior::slips,       behavior::less_or_equal, behavior::clock,  behavior::counter};

inline const char* name_of(behavior m) {
  constexpr const char* names[] = {"honest",        "descending",    "coarse",     "inspecting",
                                   "counting",      "middle_digits", "exceptions", "always_true",
                                   "always_false",  "cyclic",        "random",     "slips",
                                   "less_or_equal", "clock",         "counter"};
  return names[static_cast<int>(m)];
}

/// Compares, not inlined: sorting networks compare in dozens of places, and compiling them has to
/// stay cheap.
#if GPUSORT_CUDA
#define GPUSORT_TEST_NOINLINE __noinline__
#else
#define GPUSORT_TEST_NOINLINE
#endif

/// A comparator the library cannot see through. Its behavior is a value, not a type, so that one
/// instantiation of the library serves the honest tests and inconsistent comparators.
class opaque {
 public:
  opaque() = default;
  GPUSORT_HOST_DEVICE constexpr explicit opaque(behavior m, std::uint64_t seed = 0,
                                                unsigned long long* counter = nullptr)
      : mood_(m), seed_(seed), counter_(counter) {}

  template <class T>
  GPUSORT_HOST_DEVICE GPUSORT_TEST_NOINLINE bool operator()(const T& a, const T& b) const {
    switch (mood_) {
      case behavior::honest:
        return key_of(a) < key_of(b);
      case behavior::descending:
        return key_of(b) < key_of(a);
      case behavior::coarse:
        return coarse_key(a) < coarse_key(b);
      case behavior::inspecting:
        return inspected_key(a) < inspected_key(b);
      case behavior::counting:
        count_call();
        return key_of(a) < key_of(b);
      case behavior::middle_digits:
        return middle_digits_of(a) < middle_digits_of(b);
      case behavior::exceptions:
        if (is_exception(a) != is_exception(b)) return is_exception(b);
        return key_of(a) < key_of(b);
      case behavior::always_true:
        return true;
      case behavior::always_false:
        return false;
      case behavior::cyclic:
        return (hash_of(a) % 3 + 1) % 3 == hash_of(b) % 3;
      case behavior::random:
        return random_at(seed_ ^ hash_of(a), hash_of(b)) & 1;
      case behavior::slips:
        return (key_of(a) < key_of(b)) != (random_at(seed_ ^ hash_of(a), hash_of(b)) % 64 == 0);
      case behavior::less_or_equal:
        return !(key_of(b) < key_of(a));
      case behavior::clock:
        return scramble(now()) & 1;
      case behavior::counter:
        return scramble(seed_ + count()) & 1;
    }
    return false;
  }

 private:
  template <class T>
  static GPUSORT_HOST_DEVICE auto coarse_key(const T& value) {
    if constexpr (is_arithmetic<T>) {
      return to_ordered(value) >> (4 * sizeof(T));
    } else {
      return key_of(value) >> (4 * T::key_bytes);
    }
  }

  /// Returns the bits of a number, in the order of numbers.
  template <class T>
  static GPUSORT_HOST_DEVICE std::uint64_t digits_of(const T& value) {
    if constexpr (is_arithmetic<T>) {
      return static_cast<std::uint64_t>(to_ordered(value));
    } else {
      return key_of(value);
    }
  }
  template <class T>
  static GPUSORT_HOST_DEVICE std::uint64_t middle_digits_of(const T& value) {
    return digits_of(value) >> 8 & 0xffff;
  }
  template <class T>
  static GPUSORT_HOST_DEVICE bool is_exception(const T& value) {
    return digits_of(value) % 1021 == 5;
  }

  /// Returns the key. A record that holds its position tells what it was made as, in a uniform
  /// range with our seed: anything else comes from outside the range, or is padding.
  template <class T>
  GPUSORT_HOST_DEVICE auto inspected_key(const T& value) const {
    if constexpr (index_bytes_of<T>() == 8) {
      const std::uint64_t i = index_of(value);
      if (!value_maker<T>::has_made(value, random_at(seed_, i), i)) count();
    }
    return key_of(value);
  }

  static GPUSORT_HOST_DEVICE std::uint64_t now() {
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint64_t>(clock64()) + 64 * threadIdx.x;
#else
    static thread_local std::uint64_t ticks = 0;
    return ++ticks;
#endif
  }

  GPUSORT_HOST_DEVICE std::uint64_t count() const {
    if (counter_ == nullptr) return now();
#if defined(__CUDA_ARCH__)
    return atomicAdd(counter_, 1ull);
#else
    return __atomic_fetch_add(counter_, 1ull, __ATOMIC_RELAXED);
#endif
  }

  /// Counts as count(), together for the lanes that ask together: with an atomic for each, a sort
  /// would be little else.
  GPUSORT_HOST_DEVICE void count_call() const {
#if defined(__CUDA_ARCH__)
    const unsigned asking = __activemask();
    const unsigned lane = threadIdx.x % 32;
    if (lane + 1 == static_cast<unsigned>(__ffs(asking))) {
      atomicAdd(counter_, static_cast<unsigned long long>(__popc(asking)));
    }
#else
    count();
#endif
  }

  behavior mood_ = behavior::honest;
  std::uint64_t seed_ = 0;
  unsigned long long* counter_ = nullptr;
};

}  // namespace kit
