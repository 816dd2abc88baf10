// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU-Quicksort of paper 000, and that paper's inputs (bench/papers).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"
#include "papers/distributions.hpp"
#include "papers/gpu_quicksort.hpp"

namespace kit {
namespace {

using options = papers::gpu_quicksort_options;
using papers::gpu_quicksort;
using papers::pivot_rule;
using keys = column<std::uint32_t>;

class paper_000 : public gpu_test {};

constexpr pivot_rule both_rules[] = {pivot_rule::average, pivot_rule::median};

/// Returns options that leave both phases something to do at small sizes.
options small_options(pivot_rule rule) { return {32, 8, 33, rule}; }

std::vector<options> all_options() {
  std::vector<options> all;
  for (pivot_rule rule : both_rules) {
    all.push_back(small_options(rule));
    all.push_back({64, 5, 100, rule});
  }
  return all;
}

void expect_sorted(const keys& input, const options& chosen, const char* what) {
  const buffer<std::uint32_t> data(input, 1);
  const buffer<unsigned char> scratch(gpu_quicksort::scratch_bytes(input.size(), chosen));
  gpu_quicksort::run(nullptr, data.begin(), input.size(), chosen, scratch.begin());
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, data.read(), std::less<>{}, promise::order);
  f.zones_intact = data.intact() && scratch.intact();
  EXPECT_TRUE(f.ok()) << f << what << ", n = " << input.size() << ", " << chosen.threads
                      << " threads, " << chosen.max_sequences << " sequences, from "
                      << chosen.min_length << " keys on, "
                      << (chosen.rule == pivot_rule::average ? "averages" : "medians");
}

keys uniform(std::size_t n) { return generate<std::uint32_t>(distribution::uniform, n, seed()); }

keys column_of(const std::vector<std::uint32_t>& values) {
  keys made(values.size());
  std::copy(values.begin(), values.end(), made.begin());
  return made;
}

/// Returns sizes around both limits, of the network and of what a sequence of the first phase may
/// have.
std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> sizes{0, 1, 2, 3, 7, 31, 32, 33, 34, 99, 100, 101, 255, 256, 257};
  for (std::size_t power : {1024, 2048}) {
    for (std::size_t n : {power - 1, power, power + 1}) sizes.push_back(n);
  }
  if (small_sizes_only()) return sizes;
  for (std::size_t power : {1 << 14, 1 << 16, 1 << 18, 1 << 20}) {
    for (std::size_t n : {power - 1, power, power + 1}) sizes.push_back(n);
  }
  return sizes;
}

TEST_F(paper_000, any_length) {
  for (std::size_t n : all_sizes()) {
    for (const options& chosen : all_options()) {
      if (n <= 1 << 16) expect_sorted(uniform(n), chosen, "uniform");
    }
    for (pivot_rule rule : both_rules) {
      if (n > 1 << 12) expect_sorted(uniform(n), {128, 1024, 1024, rule}, "uniform");
    }
  }
}

TEST_F(paper_000, any_distribution) {
  const std::size_t n = small_sizes_only() ? 1500 : 20003;
  for (distribution d : every_distribution) {
    const keys input = generate<std::uint32_t>(d, n, seed());
    for (const options& chosen : all_options()) expect_sorted(input, chosen, name_of(d));
  }
}

TEST_F(paper_000, distributions_of_the_paper) {
  const std::size_t n = small_sizes_only() ? 1500 : 200003;
  const papers::distribution_parameters parameters{static_cast<std::uint32_t>(seed()), 128};
  for (const papers::input_distribution& d : papers::input_distributions()) {
    const keys input = column_of(d.make(n, parameters));
    for (pivot_rule rule : both_rules) {
      expect_sorted(input, small_options(rule), d.name);
      if (!small_sizes_only()) expect_sorted(input, {256, 512, 512, rule}, d.name);
    }
  }
}

