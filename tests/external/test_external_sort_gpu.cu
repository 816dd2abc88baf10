// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting in pieces what does not fit in the device memory that a call may take.
#include <gtest/gtest.h>
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gpusort/gpusort.hpp>
#include <gpusort/records.hpp>
#include <iterator>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"

namespace {

using gpusort::max_device_bytes;
using gpusort::par_gpu;
using gpusort::progress;
using kit::distribution;
using kit::memory_kind;

class external_sort : public kit::gpu_test {
 protected:
  static void TearDownTestSuite() { gpusort::release_scratch(); }
};

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// Holds what a policy reports.
struct reports {
  std::vector<std::uint64_t> done;
  std::uint64_t total = 0;
  std::size_t fails_at = ~std::size_t{0};

  void operator()(std::uint64_t now, std::uint64_t all) {
    done.push_back(now);
    total = all;
    if (done.size() > fails_at) throw std::runtime_error("enough");
  }

  bool worked_in_pieces() const { return !done.empty(); }
  bool are_complete() const {
    return worked_in_pieces() && done.back() == total && done.front() > 0 &&
           std::adjacent_find(done.begin(), done.end(), std::greater_equal<>()) == done.end();
  }
};

struct external_case {
  distribution d = distribution::uniform;
  std::size_t n = 300007;
  memory_kind memory = memory_kind::pageable;
  std::size_t limit = 2 * megabyte;
  bool stable = true;
  std::size_t offset = 0;
};

/// Sorts in pieces, within the limit, reporting, and gives back what it takes.
template <class T, class Compare>
::testing::AssertionResult sorts(const external_case& c, Compare comp, kit::promise promised) {
  const auto input = kit::generate<T>(c.d, c.n, c.n);
  kit::buffer<T> range(input, c.offset, {c.memory});
  kit::counting_allocator allocator;
  reports seen;
  const auto policy = par_gpu(allocator).with(max_device_bytes(c.limit), progress(seen));
  if (c.stable) {
    gpusort::stable_sort(policy, range.begin(), range.end(), comp);
  } else {
    gpusort::sort(policy, range.begin(), range.end(), comp);
  }
  const auto found = kit::examine(input, range.read(), comp, promised);
  if (!found.ok() || !range.intact()) {
    return ::testing::AssertionFailure() << found << c.d << ", n = " << c.n << ", "
                                         << kit::name_of(c.memory) << ", limit " << c.limit;
  }
  if (allocator.peak_bytes() > c.limit || !allocator.clean()) {
    return ::testing::AssertionFailure() << allocator.peak_bytes() << " bytes, allowed " << c.limit;
  }
  if (!seen.are_complete() || seen.total != 2 * c.n * sizeof(T)) {
    return ::testing::AssertionFailure() << "reported " << seen.done.size() << " times";
  }
  return ::testing::AssertionSuccess();
}

TEST_F(external_sort, numbers_of_every_distribution) {
  for (auto d : kit::every_distribution) {
    external_case c;
    c.d = d;
    ASSERT_TRUE(sorts<std::uint64_t>(c, gpusort::less{}, kit::promise::order));
    c.stable = false;
    ASSERT_TRUE(sorts<std::uint64_t>(c, gpusort::greater{}, kit::promise::order));
  }
}

TEST_F(external_sort, floats_that_are_awkward) {
  external_case c;
  c.d = distribution::special;
  c.limit = megabyte;
  ASSERT_TRUE(sorts<float>(c, gpusort::less{}, kit::promise::stability));
}

TEST_F(external_sort, records_stay_in_order_where_they_are_equivalent) {
  using record = kit::record<16>;
  for (auto d : kit::every_distribution) {
    external_case c;
    c.d = d;
    c.n = 200003;
    ASSERT_TRUE(sorts<record>(c, kit::opaque(kit::behavior::coarse), kit::promise::stability));
  }
}

TEST_F(external_sort, sizes_around_the_pieces) {
  for (std::size_t n : {262144, 262145, 262151, 399999, 400000, 400001, 1000003}) {
    for (std::size_t limit : {megabyte, 3 * megabyte / 2 + 17, 2 * megabyte}) {
      external_case c;
      c.n = n;
      c.limit = limit;
      ASSERT_TRUE(sorts<std::uint64_t>(c, gpusort::less{}, kit::promise::order));
    }
  }
}

TEST_F(external_sort, every_memory_that_the_host_reaches) {
  for (auto memory : {memory_kind::pageable, memory_kind::pinned, memory_kind::managed}) {
    for (bool stable : {false, true}) {
      external_case c;
      c.memory = memory;
      c.stable = stable;
      c.n = 700001;
      c.offset = 1;
      ASSERT_TRUE(sorts<std::uint64_t>(c, gpusort::less{}, kit::promise::order));
      const kit::opaque honest(kit::behavior::honest);
      c.limit = 4 * megabyte;
      c.n = 400009;
      ASSERT_TRUE(sorts<kit::record<32>>(c, honest,
                                         stable ? kit::promise::stability : kit::promise::order));
    }
  }
}

TEST_F(external_sort, more_bytes_than_a_pinned_segment) {
  external_case c;
  c.n = (std::size_t{130} << 20) / sizeof(kit::record<64>) + 5;
  c.limit = 64 * megabyte;
  c.memory = memory_kind::pinned;
  ASSERT_TRUE(sorts<kit::record<64>>(c, kit::opaque(), kit::promise::stability));
  c.n = (std::size_t{130} << 20) / sizeof(std::uint64_t) + 5;
  c.memory = memory_kind::pageable;
  ASSERT_TRUE(sorts<std::uint64_t>(c, gpusort::less{}, kit::promise::order));
}

TEST_F(external_sort, calls_of_several_threads) {
  std::vector<std::thread> threads;
  std::vector<int> results(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &results] {
      external_case c;
      c.n += 1000 * t;
      results[t] = sorts<std::uint64_t>(c, gpusort::less{}, kit::promise::order) ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  for (int result : results) EXPECT_EQ(result, 1);
}

TEST_F(external_sort, a_permutation_whatever_the_comparator_answers) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (bool stable : {false, true}) {
      external_case c;
      c.n = 200003;
      c.stable = stable;
      ASSERT_TRUE(sorts<kit::record<16>>(c, kit::opaque(behavior, 7, counter.get()),
                                         kit::promise::permutation))
          << kit::name_of(behavior);
    }
  }
}

