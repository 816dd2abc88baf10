// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Anything that is random access can be sorted, wherever it points.
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

#include <algorithm>
#include <array>
#include <gpusort/gpusort.hpp>
#include <iterator>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/places.hpp"

namespace kit {

using u32 = std::uint32_t;

class iterators : public gpu_test {
 protected:
  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {0, 1, 1000, 3000};
    return {0, 1, 2, 1000, 5000, 300007};
  }

  static column<u32> input(std::size_t n) {
    return generate<u32>(distribution::gaussian, n, seed());
  }

  template <class Container>
  static ::testing::AssertionResult holds_sorted_input(const Container& output) {
    column<u32> found(output.size());
    std::copy(output.begin(), output.end(), found.begin());
    const findings f = examine(input(output.size()), found, reference_less{}, promise::stability);
    if (f.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << f << " (n = " << output.size() << ")";
  }

  /// Sorts a container in every way that takes its iterators.
  template <class Container>
  static void sort_container(std::size_t n) {
    const auto in = input(n);
    Container values(in.begin(), in.end());
    gpusort::sort(gpusort::par_gpu, values.begin(), values.end());
    EXPECT_TRUE(holds_sorted_input(values));
    values = Container(in.begin(), in.end());
    gpusort::stable_sort(gpusort::par_gpu, values.begin(), values.end(), gpusort::less{});
    EXPECT_TRUE(holds_sorted_input(values));
  }
};

TEST_F(iterators, std_vector) {
  for (std::size_t n : sizes()) sort_container<std::vector<u32>>(n);
}
TEST_F(iterators, thrust_host_vector) {
  for (std::size_t n : sizes()) sort_container<thrust::host_vector<u32>>(n);
}
TEST_F(iterators, thrust_device_vector) {
  for (std::size_t n : sizes()) sort_container<thrust::device_vector<u32>>(n);
}
TEST_F(iterators, thrust_universal_vector) {
  for (std::size_t n : sizes()) sort_container<thrust::universal_vector<u32>>(n);
}

TEST_F(iterators, std_array_and_plain_arrays) {
  const auto in = input(100);
  std::array<u32, 100> array;
  std::copy(in.begin(), in.end(), array.begin());
  gpusort::sort(gpusort::par_gpu, array.begin(), array.end());
  EXPECT_TRUE(holds_sorted_input(array));
}

TEST_F(iterators, device_ptr) {
  for (std::size_t n : sizes()) {
    const buffer<u32> range(input(n), 1);
    const thrust::device_ptr<u32> first(range.begin());
    gpusort::sort(gpusort::par_gpu, first, first + static_cast<std::ptrdiff_t>(n));
    EXPECT_TRUE(holds_sorted_input(range.read()));
    EXPECT_TRUE(range.intact());
  }
}

TEST_F(iterators, reversed) {
  for (std::size_t n : sizes()) {
    const buffer<u32> range(input(n), 1);
    gpusort::sort(gpusort::par_gpu, std::make_reverse_iterator(range.end()),
                  std::make_reverse_iterator(range.begin()));
    column<u32> output = range.read();
    std::reverse(output.begin(), output.end());
    EXPECT_TRUE(holds_sorted_input(output));
    EXPECT_TRUE(range.intact());

    const auto in = input(n);
    std::vector<u32> host(in.begin(), in.end());
    gpusort::stable_sort(gpusort::par_gpu, host.rbegin(), host.rend());
    std::reverse(host.begin(), host.end());
    EXPECT_TRUE(holds_sorted_input(host));

    thrust::device_vector<u32> device(in.begin(), in.end());
    gpusort::sort(gpusort::par_gpu, thrust::make_reverse_iterator(device.end()),
                  thrust::make_reverse_iterator(device.begin()));
    host.assign(n, 0);
    thrust::copy(device.begin(), device.end(), host.begin());
    std::reverse(host.begin(), host.end());
    EXPECT_TRUE(holds_sorted_input(host));
  }
}

// The stable order of a reversed range is the order in which the reverse iterator meets equals.
TEST_F(iterators, reversed_and_stable) {
  using value = record<16>;
  for (std::size_t n : sizes()) {
    const auto in = generate<value>(distribution::few_distinct, n, seed());
    const buffer<value> range(in, 1);
    gpusort::stable_sort(gpusort::par_gpu, std::make_reverse_iterator(range.end()),
                         std::make_reverse_iterator(range.begin()), opaque());
    column<value> input = in;
    std::reverse(input.begin(), input.end());
    column<value> output = range.read();
    std::reverse(output.begin(), output.end());
    const findings f = examine(input, output, opaque(), promise::stability, 1 << 20);
    EXPECT_TRUE(f.ok()) << f << ", n = " << n;
  }
}

// A range seen through a permutation: it is not contiguous.
struct halve {
  __host__ __device__ u32 operator()(u32 x) const { return x / 2; }
};

/// An output that can only be written to.
TEST_F(iterators, copied_through_a_function) {
  for (std::size_t n : sizes()) {
    const auto in = input(n);
    const thrust::device_vector<u32> from(in.begin(), in.end());
    thrust::device_vector<u32> to(n);
    gpusort::sort_copy(gpusort::par_gpu, from.begin(), from.end(),
                       thrust::make_transform_output_iterator(to.begin(), halve{}));
    std::vector<u32> expected(in.begin(), in.end());
    std::sort(expected.begin(), expected.end());
    for (u32& x : expected) x /= 2;
    EXPECT_TRUE(to == expected) << n;
  }
}

/// Ranges that begin with the same element and run apart overlap, and are not the same.
TEST_F(iterators, copied_to_a_reverse_that_begins_here) {
  const buffer<u32> range(input(1001), 0);
  u32* const middle = range.begin() + 500;
  EXPECT_THROW(gpusort::sort_copy(gpusort::par_gpu, middle, middle + 500,
                                  std::make_reverse_iterator(middle + 1)),
               std::invalid_argument);
}

TEST_F(iterators, permuted) {
  for (std::size_t n : sizes()) {
    const auto in = input(n);
    thrust::device_vector<u32> values(in.begin(), in.end());
    std::vector<u32> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<u32>(n - 1 - i);
    const thrust::device_vector<u32> map(order.begin(), order.end());
    const auto first = thrust::make_permutation_iterator(values.begin(), map.begin());
    gpusort::sort(gpusort::par_gpu, first, first + static_cast<std::ptrdiff_t>(n));
    std::vector<u32> output(n);
    thrust::copy(values.begin(), values.end(), output.begin());
    std::reverse(output.begin(), output.end());
    EXPECT_TRUE(holds_sorted_input(output));
  }
}

/// Orders the rows of a zip by their first column.
struct by_first {
  template <class Row>
  GPUSORT_HOST_DEVICE bool operator()(const Row& a, const Row& b) const {
    return thrust::get<0>(a) < thrust::get<0>(b);
  }
};

TEST_F(iterators, explained_as_they_are_sorted) {
  const std::size_t n = 50000;
  const buffer<u32> a(generate<u32>(distribution::uniform, n, seed()), 1);
  const buffer<std::uint64_t> b(n, 3);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  const auto last = first + static_cast<std::ptrdiff_t>(n);
  const auto policy = gpusort::par_gpu.with(gpusort::deterministic);
  const auto plan = gpusort::explain(policy, first, last, by_first{});
  EXPECT_EQ(plan.algorithm, gpusort::route::merge_sort) << plan.reason;
  const std::size_t bytes = gpusort::scratch_bytes(policy, first, last, by_first{});
  EXPECT_EQ(plan.scratch_bytes, bytes);
  const buffer<unsigned char> memory(bytes);
  gpusort::sort(policy.with(gpusort::scratch(memory.begin(), bytes)), first, last, by_first{});
  const auto sorted = a.read();
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()) && memory.intact());
}

