// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program may have included before: headers of C with short macros (I of <complex.h> outside
// of strict ISO mode, B0 of <termios.h>, major and minor of <sys/sysmacros.h>), and what Windows
// and embedded systems define. Headers of other libraries that do not bear the latter come first.
#pragma once

#include <complex.h>
#include <sys/sysmacros.h>
#include <termios.h>

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
#if __has_include(<oneapi/tbb/parallel_invoke.h>)
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#endif

#undef min
#undef max
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define near
#define far
#define IN
#define OUT
#define CONST const
#define interface struct
#define ERROR 0
#define DELETE 0x10000
#if !defined(I)
#define I (__extension__ 1.0iF)
#endif
