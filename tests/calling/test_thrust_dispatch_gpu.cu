// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's sorts under our policies: that they reach gpusort, under every form of policy, and that
// they sort.
#include <gtest/gtest.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>

#include <algorithm>
#include <gpusort/thrust.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../kit/allocator_spellings.hpp"
#include "../kit/device.hpp"
#include "../kit/stream_test.hpp"

namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;

struct opaque_less {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// Type that is not trivially copyable, so that gpusort does not take it.
struct stubborn {
  int value = 0;

  stubborn() = default;
  __host__ __device__ stubborn(int v) : value(v) {}
  __host__ __device__ stubborn(const stubborn& other) : value(other.value) {}
  __host__ __device__ stubborn& operator=(const stubborn& other) {
    value = other.value;
    return *this;
  }
  __host__ __device__ ~stubborn() {}
  __host__ __device__ friend bool operator<(const stubborn& a, const stubborn& b) {
    return a.value < b.value;
  }
};
static_assert(!gpusort::is_trivially_relocatable_v<stubborn>);

std::vector<int> random_values(std::size_t n, int below) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<int> values(n);
  for (int& v : values) v = static_cast<int>(random() % below);
  return values;
}

template <class T>
std::vector<T> to_host(const thrust::device_vector<T>& v) {
  kit::cuda_ok(cudaDeviceSynchronize());
  std::vector<T> host(v.size());
  thrust::copy(v.begin(), v.end(), host.begin());
  return host;
}

/// The forms of policy under which the same calls are tested: all synchronous, so that gpusort's
/// part is compiled once.
class thrust_dispatch : public kit::stream_test {
 protected:
  template <class Test>
  void under_every_form(Test test) {
    kit::device_ledger books;
    kit::plain_allocator<char> allocator{&books};
    kit::async_resource_3_0 resource;
    resource.books = &books;
    const auto each = [&](const char* form, const auto& policy) {
      SCOPED_TRACE(form);
      test(policy);
    };
    each("par_gpu", par_gpu);
    each("par_gpu.on(s)", par_gpu.on(stream_));
    each("par_gpu(alloc)", par_gpu(allocator));
    each("par_gpu(alloc).on(s)", par_gpu(allocator).on(stream_));
    each("par_gpu.on(s)(alloc)", par_gpu.on(stream_)(allocator));
    each("par_gpu(&resource)", par_gpu(&resource));
    kit::cuda_ok(cudaDeviceSynchronize());
    gpusort::release_scratch();
    EXPECT_TRUE(books.balanced());
  }
};

// gpusort says that a reversed range is a mistake; Thrust does not look. So this shows who answers.
TEST_F(thrust_dispatch, every_overload_reaches_gpusort) {
  thrust::device_vector<int> keys(10, 1), values(10, 2);
  const auto first = keys.begin(), last = keys.end();
  const auto v = values.begin();
  under_every_form([&](const auto& p) {
    EXPECT_THROW(thrust::sort(p, last, first), std::invalid_argument);
    EXPECT_THROW(thrust::sort(p, last, first, opaque_less{}), std::invalid_argument);
    EXPECT_THROW(thrust::sort(p, last, first, gpusort::less{}), std::invalid_argument);
    EXPECT_THROW(thrust::stable_sort(p, last, first), std::invalid_argument);
    EXPECT_THROW(thrust::stable_sort(p, last, first, opaque_less{}), std::invalid_argument);
    EXPECT_THROW(thrust::sort_by_key(p, last, first, v), std::invalid_argument);
    EXPECT_THROW(thrust::sort_by_key(p, last, first, v, opaque_less{}), std::invalid_argument);
    EXPECT_THROW(thrust::stable_sort_by_key(p, last, first, v), std::invalid_argument);
    EXPECT_THROW(thrust::stable_sort_by_key(p, last, first, v, opaque_less{}),
                 std::invalid_argument);
  });
}

TEST_F(thrust_dispatch, a_policy_that_is_an_lvalue_reaches_gpusort_too) {
  thrust::device_vector<int> keys(10, 1);
  auto policy = par_gpu.on(stream_);
  EXPECT_THROW(thrust::sort(policy, keys.end(), keys.begin()), std::invalid_argument);
  const auto constant = policy;
  EXPECT_THROW(thrust::sort(constant, keys.end(), keys.begin()), std::invalid_argument);
}

