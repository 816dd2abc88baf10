// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA/cccl#7063: an object with static storage that sorts device memory when the program ends.
// The CUDA runtime may have ended before it: then the call throws gpusort::cuda_error, and nothing
// else happens.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/device.hpp"

namespace kit {
namespace {

struct sorts_when_it_ends {
  static constexpr std::size_t n = 300000;
  std::uint64_t* numbers = nullptr;

  sorts_when_it_ends() {
    std::vector<std::uint64_t> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = random_at(7, i);
    cuda_ok(cudaMalloc(&numbers, n * sizeof(std::uint64_t)));
    copy_and_wait(numbers, all.data(), n * sizeof(std::uint64_t));
  }
  ~sorts_when_it_ends() {
    try {
      gpusort::sort(gpusort::par_gpu, numbers, numbers + n);
      std::vector<std::uint64_t> all(n);
      copy_and_wait(all.data(), numbers, n * sizeof(std::uint64_t));
      const bool is_right = std::is_sorted(all.begin(), all.end());
      std::fprintf(stderr, is_right ? "ended well. " : "not sorted. ");
    } catch (const gpusort::cuda_error& e) {
      std::fprintf(stderr, "ended well. (%s) ", e.what());
    }
  }
};

[[noreturn]] void end_with_static_objects() {
  static sorts_when_it_ends made_before_any_sort;
  std::vector<int> v = {2, 1};
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end());
  static sorts_when_it_ends made_after_a_sort;
  std::exit(0);
}

class static_destructors_death_test : public gpu_test {};

TEST_F(static_destructors_death_test, of_device_memory) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // a process without a context
  EXPECT_EXIT(end_with_static_objects(), ::testing::ExitedWithCode(0), "ended well.*ended well.");
}

}  // namespace
}  // namespace kit
