// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>

#include "column.hpp"
#include "values.hpp"

namespace kit {

/// Names what the papers sort, and what breaks sorts. For floats there is `special` too (0s, NaNs,
/// ...).
enum class distribution {
  uniform,
  gaussian,
  bucket,
  staggered,
  g_group,
  deterministic_duplicates,
  randomized_duplicates,
  sorted,
  reverse,
  almost_sorted,
  all_equal,
  organ_pipe,
  sawtooth,
  few_distinct,
  two_alternating,
  median_of_three_killer,
  special
};

inline constexpr distribution every_distribution[] = {distribution::uniform,
                                                      distribution::gaussian,
                                                      distribution::bucket,
                                                      distribution::staggered,
                                                      distribution::g_group,
                                                      distribution::deterministic_duplicates,
                                                      distribution::randomized_duplicates,
                                                      distribution::sorted,
                                                      distribution::reverse,
                                                      distribution::almost_sorted,
                                                      distribution::all_equal,
                                                      distribution::organ_pipe,
                                                      distribution::sawtooth,
                                                      distribution::few_distinct,
                                                      distribution::two_alternating,
                                                      distribution::median_of_three_killer};

inline const char* name_of(distribution d) {
  constexpr const char* names[] = {"uniform",
                                   "gaussian",
                                   "bucket",
                                   "staggered",
                                   "g_group",
                                   "deterministic_duplicates",
                                   "randomized_duplicates",
                                   "sorted",
                                   "reverse",
                                   "almost_sorted",
                                   "all_equal",
                                   "organ_pipe",
                                   "sawtooth",
                                   "few_distinct",
                                   "two_alternating",
                                   "median_of_three_killer",
                                   "special"};
  return names[static_cast<int>(d)];
}

inline std::ostream& operator<<(std::ostream& out, distribution d) { return out << name_of(d); }

/// Returns the rank, among 2^64, of element i of n. Ranks use their high bits first, so that narrow
/// keys keep the shape. 0 <= i < n.
GPUSORT_HOST_DEVICE inline std::uint64_t rank_at(distribution d, std::uint64_t i, std::uint64_t n,
                                                 std::uint64_t seed) {
  constexpr std::uint64_t processors = 32;  // of the papers' parallel machine; a power of two
  constexpr std::uint64_t group = 4;
  constexpr std::uint64_t slot_width = ~std::uint64_t{0} / processors + 1;
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t r = random_at(seed, i);
  const std::uint64_t step = all / n;
  const std::uint64_t chunk = (n + processors - 1) / processors;
  const std::uint64_t processor = i / chunk;
  const std::uint64_t within = i % chunk;
  const auto in_slot = [&](std::uint64_t slot) {
    return slot % processors * slot_width + r % slot_width;
  };
  switch (d) {
    case distribution::gaussian: {
      std::uint64_t sum = 0;  // of four uniform numbers, as in the papers
      for (std::uint64_t k = 0; k < 4; ++k) sum += random_at(r, k) >> 2;
      return sum;
    }
    case distribution::bucket:
      return in_slot(within * processors / chunk);
    case distribution::staggered:
      return in_slot(processor < processors / 2 ? 2 * processor + 1
                                                : 2 * (processor - processors / 2));
    case distribution::g_group:
      return in_slot(processor / group * group + processors / 2 + within * group / chunk);
    case distribution::deterministic_duplicates: {
      std::uint64_t log = 0;  // half the array log n, the next quarter log n/2, and so on
      while (((n - i) >> log) > 1) ++log;
      return log * (all / 64);
    }
    case distribution::randomized_duplicates:
      return random_at(seed + processor, within * processors / chunk) % 32 << 59;
    case distribution::sorted:
      return i * step;
    case distribution::reverse:
      return (n - 1 - i) * step;
    case distribution::almost_sorted:
      return r % 100 == 0 ? random_at(r, i) : i * step;
    case distribution::all_equal:
      return all / 3;
    case distribution::organ_pipe:
      return i < n / 2 ? 2 * i * step : (2 * (n - i) - 1) * step;
    case distribution::sawtooth: {
      const std::uint64_t period = n / 11 + 2;
      return i % period * (all / period);
    }
    case distribution::few_distinct:
      return r % 16 << 60;
    case distribution::two_alternating:
      return (i & 1) << 63;
    case distribution::median_of_three_killer: {
      const std::uint64_t k = n / 2 / 2 * 2;  // Musser's sequence, for the even half
      const std::uint64_t q = i + 1;
      const std::uint64_t value = q > 2 * k ? q : q > k ? 2 * (q - k) : q % 2 == 1 ? q : k + q - 1;
      return value * (all / (n + 1));
    }
    default:
      return r;
  }
}

/// Returns element i of n. `special` is for floats; elsewhere it is uniform.
template <class T>
GPUSORT_HOST_DEVICE T value_at(distribution d, std::uint64_t i, std::uint64_t n,
                               std::uint64_t seed) {
  if constexpr (is_float<T>) {
    if (d == distribution::special) {
      const std::uint64_t r = random_at(seed, i);
      return r % 4 == 0 ? make_value<T>(scramble(r), i) : special_float<T>(r >> 8);
    }
  }
  return make_value<T>(rank_at(d, i, n, seed), i);
}

template <class T>
column<T> generate(distribution d, std::size_t n, std::uint64_t seed) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = value_at<T>(d, i, n, seed);
  return values;
}

}  // namespace kit
