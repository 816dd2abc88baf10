// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sample sorts and the merge sort of paper 003 (bench/papers).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"
#include "papers/block_merge_sort.hpp"
#include "papers/distributions_003.hpp"
#include "papers/merge_sort.hpp"
#include "papers/quick_selection.hpp"
#include "papers/sample_sort.hpp"

namespace kit {
namespace {

class paper_003 : public gpu_test {};

struct less_of_all {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

// With the paper's numbers small inputs are in one bucket, which the network sorts.

struct small_first : papers::first_sample_sort {
  static constexpr int threads = 64, k = 8, a = 4, most_in_network = 32;
  static constexpr std::uint32_t M = 300;
};
struct small_revised : small_first {
  static constexpr int counters_to_scatter = 4;
  using second_level = papers::by_sample_sort<4, 3, 100, 8>;
};
struct first_of_small_buckets : papers::first_sample_sort {
  static constexpr std::uint32_t M = 2500;
};
struct revised_of_small_buckets : papers::revised_sample_sort {
  static constexpr std::uint32_t M = 20000;
};
struct small_tuning : papers::merge_sort_tuning {
  static constexpr int threads_to_sort = 64, most_in_network = 32, threads_to_merge = 32;
  static constexpr int parts_per_multiprocessor = 3;
  static constexpr std::uint32_t most_sequences = 32;
};
struct small_tuning_and_quick_selection : small_tuning {
  using selection = papers::quick_selection;
};

/// One block sorts by merging.
template <class T, int Ways>
struct sort_by_one_block {
  static std::size_t scratch_bytes(std::uint64_t n) { return n * sizeof(T); }

