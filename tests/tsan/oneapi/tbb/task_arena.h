// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace oneapi {
namespace tbb {
namespace this_task_arena {

/// Returns four, on any machine: enough that a sort is divided, and that merges of its parts are.
inline int max_concurrency() { return 4; }

/// Isolates: a thread of its own takes up no task of others.
template <class Task>
void isolate(const Task& task) {
  task();
}

}  // namespace this_task_arena
}  // namespace tbb
}  // namespace oneapi
