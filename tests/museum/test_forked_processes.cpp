// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TileDB-Inc/TileDB#1163: a child of a process whose threads have worked has none of them, and
// waited for them for ever.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/random.hpp"

namespace {

std::vector<std::uint64_t> numbers(std::uint64_t seed) {
  std::vector<std::uint64_t> all(300000);  // many tasks
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kit::random_at(seed, i);
  return all;
}

bool is_sorted_right(std::uint64_t seed) {
  auto v = numbers(seed), expected = v;
  std::sort(expected.begin(), expected.end());
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end());
  return v == expected;
}

/// Returns what becomes of a child that sorts: its status, or the signal that ends what hangs.
int status_of_child(int depth) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool is_right = is_sorted_right(kit::seed() + static_cast<std::uint64_t>(depth));
    if (depth > 0) is_right = is_right && status_of_child(depth - 1) == 0;
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(museum, forked_processes) {
  EXPECT_EQ(status_of_child(0), 0) << "before the parent has sorted";
  EXPECT_TRUE(is_sorted_right(kit::seed()));
  EXPECT_EQ(status_of_child(1), 0) << "after it has, and a child of the child";
  EXPECT_TRUE(is_sorted_right(kit::seed()));
}

}  // namespace
