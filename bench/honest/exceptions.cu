// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders that are nearly `<`, and numbers that are nearly evenly spread, or nearly equal.
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;
using u32 = std::uint32_t;

/// One number in 1024 is where another one would be.
struct flipped {
  __host__ __device__ static u32 key(u32 x) { return x % 1024 == 5 ? x ^ 1u << 31 : x; }
  __host__ __device__ bool operator()(u32 a, u32 b) const { return key(a) < key(b); }
};

/// Orders as above by a mode that is known when it runs.
struct by_mode {
  int mode;
  __host__ __device__ u32 key(u32 x) const {
    switch (mode) {
      case 0:
        return x;
      case 1:
        return ~x;
      case 2:
        return x % 1024 == 5 ? x ^ 1u << 31 : x;
      default:
        return x * 0x9e3779b9u;
    }
  }
  __host__ __device__ bool operator()(u32 a, u32 b) const { return key(a) < key(b); }
};

template <class Compare, class Make>
void sort_row(const std::string& name, int log2n, Compare compare, Make make) {
  const auto input = honest::filled<u32>(std::uint64_t{1} << log2n, make);
  auto work = input;
  honest::row(
      name + honest::power(log2n), [&] { work = input; },
      [&] { gpusort::sort(gpusort::par_gpu, work.begin(), work.end(), compare); },
      [&] { thrust::sort(thrust::cuda::par, work.begin(), work.end(), compare); });
}

template <class Make>
void less_row(const std::string& name, int log2n, Make make) {
  sort_row("less, " + name, log2n, thrust::less<u32>{}, make);
}

}  // namespace

int main() {
  const auto uniform = [] __host__ __device__(std::uint64_t i) { return u32(mix(i)); };
  for (int log2n : {16, 18, 20, 22, 24, 26}) {
    sort_row("`<` but for one number in 1024", log2n, flipped{}, uniform);
    for (int mode = 0; mode < 4; ++mode) {
      sort_row("by run-time mode " + std::to_string(mode), log2n, by_mode{mode}, uniform);
    }
  }
  for (int log2n : {16, 18, 20, 22, 24, 26}) {
    const std::uint64_t middle = std::uint64_t{1} << log2n >> 1;
    less_row("all equal but one", log2n, [middle] __host__ __device__(std::uint64_t i) {
      return i == middle ? 4000000000u : 7u;
    });
    less_row("half equal, half random", log2n, [] __host__ __device__(std::uint64_t i) {
      return mix(i) % 2 == 0 ? 12345u : u32(mix(i) >> 8);
    });
    less_row("exponential", log2n, [] __host__ __device__(std::uint64_t i) {
      const std::uint64_t r = mix(i);
      return u32(1u << 31 >> (r % 32)) | u32(r >> 40 & (0x7fffffffu >> (r % 32)));
    });
    less_row("gaps that double", log2n, [log2n] __host__ __device__(std::uint64_t i) {
      const std::uint64_t r = mix(i) >> (64 - log2n);
      return u32(1) << (r % 32) | u32(r / 32 % 8);
    });
    less_row("64 values far apart", log2n, [] __host__ __device__(std::uint64_t i) {
      return u32(mix(mix(i) % 64) >> (mix(i) % 64 % 31));
    });
    less_row("near duplicates", log2n, [] __host__ __device__(std::uint64_t i) {
      return u32(mix(mix(i) % 100000)) / 16 * 16 + u32(mix(i) >> 60);
    });
    less_row("clumps of 64", log2n,
             [] __host__ __device__(std::uint64_t i) { return u32(mix(i / 64)) + u32(i % 64); });
    less_row("a few outliers", log2n, [] __host__ __device__(std::uint64_t i) {
      return i % 100003 == 7 ? 0xffffff00u + u32(i % 200) : u32(mix(i) % 1000000);
    });
  }
}
