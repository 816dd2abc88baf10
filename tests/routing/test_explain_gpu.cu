// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain tells the plan before the sort, in words and in numbers.
#include <algorithm>
#include <cstring>
#include <gpusort/gpusort.hpp>
#include <sstream>
#include <string>

#include "../kit/call.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"

namespace kit {
namespace {

class explain : public gpu_test {
 protected:
  /// Checks that a plan says something, and returns the sentence it prints.
  template <class Plan>
  static std::string sentence(const Plan& plan, std::size_t n) {
    std::ostringstream out;
    out << plan;
    EXPECT_NE(plan.reason, nullptr);
    if (plan.reason != nullptr) {
      EXPECT_GT(std::strlen(plan.reason), 5u);
      EXPECT_NE(out.str().find(plan.reason), std::string::npos) << out.str();
    }
    EXPECT_GE(plan.passes, n > 1 ? 1 : 0);
    return out.str();
  }
};

// In memory of any kind: where a sort would stage it, or work where it is.
TEST_F(explain, prints_and_does_not_sort) {
  for (std::size_t n :
       {std::size_t{0}, std::size_t{100}, std::size_t{5000}, std::size_t{1} << 20}) {
    const auto before = generate<std::uint32_t>(distribution::uniform, n, seed());
    for (memory_kind kind : every_memory_kind) {
      const buffer<std::uint32_t> range(before, 1, gpu_memory{kind});
      const auto a = gpusort::explain(gpusort::par_gpu, range.begin(), range.end());
      const auto b = gpusort::explain(gpusort::par_gpu, range.begin(), range.end(), opaque());
      if (kind == memory_kind::device) {
        std::printf("n = %zu, seen through: %s\n", n, sentence(a, n).c_str());
        std::printf("n = %zu, opaque: %s\n", n, sentence(b, n).c_str());
      }
      cuda_ok(cudaDeviceSynchronize());
      const auto after = range.read();
      EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()))
          << "n = " << n << ", " << name_of(kind) << " memory";
      EXPECT_TRUE(range.intact());
    }
  }
}

TEST_F(explain, names_the_forced_algorithm) {
  const buffer<std::uint32_t> range(100000);
  const auto radix = gpusort::explain(gpusort::par_gpu.with(gpusort::algorithm::radix_sort),
                                      range.begin(), range.end());
  const auto merge = gpusort::explain(gpusort::par_gpu.with(gpusort::algorithm::merge_sort),
                                      range.begin(), range.end(), opaque());
  const auto sample = gpusort::explain(gpusort::par_gpu.with(gpusort::algorithm::sample_sort),
                                       range.begin(), range.end(), opaque());
  const auto quick = gpusort::explain(gpusort::par_gpu.with(gpusort::algorithm::quicksort),
                                      range.begin(), range.end(), opaque());
  EXPECT_EQ(quick.algorithm, gpusort::route::quicksort);
  EXPECT_NE(sentence(quick, 100000).find("quicksort"), std::string::npos);
  EXPECT_EQ(radix.algorithm, gpusort::route::radix_sort);
  EXPECT_EQ(merge.algorithm, gpusort::route::merge_sort);
  EXPECT_NE(sentence(sample, 100000).find("sample_sort"), std::string::npos);
  EXPECT_NE(sentence(radix, 100000).find("radix"), std::string::npos);
  EXPECT_NE(sentence(merge, 100000).find("merge"), std::string::npos);
}

/// Each way to launch sample sort is a route of its own.
TEST_F(explain, names_the_launches_of_sample_sort) {
  const buffer<std::uint64_t> range(std::size_t{1} << 22);
  const auto route_of = [&](std::size_t n) {
    return gpusort::explain(gpusort::par_gpu, range.begin(), range.begin() + n, opaque()).algorithm;
  };
  EXPECT_EQ(route_of(range.size()), gpusort::route::sample_sort);
  const auto few = route_of(4096);
  EXPECT_TRUE(few == gpusort::route::cluster_sample_sort ||
              few == gpusort::route::single_launch_sample_sort);
  EXPECT_EQ(route_of(100000), gpusort::route::single_launch_sample_sort);
}

struct long_record {
  std::uint32_t key;
  std::uint32_t rest[24];
};

