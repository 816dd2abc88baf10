// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define GPUSORT_VERSION_MAJOR 0
#define GPUSORT_VERSION_MINOR 1
#define GPUSORT_VERSION_PATCH 0

#if defined(__CUDACC__)
#define GPUSORT_CUDA 1
#define GPUSORT_HOST_DEVICE __host__ __device__
#define GPUSORT_DEVICE __device__ __forceinline__
#define GPUSORT_KERNEL __global__
// Of the namespace of kernels, so that two shared libraries with different gpusort versions never
// share one. Of the namespace, because nvcc warns where a hidden kernel has internal linkage.
#define GPUSORT_HIDDEN __attribute__((visibility("hidden")))
#else
#define GPUSORT_CUDA 0
#define GPUSORT_HOST_DEVICE
#endif

#if !defined(GPUSORT_HAS_TBB)
#if __has_include(<oneapi/tbb/parallel_invoke.h>)
#define GPUSORT_HAS_TBB 1
#else
#define GPUSORT_HAS_TBB 0
#endif
#endif

// GPUSORT_ABI names the inline namespace of everything but the exception types: backend, tasks of
// the CPU, version and architectures. A program whose translation units are compiled differently
// then keeps their routes apart instead of letting the linker drop one of them.
#define GPUSORT_DETAIL_JOIN2(a, b) a##_##b
#define GPUSORT_DETAIL_JOIN(a, b) GPUSORT_DETAIL_JOIN2(a, b)
#if GPUSORT_HAS_TBB
#define GPUSORT_DETAIL_BACKEND_ABI(backend) GPUSORT_DETAIL_JOIN(backend, tbb)
#else
#define GPUSORT_DETAIL_BACKEND_ABI(backend) backend
#endif
#define GPUSORT_DETAIL_VERSION_ABI(backend)                                            \
  GPUSORT_DETAIL_JOIN(                                                                 \
      GPUSORT_DETAIL_JOIN(GPUSORT_DETAIL_BACKEND_ABI(backend), GPUSORT_VERSION_MAJOR), \
      GPUSORT_VERSION_MINOR)

#if GPUSORT_CUDA && defined(__CUDA_ARCH_LIST__)
#define GPUSORT_DETAIL_A1(a) a
#define GPUSORT_DETAIL_A2(a, b) GPUSORT_DETAIL_JOIN(a, b)
#define GPUSORT_DETAIL_A3(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A2(__VA_ARGS__))
#define GPUSORT_DETAIL_A4(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A3(__VA_ARGS__))
#define GPUSORT_DETAIL_A5(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A4(__VA_ARGS__))
#define GPUSORT_DETAIL_A6(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A5(__VA_ARGS__))
#define GPUSORT_DETAIL_A7(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A6(__VA_ARGS__))
#define GPUSORT_DETAIL_A8(a, ...) GPUSORT_DETAIL_JOIN(a, GPUSORT_DETAIL_A7(__VA_ARGS__))
#define GPUSORT_DETAIL_PICK(a1, a2, a3, a4, a5, a6, a7, a8, name, ...) name
#define GPUSORT_DETAIL_ARCHS(...)                                                                 \
  GPUSORT_DETAIL_PICK(__VA_ARGS__, GPUSORT_DETAIL_A8, GPUSORT_DETAIL_A7, GPUSORT_DETAIL_A6,       \
                      GPUSORT_DETAIL_A5, GPUSORT_DETAIL_A4, GPUSORT_DETAIL_A3, GPUSORT_DETAIL_A2, \
                      GPUSORT_DETAIL_A1, unused)                                                  \
  (__VA_ARGS__)
#define GPUSORT_ABI \
  GPUSORT_DETAIL_JOIN(GPUSORT_DETAIL_VERSION_ABI(cuda), GPUSORT_DETAIL_ARCHS(__CUDA_ARCH_LIST__))
#elif GPUSORT_CUDA
#define GPUSORT_ABI GPUSORT_DETAIL_VERSION_ABI(cuda)
#else
#define GPUSORT_ABI GPUSORT_DETAIL_VERSION_ABI(host)
#endif
