// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of up to 16 bytes sorted in orders that pack them into numbers, alone and with values.
#pragma once

#include <cstring>

#include "../kit/expect_sorted.hpp"
#include "../kit/sizes.hpp"

namespace kit {

using packed_numbers = gpu_test;

/// Makes elements of random numbers that each distribution has; what is longer ends in the index.
template <class T>
column<T> elements_of(distribution d, std::size_t n) {
  const auto words = generate<std::uint64_t>(d, n, seed());
  column<T> elements(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t all[] = {words[i], i};
    static_assert(sizeof(T) <= sizeof(all));
    std::memcpy(static_cast<void*>(&elements[i]), all, sizeof(T));
  }
  return elements;
}

/// Expects numbers to be sorted by sort alone: no sort of numbers is stable.
template <class T, class Reference, class... Order>
void expect_numbers_sorted(const column<T>& input, Reference reference, Order... order) {
  const buffer<T> range(input, 1);
  gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), order...);
  findings f = examine(input, range.read(), reference, promise::order, std::size_t{1} << 20);
  f.zones_intact = range.intact();
  EXPECT_TRUE(f.ok()) << "n = " << input.size() << ": " << f;
}

template <class T, class Reference, class... Order>
void expect_all_sorted(Reference reference, Order... order) {
  for (distribution d : every_distribution) {
    for (std::size_t n : order_sizes()) {
      SCOPED_TRACE(name_of(d));
      expect_numbers_sorted(elements_of<T>(d, n), reference, order...);
    }
  }
}

/// Expects each value, its key's index, to have come along.
template <class Key, class Reference, class Order>
void expect_values_come_along(const column<Key>& input, Reference reference, Order order) {
  const std::size_t n = input.size();
  column<std::uint32_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint32_t>(i);
  const buffer<Key> keys(input, 1);
  const buffer<std::uint32_t> values(indices, 1);
  gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(), order);
  const auto sorted = keys.read();
  const auto from = values.read();
  findings f = examine(input, sorted, reference, promise::order, std::size_t{1} << 20);
  f.zones_intact = keys.intact() && values.intact();
  EXPECT_TRUE(f.ok()) << "n = " << n << ": " << f;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    wrong += from[i] >= n || std::memcmp(&sorted[i], &input[from[i]], sizeof(sorted[i])) != 0;
  }
  EXPECT_EQ(wrong, 0u) << "n = " << n;
}

}  // namespace kit
