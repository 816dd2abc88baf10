// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a generation's blocks must have room for: every call, on elements of many sizes. Compiled
// for generations that no other test is compiled for.
#include <cstdint>
#include <gpusort/block.hpp>
#include <gpusort/gpusort.hpp>

namespace {

template <int Words>
struct record {
  std::uint32_t word[Words];
};
struct by_first_word {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a.word[0] < b.word[0];
  }
};
struct fetch {
  __host__ __device__ float operator()(int) const { return 0; }
};
struct swap {
  __host__ __device__ void operator()(int, int) const {}
};

template <class T, class Compare>
void call_all(T* data, std::size_t n, const int* offsets, Compare compare) {
  using gpusort::par_gpu;
  gpusort::sort(par_gpu, data, data + n, compare);
  gpusort::stable_sort(par_gpu, data, data + n, compare);
  gpusort::merge(par_gpu, data, data + n, data + n, data + 2 * n, data + 2 * n, compare);
  gpusort::inplace_merge(par_gpu, data, data + n, data + 2 * n, compare);
  gpusort::multiway_merge(par_gpu, data, offsets, offsets + 4, data + n, compare);
  gpusort::segmented_sort(par_gpu, data, data + n, offsets, offsets + 4, compare);
  gpusort::stable_segmented_sort(par_gpu, data, data + n, offsets, offsets + 4, compare);
}

}  // namespace

template <int... Words>
void call_with_records(void* data, std::size_t n, const int* offsets) {
  (call_all(static_cast<record<Words>*>(data), n, offsets, by_first_word{}), ...);
}

void call_everything(void* data, std::size_t n, const int* offsets) {
  call_with_records<2, 3, 4, 6, 8, 12, 14, 16, 25>(data, n, offsets);
  call_all(static_cast<std::uint8_t*>(data), n, offsets, gpusort::less{});
  call_all(static_cast<std::uint32_t*>(data), n, offsets, gpusort::less{});
  call_all(static_cast<double*>(data), n, offsets, gpusort::greater{});
  auto* const keys = static_cast<std::uint64_t*>(data);
  gpusort::sort_by_key(gpusort::par_gpu, keys, keys + n, keys + n);
  gpusort::stable_sort_by_key(gpusort::par_gpu, keys, keys + n, keys + n);
  gpusort::segmented_sort_by_key(gpusort::par_gpu, keys, keys + n, keys + n, offsets, offsets + 4);
  gpusort::sort(gpusort::par_gpu, 0, 100, fetch{}, gpusort::less{}, swap{});
}

__global__ void sort_in_a_block(std::uint64_t* data) {
  using storage = gpusort::block::sort_storage<std::uint64_t, 256, 8>;
  __shared__ storage shared;
  gpusort::block::sort(shared, data, data + 2048);
}
