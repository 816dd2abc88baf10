// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <numeric>
#include <utility>

#include "distributions.hpp"

namespace papers {

/// Counts from `first` on.
inline std::vector<std::uint32_t> make_ascending(std::size_t n, std::uint32_t first) {
  std::vector<std::uint32_t> made(n);
  std::iota(made.begin(), made.end(), first);
  return made;
}

inline std::vector<std::uint32_t> make_counted(std::size_t n, const distribution_parameters&) {
  return make_ascending(n, 0);
}

/// Permutes 1 to n.
inline std::vector<std::uint32_t> make_shuffled(std::size_t n,
                                                const distribution_parameters& parameters) {
  std::vector<std::uint32_t> made = make_ascending(n, 1);
  std::shuffle(made.begin(), made.end(), std::mt19937(parameters.seed));
  return made;
}

/// Swaps three random pairs of 0 to n - 1.
inline std::vector<std::uint32_t> make_almost_sorted(std::size_t n,
                                                     const distribution_parameters& parameters) {
  std::vector<std::uint32_t> made = make_ascending(n, 0);
  uniform_keys places(parameters);
  for (int swaps = 0; swaps < 3 && n > 0; ++swaps) {
    const std::size_t first = places.next() % n, second = places.next() % n;
    std::swap(made[first], made[second]);
  }
  return made;
}

inline std::vector<std::uint32_t> make_decreasing(std::size_t n, const distribution_parameters&) {
  std::vector<std::uint32_t> made = make_ascending(n, 1);
  std::reverse(made.begin(), made.end());
  return made;
}

/// Lists the inputs of paper 004, section 5.3.1, which leaves p open.
inline const std::vector<input_distribution>& distributions_of_004() {
  static const std::vector<input_distribution> all{
      {"random", make_uniform},        {"shuffle", make_shuffled},
      {"sorted", make_counted},        {"almost_sorted", make_almost_sorted},
      {"decreasing", make_decreasing}, {"zero_entropy", make_zero},
      {"gaussian", make_gaussian},     {"bucket", make_bucket},
      {"staggered", make_staggered}};
  return all;
}

}  // namespace papers
