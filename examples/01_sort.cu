// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that most programs need, one after the other. The vectors are in host memory and the
// sort happens on the GPU: the library moves the data there and back. Without a GPU the same calls
// run on all cores of the CPU.
#include <gpusort/gpusort.hpp>

#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "example.hpp"

struct reading {
  int sensor;
  float celsius;
};

// Any comparator will do. It runs on the GPU, and on a CPU where there is none: hence both.
struct warmer {
  __host__ __device__ bool operator()(const reading& a, const reading& b) const {
    return a.celsius > b.celsius;
  }
};

void print(const char* title, const std::vector<reading>& readings) {
  std::printf("%s\n", title);
  for (const reading& r : readings) std::printf("  sensor %d  %5.1f\n", r.sensor, r.celsius);
}

int main() {
  using gpusort::par_gpu;
  const bool has_device = example::has_device();
  if (!has_device) std::puts("No GPU on this machine: the same calls run on the CPU.");

  // Numbers.
  std::vector<int> numbers = {30, 10, 50, 20, 40};
  gpusort::sort(par_gpu, numbers.begin(), numbers.end());
  example::verify(std::is_sorted(numbers.begin(), numbers.end()), "numbers ascend");

  // A struct, with a comparator.
  std::vector<reading> readings = {{2, 21.5f}, {1, 19.0f}, {3, -4.0f}, {1, 23.5f}, {2, 18.0f}};
  gpusort::sort(par_gpu, readings.begin(), readings.end(), warmer{});
  print("warmest first", readings);
  example::verify(std::is_sorted(readings.begin(), readings.end(), warmer{}), "warmest first");

  // Sorts that struct by members. The library sees what such an order depends on, which a
  // comparator hides from it, and takes a faster route.
  const auto by_sensor =
      gpusort::order_by(gpusort::asc<&reading::sensor>(), gpusort::desc<&reading::celsius>());
  gpusort::sort(par_gpu, readings.begin(), readings.end(), by_sensor);
  print("by sensor, warmest first", readings);
  example::verify(gpusort::is_sorted(par_gpu, readings.begin(), readings.end(), by_sensor),
                  "by sensor, warmest first");

  // Keys, and values that go where their keys go.
  std::vector<double> prices = {9.5, 0.5, 4.0};
  std::vector<char> items = {'a', 'b', 'c'};
  gpusort::sort_by_key(par_gpu, prices.begin(), prices.end(), items.begin());
  example::verify(items == std::vector<char>{'b', 'c', 'a'}, "items follow their prices");

  // Data that is on the device stays there.
  if (has_device) {
    thrust::device_vector<int> on_device = numbers;
    gpusort::sort(par_gpu, on_device.begin(), on_device.end(), gpusort::greater{});
    thrust::copy(on_device.begin(), on_device.end(), numbers.begin());
    example::verify(std::is_sorted(numbers.begin(), numbers.end(), std::greater<int>{}),
                    "device numbers descend");
  }

  std::puts("All sorted.");
}
