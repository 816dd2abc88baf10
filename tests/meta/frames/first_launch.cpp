// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the return addresses that are on the stack at the first launch of a sort, the innermost
// first. For the device that is the CPU, whose launches it takes the place of.
#undef cudaLaunchKernelExC
#define cudaLaunchKernelExC print_stack

#include <cuda_runtime_api.h>
#include <execinfo.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

cudaError_t print_stack(const cudaLaunchConfig_t*, const void*, void**) {
  void* addresses[200];
  const int count = backtrace(addresses, 200);
  for (int i = 0; i < count; ++i) std::printf("%p\n", addresses[i]);
  std::exit(0);
}

#include <cstdint>
#include <gpusort/sort.hpp>

int main(int, char** arguments) {
  const std::size_t n = std::strtoull(arguments[1], nullptr, 10);
  std::uint32_t* keys = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&keys), n * sizeof(*keys)) != cudaSuccess) return 1;
  gpusort::sort(gpusort::par_gpu, keys, keys + n);
  return 1;
}
