// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of oneTBB, whose library is not instrumented, so that ThreadSanitizer would see no task
// wait for another: what host/task.hpp uses of it, with a thread for each second task.
#pragma once

#include <exception>
#include <thread>

namespace oneapi {
namespace tbb {

struct task_group_context {
  enum kind { isolated };
  explicit task_group_context(kind) {}
};

/// Invokes both; when one throws, the other ends first; then the exception leaves, the first one if
/// both throw.
template <class First, class Second>
void parallel_invoke(const First& first, const Second& second, task_group_context&) {
  std::exception_ptr of_first, of_second;
  const auto run = [](const auto& task, std::exception_ptr& thrown) {
    try {
      task();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  std::thread other([&] { run(second, of_second); });
  run(first, of_first);
  other.join();
  if (of_first) std::rethrow_exception(of_first);
  if (of_second) std::rethrow_exception(of_second);
}

}  // namespace tbb
}  // namespace oneapi
