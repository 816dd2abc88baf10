// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inducer/pycuda#137: a child of a process that has used CUDA cannot use it. Its calls throw
// gpusort::cuda_error; they neither hang nor harm the parent.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/device.hpp"

namespace kit {
namespace {

class forked_processes : public gpu_test {};

TEST_F(forked_processes, of_one_that_used_a_device) {
  constexpr int refused = 7;
  const std::vector<int> numbers = {3, 1, 2};
  const auto sorts = [&] {
    std::vector<int> v = numbers;
    gpusort::sort(gpusort::par_gpu, v.begin(), v.end());
    return std::is_sorted(v.begin(), v.end());
  };
  EXPECT_TRUE(sorts());
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    try {
      sorts();
      _exit(0);
    } catch (const gpusort::cuda_error&) {
      _exit(refused);
    } catch (...) {
      _exit(1);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), refused);
  EXPECT_TRUE(sorts());
}

}  // namespace
}  // namespace kit
