// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that is compiled for two generations takes the numbers of the one that it runs on, and
// launches that one's kernels: those of the other have no body there.
#include <gtest/gtest.h>

#include <algorithm>
#include <gpusort/gpusort.hpp>
#include <gpusort/merge.hpp>
#include <gpusort/segmented_sort.hpp>
#include <vector>

#include "../kit/device.hpp"

namespace {

using namespace gpusort::detail;
using tuning::architecture;

struct price {
  float value;
  friend bool operator==(const price& a, const price& b) { return a.value == b.value; }
};
struct by_value {
  __host__ __device__ bool operator()(const price& a, const price& b) const {
    return a.value < b.value;
  }
};

constexpr tuning::generation_list compiled = tuning::compiled_generations();
static_assert(compiled.count == 2 && compiled.items[1] == architecture::sm_90);
constexpr architecture weakest = tuning::selected_architecture();
static_assert(weakest == compiled.items[0]);

using array = key_array<price>;
using order = by_stored_value<by_value>;
template <architecture Arch>
using sort_on = cluster_sample_sorts<array, order>::on<Arch>;

kit::column<price> made(std::size_t n) {
  kit::column<price> values(n);
  std::uint32_t x = 12345;
  for (price& p : values) p.value = static_cast<float>((x = x * 1664525 + 1013904223) % 50000);
  return values;
}

// Sizes of one block, of a cluster, of one cooperative launch, of several launches and levels.
const std::size_t sizes[] = {2, 900, 5000, 9000, 23330, 100000, 300000};

class generations : public kit::gpu_test {
 protected:
  static void expect_sorted(const kit::column<price>& found, kit::column<price> wanted,
                            const char* what) {
    std::stable_sort(wanted.begin(), wanted.end(), by_value{});
    ASSERT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()))
        << what << " of " << wanted.size();
  }
};

TEST_F(generations, the_code_that_runs_chooses_numbers) {
  const int code = 10 * current_device_properties().compiled_architecture;
  const architecture runs = tuning::generation_of(code);
  EXPECT_EQ(with_generation([](auto arch) { return arch(); }), runs);
  EXPECT_EQ(tuned_block_bytes(), tuning::shared_memory_of(runs));
  const std::uint64_t newest = sort_on<architecture::sm_90>::max_n();
  const std::uint64_t oldest = sort_on<weakest>::max_n();
  EXPECT_EQ(oldest, 0u) << "a generation without clusters";
  EXPECT_GT(newest, 0u);
  const std::uint64_t tuned = tuned_cluster_sample_sort<array, order>::max_n();
  EXPECT_EQ(tuned, runs == architecture::sm_90 ? newest : oldest);
}

TEST_F(generations, kernels_of_the_generation_sort) {
  for (std::size_t n : sizes) {
    const auto input = made(n);
    const kit::buffer<price> range(input, 0), stable(input, 0);
    gpusort::sort(gpusort::par_gpu, range.data(), range.data() + n, by_value{});
    expect_sorted(range.read(), input, "sort");
    gpusort::stable_sort(gpusort::par_gpu, stable.data(), stable.data() + n, by_value{});
    expect_sorted(stable.read(), input, "stable_sort");
  }
}

TEST_F(generations, kernels_of_the_generation_merge) {
  const std::vector<std::size_t> offsets{0, 3, 30000, 61000, 90001, 150000};
  auto input = made(offsets.back());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(input.begin() + offsets[i], input.begin() + offsets[i + 1], by_value{});
  }
  const kit::buffer<price> in(input, 0), out(kit::column<price>(input.size()), 0);
  gpusort::multiway_merge(gpusort::par_gpu, in.data(), offsets.begin(), offsets.end(), out.data(),
                          by_value{});
  expect_sorted(out.read(), input, "multiway_merge");
}

TEST_F(generations, kernels_of_the_generation_sort_segments) {
  const kit::column<std::uint32_t> offsets{0, 3, 200, 1500, 4000, 40000};
  auto wanted = made(40000);
  const kit::buffer<price> range(wanted, 0);
  const kit::buffer<std::uint32_t> at(offsets, 0);
  gpusort::segmented_sort(gpusort::par_gpu, range.data(), range.data() + wanted.size(), at.data(),
                          at.data() + offsets.size(), by_value{});
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::sort(wanted.begin() + offsets[s], wanted.begin() + offsets[s + 1], by_value{});
  }
  const auto found = range.read();
  EXPECT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()));
}

}  // namespace
