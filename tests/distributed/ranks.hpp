// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of many ranks: how they are spread over these, and calls of all ranks on them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gpusort/distributed/in_process.hpp>
#include <ostream>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {

namespace distributed = gpusort::distributed;

/// Names how n elements are spread over p ranks.
enum class spread { even, uneven, one_has_all, every_other_is_empty, last_has_half };

inline constexpr spread every_spread[] = {spread::even, spread::uneven, spread::one_has_all,
                                          spread::every_other_is_empty, spread::last_has_half};

inline std::ostream& operator<<(std::ostream& out, spread s) {
  constexpr const char* names[] = {"even", "uneven", "one_has_all", "every_other_is_empty",
                                   "last_has_half"};
  return out << names[static_cast<int>(s)];
}

/// Returns where the elements of each rank begin, and where the last ones end.
inline std::vector<std::size_t> starts_of(spread s, std::size_t n, std::size_t p,
                                          std::uint64_t seed) {
  std::vector<double> weight(p, 1);
  for (std::size_t i = 0; i < p; ++i) {
    if (s == spread::uneven) weight[i] = static_cast<double>(random_at(seed, i) % 1000);
    if (s == spread::one_has_all) weight[i] = i == p / 3;
    if (s == spread::every_other_is_empty) weight[i] = i % 2 == 0;
    if (s == spread::last_has_half && i + 1 == p) weight[i] = static_cast<double>(p);
  }
  double all = 0;
  for (const double w : weight) all += w;
  std::vector<std::size_t> starts(p + 1);
  double before = 0;
  for (std::size_t i = 0; i < p; ++i) {
    starts[i] = static_cast<std::size_t>(before / (all > 0 ? all : 1) * static_cast<double>(n));
    before += weight[i];
  }
  starts[p] = n;
  if (s == spread::one_has_all) {
    for (std::size_t i = 0; i < p; ++i) starts[i] = i <= p / 3 ? 0 : n;
  }
  return starts;
}

template <class T>
std::vector<distributed::rank_range<T*>> ranges_of(column<T>& elements,
                                                   const std::vector<std::size_t>& starts) {
  std::vector<distributed::rank_range<T*>> ranges;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    ranges.push_back({elements.data() + starts[i], elements.data() + starts[i + 1]});
  }
  return ranges;
}

/// Makes few keys most of the elements: the key of rank r is 1 / r of them.
template <class T>
column<T> zipf(std::size_t n, std::uint64_t seed) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = static_cast<double>(random_at(seed, i) >> 11) / 9007199254740992.0;
    const auto rank = static_cast<std::uint64_t>(std::exp(u * std::log(1e6)));
    values[i] = make_value<T>(rank << 40, i);
  }
  return values;
}

/// Makes keys as the skewed records of the sort benchmarks: half of the keys have one of a few
/// prefixes, of which each is half as frequent as the one before, and differ behind it.
template <class T>
column<T> shared_prefixes(std::size_t n, std::uint64_t seed) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed, i);
    std::uint64_t prefix = 0;
    while (prefix < 30 && (r >> prefix & 1) != 0) ++prefix;
    const std::uint64_t low = random_at(r, i);
    values[i] = make_value<T>(r >> 63 ? random_at(7, prefix) << 32 | low >> 60 : low, i);
  }
  return values;
}

/// Tells whether `out` is still a permutation of `in` on every rank, as a stable sort of each
/// rank's elements alone makes it.
template <class T>
bool are_own_permutations(const column<T>& in, const column<T>& out,
                          const std::vector<std::size_t>& starts) {
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (!same_multiset(part_of(in, starts[i], starts[i + 1]),
                       part_of(out, starts[i], starts[i + 1]))) {
      return false;
    }
  }
  return true;
}

}  // namespace kit
