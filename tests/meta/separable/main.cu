// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include <gpusort/error.hpp>

__device__ int digit_of(int x) { return x % 10; }

void sort_by_last_digit(int* first, int* last);

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 0;  // nothing to run on
  int values[] = {19, 28, 37, 46, 55};
  sort_by_last_digit(values, values + 5);
  return values[0] == 55 && values[4] == 19 ? 0 : 1;
}
