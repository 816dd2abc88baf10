// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorted runs, few and many, merged; against a sort of them by Thrust.
#include <thrust/copy.h>
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;

struct scrambled {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return T(a * T(0x9e3779b97f4a7c15ull)) < T(b * T(0x9e3779b97f4a7c15ull));
  }
};

/// A run's elements ascend with their number in it.
template <class T>
struct in_runs {
  std::uint64_t n, runs;
  __host__ __device__ T operator()(std::uint64_t i) const {
    const std::uint64_t run = i * runs / n, first = (n * run + runs - 1) / runs;
    const std::uint64_t last = (n * (run + 1) + runs - 1) / runs, count = last - first;
    const double step = static_cast<double>(T(~T{0})) / static_cast<double>(count + 1);
    return static_cast<T>(step * static_cast<double>(i - first)) +
           static_cast<T>(static_cast<double>(mix(i) >> 40) / (1 << 24) * step);
  }
};

template <class T>
void run(const char* type, int log2n) {
  const std::uint64_t n = std::uint64_t{1} << log2n;
  for (std::uint64_t runs : {2, 3, 16, 64, 65, 256, 1024, 4096, 4097, 16384, 65536, 1000000}) {
    if (runs > n) continue;
    const auto input = honest::filled<T>(n, in_runs<T>{n, runs});
    std::vector<std::uint64_t> at(runs + 1);
    for (std::uint64_t r = 0; r <= runs; ++r) at[r] = (n * r + runs - 1) / runs;
    thrust::device_vector<T> out(n), work(n);
    const std::string name = std::string(type) + ", " + std::to_string(runs) + " runs";
    honest::row(
        name + honest::power(log2n), [&] { work = input; },
        [&] {
          gpusort::multiway_merge(gpusort::par_gpu, input.begin(), at.begin(), at.end(),
                                  out.begin());
        },
        [&] { thrust::stable_sort(thrust::cuda::par, work.begin(), work.end()); });
  }
}

template <class T>
void run_opaque(const char* type, int log2n) {
  const std::uint64_t n = std::uint64_t{1} << log2n;
  for (std::uint64_t runs : {64, 1024, 4097, 65536}) {
    const auto input = honest::filled<T>(
        n, [] __host__ __device__(std::uint64_t i) { return static_cast<T>(mix(i)); });
    auto sorted_runs = input;
    std::vector<std::uint64_t> at(runs + 1);
    for (std::uint64_t r = 0; r <= runs; ++r) at[r] = n * r / runs;
    gpusort::segmented_sort(gpusort::par_gpu, sorted_runs.begin(), sorted_runs.end(), at.begin(),
                            at.end(), scrambled{});
    thrust::device_vector<T> out(n), work(n);
    honest::row(
        std::string(type) + ", " + std::to_string(runs) + " runs, another order" +
            honest::power(log2n),
        [&] { work = sorted_runs; },
        [&] {
          gpusort::multiway_merge(gpusort::par_gpu, sorted_runs.begin(), at.begin(), at.end(),
                                  out.begin(), scrambled{});
        },
        [&] { thrust::stable_sort(thrust::cuda::par, work.begin(), work.end(), scrambled{}); });
  }
}

}  // namespace

int main() {
  for (int log2n : {16, 20, 24, 26}) run<std::uint32_t>("u32", log2n);
  for (int log2n : {20, 24}) run<std::uint64_t>("u64", log2n);
  for (int log2n : {20, 24}) run_opaque<std::uint32_t>("u32", log2n);
}
