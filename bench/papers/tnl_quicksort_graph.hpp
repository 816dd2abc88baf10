// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/device.hpp>

#include "tnl_quicksort.hpp"

namespace papers {

// Paper 004's quicksort, with a graph for a level: it launches itself for the next one. This is not
// in the paper, and stands for its section 4.5. Grids have one size for all levels. For programs
// that are compiled with -rdc=true and linked with cudadevrt.

template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    partition_shares_kernel(tnl_work<T> work, Compare compare) {
  __shared__ tnl_storage<Threads, T> shared;
  const std::uint32_t blocks = work.counts->blocks;
  for (std::uint32_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    partition_share(shared, work, block, compare);
  }
}

template <int Threads, class T>
__global__ void __launch_bounds__(Threads) finish_shares_kernel(tnl_work<T> work) {
  if (work.counts->blocks == 0) return;
  const std::uint32_t tasks = work.counts->tasks[work.counts->level % 2];
  for (std::uint32_t i = blockIdx.x; i < tasks; i += gridDim.x) finish_task<Threads>(work, i);
}

/// Launches the graph that it is in once more, where another level may follow. By one thread.
template <class T>
__global__ void repeat_graph_kernel(tnl_work<T> work) {
  if (work.counts->blocks > 0)
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

template <int Threads, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    sort_small_shares_kernel(tnl_work<T> work, Compare compare) {
  using block_sort = tnl_block_quicksort<Threads, T, Compare>;
  __shared__ typename block_sort::storage shared;
  const std::uint32_t tasks = work.counts->small_tasks;
  for (std::uint32_t i = blockIdx.x; i < tasks; i += gridDim.x) {
    __syncthreads();
    block_sort(shared, work, compare).sort(work.small_tasks[i]);
  }
}

/// tnl_quicksort of one array, by a graph that is made once.
template <class T, class Compare, int Threads = 512>
class tnl_quicksort_by_graph {
 public:
  tnl_quicksort_by_graph(T* data, std::uint64_t n, Compare compare, void* scratch)
      : n_(static_cast<std::uint32_t>(n)), compare_(compare) {
    detail::scratch_cursor cursor(scratch);
    work_ =
        tnl_work<T>::in_scratch(cursor, data, n, tnl_quicksort<T, Compare, Threads>::most_tasks);
    blocks_ = static_cast<std::size_t>(2048 / Threads) *
              static_cast<std::size_t>(detail::current_device_properties().multiprocessors);
    detail::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    make_graph();
  }
  tnl_quicksort_by_graph(const tnl_quicksort_by_graph&) = delete;
  tnl_quicksort_by_graph& operator=(const tnl_quicksort_by_graph&) = delete;
  ~tnl_quicksort_by_graph() {
    (void)cudaGraphExecDestroy(level_);
    (void)cudaStreamDestroy(stream_);
  }

  static std::size_t scratch_bytes(std::uint64_t n) {
    return tnl_quicksort<T, Compare, Threads>::scratch_bytes(n);
  }

  /// Returns when the sort is done. The default stream does not wait for it.
  void run() {
    detail::launch(begin_tasks_kernel<Threads, T>, 1, 1, 0, stream_, work_, n_);
    detail::check(cudaGraphLaunch(level_, stream_), "launching a graph");
    detail::launch(sort_small_shares_kernel<Threads, T, Compare>, blocks_, Threads, 0, stream_,
                   work_, compare_);
    detail::check(cudaStreamSynchronize(stream_), "sorting by a graph");
  }

 private:
  void make_graph() {
    cudaGraph_t graph = nullptr;
    detail::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capturing");
    detail::launch(plan_level_kernel<Threads, T, Compare>, 1, Threads, 0, stream_, work_, compare_);
    detail::launch(partition_shares_kernel<Threads, T, Compare>, blocks_, Threads, 0, stream_,
                   work_, compare_);
    detail::launch(finish_shares_kernel<Threads, T>, blocks_, Threads, 0, stream_, work_);
    detail::launch(repeat_graph_kernel<T>, 1, 1, 0, stream_, work_);
    detail::check(cudaStreamEndCapture(stream_, &graph), "capturing");
    const cudaError_t made =
        cudaGraphInstantiate(&level_, graph, cudaGraphInstantiateFlagDeviceLaunch);
    (void)cudaGraphDestroy(graph);
    detail::check(made, "instantiating a graph that the device launches");
    detail::check(cudaGraphUpload(level_, stream_), "uploading a graph");
  }

  std::uint32_t n_;
  Compare compare_;
  tnl_work<T> work_{};
  std::size_t blocks_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t level_ = nullptr;
};

}  // namespace papers
