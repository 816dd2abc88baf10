// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: differ in the default stream
// expect: gpusort::header_only
#define GPUSORT_LIBRARY_HAS_TBB GPUSORT_HAS_TBB
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda_runtime_api.h>
#if defined(__CUDA_ARCH_LIST__)
#define GPUSORT_LIBRARY 900
#endif
#include <gpusort/sort.hpp>
