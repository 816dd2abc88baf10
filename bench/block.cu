// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts inside a kernel: 2^26 keys in tiles, one for each block, against CUB's block sorts.
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>
#include <gpusort/block.hpp>
#include <string>

#include "kit/program.hpp"

namespace {

using bench::no_value;
using kit::distribution;

// What sorts the items of a block's threads in registers.

template <class Key, int ThreadsPerBlock, int ItemsPerThread>
struct gpusort_block {
  static constexpr const char* name = "gpusort";
  using storage = gpusort::block::sort_storage<Key, ThreadsPerBlock, ItemsPerThread>;
  template <class Compare>
  static __device__ void sort(storage& shared, Key (&keys)[ItemsPerThread], Compare compare) {
    gpusort::block::sort(shared, keys, compare);
  }
};

template <class Key, int ThreadsPerBlock, int ItemsPerThread>
struct gpusort_stable_block {
  static constexpr const char* name = "gpusort_stable";
  using storage = gpusort::block::sort_storage<Key, ThreadsPerBlock, ItemsPerThread>;
  template <class Compare>
  static __device__ void sort(storage& shared, Key (&keys)[ItemsPerThread], Compare compare) {
    gpusort::block::stable_sort(shared, keys, compare);
  }
};

template <class Key, int ThreadsPerBlock, int ItemsPerThread>
struct cub_block_merge {
  static constexpr const char* name = "cub_merge";
  using sorter = cub::BlockMergeSort<Key, ThreadsPerBlock, ItemsPerThread>;
  using storage = typename sorter::TempStorage;
  template <class Compare>
  static __device__ void sort(storage& shared, Key (&keys)[ItemsPerThread], Compare compare) {
    sorter(shared).Sort(keys, compare);
    __syncthreads();
  }
};

template <class Key, int ThreadsPerBlock, int ItemsPerThread>
struct cub_block_radix {
  static constexpr const char* name = "cub_radix";
  using sorter = cub::BlockRadixSort<Key, ThreadsPerBlock, ItemsPerThread>;
  using storage = typename sorter::TempStorage;
  template <class Compare>
  static __device__ void sort(storage& shared, Key (&keys)[ItemsPerThread], Compare) {
    sorter(shared).Sort(keys);
    __syncthreads();
  }
};

/// Sorts tiles; all sorts load and store in the same way.
template <template <class, int, int> class Sorter, class Key, int ThreadsPerBlock,
          int ItemsPerThread, class Compare>
__global__ void __launch_bounds__(ThreadsPerBlock) sort_tiles_kernel(Key* data, Compare compare) {
  using sorter = Sorter<Key, ThreadsPerBlock, ItemsPerThread>;
  using load = cub::BlockLoad<Key, ThreadsPerBlock, ItemsPerThread, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using store =
      cub::BlockStore<Key, ThreadsPerBlock, ItemsPerThread, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  union memory {
    typename load::TempStorage load_storage;
    typename sorter::storage sort_storage;
    typename store::TempStorage store_storage;
  };
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<memory*>(raw);
  Key* const tile = data + std::size_t{blockIdx.x} * (ThreadsPerBlock * ItemsPerThread);
  Key keys[ItemsPerThread];
  load(shared.load_storage).Load(tile, keys);
  __syncthreads();
  sorter::sort(shared.sort_storage, keys, compare);
  store(shared.store_storage).Store(tile, keys);
}

template <class Key>
__global__ void find_disorder_kernel(const Key* data, std::size_t n, int tile, unsigned* found) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x + 1; i < n; i += stride) {
    if (i % tile != 0 && data[i] < data[i - 1]) *found = 1;
  }
}

class memory {
 public:
  bench::workspace arrays;