TEST_F(external_sort, a_permutation_wherever_it_is_interrupted) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 300007, 1);
  std::size_t interrupted = 0;
  for (std::size_t at = 0;; ++at) {
    kit::buffer<std::uint64_t> range(input, 0, {memory_kind::pinned});
    kit::counting_allocator allocator;
    reports seen;
    seen.fails_at = at;
    const auto policy = par_gpu(allocator).with(progress(seen), max_device_bytes(megabyte));
    bool has_thrown = false;
    try {
      gpusort::sort(policy, range.begin(), range.end());
    } catch (const std::runtime_error&) {
      has_thrown = true;
    }
    const auto found = kit::examine(input, range.read(), gpusort::less{},
                                    has_thrown ? kit::promise::permutation : kit::promise::order);
    ASSERT_TRUE(found.ok()) << found << "interrupted at " << at;
    ASSERT_TRUE(allocator.clean());
    if (!has_thrown) break;
    ++interrupted;
  }
  EXPECT_GT(interrupted, 4u);
}

TEST_F(external_sort, what_fits_is_not_sorted_in_pieces) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 100000, 2);
  for (auto memory : kit::every_memory_kind) {
    kit::buffer<std::uint64_t> range(input, 0, {memory});
    reports seen;
    gpusort::sort(par_gpu.with(max_device_bytes(64 * megabyte), progress(seen)), range.begin(),
                  range.end());
    EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::order).ok());
    EXPECT_FALSE(seen.worked_in_pieces());
  }
}