  template <class Compare>
  static void run(cudaStream_t stream, T* data, std::uint64_t n, void* scratch, Compare compare) {
    constexpr int threads = 64;
    papers::detail::launch(
        papers::block_merge_sort_kernel<Ways, papers::bitonic_merge, threads, 128, T, Compare>, 1,
        threads, 0, stream, papers::two_arrays<T>{data, static_cast<T*>(scratch)},
        static_cast<std::uint32_t>(n), compare);
  }
};

template <class Sort, class T, class Compare = less_of_all>
void expect_sorted_by(const column<T>& input, const char* sort, const char* what,
                      Compare compare = {}) {
  const buffer<T> data(input, 1);
  const buffer<unsigned char> scratch(Sort::scratch_bytes(input.size()));
  Sort::run(nullptr, data.begin(), input.size(), scratch.begin(), compare);
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, data.read(), compare, promise::order);
  f.zones_intact = data.intact() && scratch.intact();
  EXPECT_TRUE(f.ok()) << f << sort << ", " << what << ", n = " << input.size();
}

template <class T>
void expect_sorted_by_small_ones(const column<T>& input, const char* what) {
  expect_sorted_by<papers::sample_sort<T, small_first>>(input, "first", what);
  expect_sorted_by<papers::sample_sort<T, small_revised>>(input, "revised", what);
  expect_sorted_by<papers::merge_sort<T, small_tuning>>(input, "merge sort", what);
}

template <class T>
void expect_sorted_by_large_ones(const column<T>& input, const char* what) {
  using papers::first_sample_sort;
  expect_sorted_by<papers::sample_sort<T, first_sample_sort>>(input, "paper's first", what);
  expect_sorted_by<papers::sample_sort<T>>(input, "paper's revised", what);
  expect_sorted_by<papers::merge_sort<T>>(input, "paper's merge sort", what);
}

column<std::uint32_t> column_of(const std::vector<std::uint32_t>& values) {
  column<std::uint32_t> made(values.size());
  std::copy(values.begin(), values.end(), made.begin());
  return made;
}

template <class At>
column<std::uint32_t> made_by(std::size_t n, At at) {
  column<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = at(i);
  return values;
}

/// Returns sizes around the network's 32, the second level's 100, the first level's M and its tiles
/// of 512.
std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> sizes{0, 1, 2, 3, 31, 32, 33, 64, 65, 99, 100, 101};
  for (std::size_t n : {128, 256, 300, 512, 1024, 2048, 4096}) {
    for (std::size_t around : {n - 1, n, n + 1}) sizes.push_back(around);
  }
  if (!small_sizes_only()) sizes.insert(sizes.end(), {20011, 100003, 1 << 18});
  return sizes;
}

TEST_F(paper_003, any_length) {
  for (std::size_t n : all_sizes()) {
    expect_sorted_by_small_ones(generate<std::uint32_t>(distribution::uniform, n, seed()),
                                "uniform");
    expect_sorted_by_small_ones(generate<std::uint32_t>(distribution::few_distinct, n, seed()),
                                "few distinct");
  }
}

TEST_F(paper_003, any_distribution) {
  const std::size_t n = small_sizes_only() ? 3001 : 60003;
  for (distribution d : every_distribution) {
    const auto input = generate<std::uint32_t>(d, n, seed());
    expect_sorted_by_small_ones(input, name_of(d));
    if (!small_sizes_only()) expect_sorted_by_large_ones(input, name_of(d));
  }
}

TEST_F(paper_003, the_papers_distributions) {
  const auto parameters = papers::of_003::parameters(static_cast<std::uint32_t>(seed()));
  for (const auto& d : papers::of_003::input_distributions()) {
    for (std::size_t n : {1, 2, 241, 2500}) {
      const std::vector<std::uint32_t> input = d.make(n, parameters);
      ASSERT_EQ(input.size(), n) << d.name;
      expect_sorted_by_small_ones(column_of(input), d.name);
    }
    if (!small_sizes_only()) {
      for (std::size_t n : {1 << 18, (1 << 20) + 7}) {
        expect_sorted_by_large_ones(column_of(d.make(n, parameters)), d.name);
      }
    }
  }
}

TEST_F(paper_003, as_many_buckets_as_the_paper) {
  const auto input = generate<std::uint32_t>(distribution::uniform, 30011, seed());
  expect_sorted_by_large_ones(input, "uniform");
  expect_sorted_by<papers::sample_sort<std::uint32_t, first_of_small_buckets>>(input, "first",
                                                                               "uniform");
  expect_sorted_by<papers::sample_sort<std::uint32_t, revised_of_small_buckets>>(input, "revised",
                                                                                 "uniform");
  if (small_sizes_only()) return;
  for (std::size_t n : {1 << 17, (1 << 17) + 1, 1 << 18, (1 << 18) + 1, (1 << 21) + 3}) {
    expect_sorted_by_large_ones(generate<std::uint32_t>(distribution::uniform, n, seed()),
                                "uniform");
  }
}

/// One value is in all samples, or in almost all, and other values are before or after it.
TEST_F(paper_003, samples_that_are_equal) {
  for (std::size_t n : {301, 2049, small_sizes_only() ? 5000 : 300007}) {
    expect_sorted_by_small_ones(made_by(n, [](std::size_t) { return 7u; }), "all equal");
    expect_sorted_by_small_ones(made_by(n, [](std::size_t) { return ~0u; }), "all the largest");
    for (std::size_t others : {std::size_t{1}, n / 50, n / 10, n / 3}) {
      const std::size_t every = n / others;
      const auto with = [&](std::uint32_t other) {
        return made_by(n, [=](std::size_t i) { return i % every == every - 1 ? other : 7u; });
      };
      expect_sorted_by_small_ones(with(0), "smaller ones among equals");
      expect_sorted_by_small_ones(with(~0u), "larger ones among equals");
      expect_sorted_by_small_ones(made_by(n,
                                          [=](std::size_t i) {
                                            const auto x = static_cast<std::uint32_t>(i);
                                            return i % every == every - 1 ? x : 1000u;
                                          }),
                                  "others among equals");
    }
  }
}

/// Where equal elements stay in the array that a pass reads, and where they have to be copied.
TEST_F(paper_003, buckets_of_equals_at_every_level) {
  const std::size_t n = small_sizes_only() ? 6000 : 200003;
  for (std::uint32_t values : {2u, 3u, 8u, 9u, 60u}) {
    expect_sorted_by_small_ones(
        made_by(
            n, [=](std::size_t i) { return static_cast<std::uint32_t>(random_at(1, i)) % values; }),
        "few values");
  }
  // The last bucket is distributed again and again: all differences are in it.
  expect_sorted_by_small_ones(made_by(n,
                                      [](std::size_t i) {
                                        const std::uint64_t random = random_at(2, i);
                                        const int shift = static_cast<int>(random % 32);
                                        return ~static_cast<std::uint32_t>(random >> 32) >> shift;
                                      }),
                              "exponents");
}

TEST_F(paper_003, any_keys_under_any_order) {
  const std::size_t n = small_sizes_only() ? 2500 : 30011;
  using record_16 = record<16>;
  const auto input = generate<record_16>(distribution::few_distinct, n, seed());
  const opaque order(behavior::honest);
  expect_sorted_by<papers::sample_sort<record_16, small_first>>(input, "first", "records", order);
  expect_sorted_by<papers::sample_sort<record_16, small_revised>>(input, "revised", "records",
                                                                  order);
  expect_sorted_by<papers::merge_sort<record_16, small_tuning>>(input, "merge sort", "records",
                                                                order);
}

TEST_F(paper_003, merge_sort_by_quick_selection) {
  for (std::size_t n : {1000, small_sizes_only() ? 3001 : 60003}) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal}) {
      expect_sorted_by<papers::merge_sort<std::uint32_t, small_tuning_and_quick_selection>>(
          generate<std::uint32_t>(d, n, seed()), "quick selection", name_of(d));
    }
  }
}

TEST_F(paper_003, one_block_merges_two_or_four) {
  for (std::size_t n : {0, 1, 127, 128, 129, 256, 257, 511, 512, 513, 2049, 4100}) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::reverse}) {
      const auto input = generate<std::uint32_t>(d, n, seed());
      expect_sorted_by<sort_by_one_block<std::uint32_t, 2>>(input, "two-way", name_of(d));
      expect_sorted_by<sort_by_one_block<std::uint32_t, 4>>(input, "four-way", name_of(d));
    }
  }
}

TEST_F(paper_003, refuses_what_its_numbers_cannot_count) {
  constexpr std::uint64_t too_many = (std::uint64_t{1} << 31) + 1;
  EXPECT_THROW(papers::sample_sort<std::uint32_t>::scratch_bytes(too_many), std::length_error);
  EXPECT_THROW(papers::merge_sort<std::uint32_t>::scratch_bytes(too_many), std::length_error);
}

}  // namespace
}  // namespace kit
