// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of numbers, by less and by another order.
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

}  // namespace

int main() {
  for (int log2n : {14, 18, 20, 22, 24, 26, 28}) {
    argsort_row<u32>("argsort u32, less", log2n, thrust::less<u32>{});
    argsort_row<u64>("argsort u64, less", log2n, thrust::less<u64>{});
    if (log2n > 26) continue;
    argsort_row<u32>("argsort u32, another order", log2n, scrambled{});
    argsort_row<u64>("argsort u64, another order", log2n, scrambled{});
  }
}
