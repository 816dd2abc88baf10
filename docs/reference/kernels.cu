// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The examples of the sorts inside a kernel, which docs/reference/pages.py puts into their pages.
#include <gpusort/block.hpp>

namespace {

// example: block_sort
__global__ void sort_rows(float* rows, int columns) {  // 256 threads a block
  __shared__ gpusort::block::sort_storage<float, 256, 8> storage;
  float* const row = rows + blockIdx.x * columns;
  gpusort::block::sort(storage, row, row + columns);
}
// end

// example: block_stable_sort
__global__ void sort_tiles_stably(int* tiles) {  // 128 threads a block
  __shared__ gpusort::block::sort_storage<int, 128, 4> storage;
  int keys[4];  // of each thread
  for (int i = 0; i < 4; ++i) keys[i] = tiles[blockIdx.x * 512 + threadIdx.x * 4 + i];
  gpusort::block::stable_sort(storage, keys, gpusort::greater{});
  for (int i = 0; i < 4; ++i) tiles[blockIdx.x * 512 + threadIdx.x * 4 + i] = keys[i];
}
// end

// example: block_sort_by_key block_stable_sort_by_key
__global__ void sort_pairs(int* keys, float* values, int n,
                           bool stably) {  // 256 threads, n <= 2048
  __shared__ gpusort::block::sort_storage<int, 256, 8, float> storage;
  if (stably) {
    gpusort::block::stable_sort_by_key(storage, keys, keys + n, values);
  } else {
    gpusort::block::sort_by_key(storage, keys, keys + n, values);
  }
}
// end

// example: warp_sort warp_stable_sort
__global__ void sort_by_warps(int* keys, bool stably) {  // 64 keys for each warp
  int* const mine = keys + (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  int items[2] = {mine[0], mine[1]};
  if (stably) {
    gpusort::warp::stable_sort(items);
  } else {
    gpusort::warp::sort(items);
  }
  mine[0] = items[0];
  mine[1] = items[1];
}
// end

// example: warp_sort_by_key warp_stable_sort_by_key
__global__ void sort_pairs_by_warps(int* keys, float* values, int n) {  // a warp, n <= 64
  int items[2];
  float held[2];
  for (int i = 0; i < 2; ++i) {
    const int at = threadIdx.x * 2 + i;
    if (at < n) items[i] = keys[at], held[i] = values[at];
  }
  gpusort::warp::sort_by_key(items, held, n);
  gpusort::warp::stable_sort_by_key(items, held, n, gpusort::greater{});
  for (int i = 0; i < 2; ++i) {
    const int at = threadIdx.x * 2 + i;
    if (at < n) keys[at] = items[i], values[at] = held[i];
  }
}
// end

}  // namespace

void launch_all(float* floats, int* keys, int n) {
  sort_rows<<<1, 256>>>(floats, n);
  sort_tiles_stably<<<1, 128>>>(keys);
  sort_pairs<<<1, 256>>>(keys, floats, n, true);
  sort_by_warps<<<1, 32>>>(keys, false);
  sort_pairs_by_warps<<<1, 32>>>(keys, floats, n);
}