TEST_F(external_sort, data_on_the_device_is_sorted_with_what_is_allowed) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 300007, 3);
  kit::buffer<std::uint64_t> range(input, 0, {memory_kind::device});
  kit::counting_allocator allocator;
  gpusort::sort(par_gpu(allocator).with(max_device_bytes(megabyte)), range.begin(), range.end());
  EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::order).ok());
  EXPECT_LE(allocator.peak_bytes(), megabyte);
}

TEST_F(external_sort, pieces_also_where_memory_cannot_be_had) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 300007, 4);
  for (std::size_t failures : {1, 2, 3}) {
    kit::buffer<std::uint64_t> range(input, 0, {memory_kind::pageable});
    kit::counting_allocator allocator;
    allocator.fail(0, failures);
    reports seen;
    gpusort::stable_sort(par_gpu(allocator).with(max_device_bytes(), progress(seen)), range.begin(),
                         range.end());
    EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::order).ok());
    EXPECT_TRUE(seen.are_complete());
    EXPECT_TRUE(allocator.clean());
  }
  kit::buffer<std::uint64_t> range(input, 0, {memory_kind::pageable});
  kit::counting_allocator allocator;
  allocator.fail(0);
  EXPECT_THROW(
      gpusort::stable_sort(par_gpu(allocator).with(max_device_bytes()), range.begin(), range.end()),
      gpusort::out_of_memory);
  EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::permutation).ok());
}

TEST_F(external_sort, a_limit_that_is_too_small_is_refused) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 300007, 5);
  kit::buffer<std::uint64_t> range(input, 0, {memory_kind::pageable});
  for (std::uint64_t limit : {0, 1, 1000}) {
    EXPECT_THROW(gpusort::sort(par_gpu.with(max_device_bytes(limit)), range.begin(), range.end()),
                 std::invalid_argument);
  }
  EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::permutation).ok());
}

struct by_first {
  template <class Record>
  __host__ __device__ bool operator()(const Record& a, const Record& b) const {
    return thrust::get<0>(a) < thrust::get<0>(b);
  }
};

TEST_F(external_sort, values_beside_keys_are_refused_but_a_zip_is_sorted) {
  std::mt19937 random(6);
  const std::size_t n = 200003;
  std::vector<std::uint32_t> keys(n), values(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint32_t>(random());
    values[i] = ~keys[i];
  }
  const auto policy = par_gpu.with(max_device_bytes(megabyte));
  EXPECT_THROW(gpusort::sort_by_key(policy, keys.begin(), keys.end(), values.begin()),
               std::invalid_argument);
  const auto first = thrust::make_zip_iterator(keys.begin(), values.begin());
  gpusort::sort(policy, first, first + n, by_first{});
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], ~keys[i]);
}

TEST_F(external_sort, other_iterators_and_other_calls) {
  const std::size_t n = 300007;
  const auto input = kit::generate<std::uint64_t>(distribution::few_distinct, n, 7);
  std::vector<std::uint64_t> sorted(input.begin(), input.end());
  std::sort(sorted.begin(), sorted.end());
  const auto policy = par_gpu.with(max_device_bytes(megabyte));

  std::deque<std::uint64_t> deque(input.begin(), input.end());
  gpusort::sort(policy, deque.begin(), deque.end());
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), deque.begin()));

  std::vector<std::uint64_t> backwards(input.begin(), input.end());
  gpusort::sort(policy, backwards.rbegin(), backwards.rend());
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), backwards.rbegin()));

  const std::vector<std::uint64_t> constant(input.begin(), input.end());
  std::vector<std::uint64_t> copy(n);
  EXPECT_EQ(gpusort::sort_copy(policy, constant.begin(), constant.end(), copy.begin()), copy.end());
  EXPECT_EQ(copy, sorted);
}

