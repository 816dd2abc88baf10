// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The radix routes by themselves: every key type, values, both directions, in place and not;
// records through encoded keys.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using detail::no_value;

// 4096: a single tile of CUB; 1000003: many.
std::vector<std::size_t> sizes() {
  if (small_sizes_only()) return {0, 1, 2, 1000, 20011};
  return {0, 1, 2, 33, 1000, 4096, 20011, 1000003};
}

struct order_of_keys {
  bool descending;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return descending ? reference_less{}(b, a) : reference_less{}(a, b);
  }
};

template <class Key>
std::vector<distribution> distributions() {
  if (is_float<Key>) return {distribution::special, distribution::gaussian};
  return {distribution::uniform, distribution::few_distinct};
}

template <class T>
bool same_bytes_all(const column<T>& a, const column<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), same_bytes<T>);
}

template <class Key, bool Descending>
void expect_keys_sorted(distribution d, std::size_t n, bool in_place) {
  using sorter = detail::radix_sort<Key, no_value, Descending>;
  const column<Key> input = generate<Key>(d, n, seed());
  const buffer<Key> from(input, 1);
  const buffer<Key> other(n, 1);
  const buffer<Key>& to = in_place ? from : other;
  const buffer<unsigned char> scratch(sorter::scratch_bytes(n, in_place));
  sorter::run(nullptr, from.data(), nullptr, to.data(), nullptr, n, scratch.data());
  findings f = examine(input, to.read(), order_of_keys{Descending}, promise::stability,
                       std::size_t{1} << 20);
  f.zones_intact = from.intact() && other.intact() && scratch.intact();
  EXPECT_TRUE(f.ok()) << d << ", n = " << n << (in_place ? ", in place: " : ": ") << f;
  if (!in_place) {
    EXPECT_TRUE(same_bytes_all(from.read(), input)) << "the input was written";
  }
}

template <class Key>
class radix_sort_of : public gpu_test {};
using keys = ::testing::Types<bool, char, std::uint16_t, int, long long, float, double, __half,
                              __nv_bfloat16, int128, uint128>;
TYPED_TEST_SUITE(radix_sort_of, keys);

TYPED_TEST(radix_sort_of, keys) {
  for (std::size_t n : sizes()) {
    for (distribution d : distributions<TypeParam>()) {
      for (bool in_place : {true, false}) {
        expect_keys_sorted<TypeParam, false>(d, n, in_place);
        expect_keys_sorted<TypeParam, true>(d, n, in_place);
      }
    }
  }
}

TYPED_TEST(radix_sort_of, scratch_is_n_keys_and_little_more) {
  using sorter = detail::radix_sort<TypeParam>;
  for (int log = 10; log <= 34; ++log) {
    const std::uint64_t n = std::uint64_t{1} << log;
    const std::uint64_t limit = n * sizeof(TypeParam) / 20 * 21 + (16 << 20);
    EXPECT_LE(sorter::scratch_bytes(n, true), limit) << "n = 2^" << log;
    EXPECT_LE(sorter::scratch_bytes(n, false), limit) << "n = 2^" << log;
  }
}

TEST(radix_sort, integers_of_one_size_share_kernels) {
  using detail::radix_key_t;
  static_assert(std::is_same_v<radix_key_t<long>, radix_key_t<long long>>);
  static_assert(std::is_same_v<radix_key_t<wchar_t>, radix_key_t<int>>);
  static_assert(std::is_same_v<radix_key_t<char>, radix_key_t<signed char>>);
  static_assert(std::is_same_v<radix_key_t<float>, float>);
  static_assert(sizeof(detail::radix_value_t<record<12>>) == 12);
  static_assert(alignof(detail::radix_value_t<record<16, 16>>) == 16);
}

template <class Value>
class radix_sort_with : public gpu_test {};
using values = ::testing::Types<record<1>, record<4>, record<8>, record<12>, record<16>,
                                record<16, 16>, record<3, 1>>;
TYPED_TEST_SUITE(radix_sort_with, values);

TYPED_TEST(radix_sort_with, values_beside_keys) {
  using Value = TypeParam;
  using sorter = detail::radix_sort<std::uint32_t, Value, true>;
  for (std::size_t n : sizes()) {
    const auto keys = generate<std::uint32_t>(distribution::randomized_duplicates, n, seed());
    const auto values = generate<Value>(distribution::uniform, n, seed() + 1);
    column<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
    column<Value> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = values[order[i]];
    for (bool in_place : {true, false}) {
      const buffer<std::uint32_t> keys_in(keys, 1);
      const buffer<Value> values_in(values, 1);
      const buffer<std::uint32_t> keys_out(n, 1);
      const buffer<Value> values_out(n, 1);
      const auto& keys_to = in_place ? keys_in : keys_out;
      const auto& values_to = in_place ? values_in : values_out;
      const buffer<unsigned char> scratch(sorter::scratch_bytes(n, in_place));
      sorter::run(nullptr, keys_in.data(), values_in.data(), keys_to.data(), values_to.data(), n,
                  scratch.data());
      EXPECT_TRUE(examine(keys, keys_to.read(), reference_greater{}, promise::order).ok());
      EXPECT_TRUE(same_bytes_all(values_to.read(), expected)) << "n = " << n;
      EXPECT_TRUE(keys_to.intact() && values_to.intact() && scratch.intact());
    }
  }
}

