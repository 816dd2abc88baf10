// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort_by_key and stable_sort_by_key: every value stays with its key.
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../kit/algorithms.hpp"
#include "../kit/graph.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

/// Keys of a distribution and values that tell which key they came with, on the host.
template <class Key, class... Values>
struct rows {
  column<Key> keys;
  std::tuple<column<Values>...> values;

  rows(distribution d, std::size_t n, std::uint64_t seed)
      : keys(generate<Key>(d, n, seed)), values(column<Values>(n)...) {
    for_each([&](auto& values, std::size_t which) {
      using value = typename std::decay_t<decltype(values)>::value_type;
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = make_value<value>(random_at(seed + which + 1, i), i);
      }
    });
  }

  template <class Visit>
  void for_each(Visit visit) {
    std::size_t which = 0;
    std::apply([&](auto&... ranges) { (visit(ranges, which++), ...); }, values);
  }

  /// Returns a hash of each row, so that a value that left its key is seen.
  column<std::uint64_t> hashes() const {
    column<std::uint64_t> result(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::uint64_t h = hash_of(keys[i]);
      std::apply([&](auto&... ranges) { ((h = scramble(h + hash_of(ranges[i]))), ...); }, values);
      result[i] = h;
    }
    return result;
  }
};

/// Holds the rows where the GPU can reach them.
template <class Key, class... Values>
struct device_rows {
  buffer<Key> keys;
  std::tuple<buffer<Values>...> values;

  explicit device_rows(const rows<Key, Values...>& input, std::size_t offset,
                       memory_kind kind = memory_kind::device)
      : keys(input.keys, offset, gpu_memory{kind}),
        values(std::apply(
            [&](const auto&... ranges) {
              return std::tuple<buffer<Values>...>(
                  buffer<Values>(ranges, offset, gpu_memory{kind})...);
            },
            input.values)) {}

  template <class Call>
  void apply(Call call) {
    std::apply([&](auto&... ranges) { call(keys.begin(), keys.end(), ranges.begin()...); }, values);
  }

  template <class Order>
  findings examine_rows(const rows<Key, Values...>& input, promise promised, Order order) {
    rows<Key, Values...> output = input;
    output.keys = keys.read();
    std::apply(
        [&](auto&... out) {
          std::apply([&](const auto&... ranges) { ((out = ranges.read()), ...); }, values);
        },
        output.values);
    const auto before = input.hashes();
    const auto after = output.hashes();
    findings f;
    f.elements_kept = same_multiset(before, after);
    f.zones_intact =
        keys.intact() &&
        std::apply([](const auto&... ranges) { return (ranges.intact() && ...); }, values);
    if (promised == promise::permutation) return f;
    f.where = first_disorder(output.keys, order);
    f.ordered = f.where == output.keys.size();
    if (promised != promise::stability) return f;
    std::vector<std::size_t> expected(before.size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    std::stable_sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
      return order(input.keys[a], input.keys[b]);
    });
    for (std::size_t i = 0; i < expected.size() && f.stable; ++i) {
      f.stable = after[i] == before[expected[i]];
      f.where = i;
    }
    return f;
  }
};

/// Checks a sort of rows by a call of the library, stable or not.
template <class Policy, class Key, class Compare, class... Values>
::testing::AssertionResult sorts_rows(const Policy& policy, bool stable, distribution d,
                                      std::size_t n, Compare comp, promise promised) {
  const rows<Key, Values...> input(d, n, seed());
  device_rows<Key, Values...> range(input, n % 4);
  range.apply([&](auto... iterators) {
    if (stable) {
      gpusort::stable_sort_by_key(policy, iterators..., comp);
    } else {
      gpusort::sort_by_key(policy, iterators..., comp);
    }
  });
  const findings f = range.examine_rows(input, promised, reference<Compare>::of(comp));
  if (f.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << (stable ? "stable_sort_by_key" : "sort_by_key") << " of "
                                       << d << ", n = " << n << ": " << f;
}

template <class Key, class Compare, class... Values>
struct by_key_subject {
  using key = Key;
  using compare = Compare;

  template <class Policy>
  static ::testing::AssertionResult sorts(const Policy& policy, bool stable, distribution d,
                                          std::size_t n, Compare comp = Compare{}) {
    return sorts_rows<Policy, Key, Compare, Values...>(
        policy, stable, d, n, comp, stable ? promise::stability : promise::order);
  }

  template <class Policy>
  static ::testing::AssertionResult permutes(const Policy& policy, bool stable, distribution d,
                                             std::size_t n, Compare comp) {
    return sorts_rows<Policy, Key, Compare, Values...>(policy, stable, d, n, comp,
                                                       promise::permutation);
  }
};

template <class Subject>
class by_key : public gpu_test {};

using subjects =
    ::testing::Types<by_key_subject<std::uint32_t, gpusort::less, std::uint32_t>,
                     by_key_subject<std::uint16_t, gpusort::less, std::uint8_t>,
                     by_key_subject<float, gpusort::greater, double>,
                     by_key_subject<std::uint64_t, opaque, std::uint64_t>,
                     by_key_subject<std::uint32_t, opaque, std::uint32_t, record<64>, std::uint8_t>,
                     by_key_subject<record<12>, opaque, std::uint16_t>>;
TYPED_TEST_SUITE(by_key, subjects);

TYPED_TEST(by_key, keeps_values_with_their_keys) {
  for (const auto& comp : honest<typename TypeParam::compare>::orders()) {
    for (std::size_t n : edge_sizes()) {
      for (auto d : distributions_of<typename TypeParam::key>()) {
        if (!is_chosen(n, d, n <= 33 ? 1 : 4)) continue;
        ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, false, d, n, comp));
        ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, true, d, n, comp));
      }
    }
  }
}

