// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <stdexcept>

namespace papers {

namespace detail = gpusort::detail;

// The sequences that the quicksort of paper 004 has yet to sort, and how a block partitions one.
// Source: paper 004, sections 4.3.1 to 4.3.7 and 4.4.

/// A sequence that is in one of the two arrays.
struct tnl_range {
  std::uint32_t begin, end;
  bool is_in_auxiliary;

  GPUSORT_HOST_DEVICE std::uint32_t length() const { return end - begin; }
};

/// A sequence that blocks partition together.
struct tnl_task {
  tnl_range whole;
  std::uint32_t pivot_index;
  std::uint32_t first_block;
  std::uint32_t left_end, right_begin;  // of what blocks have claimed: dstBegin and dstEnd

  GPUSORT_DEVICE tnl_range left() const { return {whole.begin, left_end, !whole.is_in_auxiliary}; }
  GPUSORT_DEVICE tnl_range right() const {
    return {right_begin, whole.end, !whole.is_in_auxiliary};
  }
};

struct tnl_counts {
  int level;
  std::uint32_t tasks[2];  // of even and odd levels
  std::uint32_t small_tasks;
  std::uint32_t blocks;  // that partition the tasks of this level
};

/// Number of elements that a block takes of a task: at most 8 elements for each thread, and 32 KB.
template <int Threads, class T>
inline constexpr std::uint32_t tnl_items = detail::min_of<std::uint32_t>(8 * Threads,
                                                                         (32u << 10) / sizeof(T));

/// The arrays, and the queues of tasks. Levels take turns with the arrays, and with the queues of
/// tasks that several blocks partition; tasks for one block are kept until all levels are done.
/// Queues have fixed sizes, as in the paper, which leaves open how long the one for small tasks is.
template <class T>
struct tnl_work {
  T* data;
  T* auxiliary;
  tnl_task* tasks[2];
  tnl_range* small_tasks;  // up to 2 * most_tasks
  tnl_counts* counts;
  std::uint32_t most_tasks;

  static tnl_work in_scratch(detail::scratch_cursor& cursor, T* data, std::uint64_t n,
                             std::uint32_t most_tasks) {
    if (n > std::uint64_t{1} << 30) throw std::length_error("the quicksort sorts 2^30 elements");
    tnl_work work{};
    work.data = data;
    work.auxiliary = cursor.take<T>(n);
    for (tnl_task*& tasks : work.tasks) tasks = cursor.take<tnl_task>(most_tasks);
    work.small_tasks = cursor.take<tnl_range>(2 * std::uint64_t{most_tasks});
    work.counts = cursor.take<tnl_counts>(1);
    work.most_tasks = most_tasks;
    return work;
  }

  GPUSORT_DEVICE T* array(bool is_auxiliary) const { return is_auxiliary ? auxiliary : data; }

  GPUSORT_DEVICE tnl_task* queue(int level) const { return level % 2 == 0 ? tasks[0] : tasks[1]; }

  /// Adds a part to the tasks of a level, or to those for one block.
  template <int Threads>
  GPUSORT_DEVICE void add(int level, const tnl_range& part) const {
    if (part.length() == 0) return;
    if (part.length() <= tnl_items<Threads, T>) {
      small_tasks[atomicAdd(&counts->small_tasks, 1u)] = part;
    } else {
      queue(level)[atomicAdd(&counts->tasks[level % 2], 1u)] = {part, 0, 0, 0, 0};
    }
  }

  GPUSORT_DEVICE tnl_task& task_of_block(std::uint32_t block) const {
    const int level = counts->level;
    tnl_task* const all = queue(level);
    std::uint32_t low = 0, high = counts->tasks[level % 2];  // the task is one of [low, high)
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (all[middle].first_block <= block ? low : high) = middle;
    }
    return all[low];
  }
};

/// Finds the place of the median of the first, the middle and the last element.
template <class T, class Compare>
GPUSORT_DEVICE std::uint32_t median_place(const T* from, const tnl_range& of, Compare& compare) {
  std::uint32_t low = of.begin, middle = of.begin + of.length() / 2, high = of.end - 1;
  if (compare(from[high], from[low])) {
    const std::uint32_t held = low;
    low = high;
    high = held;
  }
  if (compare(from[middle], from[low])) return low;
  return compare(from[high], from[middle]) ? high : middle;
}

GPUSORT_DEVICE std::uint32_t sum_up_to_lane(std::uint32_t value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(0xffffffffu, value, distance);
    if (static_cast<int>(threadIdx.x % 32) >= distance) value += before;
  }
  return value;
}

struct thread_sums {
  std::uint32_t before, all;
};

/// Sums the values of the threads before this one, and of all. Source: paper 004, section 4.4.1.
template <int Threads>
GPUSORT_DEVICE thread_sums sum_of_threads(std::uint32_t value) {
  __shared__ std::uint32_t sums[32 + 1];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint32_t up_to_here = sum_up_to_lane(value);
  __syncthreads();
  if (lane == 31) sums[warp] = up_to_here;
  __syncthreads();
  if (warp == 0) {
    const std::uint32_t of_warp = lane < Threads / 32 ? sums[lane] : 0;
    const std::uint32_t up_to_warp = sum_up_to_lane(of_warp);
    sums[lane] = up_to_warp - of_warp;
    if (lane == 31) sums[32] = up_to_warp;
  }
  __syncthreads();
  return {sums[warp] + up_to_here - value, sums[32]};
}

template <int Threads, class T>
struct tnl_storage {
  T items[tnl_items<Threads, T>];
  std::uint32_t left_begin, right_begin;
};

/// Moves elements before and after a pivot to the two ends of what is left of another array. They
/// go through shared memory, so that neighbours write neighbours. In lines 28 and 30 of the paper's
/// algorithm a thread's own offset stands where the block's is meant. Source: paper 004, algorithm
/// 4.3.2.
template <int Threads, class T, class Compare>
struct tnl_partition {
  tnl_storage<Threads, T>& shared;
  const T* from;
  T* to;
  T pivot;
  Compare& compare;

  template <class Before, class After>
  GPUSORT_DEVICE void for_each(const tnl_range& of, Before before, After after) const {
    for (std::uint32_t i = of.begin + threadIdx.x; i < of.end; i += Threads) {
      const T x = from[i];
      if (compare(x, pivot)) {
        before(x);
      } else if (compare(pivot, x)) {
        after(x);
      }
    }
  }

  /// Moves up to tnl_items elements. All threads call; begins and ends with a barrier.
  GPUSORT_DEVICE void move(const tnl_range& of, std::uint32_t* left_end,
                           std::uint32_t* right_begin) const {
    std::uint32_t below = 0, above = 0;
    for_each(
        of, [&](const T&) { ++below; }, [&](const T&) { ++above; });
    const thread_sums left = sum_of_threads<Threads>(below);
    const thread_sums right = sum_of_threads<Threads>(above);
    if (threadIdx.x == Threads - 1) {
      shared.left_begin = atomicAdd(left_end, left.all);
      shared.right_begin = atomicSub(right_begin, right.all) - right.all;
    }
    T* lower = shared.items + left.before;
    T* upper = shared.items + left.all + right.before;
    for_each(
        of, [&](const T& x) { *lower++ = x; }, [&](const T& x) { *upper++ = x; });
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < left.all; i += Threads) {
      to[shared.left_begin + i] = shared.items[i];
    }
    for (std::uint32_t i = threadIdx.x; i < right.all; i += Threads) {
      to[shared.right_begin + i] = shared.items[left.all + i];
    }
    __syncthreads();
  }
};

}  // namespace papers
