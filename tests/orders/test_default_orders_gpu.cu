// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default order of tuples and arrays, on the device.
#include <array>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <gpusort/block.hpp>
#include <tuple>

#include "../kit/expect_sorted.hpp"
#include "../kit/places.hpp"

namespace kit {

using default_orders = gpu_test;

/// Expects both halves sorted and merged to be all in order, and is_sorted to see it.
template <class T>
void expect_merged(const column<T>& input) {
  const std::size_t half = input.size() / 2;
  const buffer<T> range(input, 0), merged(input.size(), 0);
  T* const first = range.begin();
  gpusort::sort(gpusort::par_gpu, first, first + half);
  gpusort::sort(gpusort::par_gpu, first + half, range.end());
  EXPECT_FALSE(gpusort::is_sorted(gpusort::par_gpu, first, range.end()));
  gpusort::merge(gpusort::par_gpu, first, first + half, first + half, range.end(), merged.begin());
  EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, merged.begin(), merged.end()));
  const findings f =
      examine(input, merged.read(), gpusort::less{}, promise::order, std::size_t{1} << 20);
  EXPECT_TRUE(f.ok()) << "merge, n = " << input.size() << ": " << f;
}

template <class T>
void expect_sorted_by_key(const column<T>& input) {
  const buffer<T> keys(input, 0);
  const buffer<std::uint32_t> values(places_of<std::uint32_t>(input.size()), 0);
  gpusort::stable_sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin());
  EXPECT_TRUE(
      moved_with_places(input, keys.read(), values.read(), gpusort::less{}, promise::stability));
}

template <class T>
void expect_in_segments(const column<T>& input) {
  const column<std::size_t> ends = {0, input.size() / 3, input.size() / 3, input.size()};
  const buffer<std::size_t> offsets(ends, 0);
  const buffer<T> range(input, 0);
  gpusort::segmented_sort(gpusort::par_gpu, range.begin(), range.end(), offsets.begin(),
                          offsets.end());
  const auto sorted = range.read();
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const auto part = [&](const column<T>& all) {
      return make_all(ends[i] - ends[i - 1],
                      [&](std::uint64_t j, std::uint64_t) { return all[ends[i - 1] + j]; });
    };
    const findings f = examine(part(input), part(sorted), gpusort::less{}, promise::order);
    EXPECT_TRUE(f.ok()) << "segment " << i << " of " << input.size() << " elements: " << f;
  }
}

template <class T>
struct fetch_element {
  const T* data;
  __device__ T operator()(int i) const { return data[i]; }
};

template <class T>
struct swap_elements {
  struct bytes {
    unsigned char all[sizeof(T)];
  };
  bytes* data;
  __device__ void operator()(int i, int j) const {
    const bytes first = data[i];
    data[i] = data[j];
    data[j] = first;
  }
};

template <class T>
void expect_fetched(const column<T>& input) {
  const buffer<T> range(input, 0);
  using swap = swap_elements<T>;
  gpusort::sort(gpusort::par_gpu, 0, static_cast<int>(input.size()),
                fetch_element<T>{range.begin()}, gpusort::less{},
                swap{reinterpret_cast<typename swap::bytes*>(range.begin())});
  const findings f = examine(input, range.read(), gpusort::less{}, promise::order);
  EXPECT_TRUE(f.ok()) << "by fetch, n = " << input.size() << ": " << f;
}

template <class T>
__global__ void sort_in_a_block_kernel(T* data, int n) {
  __shared__ gpusort::block::sort_storage<T, 128, 8> storage;
  gpusort::block::sort(storage, data, data + n);
}

template <class T>
void expect_sorted_in_a_block(const column<T>& input) {
  const buffer<T> range(input, 0);
  sort_in_a_block_kernel<<<1, 128>>>(range.begin(), static_cast<int>(input.size()));
  cuda_ok(cudaDeviceSynchronize());
  const findings f = examine(input, range.read(), gpusort::less{}, promise::order);
  EXPECT_TRUE(f.ok()) << "in a block, n = " << input.size() << ": " << f;
}

/// Makes n elements from two numbers, the first of which is one of few.
template <class Make>
auto elements_of(std::size_t n, Make make) {
  return make_all(n, [&](std::uint64_t i, std::uint64_t) {
    const std::uint64_t r = random_at(seed(), i);
    return make(static_cast<int>(r % 50), static_cast<int>(r >> 40));
  });
}

// Each call takes the order from one functor, so for one type all of them are made.
TEST_F(default_orders, of_std_tuples_in_every_call) {
  for (std::size_t n : {std::size_t{100}, std::size_t{1} << 20}) {
    const auto input = elements_of(
        n, [](int a, int b) { return std::tuple<int, float>(a, static_cast<float>(b)); });
    expect_sorted(input, gpusort::less{});
    expect_sorted(input, gpusort::greater{}, gpusort::greater{});
    expect_merged(input);
    expect_sorted_by_key(input);
    expect_in_segments(input);
    expect_fetched(input);
    if (n == 100) expect_sorted_in_a_block(input);
  }
}

/// Expects another type to be ordered by sort, stable_sort, and a block's sort.
template <class Make>
void expect_ordered(Make make) {
  expect_sorted_in_a_block(elements_of(100, make));
  for (std::size_t n : {std::size_t{100}, std::size_t{1} << 20}) {
    expect_sorted(elements_of(n, make), gpusort::less{});
  }
}

TEST_F(default_orders, of_std_arrays) {
  expect_ordered([](int a, int b) { return std::array<int, 3>{a, b, a ^ b}; });
}

TEST_F(default_orders, of_nested_elements) {
  expect_ordered([](int a, int b) {
    return std::pair(std::tuple<int, float>(a, 1.f), std::array<int, 3>{1, b, a});
  });
}

TEST_F(default_orders, of_cuda_std_elements) {
  expect_ordered([](int a, int b) {
    return cuda::std::tuple<int, cuda::std::array<int, 2>>(a, cuda::std::array<int, 2>{b, a});
  });
}

}  // namespace kit
