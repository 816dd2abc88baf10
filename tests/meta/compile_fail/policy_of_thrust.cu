// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <gpusort/gpusort.hpp>

// Thrust calls its own functions without a namespace, so that gpusort's are candidates as well.
void allowed(int* p) { thrust::sort(thrust::device, p, p + 1, gpusort::greater()); }

// expect: stable_sort takes a policy of gpusort
// expect: write gpusort::par_gpu
void f(int* p) { gpusort::stable_sort(thrust::device, p, p + 1); }

// expect: sort takes a policy of gpusort
void f(int* p, cudaStream_t stream) { gpusort::sort(thrust::cuda::par.on(stream), p, p + 1); }
