// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distribution in place (bench/papers): blocks of a bucket are exchanged.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"
#include "papers/in_place_sort.hpp"

namespace kit {
namespace {

class in_place_distribution : public gpu_test {};

struct ascending {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class T>
void expect_sorted_in_place(const column<T>& input, const char* what) {
  using sort = papers::in_place_sort<T, ascending>;
  const buffer<T> data(input, 1);
  const buffer<unsigned char> scratch(sort::scratch_bytes(input.size()));
  sort::run(nullptr, data.begin(), input.size(), {}, scratch.begin());
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, data.read(), ascending{}, promise::order);
  f.zones_intact = data.intact() && scratch.intact();
  EXPECT_TRUE(f.ok()) << f << what << ", n = " << input.size();
}

std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> sizes{0, 1, 2, 63, 64, 65, 1000, 8191, 8192, 8193, 20000, 131071};
  // From two stripes on.
  for (std::size_t n : {1 << 17, (1 << 17) + 1, 200003}) sizes.push_back(n);
  if (small_sizes_only()) return sizes;
  for (std::size_t n : {(1 << 20) - 1, 1 << 22, (1 << 24) + 63, 50000017}) sizes.push_back(n);
  return sizes;
}

/// Sorts n elements made of a random number and their place each.
template <class T, class Make>
void sort_all_sizes(const char* what, Make make) {
  for (std::size_t n : all_sizes()) {
    column<T> input(n);
    for (std::size_t i = 0; i < n; ++i) {
      input[i] = static_cast<T>(make(random_at(seed(), i), i));
    }
    expect_sorted_in_place(input, what);
  }
}

TEST_F(in_place_distribution, of_random_numbers) {
  const auto random = [](std::uint64_t r, std::size_t) { return r; };
  sort_all_sizes<std::uint32_t>("random", random);
  sort_all_sizes<std::uint64_t>("random, 8 bytes", random);
}

TEST_F(in_place_distribution, of_equal_and_nearly_equal_ones) {
  using number = std::uint32_t;
  sort_all_sizes<number>("equal", [](std::uint64_t, std::size_t) { return 7; });
  sort_all_sizes<number>("two values", [](std::uint64_t r, std::size_t) { return r % 2; });
  sort_all_sizes<number>("one in 1000 differs",
                         [](std::uint64_t r, std::size_t) { return r % 1000 ? 7 : r >> 40; });
  sort_all_sizes<number>("of 300 values", [](std::uint64_t r, std::size_t) { return r % 300; });
}

TEST_F(in_place_distribution, of_what_is_in_order) {
  using number = std::uint32_t;
  sort_all_sizes<number>("ascending", [](std::uint64_t, std::size_t i) { return i; });
  sort_all_sizes<number>("descending", [](std::uint64_t, std::size_t i) { return ~i; });
  sort_all_sizes<number>("saw", [](std::uint64_t, std::size_t i) { return i % 5000; });
}

}  // namespace
}  // namespace kit
