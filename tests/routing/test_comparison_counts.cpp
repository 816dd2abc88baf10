// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the CPU backend asks its comparator, against n log2 n: docs/internals/comparisons.md.
#include <gtest/gtest.h>

#include <cstdio>

#include "../kit/backend.hpp"

namespace kit {
namespace {

/// Returns the comparator's calls for each element in a sort of 2^log_n.
double calls_each(distribution data, int log_n, int cores) {
  const std::size_t n = std::size_t{1} << log_n;
  auto values = generate<std::uint32_t>(data, n, seed());
  const auto input = values;
  unsigned long long calls = 0;
  with_cores(cores,
             [&] { host::stable_sort(values.data(), n, opaque(behavior::counting, 0, &calls)); });
  EXPECT_TRUE(examine(input, values, opaque(), promise::order, 0).ok());
  return static_cast<double>(calls) / static_cast<double>(n);
}

/// Bounds the calls: merging 2^log_n elements level by level asks less than once for each element
/// and level; runs that are in order already are asked about once.
double most_calls_each(distribution data, int log_n) {
  return data == distribution::uniform ? log_n : 1.1;
}

TEST(backend_comparison_counts, are_bounded) {
  std::printf("calls for each element, and of them for each of log2 n\n");
  for (auto data : {distribution::uniform, distribution::sorted, distribution::all_equal}) {
    for (int log_n : {10, 16, 20}) {
      for (int cores : {1, 4}) {
        const double each = calls_each(data, log_n, cores);
        std::printf("%d cores %-10s 2^%-2d %8.2f %6.2f\n", cores, name_of(data), log_n, each,
                    each / log_n);
        EXPECT_LE(each, most_calls_each(data, log_n)) << data << ", n = 2^" << log_n;
      }
    }
  }
}

}  // namespace
}  // namespace kit