// nvcc wants the function around a __device__ lambda to be public.
template <class Policy>
void sort_by_device_lambda(const Policy& policy, const kit::buffer<std::uint64_t>& range) {
  gpusort::sort(policy, range.begin(), range.end(),
                [] __device__(std::uint64_t a, std::uint64_t b) { return a < b; });
}

TEST_F(external_sort, comparators_that_the_host_cannot_call) {
  const auto input = kit::generate<std::uint64_t>(distribution::uniform, 300007, 8);
  kit::buffer<std::uint64_t> range(input, 0, {memory_kind::pageable});
  reports seen;
  const kit::stream s;
  sort_by_device_lambda(
      gpusort::par_gpu_nosync.on(s).with(max_device_bytes(2 * megabyte), progress(seen)), range);
  EXPECT_TRUE(kit::examine(input, range.read(), gpusort::less{}, kit::promise::order).ok());
  EXPECT_TRUE(seen.are_complete());
}

TEST_F(external_sort, runs_are_merged_in_pieces) {
  using record = kit::record<16>;
  for (std::size_t k : {1, 2, 3, 17, 100}) {
    const auto input = kit::generate<record>(distribution::few_distinct, 200003, k);
    kit::column<record> data = input;
    const kit::opaque comp(kit::behavior::honest);
    std::vector<std::pair<const record*, const record*>> runs;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t end = i + 1 == k ? data.size() : data.size() / 2 * (i + 1) / k;
      std::stable_sort(data.begin() + begin, data.begin() + end, comp);
      runs.push_back({data.begin() + begin, data.begin() + end});
      begin = end;
    }
    kit::buffer<record> out(input.size(), 0, {memory_kind::pageable});
    kit::counting_allocator allocator;
    reports seen;
    const auto policy = par_gpu(allocator).with(max_device_bytes(megabyte), progress(seen));
    EXPECT_EQ(gpusort::multiway_merge(policy, runs.begin(), runs.end(), out.begin(), comp),
              out.end());
    EXPECT_TRUE(kit::examine(input, out.read(), comp, kit::promise::stability).ok()) << k;
    EXPECT_TRUE(out.intact());
    EXPECT_LE(allocator.peak_bytes(), megabyte);
    EXPECT_TRUE(seen.are_complete());
  }
}

TEST_F(external_sort, runs_of_numbers_are_merged_where_they_are) {
  std::vector<std::uint64_t> data(300007), out(data.size());
  std::mt19937_64 random(9);
  for (auto& x : data) x = random() % 1000;
  std::vector<std::uint64_t> expected = data;
  std::sort(expected.begin(), expected.end());
  std::sort(data.begin(), data.begin() + 100);
  std::sort(data.begin() + 100, data.end());
  const std::size_t offsets[] = {0, 100, 100, data.size()};
  const auto policy = par_gpu.with(max_device_bytes(megabyte));
  gpusort::multiway_merge(policy, data.begin(), offsets, offsets + 4, out.begin());
  EXPECT_EQ(out, expected);
}

TEST_F(external_sort, what_a_policy_says_of_sorts_does_not_matter_to_a_merge) {
  std::vector<double> data(300007), out(data.size());
  std::mt19937_64 random(10);
  for (auto& x : data) x = static_cast<double>(random() % 1000);
  std::vector<double> expected = data;
  std::sort(expected.begin(), expected.end());
  std::sort(data.begin(), data.begin() + 1000);
  std::sort(data.begin() + 1000, data.end());
  const std::size_t offsets[] = {0, 1000, data.size()};
  const auto policy = par_gpu.with(max_device_bytes(megabyte));
  gpusort::multiway_merge(policy.with(gpusort::in_place), data.begin(), offsets, offsets + 3,
                          out.begin());
  EXPECT_EQ(out, expected);
  out.assign(out.size(), 0);
  gpusort::multiway_merge(policy.with(gpusort::algorithm::radix_sort), data.begin(), offsets,
                          offsets + 3, out.begin(), kit::opaque(kit::behavior::honest));
  EXPECT_EQ(out, expected);
}

}  // namespace
