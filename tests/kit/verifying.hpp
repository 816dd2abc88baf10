// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Policies, comparators and inputs of the tests of verify and keep_input.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace kit {

inline const auto verifying = gpusort::par_gpu.with(gpusort::verify);
inline const auto keeping = gpusort::par_gpu.with(gpusort::keep_input);
inline const auto keeping_and_verifying = keeping.with(gpusort::verify);

/// Type with padding, which is hashed as it is.
struct padded {
  char key;
  int payload;
};
struct by_padded_key {
  GPUSORT_HOST_DEVICE bool operator()(const padded& a, const padded& b) const {
    return a.key < b.key;
  }
};

struct itself {
  GPUSORT_HOST_DEVICE int operator()(int x) const { return x; }
};
/// The order by `<`, opaque, or no strict weak order: two equal elements are each before the other.
/// Which is a value, so that calls that are right and calls that lie have one instantiation.
struct ordinary {
  bool lies = false;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return lies ? !(b < a) : a < b;
  }
};
inline constexpr ordinary lies{true};

inline std::vector<int> random_ints(std::size_t n, int below = 1000) {
  std::mt19937 random(static_cast<unsigned>(n + 1));
  std::vector<int> values(n);
  for (int& v : values) v = static_cast<int>(random() % static_cast<unsigned>(below));
  return values;
}

/// Returns where a call throws verification_failed; a number beyond any place where it does not.
template <class Call>
std::uint64_t place_found_by(Call call) {
  try {
    call();
  } catch (const gpusort::verification_failed& e) {
    EXPECT_NE(std::string(e.what()).find(": verify: "), std::string::npos);
    return e.position();
  }
  return std::uint64_t{1} << 62;
}

inline const std::size_t verified_sizes[] = {0, 1, 2, 3, 100, 5000, 100003};

}  // namespace kit
