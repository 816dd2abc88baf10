// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 001's sort on two graphics cards (bench/papers), on those that there are: where that is
// one, it is both.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"
#include "papers/hybrid_on_devices.hpp"

namespace kit {
namespace {

using papers::hybrid_options;
using papers::hybrid_split;

class paper_001_on_devices : public gpu_test {};

/// Ascending, NaNs last.
struct nans_last {
  bool operator()(float a, float b) const { return a < b || (a == a && b != b); }
};

constexpr int lists = device_is_cpu ? 32 : 1024;
using sort_on_devices = papers::hybrid_on_devices<lists>;

/// Holds what one device needs, on the device that is current when it is made.
struct device_memory {
  explicit device_memory(const column<float>& values)
      : input(values, 1), out(values.size(), 1), scratch(scratch_bytes(values.size())) {}

  static std::size_t scratch_bytes(std::size_t n) { return sort_on_devices::scratch_bytes(n); }
  bool intact() const { return input.intact() && out.intact() && scratch.intact(); }

  buffer<float> input, out;
  buffer<unsigned char> scratch;
  stream on;
};

/// Returns the lengths of the shares, which are in order and of the input's elements.
std::vector<std::uint32_t> expect_sorted(const column<float>& input, std::size_t device_count,
                                         const hybrid_options& options, const char* what) {
  int present = 0;
  cuda_ok(cudaGetDeviceCount(&present));
  std::vector<std::unique_ptr<device_memory>> memory;
  std::vector<papers::sharing_device> devices;
  for (std::size_t i = 0; i < device_count; ++i) {
    const int device = static_cast<int>(i) % present;
    cuda_ok(cudaSetDevice(device));
    memory.push_back(std::make_unique<device_memory>(input));
    const device_memory& m = *memory.back();
    devices.push_back({device, m.on, m.input.begin(), m.out.begin(), m.scratch.begin()});
  }
  const auto lengths = sort_on_devices::run(devices, input.size(), options);
  column<float> sorted(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}));
  float* end = sorted.begin();
  bool are_intact = true;
  for (std::size_t i = 0; i < device_count; ++i) {
    cuda_ok(cudaSetDevice(devices[i].device));
    const column<float> share = memory[i]->out.read();
    end = std::copy(share.begin(), share.begin() + lengths[i], end);
    are_intact &= memory[i]->intact();
  }
  memory.clear();
  cuda_ok(cudaSetDevice(0));
  findings f = examine(input, sorted, nans_last{}, promise::order);
  f.zones_intact = are_intact;
  EXPECT_TRUE(f.ok()) << f << what << ", n = " << input.size() << ", " << device_count
                      << " devices";
  return lengths;
}

std::vector<hybrid_options> all_options() {
  return {{hybrid_split::buckets, false, 0, seed()},
          {hybrid_split::buckets, true, 0, seed()},
          {hybrid_split::quicksort, false, 0, seed()}};
}

/// Makes values of numbers spread evenly from 0 to 1.
template <class Shape>
column<float> shaped(std::size_t n, Shape shape) {
  column<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = shape(static_cast<float>(random_at(seed(), i) >> 40) * 0x1p-24f);
  }
  return values;
}

TEST_F(paper_001_on_devices, any_length) {
  std::vector<std::size_t> sizes{0, 1, 2, 3, 511, 512, 513, 1025};
  if (!small_sizes_only()) sizes.insert(sizes.end(), {65535, 65537, (1 << 18) + 1});
  for (std::size_t n : sizes) {
    for (const hybrid_options& options : all_options()) {
      expect_sorted(shaped(n, [](float u) { return u; }), 2, options, "evenly spread");
    }
  }
}

TEST_F(paper_001_on_devices, any_distribution) {
  const std::size_t n = small_sizes_only() ? 1500 : 60003;
  for (distribution d : every_distribution) {
    expect_sorted(generate<float>(d, n, seed()), 2, all_options()[0], name_of(d));
  }
}

TEST_F(paper_001_on_devices, more_than_two) {
  const std::size_t n = small_sizes_only() ? 1500 : 60003;
  for (std::size_t devices : {1, 3, 8}) {
    expect_sorted(generate<float>(distribution::special, n, seed()), devices, all_options()[0],
                  "special");
  }
}

/// What the histogram is for.
TEST_F(paper_001_on_devices, shares_are_even) {
  const std::size_t n = small_sizes_only() ? 4000 : 200000;
  for (std::size_t devices : {2, 4}) {
    const auto lengths =
        expect_sorted(shaped(n, [](float u) { return u * u; }), devices, all_options()[0], "u^2");
    for (std::uint32_t length : lengths) {
      EXPECT_NEAR(length * static_cast<double>(devices), n, 0.1 * n);
    }
  }
}

/// One value has one owner: the paper's answer to skew is none.
TEST_F(paper_001_on_devices, equal_elements_are_all_of_one_share) {
  const std::size_t n = 1000;
  const auto lengths =
      expect_sorted(shaped(n, [](float) { return 3.f; }), 2, all_options()[0], "all equal");
  EXPECT_EQ(std::max(lengths[0], lengths[1]), n);
}

TEST_F(paper_001_on_devices, refuses_no_device) {
  EXPECT_THROW(sort_on_devices::run({}, 1, all_options()[0]), std::invalid_argument);
}

}  // namespace
}  // namespace kit
