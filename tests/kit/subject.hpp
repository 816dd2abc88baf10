// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sort of one range, made, run and checked.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "call.hpp"
#include "device_check.hpp"
#include "sizes.hpp"

namespace kit {

/// What a typed test is instantiated with.
template <class T, class Compare>
struct subject {
  using value = T;
  using compare = Compare;
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

/// The strict weak orders to test a comparator type with.
template <class Compare>
struct honest {
  static std::vector<Compare> orders() { return {Compare{}}; }
};
template <>
struct honest<opaque> {
  static std::vector<opaque> orders() {
    return {opaque(mood::honest), opaque(mood::descending), opaque(mood::coarse)};
  }
};

struct sort_case {
  distribution data = distribution::uniform;
  std::size_t n = 0;
  std::size_t offset = 0;  // elements before the range, so that it is badly aligned
  memory_kind memory = memory_kind::device;

  friend std::ostream& operator<<(std::ostream& out, const sort_case& c) {
    return out << name_of(c.data) << ", n = " << c.n << ", offset " << c.offset << ", "
               << name_of(c.memory) << " memory";
  }
};

/// A case with an offset that follows from the rest.
inline sort_case make_case(distribution d, std::size_t n) {
  return {d, n, static_cast<std::size_t>(random_at(static_cast<std::uint64_t>(d), n) % 6),
          memory_kind::device};
}

/// Up to this many elements the checker compares with std::stable_sort on the host. Records tell
/// their stability on the device too, plain numbers only here.
template <class T>
constexpr std::size_t compared_on_host(promise promised) {
  if (!is_record<T> && promised == promise::stability) return 1 << 17;
  return sizeof(T) > 64 ? 512 : 4096;
}

template <class T>
buffer<T> make_input(const sort_case& c) {
  buffer<T> range(c.n, c.offset, gpu_memory{c.memory});
  if (c.memory == memory_kind::device || c.memory == memory_kind::managed) {
    generate_on_device(range.data(), c.n, c.data, seed());
  } else {
    for (std::size_t i = 0; i < c.n; ++i) {
      range.data()[i] = value_at<T>(c.data, i, c.n, seed());
    }
  }
  return range;
}

/// What has to hold of a range that was made by make_input and sorted since.
template <class T, class Order>
findings examine_output(const sort_case& c, const buffer<T>& range, Order order, promise promised) {
  findings f;
  const bool on_device = c.memory == memory_kind::device || c.memory == memory_kind::managed;
  const std::size_t exact = compared_on_host<T>(promised);
  if (on_device && c.n > exact) {
    const buffer<T> input = make_input<T>(c);
    f = examine_on_device(checksum_on_device(input.data(), c.n), range.data(), c.n, order,
                          promised);
  } else {
    f = examine(generate<T>(c.data, c.n, seed()), range.read(), order, promised, exact);
  }
  f.zones_intact = range.intact();
  return f;
}

/// Makes the case, sorts it, and says whether everything that was promised holds.
template <class T, class Compare>
::testing::AssertionResult sorts(const sort_case& c, const call& how, Compare comp) {
  const auto range = make_input<T>(c);
  run<T, Compare>(how, range.begin(), range.end(), comp);
  if (how.nosync) cuda_ok(cudaStreamSynchronize(how.stream));
  const findings f = examine_output(c, range, reference<Compare>::of(comp),
                                    how.stable ? promise::stability : promise::order);
  if (f.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << how << " of " << c << ": " << f;
}

/// The same for a comparator that may lie: only the permutation is promised.
template <class T, class Compare>
::testing::AssertionResult permutes(const sort_case& c, const call& how, Compare comp) {
  const auto range = make_input<T>(c);
  run<T, Compare>(how, range.begin(), range.end(), comp);
  if (how.nosync) cuda_ok(cudaStreamSynchronize(how.stream));
  const findings f = examine_output(c, range, reference<Compare>::of(comp), promise::permutation);
  if (f.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << how << " of " << c << ": " << f;
}

/// Distributions for T: floats have one more.
template <class T>
std::vector<distribution> distributions_of() {
  std::vector<distribution> all(std::begin(every_distribution), std::end(every_distribution));
  if (is_float<T>) all.push_back(distribution::special);
  return all;
}

}  // namespace kit