/// Threads and sequences of all numbers, and keys for one.
TEST_F(paper_000, any_parameters) {
  const keys input = uniform(small_sizes_only() ? 1025 : 100003);
  for (pivot_rule rule : both_rules) {
    for (int threads : {32, 64, 128, 256, 512}) {
      expect_sorted(input, {threads, 16, 200, rule}, "uniform");
    }
    for (std::uint32_t sequences : {1, 2, 3, 127, 5000}) {
      expect_sorted(input, {32, sequences, 64, rule}, "uniform");
    }
    for (std::uint32_t min_length : {1u, 2u, 65u, options::most_min_length}) {
      expect_sorted(input, {64, 3, min_length, rule}, "uniform");
    }
    options published = options::of_8800gtx(input.size());
    published.rule = rule;
    expect_sorted(input, published, "uniform");
  }
}

/// The largest range and few values: averages that are no keys, and that are the least one.
TEST_F(paper_000, few_values) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const std::vector<std::vector<std::uint32_t>> sets{
      {0},          {most},       {0, most},          {0, 1}, {5, 6}, {most - 1, most},
      {7, 7, 7, 8}, {0, 1, most}, {1, 2, 3, most - 1}};
  for (const auto& values : sets) {
    for (std::size_t n : {2, 3, 40, 1000}) {
      keys input(n);
      for (std::size_t i = 0; i < n; ++i) input[i] = values[random_at(seed(), i) % values.size()];
      for (const options& chosen : all_options()) expect_sorted(input, chosen, "few values");
    }
  }
}

/// Keys by which each average takes off one: the first phase's sequences are as uneven as can be.
TEST_F(paper_000, powers_of_two) {
  keys input(1024);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = 1u << i % 32;
  for (const options& chosen : all_options()) expect_sorted(input, chosen, "powers of two");
}

/// Makes keys for one block, whose median of three is the second least one of each sequence:
/// O(n^2). The others then follow each other as the threads that move them do.
keys worst_for_medians(std::size_t n, std::size_t threads) {
  keys made(n);
  std::vector<std::size_t> places(n), moved;
  for (std::size_t i = 0; i < n; ++i) places[i] = i;
  std::uint32_t next = 0;
  while (places.size() > 2) {
    const std::size_t length = places.size();
    made[places[0]] = next++;
    made[places[length / 2]] = next++;
    moved.clear();
    for (std::size_t thread = 0; thread < threads; ++thread) {
      for (std::size_t i = thread; i < length; i += threads) {
        if (i != 0 && i != length / 2) moved.push_back(places[i]);
      }
    }
    places.swap(moved);
  }
  for (std::size_t place : places) made[place] = next++;
  return made;
}

TEST_F(paper_000, against_medians) {
  const keys input = worst_for_medians(small_sizes_only() ? 500 : 4000, 32);
  expect_sorted(input, {32, 1, 2, pivot_rule::median}, "against medians");
  for (const options& chosen : all_options()) expect_sorted(input, chosen, "against medians");
}