  /// Whether some tile is not in order.
  template <class Key>
  bool is_in_disorder(const Key* data, std::size_t n, int tile) {
    unsigned* const found = found_.reserve_for<unsigned>(1);
    bench::check(cudaMemset(found, 0, sizeof(*found)), "cudaMemset");
    find_disorder_kernel<<<bench::detail::grid_for(n), 256>>>(data, n, tile, found);
    unsigned result = 0;
    bench::check(cudaMemcpy(&result, found, sizeof(result), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return result != 0;
  }

  template <class Key>
  unsigned long long checksum(const Key* data, std::size_t n) {
    return inspector_.inspect<Key, no_value>(data, nullptr, n).checksum;
  }

 private:
  bench::buffer found_;
  bench::inspector inspector_;
};

template <template <class, int, int> class Sorter, class Key, int ThreadsPerBlock,
          int ItemsPerThread, class Compare>
void measure_case(benchmark::State& state, memory& device, double budget, int log2n,
                  Compare compare) {
  constexpr int tile = ThreadsPerBlock * ItemsPerThread;
  const std::size_t n = std::size_t{1} << log2n;
  const auto p = device.arrays.make<Key, no_value>(distribution::uniform, n);
  const auto kernel = sort_tiles_kernel<Sorter, Key, ThreadsPerBlock, ItemsPerThread, Compare>;
  // Room for whatever the load and the store take.
  constexpr std::size_t bytes =
      std::max(sizeof(typename Sorter<Key, ThreadsPerBlock, ItemsPerThread>::storage),
               tile * sizeof(Key) * 9 / 8);
  bench::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)),
               "cudaFuncSetAttribute");
  device.arrays.restore(p);
  const auto checksum = device.checksum(p.keys, n);
  const bench::timing t = bench::measure(
      budget, [&] { device.arrays.restore(p); },
      [&] {
        kernel<<<static_cast<unsigned>(n / tile), ThreadsPerBlock, bytes>>>(p.keys, compare);
        bench::check(cudaDeviceSynchronize(), "sorting tiles");
      });
  if (device.is_in_disorder(p.keys, n, tile)) return state.SkipWithError("a tile is not in order");
  if (device.checksum(p.keys, n) != checksum) return state.SkipWithError("not a permutation");
  bench::report(state, t, n, sizeof(Key));
}

template <template <class, int, int> class Sorter, class Key, int ThreadsPerBlock,
          int ItemsPerThread, class Compare>
void add(bench::program& p, memory& device, const char* type, const char* comparator,
         Compare compare) {
  constexpr int log2n = 26;
  bench::case_name name{
      "block_sort_" + std::to_string(ThreadsPerBlock) + "x" + std::to_string(ItemsPerThread),
      Sorter<Key, ThreadsPerBlock, ItemsPerThread>::name,
      type,
      comparator,
      kit::name_of(distribution::uniform),
      log2n};
  p.add_case(name, [&p, &device, compare](benchmark::State& state) {
    measure_case<Sorter, Key, ThreadsPerBlock, ItemsPerThread>(state, device, p.budget(), log2n,
                                                               compare);
  });
}

template <class Key, int ThreadsPerBlock, int ItemsPerThread>
void add_tiles(bench::program& p, memory& device, const char* type) {
  add<gpusort_block, Key, ThreadsPerBlock, ItemsPerThread>(p, device, type, "less",
                                                           gpusort::less{});
  add<cub_block_radix, Key, ThreadsPerBlock, ItemsPerThread>(p, device, type, "less",
                                                             gpusort::less{});
  add<gpusort_block, Key, ThreadsPerBlock, ItemsPerThread>(p, device, type, "opaque",
                                                           bench::opaque_less{});
  add<gpusort_stable_block, Key, ThreadsPerBlock, ItemsPerThread>(p, device, type, "opaque",
                                                                  bench::opaque_less{});
  add<cub_block_merge, Key, ThreadsPerBlock, ItemsPerThread>(p, device, type, "opaque",
                                                             bench::opaque_less{});
}

}  // namespace

int main(int argc, char** argv) {
  memory device;
  return bench::run(argc, argv, [&](bench::program& p) {
    add_tiles<std::uint32_t, 256, 8>(p, device, "u32");
    add_tiles<std::uint32_t, 512, 16>(p, device, "u32");
    add_tiles<std::uint64_t, 256, 8>(p, device, "u64");
    add_tiles<std::uint64_t, 512, 16>(p, device, "u64");
    add_tiles<std::uint8_t, 256, 8>(p, device, "u8");
    add_tiles<std::uint16_t, 256, 8>(p, device, "u16");
  });
}