TEST_F(explain, says_how_kernels_are_launched_and_where_they_come_from) {
  using gpusort::launch_strategy;
  const std::size_t n = 100000;
  const buffer<std::uint64_t> range(n);
  const auto opaquely = gpusort::explain(gpusort::par_gpu, range.begin(), range.end(), opaque());
  EXPECT_EQ(opaquely.launches.sort, launch_strategy::one_cooperative_launch);
  EXPECT_EQ(opaquely.compiled_in, gpusort::code_origin::program);
  EXPECT_NE(sentence(opaquely, n).find("; in one cooperative launch; compiled in the program"),
            std::string::npos)
      << sentence(opaquely, n);
  const auto numbers = gpusort::explain(gpusort::par_gpu, range.begin(), range.end());
  EXPECT_EQ(numbers.compiled_in,
            GPUSORT_HAS_LIBRARY ? gpusort::code_origin::library : gpusort::code_origin::program);
  const buffer<long_record> records(n);
  const auto encoded = gpusort::explain(gpusort::par_gpu, records.begin(), records.end(),
                                        gpusort::order_by(gpusort::asc(&long_record::key)));
  EXPECT_STREQ(encoded.launches.before, "one that encodes keys");
  EXPECT_EQ(encoded.compiled_in,
            GPUSORT_HAS_LIBRARY ? gpusort::code_origin::library : gpusort::code_origin::program);
  EXPECT_FALSE(encoded.is_for_older_device);
  EXPECT_STREQ(encoded.launches.after, "those that move elements");
  const auto nothing = gpusort::explain(gpusort::par_gpu, range.begin(), range.begin());
  EXPECT_EQ(nothing.launches.sort, launch_strategy::none);
}

TEST_F(explain, knows_the_standard_functors) {
  const std::size_t n = std::size_t{1} << 22;
  const buffer<std::uint16_t> range(n);
  const auto ours =
      gpusort::explain(gpusort::par_gpu, range.begin(), range.end(), gpusort::greater{});
  EXPECT_EQ(
      gpusort::explain(gpusort::par_gpu, range.begin(), range.end(), std::greater<>{}).algorithm,
      ours.algorithm);
  EXPECT_EQ(gpusort::explain(gpusort::par_gpu, range.begin(), range.end(),
                             cuda::std::greater<std::uint16_t>{})
                .algorithm,
            ours.algorithm);
  EXPECT_EQ(ours.algorithm, gpusort::route::counting_sort);
}

TEST_F(explain, estimates_what_it_takes_and_the_next_best) {
  const std::size_t n = std::size_t{1} << 20;
  const buffer<std::uint32_t> range(n);
  for (std::size_t most : {n, n / 2}) {
    const auto plan = gpusort::explain(gpusort::par_gpu, range.begin(), range.begin() + most);
    EXPECT_STREQ(plan.estimate.what, "elements, compared");
    EXPECT_GT(plan.estimate.microseconds, 10);
    EXPECT_LT(plan.estimate.microseconds, 100);
    EXPECT_GE(plan.estimate.bytes_moved, 2 * plan.passes * most * sizeof(std::uint32_t));
    EXPECT_STREQ(plan.next_best.what, "elements, by radix");
    EXPECT_GT(plan.next_best.microseconds, plan.estimate.microseconds);
    EXPECT_NE(sentence(plan, n).find(" us, next best: elements, by radix, "), std::string::npos);
  }
  const auto nothing = gpusort::explain(gpusort::par_gpu, range.begin(), range.begin());
  EXPECT_EQ(nothing.estimate.microseconds, 0);
  EXPECT_EQ(sentence(nothing, 0).find("next best"), std::string::npos);
}

TEST_F(explain, scratch_of_a_sort_that_cannot_be_stable) {
  const buffer<__half> range(100000);
  const auto policy = gpusort::par_gpu.with(gpusort::algorithm::counting_sort);
  EXPECT_EQ(gpusort::scratch_bytes(policy, range.begin(), range.end()),
            gpusort::explain(policy, range.begin(), range.end()).scratch_bytes);
}

TEST_F(explain, scratch_is_what_scratch_bytes_covers) {
  for (std::size_t n : {std::size_t{0}, std::size_t{1000}, std::size_t{1} << 20}) {
    const buffer<std::uint64_t> range(n);
    const auto plan = gpusort::explain(gpusort::par_gpu, range.begin(), range.end(), opaque());
    EXPECT_LE(plan.scratch_bytes,
              gpusort::scratch_bytes(gpusort::par_gpu, range.begin(), range.end(), opaque()));
    EXPECT_LE(plan.scratch_bytes, n * (8 + 2) + n * 8 / 20 + (16 << 20));
  }
}

/// Expects scratch as the declaration of sort promises, and never less for more elements.
template <class T, class Compare>
void expect_bounded_scratch(Compare compare) {
  const buffer<T> range(1);
  std::size_t before = 0;
  for (std::size_t n = std::size_t{1} << 22; n <= std::size_t{1} << 32; n += n / 16) {
    const auto bytes =
        gpusort::explain(gpusort::par_gpu, range.begin(), range.begin() + n, compare).scratch_bytes;
    EXPECT_LE(bytes, n * (sizeof(T) + 2) / 6 * 7 + (16 << 20)) << n;
    EXPECT_GE(bytes, n * sizeof(T)) << n;
    EXPECT_GE(bytes, before) << n;
    before = bytes;
  }
}

TEST_F(explain, scratch_of_large_ranges_is_bounded) {
  expect_bounded_scratch<std::uint8_t>(opaque());
  expect_bounded_scratch<std::uint32_t>(opaque());
  expect_bounded_scratch<std::uint32_t>(gpusort::less());
  expect_bounded_scratch<std::uint64_t>(opaque());
  expect_bounded_scratch<std::uint64_t>(gpusort::less());
}

}  // namespace
}  // namespace kit
