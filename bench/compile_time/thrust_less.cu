// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

void call(int* p, long n) { thrust::sort(thrust::cuda::par, p, p + n); }
