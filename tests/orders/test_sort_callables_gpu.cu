// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparators as users write them: lambdas, functors with state; and the values they compare.
#include <cuda/std/tuple>

#include "../kit/expect_sorted.hpp"

namespace kit {

using callables = gpu_test;

using tuple = cuda::std::tuple<std::int32_t, std::uint16_t, std::uint16_t>;

tuple make_tuple(std::uint64_t i, std::uint64_t) {
  const std::uint64_t r = random_at(seed(), i);
  return tuple(static_cast<std::int32_t>(r % 90) - 45, static_cast<std::uint16_t>(r >> 44),
               static_cast<std::uint16_t>(i));
}

void expect_sorted_tuples(std::size_t n) {
  const auto order = [] __host__ __device__(const tuple& a, const tuple& b) -> bool {
    const auto first = cuda::std::get<0>(a);
    const auto second = cuda::std::get<0>(b);
    return first != second ? first < second : cuda::std::get<1>(b) < cuda::std::get<1>(a);
  };
  expect_sorted(make_all(n, make_tuple), order, order);
}

TEST_F(callables, tuples) {
  for (std::size_t n : order_sizes()) expect_sorted_tuples(n);
}

void expect_sorted_by_device_lambda(std::size_t n) {
  expect_sorted(
      generate<std::uint32_t>(distribution::uniform, n, seed()),
      [](std::uint32_t a, std::uint32_t b) { return (a ^ 0x5555) < (b ^ 0x5555); },
      [] __device__(std::uint32_t a, std::uint32_t b) { return (a ^ 0x5555) < (b ^ 0x5555); });
}

TEST_F(callables, device_lambdas) {
  for (std::size_t n : order_sizes()) expect_sorted_by_device_lambda(n);
}

/// Orders indices by a table in device memory, as those do who sort indirectly.
struct by_table {
  const float* table;
  GPUSORT_HOST_DEVICE GPUSORT_TEST_NOINLINE bool operator()(std::uint32_t a,
                                                            std::uint32_t b) const {
    return table[a] < table[b];
  }
};

TEST_F(callables, comparators_with_state) {
  for (std::size_t n : order_sizes()) {
    const auto keys = generate<float>(distribution::gaussian, n, seed());
    const buffer<float> table(keys, 1);
    column<std::uint32_t> indices(n);
    for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint32_t>(i);
    expect_sorted(indices, by_table{keys.data()}, by_table{table.data()});
  }
}

/// Type that is not trivially copyable, but safe to move as bytes: its author says so below.
struct handle {
  std::uint64_t key = 0;
  std::uint64_t position = 0;

  handle() = default;
  GPUSORT_HOST_DEVICE handle(const handle& other) : key(other.key), position(other.position) {}
  GPUSORT_HOST_DEVICE handle& operator=(const handle& other) {
    key = other.key;
    position = other.position;
    return *this;
  }
  ~handle() = default;
};

struct by_handle_key {
  GPUSORT_HOST_DEVICE GPUSORT_TEST_NOINLINE bool operator()(const handle& a,
                                                            const handle& b) const {
    return a.key < b.key;
  }
};

}  // namespace kit

template <>
struct gpusort::is_trivially_relocatable<kit::handle> : std::true_type {};

namespace kit {

TEST_F(callables, types_declared_relocatable) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n,
                           [](std::uint64_t i, std::uint64_t) {
                             handle h;
                             h.key = random_at(seed(), i) % 1000;
                             h.position = i;
                             return h;
                           }),
                  by_handle_key{}, by_handle_key{});
  }
}

}  // namespace kit