TYPED_TEST(by_key, larger) {
  for (std::size_t n : medium_sizes()) {
    const auto d = every_distribution[n % 11];
    ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, false, d, n));
    ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, true, d, n));
  }
  for (std::size_t n : large_sizes()) {
    if (n > 2000000) continue;
    ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, false, distribution::uniform, n));
    ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu, true, distribution::few_distinct, n));
  }
}

TYPED_TEST(by_key, on_a_stream_with_an_allocator) {
  const stream s;
  counting_allocator allocator;
  for (std::size_t n : {3, 1000, 20011}) {
    for (bool stable : {false, true}) {
      ASSERT_TRUE(
          TypeParam::sorts(gpusort::par_gpu(allocator).on(s), stable, distribution::uniform, n));
    }
  }
  EXPECT_TRUE(allocator.clean());
}

TYPED_TEST(by_key, under_inconsistent_comparators_is_a_permutation_of_rows) {
  if constexpr (std::is_same_v<typename TypeParam::compare, opaque>) {
    const shared_counter counter;
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      for (std::size_t n : route_sizes()) {
        for (bool stable : {false, true}) {
          ASSERT_TRUE(TypeParam::permutes(gpusort::par_gpu, stable, distribution::uniform, n, comp))
              << name_of(m);
        }
      }
    }
  }
}

TYPED_TEST(by_key, descends_when_allocations_fail) {
  const std::size_t n = 20011;
  for (bool stable : {false, true}) {
    counting_allocator allocator;
    ASSERT_TRUE(TypeParam::sorts(gpusort::par_gpu(allocator), stable, distribution::uniform, n));
    const std::size_t calls = allocator.calls();
    for (std::size_t k = 0; k <= calls; ++k) {
      for (bool all : {false, true}) {
        allocator.fail(k, all ? ~std::size_t{0} : k + 1);
        try {
          ASSERT_TRUE(
              TypeParam::sorts(gpusort::par_gpu(allocator), stable, distribution::uniform, n));
        } catch (const gpusort::out_of_memory&) {
          // sort_by_key of several arrays may have no route without scratch
        }
        EXPECT_TRUE(allocator.clean());
      }
    }
  }
}

using plain = by_key_subject<std::uint32_t, gpusort::less, std::uint32_t>;
using hidden = by_key_subject<std::uint64_t, opaque, std::uint64_t>;

TEST_F(gpu_test, by_key_on_every_algorithm) {
  for (std::size_t n : route_sizes()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::reverse}) {
      using gpusort::algorithm::merge_sort;
      using gpusort::algorithm::quicksort;
      using gpusort::algorithm::radix_sort;
      using gpusort::algorithm::sample_sort;
      ASSERT_TRUE(plain::sorts(gpusort::par_gpu.with(radix_sort), false, d, n));
      ASSERT_TRUE(plain::sorts(gpusort::par_gpu.with(radix_sort), true, d, n));
      ASSERT_TRUE(hidden::sorts(gpusort::par_gpu.with(sample_sort), false, d, n));
      ASSERT_TRUE(hidden::sorts(gpusort::par_gpu.with(quicksort), false, d, n));
      ASSERT_TRUE(hidden::sorts(gpusort::par_gpu.with(quicksort), true, d, n));
      ASSERT_TRUE(hidden::sorts(gpusort::par_gpu.with(merge_sort), true, d, n));
    }
  }
}

