// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/gpusort.hpp>
#include <utility>

#include "case.hpp"

namespace sanitize {
namespace {

struct fetch_value {
  const std::uint32_t* data;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return data[i]; }
};

struct swap_values {
  std::uint32_t* data;
  __host__ __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t a = data[i];
    data[i] = data[j];
    data[j] = a;
  }
};

// More things than one block swaps.
SANITIZE_CASE(index_sort, "fetch_keys_kernel", "begin_cycles_kernel", "rotate_segments_kernel",
              "rotate_short_cycles_kernel", "rotate_few_kernel") {
  constexpr std::uint32_t n = 6007;
  const std::vector<std::uint32_t> values = random_values(n);
  const device_array<std::uint32_t> data(values);
  gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::quicksort), std::uint32_t{0}, n,
                fetch_value{data.data()}, opaque{}, swap_values{data.data()});
  expect(data.read() == sorted(values), "not sorted");
}

}  // namespace
}  // namespace sanitize
