// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <numeric>

#include "distributions.hpp"

// Paper 003's inputs of 32-bit keys. Source: section 5.5.2.

namespace papers {
namespace of_003 {

inline constexpr std::uint32_t blocks = 240;            // p
inline constexpr std::uint32_t blocks_per_group = 8;    // g
inline constexpr std::uint32_t values_of_a_block = 32;  // r

inline distribution_parameters parameters(std::uint32_t seed) { return {seed, blocks}; }

/// Draws from all numbers of 32 bits.
inline std::uint32_t any_key(uniform_keys& keys) {
  const std::uint32_t upper = keys.next() << 1;
  return upper ^ keys.next();
}

inline std::vector<std::uint32_t> make_uniform(std::size_t n,
                                               const distribution_parameters& parameters) {
  return make_keys(n, parameters, [](uniform_keys& keys, std::size_t) { return any_key(keys); });
}

/// Averages of four uniform values.
inline std::vector<std::uint32_t> make_gaussian(std::size_t n,
                                                const distribution_parameters& parameters) {
  return make_keys(n, parameters, [](uniform_keys& keys, std::size_t) {
    std::uint64_t sum = 0;
    for (int k = 0; k < 4; ++k) sum += any_key(keys);
    return static_cast<std::uint32_t>(sum / 4);
  });
}

/// Makes p blocks of p sections, whose values are in as many parts of the range, in order.
inline std::vector<std::uint32_t> make_bucket(std::size_t n,
                                              const distribution_parameters& parameters) {
  constexpr std::uint64_t range = std::uint64_t{1} << 32;
  const std::uint64_t p = parameters.p;
  return make_keys(n, parameters, [=](uniform_keys& keys, std::size_t i) {
    const std::uint64_t part = i * p * p / n % p;
    return static_cast<std::uint32_t>(part * range / p + any_key(keys) % (range / p));
  });
}

/// Makes blocks of g sections, whose values are in parts of the range that follow each other; where
/// the first one is depends on the block's group, and the last part follows the first. A part that
/// the paper numbers p would end beyond its range, 2^31, by one part, and does here.
inline std::vector<std::uint32_t> make_g_group(std::size_t n,
                                               const distribution_parameters& parameters) {
  const std::uint64_t p = parameters.p, g = blocks_per_group;
  return make_keys(n, parameters, [=](uniform_keys& keys, std::size_t i) {
    const std::uint64_t block = i * p / n, section = i * p * g / n % g;
    return keys.next_in((block / g * g + p / 2 - 1 + section) % p + 1, parameters.p);
  });
}

/// Makes half of the blocks of log n, a quarter of log(n / 2), and so on.
inline std::vector<std::uint32_t> make_deterministic_duplicates(
    std::size_t n, const distribution_parameters& parameters) {
  return make_keys(n, parameters, [&](uniform_keys&, std::size_t i) {
    std::uint64_t before = 0, left = parameters.p, elements = n;
    for (; left > 1 && i * parameters.p / n >= before + left / 2; elements /= 2) {
      before += left / 2;
      left -= left / 2;
    }
    return elements < 2 ? 0u : static_cast<std::uint32_t>(std::log2(elements));
  });
}

/// Makes blocks of r runs of one value each, whose lengths are to each other as r random numbers.
inline std::vector<std::uint32_t> make_randomized_duplicates(
    std::size_t n, const distribution_parameters& parameters) {
  constexpr std::uint32_t r = values_of_a_block;
  uniform_keys keys(parameters);
  std::vector<std::uint32_t> made;
  for (std::uint64_t block = 0; block < parameters.p; ++block) {
    const std::size_t end = n * (block + 1) / parameters.p, length = end - made.size();
    std::vector<std::uint64_t> shares(r);
    for (std::uint64_t& share : shares) share = keys.next() % r;
    const auto sum = std::accumulate(shares.begin(), shares.end(), std::uint64_t{1});
    for (std::uint64_t share : shares) {
      made.resize(made.size() + share * length / sum, keys.next() % r);
    }
    made.resize(end, keys.next() % r);  // what rounding has left
  }
  return made;
}

inline std::vector<std::uint32_t> make_sorted(std::size_t n,
                                              const distribution_parameters& parameters) {
  std::vector<std::uint32_t> made = of_003::make_uniform(n, parameters);
  std::sort(made.begin(), made.end());
  return made;
}

/// Lists the inputs of paper 003.
inline const std::vector<input_distribution>& input_distributions() {
  static const std::vector<input_distribution> all{
      {"uniform", make_uniform},
      {"gaussian", make_gaussian},
      {"bucket", make_bucket},
      {"staggered", make_staggered},
      {"g_group", make_g_group},
      {"deterministic_duplicates", make_deterministic_duplicates},
      {"randomized_duplicates", make_randomized_duplicates},
      {"sorted", make_sorted}};
  return all;
}

}  // namespace of_003
}  // namespace papers