TEST_F(gpu_test, by_key_takes_device_side_less_by_default) {
  for (auto kind : every_memory_kind) {
    for (std::size_t n : {0, 1, 1000, 20011}) {
      const rows<std::uint32_t, std::uint32_t> input(distribution::few_distinct, n, seed());
      device_rows<std::uint32_t, std::uint32_t> a(input, 1, kind);
      device_rows<std::uint32_t, std::uint32_t> b(input, 3, kind);
      a.apply([](auto... its) { gpusort::sort_by_key(gpusort::par_gpu, its...); });
      b.apply([](auto... its) { gpusort::stable_sort_by_key(gpusort::par_gpu, its...); });
      EXPECT_TRUE(a.examine_rows(input, promise::order, reference_less{}).ok()) << name_of(kind);
      EXPECT_TRUE(b.examine_rows(input, promise::stability, reference_less{}).ok())
          << name_of(kind);
    }
  }
}

template <class Key, class Compare, class Value>
void captured_by_key(bool stable) {
  const stream s;
  for (std::size_t n : route_sizes()) {
    const rows<Key, Value> first(distribution::uniform, n, seed());
    const rows<Key, Value> second(distribution::few_distinct, n, seed() + 1);
    device_rows<Key, Value> range(first, 1);
    const graph recorded(s, [&] {
      range.apply([&](auto... its) {
        const auto policy = gpusort::par_gpu_nosync.on(s);
        if (stable) {
          gpusort::stable_sort_by_key(policy, its..., Compare{});
        } else {
          gpusort::sort_by_key(policy, its..., Compare{});
        }
      });
    });
    for (const auto* input : {&first, &second}) {
      range.keys.write(input->keys);
      std::get<0>(range.values).write(std::get<0>(input->values));
      recorded.launch(s);
      const findings f = range.examine_rows(*input, stable ? promise::stability : promise::order,
                                            reference<Compare>::of(Compare{}));
      ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
    }
  }
}

TEST_F(gpu_test, by_key_is_captured) {
  for (bool stable : {false, true}) {
    captured_by_key<std::uint32_t, gpusort::less, std::uint32_t>(stable);
    captured_by_key<std::uint64_t, opaque, std::uint64_t>(stable);
  }
}

TEST_F(gpu_test, by_key_refuses_values_that_overlap_the_keys) {
  const std::size_t n = 5000;
  for (std::size_t shift : {std::size_t{0}, std::size_t{1}, n - 1}) {
    const buffer<std::uint32_t> range(generate<std::uint32_t>(distribution::uniform, 2 * n, 1), 0);
    const auto input = range.read();
    EXPECT_THROW(gpusort::sort_by_key(gpusort::par_gpu, range.begin(), range.begin() + n,
                                      range.begin() + shift),
                 std::invalid_argument);
    EXPECT_THROW(gpusort::stable_sort_by_key(gpusort::par_gpu, range.begin() + shift,
                                             range.begin() + shift + n, range.begin()),
                 std::invalid_argument);
    const auto output = range.read();
    EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
  }
  // Copies of host data on the device would not overlap.
  std::vector<std::uint32_t> host(2 * n);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint32_t>(i * i);
  const auto untouched = host;
  EXPECT_THROW(
      gpusort::sort_by_key(gpusort::par_gpu, host.begin(), host.begin() + n, host.begin() + 1),
      std::invalid_argument);
  EXPECT_THROW(
      gpusort::sort_copy(gpusort::par_gpu, host.begin(), host.begin() + n, host.begin() + n - 1),
      std::invalid_argument);
  EXPECT_THROW(gpusort::argsort(gpusort::par_gpu, host.begin(), host.begin() + n, host.begin()),
               std::invalid_argument);
  EXPECT_EQ(host, untouched);
  // Neighbours are no overlap.
  const buffer<std::uint32_t> range(generate<std::uint32_t>(distribution::uniform, 2 * n, 1), 0);
  EXPECT_NO_THROW(
      gpusort::sort_by_key(gpusort::par_gpu, range.begin(), range.begin() + n, range.begin() + n));
}

TEST_F(gpu_test, by_key_refuses_columns_of_which_some_are_on_the_host) {
  const std::size_t n = 5000;
  const buffer<std::uint32_t> range(generate<std::uint32_t>(distribution::uniform, 2 * n, 1), 0);
  std::vector<std::uint32_t> host(n, 7);
  const auto input = range.read();
  const auto mixed = thrust::make_zip_iterator(range.begin() + n, host.data());
  EXPECT_THROW(gpusort::sort_by_key(gpusort::par_gpu, range.begin(), range.begin() + n, mixed),
               std::invalid_argument);
  const auto output = range.read();
  EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
}

}  // namespace
}  // namespace kit
