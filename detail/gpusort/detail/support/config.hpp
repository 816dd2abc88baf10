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
// For what hardly any input needs: it takes no registers from the code that every input runs. Not
// under -rdc, where a function is compiled for any caller, and ptxas refuses one that takes more
// registers than the launch bounds of a kernel leave it. GPUSORT_INLINED is for large lambdas of
// kernels, which would be such functions.
#if defined(__CUDACC_RDC__)
#define GPUSORT_RARE GPUSORT_DEVICE
#define GPUSORT_INLINED __attribute__((always_inline))
#else
#define GPUSORT_RARE __device__ __noinline__
#define GPUSORT_INLINED
#endif
// The namespaces of kernels and of linked functions have it, so that no shared object launches by
// the code of another one, whose CUDA runtime does not know its kernels. A kernel has not, because
// nvcc warns where a hidden one has internal linkage.
#define GPUSORT_HIDDEN __attribute__((visibility("hidden")))
#else
#define GPUSORT_CUDA 0
#define GPUSORT_HOST_DEVICE
#define GPUSORT_HIDDEN
#endif

#if defined(__GNUC__) && !defined(__EXCEPTIONS)
#error \
    "gpusort: gpusort needs exceptions, by which it reports errors: compile without -fno-exceptions"
#endif

// CUDA, and CCCL (Thrust, CUB, libcu++), that tests/toolkits compiles everything with; of the
// newest any patch is taken.
#if GPUSORT_CUDA && !defined(GPUSORT_IGNORE_TOOLKIT_VERSION)
#include <cuda_runtime_api.h>
#if CUDART_VERSION < 13000
#error "gpusort: CUDA before 13.0 is untested: update it or define GPUSORT_IGNORE_TOOLKIT_VERSION"
#elif CUDART_VERSION >= 13060
#error "gpusort: CUDA after 13.5 is untested: define GPUSORT_IGNORE_TOOLKIT_VERSION to try it"
#endif
#if __has_include(<cuda/std/version>)
#include <cuda/std/version>
#endif
#if !defined(CCCL_VERSION) || CCCL_VERSION < 3000001
#error "gpusort: CCCL before 3.0.1 is untested: update it or define GPUSORT_IGNORE_TOOLKIT_VERSION"
#elif CCCL_VERSION >= 3006000
#error "gpusort: CCCL after 3.5 is untested: define GPUSORT_IGNORE_TOOLKIT_VERSION to try it"
#endif
#endif

#if !defined(GPUSORT_HAS_TBB)
#if __has_include(<oneapi/tbb/parallel_invoke.h>)
#define GPUSORT_HAS_TBB 1
#else
#define GPUSORT_HAS_TBB 0
#endif
#endif

// GPUSORT_ABI names the inline namespace of everything but the exception types: backend, tasks of
// the CPU, version, default stream and architectures. A program whose translation units are
// compiled differently then keeps their routes apart instead of letting the linker drop one of
// them.
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

#if GPUSORT_CUDA && \
    (defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM))
#define GPUSORT_DETAIL_CUDA_ABI GPUSORT_DETAIL_JOIN(GPUSORT_DETAIL_VERSION_ABI(cuda), per_thread)
#elif GPUSORT_CUDA
#define GPUSORT_DETAIL_CUDA_ABI GPUSORT_DETAIL_VERSION_ABI(cuda)
#endif

#if GPUSORT_CUDA && defined(__CUDA_ARCH_LIST__)
// Up to 32 architectures one after the other, which tells any two lists apart: 9xx and below have
// three digits, and the others begin with a 1.
#define GPUSORT_DETAIL_ARCHS32(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, \
                               w, x, y, z, A, B, C, D, E, F, ...)                                \
  a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p##q##r##s##t##u##v##w##x##y##z##A##B##C##D##E##F
#define GPUSORT_DETAIL_ARCHS(...)                                                                 \
  GPUSORT_DETAIL_ARCHS32(__VA_ARGS__, , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , \
                         , )
#define GPUSORT_ABI \
  GPUSORT_DETAIL_JOIN(GPUSORT_DETAIL_CUDA_ABI, GPUSORT_DETAIL_ARCHS(__CUDA_ARCH_LIST__))
#elif GPUSORT_CUDA
#define GPUSORT_ABI GPUSORT_DETAIL_CUDA_ABI
#else
#define GPUSORT_ABI GPUSORT_DETAIL_VERSION_ABI(host)
#endif