template <int Bytes>
struct entry {
  std::int16_t level;
  std::uint16_t kind;
  float weight;
  std::uint64_t serial;
  unsigned char payload[Bytes - 16];
};
template <>
struct entry<16> {
  std::int16_t level;
  std::uint16_t kind;
  float weight;
  std::uint64_t serial;
};

template <class Entry>
column<Entry> entries(std::size_t n) {
  column<Entry> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    memset(static_cast<void*>(&all[i]), static_cast<int>(r), sizeof(Entry));
    all[i].level = static_cast<std::int16_t>(r % 5 - 2);
    all[i].kind = static_cast<std::uint16_t>(r >> 8 & 3);
    all[i].weight = value_at<float>(distribution::special, i, n, seed());
    all[i].serial = r >> 60 << 60 | (r >> 16 & 1);
  }
  return all;
}

/// Returns enough scratch to find the order of n entries, and to put them into it in place.
template <class Sorter, class Entry, class Index>
detail::permutation_scratch moving_scratch(std::size_t n) {
  using memory = detail::permutation_scratch;
  const std::size_t moving = memory::bytes_for(n, sizeof(Entry), sizeof(Index));
  return {n, sizeof(Entry), sizeof(Index), std::max(moving, Sorter::order_scratch_bytes(n))};
}

template <class Entry, class Index, class Order>
void expect_records_sorted(Order order, bool in_graph = false) {
  using sorter = detail::encoded_radix_sort<Entry, Order, Index>;
  for (std::size_t n : sizes()) {
    const auto input = entries<Entry>(n);
    const buffer<Entry> range(input, 1);
    const buffer<Entry> out(n, 1);
    const detail::permutation_scratch moving = moving_scratch<sorter, Entry, Index>(n);
    const buffer<unsigned char> scratch(moving.bytes);
    const std::size_t order_bytes = sorter::order_scratch_bytes(n);
    const buffer<unsigned char> order_scratch(order_bytes);
    const stream s;
    const auto work = [&] {
      using gather = detail::gather<Entry, Index>;
      const Index* const sorted =
          sorter::order(s, range.data(), n, order, order_scratch.data(), order_bytes);
      if (n > 0) gather::run(s, range.data(), sorted, n, out.data());
      sorter::order(s, range.data(), n, order, scratch.data(), moving.bytes);
      gather::run_in_place(s, range.data(), moving, scratch.data());
    };
    if (in_graph && n > 0) {
      graph(s, work).launch(s);
    } else {
      work();
      s.synchronize();
    }
    for (const buffer<Entry>* result : {&range, &out}) {
      findings f = examine(input, result->read(), order, promise::stability, std::size_t{1} << 20);
      f.zones_intact = result->intact() && scratch.intact() && order_scratch.intact();
      EXPECT_TRUE(f.ok()) << (result == &out ? "copy" : "in place") << ", n = " << n << ": " << f;
    }
  }
}

class encoded_radix_sort : public gpu_test {};

TEST_F(encoded_radix_sort, records_of_16_bytes) {
  using e = entry<16>;
  const auto order = gpusort::order_by(gpusort::desc(&e::level), gpusort::asc(&e::weight));
  expect_records_sorted<e, std::uint32_t, std::decay_t<decltype(order)>>(order);
}

TEST_F(encoded_radix_sort, records_of_64_bytes) {
  using e = entry<64>;
  const auto one = gpusort::order_by(gpusort::asc(&e::kind));
  expect_records_sorted<e, std::uint32_t, std::decay_t<decltype(one)>>(one);
  const auto all = gpusort::order_by(gpusort::asc(&e::level), gpusort::desc(&e::serial),
                                     gpusort::desc(&e::weight), gpusort::asc(&e::kind));
  expect_records_sorted<e, std::uint32_t, std::decay_t<decltype(all)>>(all);
  expect_records_sorted<e, std::uint64_t, std::decay_t<decltype(all)>>(all, true);
}

TEST_F(encoded_radix_sort, projections) {
  using e = entry<64>;
  expect_records_sorted<e, std::uint32_t>(
      detail::projected<gpusort::greater, float e::*>{{}, &e::weight});
}

TEST_F(encoded_radix_sort, scratch_is_n_records_and_little_more) {
  using e = entry<64>;
  using order = decltype(gpusort::order_by(gpusort::asc(&e::level), gpusort::desc(&e::serial)));
  using sorter = detail::encoded_radix_sort<e, order, std::uint32_t>;
  for (int log = 10; log <= 32; ++log) {
    const std::uint64_t n = std::uint64_t{1} << log;
    const std::size_t bytes = moving_scratch<sorter, e, std::uint32_t>(n).bytes;
    EXPECT_LE(bytes, n * sizeof(e) / 20 * 21 + (16 << 20)) << "n = 2^" << log;
  }
}

TEST_F(encoded_radix_sort, iota) {
  const buffer<std::uint32_t> out(5000);
  detail::iota(nullptr, out.data(), 5000);
  const auto numbers = out.read();
  for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(numbers[i], i);
  EXPECT_TRUE(out.intact());
}

}  // namespace
}  // namespace kit
