// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

// The CMake target gpusort::gpusort links a static library of what does not depend on a program's
// types, and defines GPUSORT_LIBRARY: the architectures that the library is compiled for, one after
// the other. Without it, a header-only program compiles the same templates itself.
#if GPUSORT_CUDA && defined(GPUSORT_LIBRARY)
#define GPUSORT_HAS_LIBRARY 1
#else
#define GPUSORT_HAS_LIBRARY 0
#endif

// The inline namespace of what is linked. The linker shows it where a program's version or options
// are not the library's, so that its GPUSORT_ABI is another.
#define GPUSORT_LINKED of_a_library_of_the_same_version_and_options

// A function of no type of the program is declared GPUSORT_LINKABLE, in the namespace
// GPUSORT_LINKED, and defined so where GPUSORT_DEFINES_LINKABLE is 1: in a header-only program, and
// in engines/common.cu.
#if !GPUSORT_HAS_LIBRARY
#define GPUSORT_LINKABLE inline
#define GPUSORT_DEFINES_LINKABLE 1
#else
#define GPUSORT_LINKABLE
#if !defined(GPUSORT_DEFINES_LINKABLE)
#define GPUSORT_DEFINES_LINKABLE 0
#endif
#endif

#if GPUSORT_HAS_LIBRARY
namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#define GPUSORT_DETAIL_STRING2(...) #__VA_ARGS__
#define GPUSORT_DETAIL_STRING(...) GPUSORT_DETAIL_STRING2(__VA_ARGS__)

constexpr bool are_equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

#if defined(__CUDA_ARCH_LIST__)
static_assert(are_equal(GPUSORT_DETAIL_STRING(GPUSORT_LIBRARY),
                        GPUSORT_DETAIL_STRING(GPUSORT_DETAIL_ARCHS(__CUDA_ARCH_LIST__))),
              "gpusort: the library that gpusort::gpusort links is built for other architectures "
              "than this program: set CMAKE_CUDA_ARCHITECTURES alike, or link "
              "gpusort::header_only");
#endif
#if defined(GPUSORT_LIBRARY_HAS_TBB)
static_assert(
    GPUSORT_LIBRARY_HAS_TBB == GPUSORT_HAS_TBB,
    "gpusort: the library that gpusort::gpusort links was compiled with oneTBB and this "
    "program is not, or the other way round: set GPUSORT_WITH_TBB as the library has it, or "
    "link gpusort::header_only");
#endif
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
inline constexpr bool has_stream_per_thread = true;
#else
inline constexpr bool has_stream_per_thread = false;
#endif
#if defined(GPUSORT_LIBRARY_PER_THREAD)
inline constexpr bool is_library_per_thread = true;
#else
inline constexpr bool is_library_per_thread = false;
#endif
static_assert(has_stream_per_thread == is_library_per_thread,
              "gpusort: the library that gpusort::gpusort links and this program differ in the "
              "default stream: compile both with --default-stream=per-thread, or neither, or link "
              "gpusort::header_only");

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
#endif
