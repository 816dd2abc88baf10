// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quicksort of paper 004 (bench/papers), whose levels the host launches.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"
#include "papers/distributions_004.hpp"
#include "papers/tnl_quicksort.hpp"

namespace kit {
namespace {

using key = std::uint32_t;

class paper_004 : public gpu_test {};

struct descending {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

/// Number of threads, fewer than the paper's 512 where the device is the CPU, so that short inputs
/// have many blocks.
constexpr int some_threads = device_is_cpu ? 64 : 512;
constexpr std::size_t network = 2 * some_threads, tile = 8 * some_threads;
constexpr std::uint32_t most_tasks = 1u << 14;

template <int Threads = some_threads, class T, class Compare = reference_less>
void expect_sorted(const column<T>& input, const char* what, std::uint32_t queue = most_tasks,
                   Compare compare = {}) {
  using sort = papers::tnl_quicksort<T, Compare, Threads>;
  const buffer<T> data(input, 1);
  const buffer<unsigned char> scratch(sort::scratch_bytes(input.size(), queue));
  sort::run(nullptr, data.begin(), input.size(), compare, scratch.begin(), queue);
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, data.read(), compare, promise::order);
  f.zones_intact = data.intact() && scratch.intact();
  EXPECT_TRUE(f.ok()) << f << what << ", n = " << input.size() << ", queues of " << queue;
}

/// Returns sizes around the sizes of networks and tiles, and around powers of two.
std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> sizes{0, 1, 2, 3, 5, 31, 33};
  for (std::size_t limit : {network, tile, 2 * tile, 3 * tile}) {
    for (std::size_t n : {limit - 1, limit, limit + 1}) sizes.push_back(n);
  }
  if (small_sizes_only()) return sizes;
  for (std::size_t power = 64; power <= std::size_t{1} << 20; power *= 4) {
    for (std::size_t n : {power - 1, power, power + 1}) sizes.push_back(n);
  }
  return sizes;
}

const std::size_t some_elements = small_sizes_only() ? 5003 : 100003;

TEST_F(paper_004, any_length) {
  for (std::size_t n : all_sizes()) {
    for (auto d : {distribution::uniform, distribution::all_equal, distribution::two_alternating,
                   distribution::sorted, distribution::reverse}) {
      expect_sorted(generate<key>(d, n, seed()), name_of(d));
    }
  }
}

TEST_F(paper_004, any_distribution) {
  for (distribution d : every_distribution) {
    expect_sorted(generate<key>(d, some_elements, seed()), name_of(d));
  }
}

TEST_F(paper_004, its_own_inputs) {
  for (const papers::input_distribution& d : papers::distributions_of_004()) {
    papers::distribution_parameters parameters;
    parameters.seed = static_cast<std::uint32_t>(seed());
    const std::vector<key> made = d.make(some_elements, parameters);
    column<key> input(made.size());
    std::copy(made.begin(), made.end(), input.begin());
    expect_sorted(input, d.name);
  }
}

TEST_F(paper_004, blocks_of_the_paper) {
  for (std::size_t n : {1025, 4096, 4097, 9001}) {
    for (auto d : {distribution::uniform, distribution::few_distinct}) {
      expect_sorted<512>(generate<key>(d, n, seed()), name_of(d));
    }
  }
}

/// What the queues cannot take is sorted by one block for each sequence.
TEST_F(paper_004, short_queues) {
  for (std::uint32_t queue : {1, 2, 3, 4, 7, 16}) {
    for (auto d : {distribution::uniform, distribution::staggered, distribution::few_distinct,
                   distribution::median_of_three_killer}) {
      expect_sorted(generate<key>(d, some_elements, seed()), name_of(d), queue);
    }
  }
}

TEST_F(paper_004, any_keys_and_order) {
  for (std::size_t n : {tile / 2, some_elements}) {
    expect_sorted(generate<key>(distribution::uniform, n, seed()), "descending", most_tasks,
                  descending{});
    expect_sorted(generate<std::uint8_t>(distribution::uniform, n, seed()), "of 8 bits");
    expect_sorted(generate<std::int64_t>(distribution::gaussian, n, seed()), "of 64 bits");
  }
}

TEST_F(paper_004, refuses_what_its_numbers_cannot_count) {
  using sort = papers::tnl_quicksort<key, reference_less>;
  EXPECT_THROW(sort::scratch_bytes((std::uint64_t{1} << 30) + 1), std::length_error);
}

}  // namespace
}  // namespace kit
