// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA/cccl#7063: an object with static storage that works when the program ends, after what the
// library keeps has ended, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/random.hpp"

namespace {

struct sorts_when_it_ends {
  std::vector<std::uint64_t> numbers;

  sorts_when_it_ends() : numbers(300000) {  // many tasks
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = kit::random_at(7, i);
  }
  ~sorts_when_it_ends() {
    auto expected = numbers;
    std::sort(expected.begin(), expected.end());
    gpusort::stable_sort(gpusort::par_gpu, numbers.begin(), numbers.end());
    std::fprintf(stderr, numbers == expected ? "sorted at the end. " : "not sorted. ");
  }
};

[[noreturn]] void end_with_static_objects() {
  static sorts_when_it_ends made_before_any_sort;
  std::vector<int> v = {2, 1};
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end());
  static sorts_when_it_ends made_after_a_sort;
  std::exit(0);
}

TEST(museum_death_test, static_destructors) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a process of its own
  EXPECT_EXIT(end_with_static_objects(), ::testing::ExitedWithCode(0),
              "sorted at the end. sorted at the end. ");
}

}  // namespace