/// What the first phase promises the second one: sequences and what is between them.
TEST_F(paper_000, first_phase_makes_enough_sequences) {
  const std::size_t n = small_sizes_only() ? 4096 : 1 << 17;
  const std::uint32_t wanted = 16;
  for (pivot_rule rule : both_rules) {
    const buffer<std::uint32_t> data(uniform(n), 0), auxiliary(n);
    papers::detail::scratch_cursor measured(nullptr);
    papers::quicksort_first_phase(measured, static_cast<std::uint32_t>(n), wanted);
    const buffer<unsigned char> scratch(measured.used());
    papers::detail::scratch_cursor cursor(scratch.begin());
    papers::quicksort_first_phase phase(cursor, static_cast<std::uint32_t>(n), wanted);
    const papers::key_buffers buffers{data.begin(), auxiliary.begin()};
    std::vector<papers::key_sequence> sequences =
        rule == pivot_rule::average ? phase.run<64, pivot_rule::average>(nullptr, buffers)
                                    : phase.run<64, pivot_rule::median>(nullptr, buffers);
    EXPECT_GE(sequences.size(), wanted);
    EXPECT_LT(sequences.size(), 2 * wanted);
    std::sort(sequences.begin(), sequences.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    keys expected = uniform(n);
    std::sort(expected.begin(), expected.end());
    const keys sides[] = {data.read(), auxiliary.read()};
    std::size_t end = 0;
    for (const papers::key_sequence& s : sequences) {
      for (; end < s.begin; ++end) EXPECT_EQ(sides[0][end], expected[end]) << "a pivot";
      keys part = part_of(sides[s.is_in_auxiliary], s.begin, s.end);
      std::sort(part.begin(), part.end());
      EXPECT_TRUE(std::equal(part.begin(), part.end(), expected.begin() + s.begin));
      end = s.end;
    }
    for (; end < n; ++end) EXPECT_EQ(sides[0][end], expected[end]) << "a pivot";
  }
}

TEST_F(paper_000, published_parameters) {
  const options at_8_million = options::of_8800gtx(8 << 20);
  EXPECT_EQ(at_8_million.threads, 128);
  EXPECT_EQ(at_8_million.max_sequences, 1024u);
  EXPECT_EQ(at_8_million.min_length, 512u);
  const options at_most = options::of_8800gtx(1 << 30);
  EXPECT_EQ(at_most.threads, options::most_threads);
  EXPECT_EQ(at_most.min_length, options::most_min_length);
}

TEST_F(paper_000, refuses_what_it_cannot_do) {
  EXPECT_THROW(gpu_quicksort::scratch_bytes((std::uint64_t{1} << 30) + 1, {}), std::length_error);
  const auto refused = [](int threads, std::uint32_t sequences, std::uint32_t min_length) {
    EXPECT_THROW(
        gpu_quicksort::scratch_bytes(10, {threads, sequences, min_length, pivot_rule::median}),
        std::invalid_argument);
  };
  refused(0, 8, 8);
  refused(96, 8, 8);
  refused(1024, 8, 8);
  refused(32, 0, 8);
  refused(32, options::most_sequences + 1, 8);
  refused(32, 8, 0);
  refused(32, 8, options::most_min_length + 1);
}

/// Returns the share of the range that each part of it has, in block `block` of p.
std::vector<std::size_t> parts_of_block(const std::vector<std::uint32_t>& values, std::size_t p,
                                        std::size_t block) {
  std::vector<std::size_t> counts(p);
  const std::size_t length = values.size() / p;
  for (std::size_t i = block * length; i < (block + 1) * length; ++i) {
    ++counts[values[i] / ((std::uint32_t{1} << 31) / p)];
  }
  return counts;
}

TEST(paper_000_inputs, are_as_defined) {
  const papers::distribution_parameters parameters{3, 8};
  const std::size_t n = 4096, in_block = n / 8;
  for (const papers::input_distribution& d : papers::input_distributions()) {
    const std::vector<std::uint32_t> values = d.make(n, parameters);
    EXPECT_EQ(values, d.make(n, parameters)) << d.name << ": not by the seed";
    EXPECT_TRUE(d.make(0, parameters).empty());
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1u << 31) << d.name;
  }
  const auto bucket = papers::make_bucket(n, parameters);
  const auto staggered = papers::make_staggered(n, parameters);
  const std::size_t slots[] = {1, 3, 5, 7, 0, 2, 4, 6};
  for (std::size_t block = 0; block < 8; ++block) {
    EXPECT_EQ(parts_of_block(bucket, 8, block), std::vector<std::size_t>(8, in_block / 8));
    EXPECT_EQ(parts_of_block(staggered, 8, block)[slots[block]], in_block);
  }
  const auto sorted = papers::make_sorted(n, parameters);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  const auto zero = papers::make_zero(n, parameters);
  EXPECT_EQ(std::count(zero.begin(), zero.end(), zero[0]), static_cast<std::ptrdiff_t>(n));
  const auto gaussian = papers::make_gaussian(n, parameters);
  const auto middle = std::count_if(gaussian.begin(), gaussian.end(), [](std::uint32_t value) {
    return value / (1u << 29) == 1 || value / (1u << 29) == 2;
  });
  EXPECT_GT(middle, static_cast<std::ptrdiff_t>(n * 9 / 10));
}

}  // namespace
}  // namespace kit
