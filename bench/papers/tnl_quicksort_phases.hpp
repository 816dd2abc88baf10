// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bitonic_network.hpp"
#include "tnl_quicksort_tasks.hpp"

namespace papers {

// The kernels of paper 004's quicksort. First phase: blocks partition all long sequences of a
// level. Second phase: each block sorts a short one. Source: paper 004, sections 4.3.3 to 4.3.10.

template <int Threads, class T>
__global__ void begin_tasks_kernel(tnl_work<T> work, std::uint32_t n) {
  *work.counts = {-1, {0, 0}, 0, 0};
  work.template add<Threads>(0, {0, n, false});
}

/// Begins the next level: chooses pivots, and divides blocks among its tasks. Where the queues may
/// be too short for what the level makes, its tasks become tasks of one block each. Returns how
/// many blocks partition them. By one block.
template <int Threads, class T, class Compare>
GPUSORT_DEVICE std::uint32_t plan_level(const tnl_work<T>& work, Compare& compare) {
  const int level = work.counts->level + 1;
  const std::uint32_t tasks = work.counts->tasks[level % 2];
  const std::uint32_t small_tasks = work.counts->small_tasks;
  const bool fits = 2 * tasks <= work.most_tasks && small_tasks <= work.most_tasks - 2 * tasks;
  std::uint32_t blocks = 0;
  for (std::uint32_t first = 0; first < tasks; first += Threads) {
    const std::uint32_t i = first + threadIdx.x;
    tnl_task task{};
    if (i < tasks) task = work.queue(level)[i];
    const std::uint32_t wanted = detail::ceil_div(task.whole.length(), tnl_items<Threads, T>);
    const thread_sums sums = sum_of_threads<Threads>(wanted);
    if (i < tasks && fits) {
      task.pivot_index = median_place(work.array(task.whole.is_in_auxiliary), task.whole, compare);
      task.first_block = blocks + sums.before;
      task.left_end = task.whole.begin;
      task.right_begin = task.whole.end;
      work.queue(level)[i] = task;
    } else if (i < tasks) {
      work.small_tasks[small_tasks + i] = task.whole;
    }
    blocks += sums.all;
  }
  __syncthreads();
  if (!fits) blocks = 0;
  if (threadIdx.x == 0) {
    work.counts->level = level;
    work.counts->tasks[(level + 1) % 2] = 0;
    work.counts->blocks = blocks;
    if (!fits) work.counts->small_tasks = small_tasks + tasks;
  }
  return blocks;
}

template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads) plan_level_kernel(tnl_work<T> work, Compare compare) {
  plan_level<Threads>(work, compare);
}

/// Moves what block `block` of the level has of a task.
template <int Threads, class T, class Compare>
GPUSORT_DEVICE void partition_share(tnl_storage<Threads, T>& shared, const tnl_work<T>& work,
                                    std::uint32_t block, Compare& compare) {
  tnl_task& task = work.task_of_block(block);
  const bool is_in_auxiliary = task.whole.is_in_auxiliary;
  const T* const from = work.array(is_in_auxiliary);
  constexpr std::uint32_t items = tnl_items<Threads, T>;
  const std::uint32_t begin = task.whole.begin + (block - task.first_block) * items;
  const tnl_partition<Threads, T, Compare> partition{shared, from, work.array(!is_in_auxiliary),
                                                     from[task.pivot_index], compare};
  partition.move({begin, detail::min_of(begin + items, task.whole.end), is_in_auxiliary},
                 &task.left_end, &task.right_begin);
}

template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    partition_tasks_kernel(tnl_work<T> work, Compare compare) {
  __shared__ tnl_storage<Threads, T> shared;
  partition_share(shared, work, blockIdx.x, compare);
}

/// Writes the pivots of task `number` to where they stay, and makes tasks of the next level.
template <int Threads, class T>
GPUSORT_DEVICE void finish_task(const tnl_work<T>& work, std::uint32_t number) {
  const int level = work.counts->level;
  const tnl_task task = work.queue(level)[number];
  const T pivot = work.array(task.whole.is_in_auxiliary)[task.pivot_index];
  __syncthreads();
  for (std::uint32_t i = task.left_end + threadIdx.x; i < task.right_begin; i += Threads) {
    work.data[i] = pivot;
  }
  if (threadIdx.x != 0) return;
  work.template add<Threads>(level + 1, task.left());
  work.template add<Threads>(level + 1, task.right());
}