TEST_F(thrust_dispatch, asynchronous_policies_reach_gpusort_and_sort) {
  const auto original = random_values(50'000, 1 << 30);
  auto ascending = original;
  std::sort(ascending.begin(), ascending.end());
  thrust::device_vector<int> keys(original.begin(), original.end());
  kit::device_ledger books;
  kit::async_resource_3_0 resource;
  resource.books = &books;
  const auto policy = par_gpu_nosync.with(gpusort::deterministic).on(stream_)(&resource);
  EXPECT_THROW(thrust::sort(policy, keys.end(), keys.begin()), std::invalid_argument);
  thrust::sort(policy, keys.begin(), keys.end());
  EXPECT_EQ(to_host(keys), ascending);
  EXPECT_GT(books.calls, 0u);
  EXPECT_TRUE(books.balanced());
}

TEST_F(thrust_dispatch, sorts) {
  const auto original = random_values(50'000, 1 << 30);
  auto ascending = original;
  std::sort(ascending.begin(), ascending.end());
  auto descending = ascending;
  std::reverse(descending.begin(), descending.end());
  under_every_form([&](const auto& p) {
    const auto sorted = [&](auto sort) {
      thrust::device_vector<int> keys(original.begin(), original.end());
      sort(keys);
      return to_host(keys);
    };
    EXPECT_EQ(sorted([&](auto& k) { thrust::sort(p, k.begin(), k.end()); }), ascending);
    EXPECT_EQ(sorted([&](auto& k) { thrust::sort(p, k.begin(), k.end(), thrust::greater<int>()); }),
              descending);
    EXPECT_EQ(sorted([&](auto& k) { thrust::sort(p, k.begin(), k.end(), opaque_less{}); }),
              ascending);
    EXPECT_EQ(sorted([&](auto& k) { thrust::stable_sort(p, k.begin(), k.end()); }), ascending);
    EXPECT_EQ(sorted([&](auto& k) { thrust::sort(p, k.rbegin(), k.rend()); }), descending);
    EXPECT_EQ(sorted([&](auto& k) {
                int* const raw = thrust::raw_pointer_cast(k.data());
                thrust::sort(p, raw, raw + k.size());
              }),
              ascending);
  });
}

TEST_F(thrust_dispatch, by_key_is_stable_also_where_thrust_does_not_promise_it) {
  const auto original = random_values(50'000, 2);
  std::vector<int> order(original.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return original[a] < original[b]; });
  under_every_form([&](const auto& p) {
    const auto permutation = [&](auto sort) {
      thrust::device_vector<bool> keys(original.begin(), original.end());
      std::vector<int> indices(original.size());
      std::iota(indices.begin(), indices.end(), 0);
      thrust::device_vector<int> values(indices.begin(), indices.end());
      sort(keys, values);
      return to_host(values);
    };
    EXPECT_EQ(permutation(
                  [&](auto& k, auto& v) { thrust::sort_by_key(p, k.begin(), k.end(), v.begin()); }),
              order);
    EXPECT_EQ(permutation([&](auto& k, auto& v) {
                thrust::sort_by_key(p, k.begin(), k.end(), v.begin(), thrust::less<bool>());
              }),
              order);
    EXPECT_EQ(permutation([&](auto& k, auto& v) {
                thrust::stable_sort_by_key(p, k.begin(), k.end(), v.begin());
              }),
              order);
    EXPECT_EQ(permutation([&](auto& k, auto& v) {
                thrust::stable_sort_by_key(p, k.begin(), k.end(), v.begin(), opaque_less{});
              }),
              order);
  });
}

TEST_F(thrust_dispatch, takes_zip_iterators) {
  const auto original = random_values(10'000, 100);
  thrust::device_vector<int> a(original.begin(), original.end());
  const std::vector<int> reversed(original.rbegin(), original.rend());
  thrust::device_vector<int> b(reversed.begin(), reversed.end());
  std::vector<std::pair<int, int>> expected;
  for (std::size_t i = 0; i < original.size(); ++i) {
    expected.emplace_back(original[i], reversed[i]);
  }
  std::sort(expected.begin(), expected.end());
  const auto first = thrust::make_zip_iterator(a.begin(), b.begin());
  thrust::sort(par_gpu, first, first + original.size(), opaque_less{});
  const auto sorted_a = to_host(a);
  const auto sorted_b = to_host(b);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i], std::make_pair(sorted_a[i], sorted_b[i])) << i;
  }
}

TEST_F(thrust_dispatch, what_gpusort_cannot_take_is_sorted_by_thrust) {
  const auto original = random_values(10'000, 1000);
  auto expected = original;
  std::sort(expected.begin(), expected.end());
  under_every_form([&](const auto& p) {
    const auto sorted = [&](auto sort) {
      thrust::host_vector<stubborn> host(original.begin(), original.end());
      thrust::device_vector<stubborn> keys = host;
      thrust::device_vector<int> values(original.begin(), original.end());
      sort(keys, values);
      kit::cuda_ok(cudaDeviceSynchronize());
      host = keys;
      std::vector<int> result;
      for (const stubborn& key : host) result.push_back(key.value);
      return result;
    };
    EXPECT_EQ(sorted([&](auto& k, auto&) { thrust::sort(p, k.begin(), k.end()); }), expected);
    EXPECT_EQ(sorted([&](auto& k, auto&) { thrust::sort(p, k.begin(), k.end(), gpusort::less{}); }),
              expected);
    EXPECT_EQ(sorted([&](auto& k, auto&) { thrust::stable_sort(p, k.begin(), k.end()); }),
              expected);
    EXPECT_EQ(sorted([&](auto& k, auto& v) {
                thrust::sort_by_key(p, k.begin(), k.end(), v.begin(), opaque_less{});
                EXPECT_EQ(to_host(v), expected);
              }),
              expected);
    EXPECT_EQ(sorted([&](auto& k, auto& v) {
                thrust::stable_sort_by_key(p, k.begin(), k.end(), v.begin());
              }),
              expected);
  });
}

// gpusort::is_sorted takes fewer types, and has another order for NaNs.
TEST_F(thrust_dispatch, is_sorted_is_answered_by_thrust) {
  thrust::host_vector<stubborn> host(1000);
  for (int i = 0; i < 1000; ++i) host[i] = i / 2;
  thrust::device_vector<stubborn> elements = host;
  thrust::device_vector<float> numbers(1000, 1.0f);
  numbers[500] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, numbers.begin(), numbers.end()));
  under_every_form([&](const auto& p) {
    EXPECT_TRUE(thrust::is_sorted(p, elements.begin(), elements.end()));
    EXPECT_TRUE(thrust::is_sorted(p, elements.begin(), elements.end(), opaque_less{}));
    EXPECT_TRUE(thrust::is_sorted(p, numbers.begin(), numbers.end()));
    EXPECT_EQ(thrust::is_sorted_until(p, numbers.begin(), numbers.end()), numbers.end());
  });
}

}  // namespace
