// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>

#include "tnl_quicksort_phases.hpp"

namespace papers {

/// Quicksort whose levels the host launches. Any n up to 2^30. Synchronizes: the size of each level
/// is read back. Elements that are equivalent to a pivot become copies of it, as in the paper: for
/// keys, and for honest comparators only. Threads: a multiple of 64. O(n^2) for an input that is
/// made against the median of three.
///
/// The first phase ends when there is no long sequence, or when the queues are nearly full; the
/// paper has queues of 2^14 tasks. A sequence is long if it needs two blocks or more, which the
/// paper says of its versions with dynamic parallelism only. Source: paper 004, algorithm 4.3.1.
template <class T, class Compare, int Threads = 512>
class tnl_quicksort {
 public:
  static constexpr std::uint32_t most_tasks = 1u << 14;

  static std::size_t scratch_bytes(std::uint64_t n, std::uint32_t queue = most_tasks) {
    detail::scratch_cursor cursor(nullptr);
    tnl_work<T>::in_scratch(cursor, nullptr, n, queue);
    return cursor.used();
  }

  static void run(cudaStream_t stream, T* data, std::uint64_t n, Compare compare, void* scratch,
                  std::uint32_t queue = most_tasks) {
    detail::scratch_cursor cursor(scratch);
    const auto work = tnl_work<T>::in_scratch(cursor, data, n, queue);
    detail::launch(begin_tasks_kernel<Threads, T>, 1, 1, 0, stream, work, n);
    tnl_counts counts = plan(stream, work, compare);
    for (; counts.blocks > 0; counts = plan(stream, work, compare)) {
      detail::launch(partition_tasks_kernel<Threads, T, Compare>, counts.blocks, Threads, 0, stream,
                     work, compare);
      detail::launch(finish_tasks_kernel<Threads, T>, counts.tasks[counts.level % 2], Threads, 0,
                     stream, work);
    }
    detail::launch(sort_small_tasks_kernel<Threads, T, Compare>, counts.small_tasks, Threads, 0,
                   stream, work, compare);
  }

 private:
  static tnl_counts plan(cudaStream_t stream, const tnl_work<T>& work, const Compare& compare) {
    tnl_counts counts{};
    detail::launch(plan_level_kernel<Threads, T, Compare>, 1, Threads, 0, stream, work, compare);
    detail::check(cudaMemcpyAsync(&counts, work.counts, sizeof(counts), cudaMemcpyDefault, stream),
                  "reading the size of a level");
    detail::check(cudaStreamSynchronize(stream), "reading the size of a level");
    return counts;
  }
};

}  // namespace papers
