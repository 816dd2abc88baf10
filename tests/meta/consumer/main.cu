// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <gpusort/gpusort.hpp>
#include <vector>

int main() {
  std::vector<double> v{3, 1, 2, 5, 4};
  // An extended lambda: the target brings the option that nvcc needs for it.
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end(),
                [] __host__ __device__(double a, double b) { return a > b; });
  for (double x : v) std::printf("%g ", x);
  std::printf("with gpusort %d.%d\n", gpusort::version.major, gpusort::version.minor);
  return v == std::vector<double>{5, 4, 3, 2, 1} ? 0 : 1;
}
