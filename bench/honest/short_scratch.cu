// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by a comparator where scratch is short: all that sample sort wants, a copy of the range and
// 3% more, and none. Against thrust::stable_sort with its own scratch.
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;
using u32 = std::uint32_t;

template <int Words>
struct record {
  u32 key;
  u32 others[Words - 1];
};

template <class T>
__host__ __device__ std::uint64_t key_of(const T& x) {
  if constexpr (std::is_integral_v<T>) {
    return x;
  } else {
    return x.key;
  }
}

struct before {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return key_of(a) < key_of(b);
  }
};

template <class T>
struct make {
  __host__ __device__ T operator()(std::uint64_t i) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(mix(i));
    } else {
      return {static_cast<u32>(mix(i)), {}};
    }
  }
};

template <class T>
void run(const char* type, int most_log2n) {
  for (int log2n : {18, 20, 22, 24, 26, 28}) {
    if (log2n > most_log2n) return;
    const std::uint64_t n = std::uint64_t{1} << log2n;
    const auto input = honest::filled<T>(n, make<T>{});
    auto work = input;
    thrust::device_vector<unsigned char> scratch(2 * n * sizeof(T) + (1 << 24));
    for (int percent : {200, 103, 0}) {
      const std::size_t bytes = n * sizeof(T) / 100 * percent + (percent == 200 ? 1 << 24 : 0);
      const auto policy =
          gpusort::par_gpu.with(gpusort::scratch(thrust::raw_pointer_cast(scratch.data()), bytes));
      honest::row(
          std::string(type) + ", scratch for " + std::to_string(percent) + "%" +
              honest::power(log2n),
          [&] { work = input; }, [&] { gpusort::sort(policy, work.begin(), work.end(), before{}); },
          [&] { thrust::stable_sort(thrust::cuda::par, work.begin(), work.end(), before{}); });
    }
  }
}

}  // namespace

int main() {
  run<u32>("u32", 28);
  run<std::uint64_t>("u64", 26);
  run<record<4>>("16 bytes", 26);
  run<record<8>>("32 bytes", 26);
}
