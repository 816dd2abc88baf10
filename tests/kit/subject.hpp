// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sort of one range, made, run and checked.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "call.hpp"
#include "check.hpp"
#include "device.hpp"
#include "generate.hpp"
#include "sizes.hpp"

namespace kit {

/// The strict weak orders to test a comparator type with.
template <class Compare>
struct honest {
  static std::vector<Compare> orders() { return {Compare{}}; }
};
template <>
struct honest<opaque> {
  static std::vector<opaque> orders() {
    return {opaque(behavior::honest), opaque(behavior::descending), opaque(behavior::coarse)};
  }
};

/// A type and a comparator to test the library with: everything that has to be compiled for them on
/// the device. Only declared here: each subject is instantiated in one file (see
/// subject_definition.hpp) and used by all.
template <class T, class Compare>
struct subject {
  using value = T;
  using compare = Compare;

  /// Runs gpusort's own work.
  static void run(const call& how, T* first, T* last, Compare comp);

  /// Fills memory that the device can write, and waits.
  static void generate(T* out, std::size_t n, distribution d, std::uint64_t seed);

  /// Sums as `checksum_of` memory that the device can read.
  static checksum sum(const T* values, std::size_t n);

  /// Examines as `examine` memory that the device can read: order and checksum, and the stability
  /// of records whose positions fit.
  static findings examine(const checksum& before, const T* values, std::size_t n, Compare comp,
                          promise promised);
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

/// Returns a case with an offset that follows from the rest.
inline sort_case make_case(distribution d, std::size_t n) {
  return {d, n, static_cast<std::size_t>(random_at(static_cast<std::uint64_t>(d), n) % 6),
          memory_kind::device};
}

/// Returns up to how many elements the checker compares with std::stable_sort on the host. Records
/// tell their stability on the device too, plain numbers only here.
template <class T>
constexpr std::size_t compared_on_host(promise promised) {
  if (!is_record<T> && promised == promise::stability) return 1 << 17;
  return sizeof(T) > 64 ? 512 : 4096;
}

inline bool device_writes(memory_kind kind) {
  return kind == memory_kind::device || kind == memory_kind::managed;
}

template <class Subject, class T = typename Subject::value>
buffer<T> make_input(const sort_case& c) {
  buffer<T> range(c.n, c.offset, gpu_memory{c.memory});
  if (device_writes(c.memory)) {
    Subject::generate(range.data(), c.n, c.data, seed());
  } else {
    for (std::size_t i = 0; i < c.n; ++i) range.data()[i] = value_at<T>(c.data, i, c.n, seed());
  }
  return range;
}

/// Examines what has to hold of a range that was made by make_input and sorted since.
template <class Subject, class T = typename Subject::value>
findings examine_output(const sort_case& c, const buffer<T>& range, typename Subject::compare comp,
                        promise promised) {
  findings f;
  const std::size_t exact = compared_on_host<T>(promised);
  if (device_writes(c.memory) && c.n > exact) {
    const buffer<T> input = make_input<Subject>(c);
    f = Subject::examine(Subject::sum(input.data(), c.n), range.data(), c.n, comp, promised);
  } else {
    const auto order = reference<typename Subject::compare>::of(comp);
    f = examine(generate<T>(c.data, c.n, seed()), range.read(), order, promised, exact);
  }
  f.zones_intact = range.intact();
  return f;
}

/// Makes the case, sorts it, and says whether everything that was promised holds.
template <class Subject>
::testing::AssertionResult keeps(promise promised, const sort_case& c, const call& how,
                                 typename Subject::compare comp) {
  const auto range = make_input<Subject>(c);
  Subject::run(how, range.begin(), range.end(), comp);
  if (how.nosync) cuda_ok(cudaStreamSynchronize(how.stream));
  const findings f = examine_output<Subject>(c, range, comp, promised);
  if (f.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << how << " of " << c << ": " << f;
}

/// Returns the promise of a call under a strict weak order.
inline promise promise_of(const call& how) {
  return how.stable ? promise::stability : promise::order;
}

/// Checks a sort; with NaNs `<` is no order, so an opaque comparator promises nothing but the
/// permutation.
template <class Subject>
::testing::AssertionResult sorts(const sort_case& c, const call& how,
                                 typename Subject::compare comp = {}) {
  const bool has_nans = c.data == distribution::special;
  const bool is_ordered = !(has_nans && std::is_same_v<typename Subject::compare, opaque>);
  return keeps<Subject>(is_ordered ? promise_of(how) : promise::permutation, c, how, comp);
}

/// Checks a permutation: for a comparator that may lie nothing else is promised.
template <class Subject>
::testing::AssertionResult permutes(const sort_case& c, const call& how,
                                    typename Subject::compare comp) {
  return keeps<Subject>(promise::permutation, c, how, comp);
}

/// Sorts `input` with sort and stable_sort, and compares all of it with what the host makes of it.
template <class Subject>
void expect_sorts(const column<typename Subject::value>& input,
                  typename Subject::compare comp = {}) {
  for (bool stable : {false, true}) {
    call how;
    how.stable = stable;
    const buffer<typename Subject::value> range(input, 1);
    Subject::run(how, range.begin(), range.end(), comp);
    findings f = examine(input, range.read(), reference<typename Subject::compare>::of(comp),
                         promise_of(how), std::size_t{1} << 20);
    f.zones_intact = range.intact();
    EXPECT_TRUE(f.ok()) << how << ", n = " << input.size() << ": " << f;
  }
}

/// Returns all of them, or the first where sizes are small: the sanitizers make a case slow, not a
/// size.
inline std::vector<distribution> some_of(std::vector<distribution> all) {
  if (small_sizes_only()) all.resize(1);
  return all;
}

/// Whether a case is in the part of a full product that is tested, one in `parts` of it.
inline bool is_chosen(std::size_t n, distribution d, std::uint64_t parts) {
  return random_at(n, static_cast<std::uint64_t>(d)) % (small_sizes_only() ? 8 : parts) == 0;
}

/// Returns distributions for T: floats have one more.
template <class T>
std::vector<distribution> distributions_of() {
  std::vector<distribution> all(std::begin(every_distribution), std::end(every_distribution));
  if (is_float<T>) all.push_back(distribution::special);
  return all;
}

}  // namespace kit
