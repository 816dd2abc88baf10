// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A CUDA device that is the CPU: included before anything else, it lets a C++ compiler translate
// kernels and those who launch them. Threads of a block are fibers (kit/block_on_cpu.hpp); each of
// the blocks that are on their way, all of a cooperative launch or a cluster and three of others,
// has a thread of the host, and one runs at a time, at random. Memory is the host's, and a stream
// is done with what it is given before the call returns.
//
// It is of the generation GPUSORT_CPU_ARCHITECTURE, spelled as __CUDA_ARCH__.
//
// What it shows: errors of algorithms and of addresses, missing barriers, many orders in which
// threads and blocks may run. What it cannot: docs/decisions, 18.

#include <cuda_runtime.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/stream_ref>

#undef __device__
#undef __forceinline__
#undef __global__
#undef __host__
#undef __launch_bounds__
#undef __noinline__
#define __device__
#define __forceinline__ inline
#define __global__
#define __host__
#define __launch_bounds__(...)
#define __noinline__

#if !defined(GPUSORT_CPU_ARCHITECTURE)
#define GPUSORT_CPU_ARCHITECTURE 900
#endif
// Lists the architectures that a program is compiled for.
#if !defined(GPUSORT_CPU_ARCHITECTURES)
#define GPUSORT_CPU_ARCHITECTURES GPUSORT_CPU_ARCHITECTURE
#endif
#define __CUDACC__
#define __CUDA_ARCH_LIST__ GPUSORT_CPU_ARCHITECTURES
#include <gpusort/detail/support/config.hpp>
#undef __CUDACC__
#define __CUDA_ARCH__ GPUSORT_CPU_ARCHITECTURE

#include "device_functions.hpp"
#include "grid_on_cpu.hpp"
