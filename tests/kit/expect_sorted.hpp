// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <gpusort/gpusort.hpp>
#include <vector>

#include "check.hpp"
#include "device.hpp"
#include "generate.hpp"
#include "orders.hpp"

namespace kit {

inline std::vector<std::size_t> order_sizes() {
  if (small_sizes_only()) return {0, 1, 33, 1000, 5000};
  return {0, 1, 2, 33, 1000, 5000, 20011, 300007};
}

/// Makes make(i, n) for each i < n.
template <class Make>
auto make_all(std::size_t n, Make make) {
  column<decltype(make(0, n))> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make(i, n);
  return values;
}

/// Sorts values with sort and stable_sort and checks both against `order` on the host.
template <class T, class Order, class... Arguments>
void expect_sorted(const column<T>& input, Order order, Arguments... arguments) {
  for (bool stable : {false, true}) {
    const buffer<T> range(input, 1);
    if (stable) {
      gpusort::stable_sort(gpusort::par_gpu, range.begin(), range.end(), arguments...);
    } else {
      gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), arguments...);
    }
    findings f = examine(input, range.read(), order, stable ? promise::stability : promise::order,
                         std::size_t{1} << 20);
    f.zones_intact = range.intact();
    EXPECT_TRUE(f.ok()) << (stable ? "stable_sort" : "sort") << ", n = " << input.size() << ": "
                        << f;
  }
}

}  // namespace kit
