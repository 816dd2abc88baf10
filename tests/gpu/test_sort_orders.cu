// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders beyond less and greater: order_by, projections, the functors of std, cuda::std and Thrust,
// pairs and tuples, lambdas, comparators with state.
#include <thrust/functional.h>

#include <algorithm>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <utility>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

/// A record as users write them. No padding.
struct particle {
  float distance;
  std::uint32_t id;
  std::int16_t level;
  std::uint8_t kind;
  std::uint8_t flags;
};

/// Another whose members do not fit in one machine word together, in a record of 64 bytes.
struct event {
  double time;
  std::int64_t source;
  float energy;
  std::uint32_t sequence;
  unsigned char payload[40];
};

particle make_particle(std::uint64_t i, std::uint64_t n) {
  const std::uint64_t r = random_at(seed(), i);
  particle p;
  p.distance = value_at<float>(distribution::special, i, n, seed());
  p.id = static_cast<std::uint32_t>(i);
  p.level = static_cast<std::int16_t>(r % 7) - 3;
  p.kind = static_cast<std::uint8_t>(r >> 32);
  p.flags = static_cast<std::uint8_t>(r >> 40);
  return p;
}

event make_event(std::uint64_t i, std::uint64_t n) {
  const std::uint64_t r = random_at(seed(), i);
  event e;
  e.time = r % 3 == 0 ? value_at<double>(distribution::special, i, n, seed()) : double(r % 5);
  e.source = static_cast<std::int64_t>(r >> 60) - 8;
  e.energy = static_cast<float>(r >> 54 & 3);
  e.sequence = static_cast<std::uint32_t>(i);
  for (int b = 0; b < 40; ++b) e.payload[b] = static_cast<unsigned char>(random_at(i, b));
  return e;
}

template <class Make>
auto make_all(std::size_t n, Make make) {
  column<decltype(make(0, n))> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make(i, n);
  return values;
}

using orders = gpu_test;

std::vector<std::size_t> order_sizes() {
  if (small_sizes_only()) return {0, 1, 33, 1000, 5000};
  return {0, 1, 2, 33, 1000, 5000, 20011, 300007};
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

TEST_F(orders, order_by_one_member) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_particle),
        [](const particle& a, const particle& b) {
          return reference_less{}(a.distance, b.distance);
        },
        gpusort::order_by(gpusort::asc(&particle::distance)));
    expect_sorted(
        make_all(n, make_particle),
        [](const particle& a, const particle& b) { return a.level > b.level; },
        gpusort::order_by(gpusort::desc(&particle::level)));
  }
}

TEST_F(orders, order_by_several_members) {
  const auto order = [](const particle& a, const particle& b) {
    if (a.level != b.level) return a.level < b.level;
    if (reference_less{}(b.distance, a.distance)) return true;
    if (reference_less{}(a.distance, b.distance)) return false;
    return a.kind < b.kind;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_particle), order,
        gpusort::order_by(gpusort::asc(&particle::level), gpusort::desc(&particle::distance),
                          gpusort::asc(&particle::kind)));
  }
}

TEST_F(orders, order_by_members_of_a_large_record) {
  const auto order = [](const event& a, const event& b) {
    if (reference_less{}(b.time, a.time)) return true;
    if (reference_less{}(a.time, b.time)) return false;
    if (a.source != b.source) return a.source < b.source;
    return a.energy > b.energy;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n, make_event), order,
                  gpusort::order_by(gpusort::desc(&event::time), gpusort::asc(&event::source),
                                    gpusort::desc(&event::energy)));
  }
}

// nvcc takes no extended lambda in a member function that is not public, as a test's body is.
void expect_sorted_by_projection(std::size_t n) {
  expect_sorted(
      make_all(n, make_particle),
      [](const particle& a, const particle& b) { return a.level + a.kind > b.level + b.kind; },
      gpusort::greater{},
      [] __host__ __device__(const particle& p) -> int { return p.level + p.kind; });
}

TEST_F(orders, projections) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_event),
        [](const event& a, const event& b) { return reference_less{}(a.time, b.time); },
        gpusort::less{}, &event::time);
    expect_sorted_by_projection(n);
  }
}

TEST_F(orders, standard_functors) {
  using u32 = std::uint32_t;
  for (std::size_t n : order_sizes()) {
    const auto input = generate<u32>(distribution::gaussian, n, seed());
    const reference_less up;
    const reference_greater down;
    expect_sorted(input, up);
    expect_sorted(input, up, std::less<>{});
    expect_sorted(input, up, std::less<u32>{});
    expect_sorted(input, up, cuda::std::less<>{});
    expect_sorted(input, up, cuda::std::less<u32>{});
    expect_sorted(input, up, thrust::less<u32>{});
    expect_sorted(input, down, std::greater<>{});
    expect_sorted(input, down, std::greater<u32>{});
    expect_sorted(input, down, cuda::std::greater<u32>{});
    expect_sorted(input, down, thrust::greater<u32>{});
  }
}

// std::less<int> over unsigned numbers compares ints.
TEST_F(orders, a_functor_of_another_type) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        generate<std::uint32_t>(distribution::uniform, n, seed()),
        [](std::uint32_t a, std::uint32_t b) { return static_cast<int>(a) < static_cast<int>(b); },
        std::less<int>{});
  }
}

TEST_F(orders, pairs) {
  using pair = std::pair<std::uint32_t, float>;
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n,
                           [](std::uint64_t i, std::uint64_t) {
                             const std::uint64_t r = random_at(seed(), i);
                             return pair(static_cast<std::uint32_t>(r % 50),
                                         static_cast<float>(r >> 40));
                           }),
                  std::less<pair>{});
  }
}

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

TEST_F(orders, tuples) {
  for (std::size_t n : order_sizes()) expect_sorted_tuples(n);
}

void expect_sorted_by_device_lambda(std::size_t n) {
  expect_sorted(
      generate<std::uint32_t>(distribution::uniform, n, seed()),
      [](std::uint32_t a, std::uint32_t b) { return (a ^ 0x5555) < (b ^ 0x5555); },
      [] __device__(std::uint32_t a, std::uint32_t b) { return (a ^ 0x5555) < (b ^ 0x5555); });
}

TEST_F(orders, device_lambdas) {
  for (std::size_t n : order_sizes()) expect_sorted_by_device_lambda(n);
}

/// Orders indices by a table in device memory, as those do who sort indirectly.
struct by_table {
  const float* table;
  GPUSORT_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const {
    return table[a] < table[b];
  }
};

TEST_F(orders, comparators_with_state) {
  for (std::size_t n : order_sizes()) {
    const auto keys = generate<float>(distribution::gaussian, n, seed());
    const buffer<float> table(keys, 1);
    column<std::uint32_t> indices(n);
    for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint32_t>(i);
    expect_sorted(indices, by_table{keys.data()}, by_table{table.data()});
  }
}

/// Not trivially copyable, but safe to move as bytes: its author says so below.
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
  GPUSORT_HOST_DEVICE bool operator()(const handle& a, const handle& b) const {
    return a.key < b.key;
  }
};

}  // namespace
}  // namespace kit

template <>
struct gpusort::is_trivially_relocatable<kit::handle> : std::true_type {};

namespace kit {
namespace {

TEST_F(orders, types_declared_relocatable) {
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

}  // namespace
}  // namespace kit
