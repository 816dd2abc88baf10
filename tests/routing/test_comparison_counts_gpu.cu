// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each algorithm asks its comparator: printed, and bounded. docs/internals/comparisons.md
// has the figures and says where they come from.
#include <algorithm>
#include <cstdio>
#include <string>

#include "../kit/expect_sorted.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

using counted = subject<std::uint32_t, opaque>;

class comparison_counts : public gpu_test {};

/// Returns the comparator's calls in one sort, whose output is checked too.
double calls_of(const sort_case& c, const call& how) {
  const shared_counter counter;
  const auto range = make_input<counted>(c);
  counted::run(how, range.begin(), range.end(), opaque(behavior::counting, 0, counter.get()));
  cuda_ok(cudaDeviceSynchronize());
  const findings f = examine_output<counted>(c, range, opaque(), promise_of(how));
  EXPECT_TRUE(f.ok()) << how << " of " << c << ": " << f;
  return static_cast<double>(*counter.get());
}

/// Returns the most calls for each of 2^log_n elements: a tenth more than an H200 was seen to make,
/// and in one launch, where other devices may have more blocks, half as many again.
double most_calls_each(const std::string& algorithm, distribution data, int log_n, bool stable) {
  const bool in_order = data != distribution::uniform;
  if (algorithm == "small_sort") return 2.5 * log_n;
  if (algorithm == "bitonic_sort") return log_n * (log_n + 1) / 4.0;
  if (algorithm == "merge_sort") return in_order ? 12 : 1.6 * log_n;
  const int each_way = stable ? 2 : 1;  // places decide between keys that neither is before
  if (algorithm ==
      "quicksort") {  // not from a count: its levels and its networks, half as many again
    return each_way * (in_order && log_n >= 16 ? 1.1 : 3.0 * log_n);
  }
  if (algorithm == "sample_sort") {
    constexpr int log_in_one_launch =
        18;  // up to here all of a sample are compared with each other
    if (log_n <= log_in_one_launch) return each_way * 5.5 * log_n;
    return each_way * (in_order ? 1.2 : 2.1 * log_n);
  }
  return 4.0 * log_n;
}

std::vector<int> logs_of_sizes() {
  if (small_sizes_only()) return {10, 14};
  return {10, 12, 16, 20, 24};
}

TEST_F(comparison_counts, of_every_algorithm_are_bounded) {
  std::printf("calls for each element, and of them for each of log2 n\n");
  for (auto data : {distribution::uniform, distribution::sorted, distribution::all_equal}) {
    for (int log_n : logs_of_sizes()) {
      const sort_case c = make_case(data, std::size_t{1} << log_n);
      for (const call& how : every_route<std::uint32_t, opaque>(c.n)) {
        if (how.algorithm == automatic) continue;
        std::string algorithm;
        visit_algorithm(how.algorithm, [&](const auto& entry) { algorithm = entry.name; });
        const double each = calls_of(c, how) / static_cast<double>(c.n);
        std::printf("%-11s by %-12s %-9s 2^%-2d %7.2f %5.2f\n", how.stable ? "stable_sort" : "sort",
                    algorithm.c_str(), name_of(data), log_n, each, each / log_n);
        EXPECT_LE(each, most_calls_each(algorithm, data, log_n, how.stable)) << how << " of " << c;
      }
    }
  }
}

/// An order that is not that of numbers, and takes thousands of cycles.
struct by_lower_half {
  unsigned long long* calls;
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    atomicAdd(calls, 1ull);
    std::uint32_t x = a;
    for (int i = 0; i < 512; ++i) x = x * x + b;              // each waits for the one before
    return x == 0 && b == 1 ? false : turned(a) < turned(b);  // never: 1 makes no 0 of any number
  }
  static __host__ __device__ std::uint32_t turned(std::uint32_t x) { return x << 16 | x >> 16; }
};

// One block of a cluster, whose samples are compared with each other; one launch; levels.
TEST_F(comparison_counts, of_an_order_that_is_not_of_numbers_are_bounded) {
  constexpr struct {
    int log_n;
    double most;  // for each of n log2 n: a tenth more than an H100 was seen to make
  } bounds[] = {{14, 1.55}, {16, 2.2}, {18, 2.2}, {20, 1.35}, {24, 1.25}};
  std::printf("calls for each element, and of them for each of log2 n\n");
  for (const auto& bound : bounds) {
    const std::size_t n = std::size_t{1} << bound.log_n;
    buffer<std::uint32_t> range(
        make_all(n, [](std::size_t i,
                       std::size_t) { return static_cast<std::uint32_t>(random_at(27, i)); }),
        0);
    const shared_counter counter;
    gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), by_lower_half{counter.get()});
    const double each = static_cast<double>(*counter.get()) / static_cast<double>(n);
    const auto sorted = range.read();
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), [](std::uint32_t a, std::uint32_t b) {
      return by_lower_half::turned(a) < by_lower_half::turned(b);
    }));
    std::printf("2^%-2d %7.2f %5.2f\n", bound.log_n, each, each / bound.log_n);
    EXPECT_LE(each, bound.most * bound.log_n) << "n = 2^" << bound.log_n;
  }
}

}  // namespace
}  // namespace kit