TEST_F(iterators, columns_here_and_there_are_refused) {
  const std::size_t n = 1000;
  const buffer<u32> on_device(n, 1);
  std::vector<u32> on_host(n);
  const auto refused = [&](u32* a, u32* b) {
    const auto first = thrust::make_zip_iterator(a, b);
    EXPECT_THROW(gpusort::sort(gpusort::par_gpu, first, first + n, by_first{}),
                 std::invalid_argument);
  };
  refused(on_device.begin(), on_host.data());
  refused(on_host.data(), on_device.begin());
}

TEST_F(iterators, zipped_columns) {
  for (std::size_t n : sizes()) {
    const auto keys = generate<u32>(distribution::few_distinct, n, seed());
    for (bool stable : {false, true}) {
      const buffer<u32> a(keys, 1);
      const buffer<std::uint64_t> b(places_of<std::uint64_t>(n), 3);
      const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
      const auto last = first + static_cast<std::ptrdiff_t>(n);
      if (stable) {
        gpusort::stable_sort(gpusort::par_gpu, first, last, by_first{});
      } else {
        gpusort::sort(gpusort::par_gpu, first, last, by_first{});
      }
      ASSERT_TRUE(moved_with_places(keys, a.read(), b.read(), reference_less{},
                                    stable ? promise::stability : promise::order));
      EXPECT_TRUE(a.intact() && b.intact());
    }
  }
}

TEST_F(iterators, host_and_device_mixed_in_one_by_key_call) {
  const std::size_t n = 5000;
  const auto keys = generate<u32>(distribution::uniform, n, seed());
  const buffer<u32> device_keys(keys, 1);
  std::vector<u32> positions(n);
  for (std::size_t i = 0; i < n; ++i) positions[i] = static_cast<u32>(i);
  gpusort::sort_by_key(gpusort::par_gpu, device_keys.begin(), device_keys.end(), positions.begin());
  const auto sorted_keys = device_keys.read();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sorted_keys[i], keys[positions[i]]) << i;
}

}  // namespace kit
