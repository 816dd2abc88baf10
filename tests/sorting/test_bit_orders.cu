// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers sorted by their bits in an order that is known when the sort runs, as gpusort's library
// sorts them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gpusort/detail/dispatch/linked_sort.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/random.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;

class bit_orders : public gpu_test {};

/// Takes memory that is counted, or refuses what is more than there is.
struct limited_memory {
  std::size_t most = ~std::size_t{0};

  detail::memory_source source() { return {this, allocate, deallocate}; }
  static void* allocate(void* state, std::size_t bytes, cudaStream_t) {
    void* p = nullptr;
    if (bytes > static_cast<limited_memory*>(state)->most) return nullptr;
    cuda_ok(cudaMalloc(&p, bytes));
    return p;
  }
  static void deallocate(void*, void* p, std::size_t, cudaStream_t) { cuda_ok(cudaFree(p)); }
};

template <class T>
class device_copy {
 public:
  explicit device_copy(const std::vector<T>& from) : n_(from.size()) {
    cuda_ok(cudaMalloc(reinterpret_cast<void**>(&data), (n_ + 1) * sizeof(T)));
    copy_and_wait(data, from.data(), n_ * sizeof(T));
  }
  device_copy(const device_copy&) = delete;
  ~device_copy() { cudaFree(data); }
  std::vector<T> read() const {
    std::vector<T> to(n_);
    copy_and_wait(to.data(), data, n_ * sizeof(T));
    return to;
  }
  T* data = nullptr;

 private:
  std::size_t n_;
};

/// Returns keys of a kind: what is spread evenly, few values, runs, and what is special of floats.
template <class Key>
std::vector<Key> keys_of(int kind, std::size_t n) {
  std::mt19937_64 random(seed() + n);
  std::vector<Key> keys(n);
  const Key special[] = {Key(0),
                         static_cast<Key>(-Key(0)),
                         std::numeric_limits<Key>::lowest(),
                         (std::numeric_limits<Key>::max)(),
                         std::numeric_limits<Key>::infinity(),
                         std::numeric_limits<Key>::quiet_NaN(),
                         Key(1)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random();
    switch (kind) {
      case 0:
        std::memcpy(&keys[i], &bits, sizeof(Key));
        break;
      case 1:
        keys[i] = static_cast<Key>(static_cast<int>(bits % 2001) - 1000);
        break;
      case 2:
        keys[i] = static_cast<Key>(static_cast<int>(i) - static_cast<int>(n / 2));
        break;
      case 3:
        keys[i] = special[bits % std::size(special)];
        break;
      default:
        keys[i] = static_cast<Key>(static_cast<double>(bits % 1000003) * 1e3 - 5e8);
    }
  }
  return keys;
}

/// The sort of the library, where it has it; integers of 4 bytes are sorted by their own there.
template <class Problem, class Order, class... Values>
struct sort_compiled;
template <class Problem, class Bits, bool AreFloats, class... Values>
struct sort_compiled<Problem, detail::bit_order<Bits, AreFloats>, Values...>
    : std::conditional_t<
          GPUSORT_HAS_LIBRARY && (AreFloats || sizeof(Bits) != 4),
          detail::linked_sort<Problem, Bits, detail::bit_order<Bits, AreFloats>, Values...>,
          detail::device_sort<Problem, Bits, detail::bit_order<Bits, AreFloats>, Values...>> {};

template <class Key>
std::vector<detail::unsigned_of_size_t<sizeof(Key)>> bits_of_keys(int kind, std::size_t n) {
  const std::vector<Key> keys = keys_of<Key>(kind, n);
  std::vector<detail::unsigned_of_size_t<sizeof(Key)>> all(n);
  std::memcpy(all.data(), keys.data(), n * sizeof(Key));
  return all;
}

/// Checks a sort with values. The numbers of one size share its code.
template <class Value, bool Stable, class Order, class Bits>
void check_with_values(const Order& order, const std::vector<Bits>& keys, std::size_t most_memory) {
  using problem = detail::problem_of_bits<Stable, Bits, Value>;
  const std::size_t n = keys.size();
  std::vector<std::uint64_t> places(n);
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  std::vector<std::uint64_t> expected = places;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return order(keys[a], keys[b]); });
  const device_copy<Bits> on_device(keys);
  const device_copy<Value> values(std::vector<Value>(places.begin(), places.end()));
  limited_memory memory{most_memory};
  sort_compiled<problem, Order, Value>::run({on_device.data,
                                             on_device.data,
                                             n,
                                             order,
                                             {values.data},
                                             detail::call_stream(cudaStream_t{}),
                                             true},
                                            memory.source());
  cuda_ok(cudaDeviceSynchronize());
  const std::vector<Bits> sorted = on_device.read();
  std::vector<Value> moved = values.read();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sorted[i], keys[expected[i]]) << "at " << i;
    if (Stable) ASSERT_EQ(moved[i], expected[i]) << "value at " << i;
    if (!Stable) ASSERT_EQ(keys[static_cast<std::size_t>(moved[i])], sorted[i]) << "value at " << i;
  }
  std::sort(moved.begin(), moved.end());
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(moved[i], i) << "values are a permutation";
}

