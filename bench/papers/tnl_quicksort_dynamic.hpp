// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tnl_quicksort.hpp"

namespace papers {

// Paper 004's quicksort with CUDA dynamic parallelism, as it is today: a kernel cannot wait for
// those that it launches. For programs that are compiled with -rdc=true and linked with cudadevrt.
// Source: paper 004, section 4.5.

/// Launches a level, then itself for the next one. In the paper's version 2 a controller waits for
/// the partition that it has launched, and launches one more for each part. Here kernels that are
/// launched for the tail of a grid follow each other, and one controller has all parts of a level.
template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads) launch_level_kernel(tnl_work<T> work, Compare compare) {
  const std::uint32_t blocks = plan_level<Threads>(work, compare);
  if (threadIdx.x != 0) return;
  if (blocks > 0) {
    partition_tasks_kernel<Threads><<<blocks, Threads, 0, cudaStreamTailLaunch>>>(work, compare);
    finish_tasks_kernel<Threads>
        <<<work.counts->tasks[work.counts->level % 2], Threads, 0, cudaStreamTailLaunch>>>(work);
    launch_level_kernel<Threads><<<1, Threads, 0, cudaStreamTailLaunch>>>(work, compare);
  } else if (work.counts->small_tasks > 0) {
    sort_small_tasks_kernel<Threads>
        <<<work.counts->small_tasks, Threads, 0, cudaStreamTailLaunch>>>(work, compare);
  }
}

/// tnl_quicksort, with levels that kernels launch. Returns before the sort is done.
template <class T, class Compare, int Threads = 512>
struct tnl_quicksort_by_tail_launch {
  static std::size_t scratch_bytes(std::uint64_t n) {
    return tnl_quicksort<T, Compare, Threads>::scratch_bytes(n);
  }

  static void run(cudaStream_t stream, T* data, std::uint64_t n, Compare compare, void* scratch) {
    detail::scratch_cursor cursor(scratch);
    const auto work =
        tnl_work<T>::in_scratch(cursor, data, n, tnl_quicksort<T, Compare, Threads>::most_tasks);
    detail::launch(begin_tasks_kernel<Threads, T>, 1, 1, 0, stream, work, n);
    detail::launch(launch_level_kernel<Threads, T, Compare>, 1, Threads, 0, stream, work, compare);
  }
};

/// A task of version 1, which its last block frees.
struct tnl_shared_task {
  std::uint32_t pivot_index;
  std::uint32_t left_end, right_begin;
  std::uint32_t blocks_at_work;
};

template <int Threads, class T, class Compare>
__global__ void sort_range_kernel(tnl_work<T> work, tnl_range whole, tnl_shared_task* task,
                                  Compare compare);

/// Launches the sort of a part, which begins at once. By one thread. Where the device has no memory
/// for a task, one block sorts the part.
template <int Threads, class T, class Compare>
GPUSORT_DEVICE void launch_sort(const tnl_work<T>& work, const tnl_range& part, Compare& compare) {
  if (part.length() == 0) return;
  std::uint32_t blocks = detail::ceil_div(part.length(), tnl_items<Threads, T>);
  tnl_shared_task* task = nullptr;
  if (blocks > 1) task = static_cast<tnl_shared_task*>(malloc(sizeof(tnl_shared_task)));
  if (task != nullptr) {
    *task = {median_place(work.array(part.is_in_auxiliary), part, compare), part.begin, part.end,
             blocks};
  } else {
    blocks = 1;
  }
  sort_range_kernel<Threads>
      <<<blocks, Threads, 0, cudaStreamFireAndForget>>>(work, part, task, compare);
}

/// Partitions a sequence; the last block that is done launches the sorts of its parts. One block
/// alone sorts the sequence. The paper launches the parts in new streams, and copies each sequence
/// back from the auxiliary array; here arrays take turns, as in its section 4.4.2. Source: paper
/// 004, algorithm 4.5.1.
template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    sort_range_kernel(tnl_work<T> work, tnl_range whole, tnl_shared_task* task, Compare compare) {
  using block_sort = tnl_block_quicksort<Threads, T, Compare>;
  __shared__ typename block_sort::storage shared;
  __shared__ bool is_last;
  if (gridDim.x == 1) return block_sort(shared, work, compare).sort(whole);
  constexpr std::uint32_t items = tnl_items<Threads, T>;
  const std::uint32_t begin = whole.begin + blockIdx.x * items;
  const T* const from = work.array(whole.is_in_auxiliary);
  const tnl_partition<Threads, T, Compare> partition{shared.of_partition, from,
                                                     work.array(!whole.is_in_auxiliary),
                                                     from[task->pivot_index], compare};
  partition.move({begin, detail::min_of(begin + items, whole.end), whole.is_in_auxiliary},
                 &task->left_end, &task->right_begin);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicSub(&task->blocks_at_work, 1u) == 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const tnl_range left{whole.begin, __ldcg(&task->left_end), !whole.is_in_auxiliary};
  const tnl_range right{__ldcg(&task->right_begin), whole.end, !whole.is_in_auxiliary};
  for (std::uint32_t i = left.end + threadIdx.x; i < right.begin; i += Threads) {
    work.data[i] = partition.pivot;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  free(task);
  launch_sort<Threads>(work, left, compare);
  launch_sort<Threads>(work, right, compare);
}

template <int Threads, class T, class Compare>
__global__ void launch_first_sort_kernel(tnl_work<T> work, std::uint32_t n, Compare compare) {
  launch_sort<Threads>(work, {0, n, false}, compare);
}

/// Version 1: a launch for each part, and no queue. Returns before the sort is done.
template <class T, class Compare, int Threads = 512>
struct tnl_quicksort_by_parts {
  static std::size_t scratch_bytes(std::uint64_t n) {
    return tnl_quicksort<T, Compare, Threads>::scratch_bytes(n, 1);
  }

  static void run(cudaStream_t stream, T* data, std::uint64_t n, Compare compare, void* scratch) {
    detail::scratch_cursor cursor(scratch);
    const auto work = tnl_work<T>::in_scratch(cursor, data, n, 1);
    detail::launch(launch_first_sort_kernel<Threads, T, Compare>, 1, 1, 0, stream, work, n,
                   compare);
  }

  /// Makes room, on the current device, for as many launches as wait for each other where parts are
  /// even or several times as many.
  static void make_room_for_launches(std::uint64_t n) {
    const std::size_t parts = 2048 + 8 * n / tnl_items<Threads, T>;
    detail::check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, parts),
                  "making room for launches");
  }
};

}  // namespace papers