template <int Threads, class T>
__global__ void __launch_bounds__(Threads) finish_tasks_kernel(tnl_work<T> work) {
  finish_task<Threads>(work, blockIdx.x);
}

/// A block sorts one sequence. Source: paper 004, algorithm 4.3.3.
template <int Threads, class T, class Compare>
class tnl_block_quicksort {
 public:
  struct storage {
    tnl_storage<Threads, T> of_partition;
    std::uint32_t left_end, right_begin;
    tnl_range stack[32];  // the shorter part is sorted first: no more than log2 n wait
  };

  GPUSORT_DEVICE tnl_block_quicksort(storage& shared, const tnl_work<T>& work, Compare& compare)
      : shared_(shared), work_(work), compare_(compare) {}

  GPUSORT_DEVICE void sort(const tnl_range& all) {
    push(all);
    while (waiting_ > 0) {
      __syncthreads();
      const tnl_range top = shared_.stack[--waiting_];
      if (top.length() <= most_in_network) {
        sort_in_network(top);
      } else {
        split(top);
      }
    }
  }

 private:
  static constexpr std::uint32_t most_in_network =
      detail::min_of<std::uint32_t>(2 * Threads, tnl_items<Threads, T>);

  GPUSORT_DEVICE void push(const tnl_range& part) {
    if (part.length() == 0) return;
    if (threadIdx.x == 0) shared_.stack[waiting_] = part;
    ++waiting_;
  }

  GPUSORT_DEVICE void split(const tnl_range& whole) {
    constexpr std::uint32_t items = tnl_items<Threads, T>;
    const T* const from = work_.array(whole.is_in_auxiliary);
    const tnl_partition<Threads, T, Compare> partition{
        shared_.of_partition, from, work_.array(!whole.is_in_auxiliary),
        from[median_place(from, whole, compare_)], compare_};
    if (threadIdx.x == 0) {
      shared_.left_end = whole.begin;
      shared_.right_begin = whole.end;
    }
    for (std::uint32_t begin = whole.begin; begin < whole.end; begin += items) {
      partition.move({begin, detail::min_of(begin + items, whole.end), whole.is_in_auxiliary},
                     &shared_.left_end, &shared_.right_begin);
    }
    const tnl_range left{whole.begin, shared_.left_end, !whole.is_in_auxiliary};
    const tnl_range right{shared_.right_begin, whole.end, !whole.is_in_auxiliary};
    for (std::uint32_t i = left.end + threadIdx.x; i < right.begin; i += Threads) {
      work_.data[i] = partition.pivot;
    }
    const bool left_is_longer = left.length() > right.length();
    push(left_is_longer ? left : right);
    push(left_is_longer ? right : left);
  }

  GPUSORT_DEVICE void sort_in_network(const tnl_range& part) {
    T* const items = shared_.of_partition.items;
    const std::uint32_t n = part.length();
    const T* const from = work_.array(part.is_in_auxiliary) + part.begin;
    for (std::uint32_t i = threadIdx.x; i < n; i += Threads) items[i] = from[i];
    const int log_n = detail::ceil_log2(n);
    for (int log_phase = 1; log_phase <= log_n; ++log_phase) {
      for (int log_span = log_phase; log_span > 0; --log_span) {
        __syncthreads();
        const network_pair<std::uint32_t> pair(threadIdx.x, n, log_phase, log_span);
        if (pair.upper >= n) continue;
        const T lower = items[pair.lower], upper = items[pair.upper];
        if (compare_(upper, lower) != pair.is_ascending) continue;
        items[pair.lower] = upper;
        items[pair.upper] = lower;
      }
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < n; i += Threads) work_.data[part.begin + i] = items[i];
  }

  storage& shared_;
  const tnl_work<T>& work_;
  Compare& compare_;
  int waiting_ = 0;
};

/// Sorts short sequences, one by each block.
template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    sort_small_tasks_kernel(tnl_work<T> work, Compare compare) {
  using block_sort = tnl_block_quicksort<Threads, T, Compare>;
  __shared__ typename block_sort::storage shared;
  block_sort(shared, work, compare).sort(work.small_tasks[blockIdx.x]);
}

}  // namespace papers
