// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of numbers, by less and by another order; and stable sorts by a comparator of
// microseconds.
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct scrambled {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return T(a * T(0x9e3779b97f4a7c15ull)) < T(b * T(0x9e3779b97f4a7c15ull));
  }
};

/// `<` after so many dependent multiplications.
struct slow_less {
  int steps;
  __host__ __device__ u32 key(u32 x) const {
    u32 y = x;
    for (int i = 0; i < steps; ++i) y = y * 1664525u + 1013904223u;
    for (int i = 0; i < steps; ++i) y = (y - 1013904223u) * 4276115653u;
    return y;
  }
  __host__ __device__ bool operator()(u32 a, u32 b) const { return key(a) < key(b); }
};

template <class T, class Compare>
void argsort_row(const std::string& name, int log2n, Compare compare) {
  const u64 n = u64{1} << log2n;
  const auto input =
      honest::filled<T>(n, [] __host__ __device__(u64 i) { return static_cast<T>(mix(i)); });
  auto work = input;
  thrust::device_vector<u32> order(n);
  honest::row(
      name + honest::power(log2n), [&] { work = input; },
      [&] {
        gpusort::argsort(gpusort::par_gpu, input.begin(), input.end(), order.begin(), compare);
      },
      [&] {
        thrust::sequence(thrust::cuda::par, order.begin(), order.end());
        thrust::stable_sort_by_key(thrust::cuda::par, work.begin(), work.end(), order.begin(),
                                   compare);
      });
}

void slow_row(int log2n, int steps) {
  const u64 n = u64{1} << log2n;
  const auto input = honest::filled<u32>(n, [] __host__ __device__(u64 i) { return u32(mix(i)); });
  auto work = input;
  const slow_less compare{steps};
  honest::row(
      "stable_sort, comparator of " + std::to_string(4 * steps) + " dependent steps" +
          honest::power(log2n),
      [&] { work = input; },
      [&] { gpusort::stable_sort(gpusort::par_gpu, work.begin(), work.end(), compare); },
      [&] { thrust::stable_sort(thrust::cuda::par, work.begin(), work.end(), compare); });
  honest::row(
      "sort, comparator of " + std::to_string(4 * steps) + " dependent steps" +
          honest::power(log2n),
      [&] { work = input; },
      [&] { gpusort::sort(gpusort::par_gpu, work.begin(), work.end(), compare); },
      [&] { thrust::sort(thrust::cuda::par, work.begin(), work.end(), compare); });
}

}  // namespace

int main() {
  for (int log2n : {14, 18, 20, 22, 24, 26, 28}) {
    argsort_row<u32>("argsort u32, less", log2n, thrust::less<u32>{});
    argsort_row<u64>("argsort u64, less", log2n, thrust::less<u64>{});
    if (log2n > 26) continue;
    argsort_row<u32>("argsort u32, another order", log2n, scrambled{});
    argsort_row<u64>("argsort u64, another order", log2n, scrambled{});
  }
  for (int log2n : {16, 18, 19, 20, 21, 22, 23}) slow_row(log2n, 150);
}
