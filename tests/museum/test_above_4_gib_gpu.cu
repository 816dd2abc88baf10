// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte offsets that are computed in 32 bits: arrays of more than 2^32 bytes whose number of
// elements fits in an int (NVIDIA/cccl#1951).
#include <gpusort/gpusort.hpp>

#include "../kit/device.hpp"
#include "../kit/random.hpp"

namespace {

struct long_record {
  std::uint64_t key;
  std::uint64_t copy;  // of the key, so that a torn record shows
  std::uint64_t number;
};

struct by_key {
  __host__ __device__ bool operator()(const long_record& a, const long_record& b) const {
    return a.key < b.key;
  }
};

struct found {
  unsigned long long descents, torn, sum;
};

__global__ void fill_kernel(long_record* out, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t key = kit::random_at(seed, i);
  out[i] = {key, key, i};
}

__global__ void examine_kernel(const long_record* in, std::uint64_t n, found* all) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i > 0 && in[i].key < in[i - 1].key) atomicAdd(&all->descents, 1ull);
  if (in[i].key != in[i].copy) atomicAdd(&all->torn, 1ull);
  atomicAdd(&all->sum, static_cast<unsigned long long>(kit::scramble(in[i].number + 1)));
}

class above_4_gib : public kit::gpu_test {
 protected:
  static constexpr std::uint64_t n = 200000003;  // 4.8 GB
  static constexpr unsigned blocks = static_cast<unsigned>((n + 255) / 256);

  found examine(const long_record* records) {
    const kit::buffer<found> all(kit::column<found>{found{0, 0, 0}}, 0);
    examine_kernel<<<blocks, 256>>>(records, n, all.data());
    kit::cuda_ok(cudaDeviceSynchronize());
    return all.read()[0];
  }
};

TEST_F(above_4_gib, records_are_sorted_and_merged) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "GPUSORT_TEST_SMALL";
  if (kit::free_device_memory() < 4 * n * sizeof(long_record)) {
    GTEST_SKIP() << "not enough device memory";
  }
  kit::buffer<long_record> records(n);
  fill_kernel<<<blocks, 256>>>(records.data(), n, kit::seed());
  const found before = examine(records.data());
  ASSERT_GT(before.descents, 0u);
  for (bool is_stable : {false, true}) {
    fill_kernel<<<blocks, 256>>>(records.data(), n, kit::seed());
    if (is_stable) {
      gpusort::stable_sort(gpusort::par_gpu, records.begin(), records.end(), by_key{});
    } else {
      gpusort::sort(gpusort::par_gpu, records.begin(), records.end(), by_key{});
    }
    const found after = examine(records.data());
    EXPECT_TRUE(after.descents == 0 && after.torn == 0 && after.sum == before.sum) << is_stable;
  }
  kit::buffer<long_record> merged(n);
  gpusort::merge(gpusort::par_gpu, records.begin(), records.begin() + n / 3,
                 records.begin() + n / 3, records.end(), merged.begin(), by_key{});
  const found after = examine(merged.data());
  EXPECT_TRUE(after.descents == 0 && after.torn == 0 && after.sum == before.sum);
  gpusort::release_scratch();
}

}  // namespace