/// Checks a sort of keys alone.
template <class Order, class Bits>
void check_keys_alone(const Order& order, std::vector<Bits> keys, std::size_t most_memory) {
  const std::size_t n = keys.size();
  const device_copy<Bits> in(keys), out(keys);
  limited_memory memory{most_memory};
  const bool copies = n % 2 != 0;
  sort_compiled<detail::problem_of_bits<false, Bits>, Order>::run(
      {in.data,
       copies ? out.data : in.data,
       n,
       order,
       {},
       detail::call_stream(cudaStream_t{}),
       true},
      memory.source());
  cuda_ok(cudaDeviceSynchronize());
  if (copies) EXPECT_EQ(in.read(), keys);
  std::sort(keys.begin(), keys.end(), order);
  EXPECT_EQ((copies ? out : in).read(), keys);
}

constexpr std::size_t no_limit = ~std::size_t{0};

std::string trace_of(int kind, std::size_t n) {
  return "kind " + std::to_string(kind) + ", n " + std::to_string(n);
}

std::vector<std::size_t> sizes() {
  if (device_is_cpu) return {0, 1, 2, 777, 5000};
  if (small_sizes_only()) return {0, 1, 2, 777, 5000, 40000, 270001};
  return {0, 1, 2, 777, 5000, 40000, 300001, 1 << 20, (1 << 23) + 5};
}

template <class Key, class Compare>
void sort_numbers() {
  constexpr int kinds = std::is_floating_point_v<Key> ? 5 : 3;
  constexpr auto order = detail::bit_order_of<Key, Compare>();
  for (std::size_t n : sizes()) {
    for (int kind = 0; kind < kinds; ++kind) {
      SCOPED_TRACE(trace_of(kind, n));
      const auto keys = bits_of_keys<Key>(kind, n);
      check_keys_alone(order, keys, no_limit);
      check_with_values<std::uint32_t, false>(order, keys, no_limit);
      if constexpr (!std::is_floating_point_v<Key>) {
        if (n <= 300001) check_with_values<std::uint32_t, true>(order, keys, no_limit);
      }
      if (n <= 100000) check_with_values<std::uint64_t, false>(order, keys, no_limit);
    }
    SCOPED_TRACE(trace_of(0, n) + ", no memory");
    check_keys_alone(order, bits_of_keys<Key>(0, n), 0);
    check_with_values<std::uint32_t, false>(order, bits_of_keys<Key>(0, n), 0);
  }
}

TEST_F(bit_orders, of_signed_integers) {
  sort_numbers<std::int32_t, gpusort::less>();
  sort_numbers<std::int32_t, gpusort::greater>();
}
TEST_F(bit_orders, of_floats) {
  sort_numbers<float, gpusort::less>();
  sort_numbers<float, gpusort::greater>();
}
TEST_F(bit_orders, of_unsigned_integers) { sort_numbers<std::uint32_t, gpusort::greater>(); }
TEST_F(bit_orders, of_signed_integers_of_8_bytes) {
  sort_numbers<std::int64_t, gpusort::less>();
  sort_numbers<std::int64_t, gpusort::greater>();
}
TEST_F(bit_orders, of_doubles) {
  sort_numbers<double, gpusort::less>();
  sort_numbers<double, gpusort::greater>();
}
TEST_F(bit_orders, of_unsigned_integers_of_8_bytes) {
  sort_numbers<std::uint64_t, gpusort::greater>();
}

/// Sorts at the sizes next to powers of two, where one block, one launch and more of them take
/// over from each other: 2^12 and 2^14 for one block, 2^18 for one launch.
template <class Key, class Compare>
void sort_short_numbers() {
  constexpr auto order = detail::bit_order_of<Key, Compare>();
  std::vector<std::size_t> sizes = {0, 1, 2, 3};
  for (int log_n : {4, 8, 10, 12, 14, 18}) {
    if (device_is_cpu && log_n > 12) break;
    sizes.push_back((std::size_t{1} << log_n) - 1);
    sizes.push_back((std::size_t{1} << log_n) + 1);
  }
  for (std::size_t n : sizes) {
    for (int kind : {0, 2}) {
      SCOPED_TRACE(trace_of(kind, n));
      const auto keys = bits_of_keys<Key>(kind, n);
      check_keys_alone(order, keys, no_limit);
      check_with_values<std::uint32_t, false>(order, keys, no_limit);
      check_with_values<std::uint32_t, true>(order, keys, no_limit);
      check_with_values<std::uint64_t, false>(order, keys, no_limit);
      check_with_values<std::uint64_t, true>(order, keys, no_limit);
    }
    SCOPED_TRACE(trace_of(0, n) + ", no memory");
    check_keys_alone(order, bits_of_keys<Key>(0, n), 0);
    if (n <= 5000) check_with_values<std::uint32_t, false>(order, bits_of_keys<Key>(0, n), 0);
  }
}

