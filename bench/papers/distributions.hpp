// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace papers {

/// Parameters of the papers' inputs.
struct distribution_parameters {
  std::uint32_t seed = 1;
  std::uint32_t p = 128;  // blocks of `bucket` and `staggered`
};

/// An input of the papers, of 32-bit keys below 2^31.
struct input_distribution {
  const char* name;
  std::vector<std::uint32_t> (*make)(std::size_t n, const distribution_parameters& parameters);
};

/// Draws uniform keys, from 0 to 2^31 - 1, by the Mersenne Twister. Source: paper 000, section 5.3.
class uniform_keys {
 public:
  explicit uniform_keys(const distribution_parameters& parameters) : random_(parameters.seed) {}

  std::uint32_t next() { return static_cast<std::uint32_t>(random_() >> 1); }

  /// Returns a value from one of p equal parts of the range.
  std::uint32_t next_in(std::uint64_t part, std::uint32_t p) {
    constexpr std::uint64_t range = std::uint64_t{1} << 31;
    return static_cast<std::uint32_t>(part * range / p + next() % (range / p));
  }

 private:
  std::mt19937 random_;
};

/// Makes n keys by next(keys, i).
template <class Next>
std::vector<std::uint32_t> make_keys(std::size_t n, const distribution_parameters& parameters,
                                     Next next) {
  uniform_keys keys(parameters);
  std::vector<std::uint32_t> made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = next(keys, i);
  return made;
}

inline std::vector<std::uint32_t> make_uniform(std::size_t n,
                                               const distribution_parameters& parameters) {
  return make_keys(n, parameters, [](uniform_keys& keys, std::size_t) { return keys.next(); });
}

inline std::vector<std::uint32_t> make_sorted(std::size_t n,
                                              const distribution_parameters& parameters) {
  std::vector<std::uint32_t> made = make_uniform(n, parameters);
  std::sort(made.begin(), made.end());
  return made;
}

/// Returns one random value.
inline std::vector<std::uint32_t> make_zero(std::size_t n,
                                            const distribution_parameters& parameters) {
  return std::vector<std::uint32_t>(n, uniform_keys(parameters).next());
}

/// Makes p blocks of p sections, whose values are in as many parts of the range, in order.
inline std::vector<std::uint32_t> make_bucket(std::size_t n,
                                              const distribution_parameters& parameters) {
  const std::uint64_t p = parameters.p;
  return make_keys(n, parameters, [=](uniform_keys& keys, std::size_t i) {
    return keys.next_in(i * p * p / n % p, parameters.p);
  });
}

/// Averages of four uniform values.
inline std::vector<std::uint32_t> make_gaussian(std::size_t n,
                                                const distribution_parameters& parameters) {
  return make_keys(n, parameters, [](uniform_keys& keys, std::size_t) {
    std::uint64_t sum = 0;
    for (int k = 0; k < 4; ++k) sum += keys.next();
    return static_cast<std::uint32_t>(sum / 4);
  });
}

/// Makes p blocks, the values of each in one part of the range: first all odd parts, then all even
/// ones. The paper has i <= p / 2 for the first ones, by which its middle block would be beyond
/// 2^31, and no block in part 0.
inline std::vector<std::uint32_t> make_staggered(std::size_t n,
                                                 const distribution_parameters& parameters) {
  const std::uint64_t p = parameters.p;
  return make_keys(n, parameters, [=](uniform_keys& keys, std::size_t i) {
    const std::uint64_t block = i * p / n;
    return keys.next_in(block < p / 2 ? 2 * block + 1 : 2 * block - p, parameters.p);
  });
}

/// Lists the inputs of paper 000, section 5.3.
inline const std::vector<input_distribution>& input_distributions() {
  static const std::vector<input_distribution> all{
      {"uniform", make_uniform}, {"sorted", make_sorted},     {"zero", make_zero},
      {"bucket", make_bucket},   {"gaussian", make_gaussian}, {"staggered", make_staggered}};
  return all;
}

}  // namespace papers