TEST_F(bit_orders, of_integers_of_1_byte) {
  sort_short_numbers<std::int8_t, gpusort::less>();
  sort_short_numbers<std::int8_t, gpusort::greater>();
  sort_short_numbers<std::uint8_t, gpusort::less>();
  sort_short_numbers<std::uint8_t, gpusort::greater>();
}
TEST_F(bit_orders, of_integers_of_2_bytes) {
  sort_short_numbers<std::int16_t, gpusort::less>();
  sort_short_numbers<std::int16_t, gpusort::greater>();
  sort_short_numbers<std::uint16_t, gpusort::less>();
  sort_short_numbers<std::uint16_t, gpusort::greater>();
}

template <class Key, class Compare>
void check_many(int kind, std::size_t n) {
  SCOPED_TRACE(trace_of(kind, n));
  check_keys_alone(detail::bit_order_of<Key, Compare>(), bits_of_keys<Key>(kind, n), no_limit);
}

/// More than one launch sorts: by buckets of numbers, or of the values that they stand for.
TEST_F(bit_orders, of_many_numbers) {
  const std::size_t n = device_is_cpu ? 30011 : (1 << 22) + 3;
  check_many<double, gpusort::greater>(4, n);
  check_many<std::int64_t, gpusort::greater>(2, n);
  check_many<std::int32_t, gpusort::less>(0, n);
  check_many<std::int16_t, gpusort::greater>(0, n);
  check_many<std::uint16_t, gpusort::less>(2, n);
  check_many<std::int8_t, gpusort::greater>(0, n);
}

template <class Key, class Compare>
void sort_by_radix() {
  using bits = detail::unsigned_of_size_t<sizeof(Key)>;
  using radix = detail::bit_order_radix_sort<bits, std::is_floating_point_v<Key>>;
  constexpr auto order = detail::bit_order_of<Key, Compare>();
  const std::size_t n = 3000;
  std::vector<bits> keys = bits_of_keys<Key>(2, n);
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(seed()));
  const device_copy<bits> in(keys), out(keys);
  for (bool copies : {true, false}) {
    const device_copy<unsigned char> scratch(
        std::vector<unsigned char>(radix::scratch_bytes(n, !copies)));
    radix::run(cudaStream_t{}, order, {in.data, nullptr, copies ? out.data : in.data, nullptr}, n,
               scratch.data);
    cuda_ok(cudaDeviceSynchronize());
  }
  std::sort(keys.begin(), keys.end(), order);
  EXPECT_EQ(in.read(), keys);
  EXPECT_EQ(out.read(), keys);
}

TEST_F(bit_orders, by_radix) {
  sort_by_radix<float, gpusort::less>();
  sort_by_radix<float, gpusort::greater>();
  sort_by_radix<double, gpusort::greater>();
  sort_by_radix<std::int64_t, gpusort::less>();
  sort_by_radix<std::int64_t, gpusort::greater>();
  sort_by_radix<std::uint64_t, gpusort::greater>();
  sort_by_radix<std::int8_t, gpusort::greater>();
  sort_by_radix<std::uint8_t, gpusort::less>();
  sort_by_radix<std::int16_t, gpusort::less>();
  sort_by_radix<std::uint16_t, gpusort::greater>();
}

/// Checks what decides which radix sort it is.
template <class Key, class Compare>
void expect_order(bool is_signed, bool is_descending) {
  constexpr auto order = detail::bit_order_of<Key, Compare>();
  EXPECT_EQ(order.is_signed(), is_signed);
  EXPECT_EQ(order.is_descending(), is_descending);
}

TEST_F(bit_orders, tell_what_they_order) {
  expect_order<std::uint32_t, gpusort::less>(false, false);
  expect_order<std::uint32_t, gpusort::greater>(false, true);
  expect_order<std::int64_t, gpusort::less>(true, false);
  expect_order<std::int32_t, gpusort::greater>(true, true);
  expect_order<double, gpusort::greater>(true, true);
  expect_order<std::int8_t, gpusort::greater>(true, true);
  expect_order<std::int16_t, gpusort::less>(true, false);
  expect_order<std::uint8_t, gpusort::greater>(false, true);
}

}  // namespace
}  // namespace kit
