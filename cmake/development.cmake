# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the tests, examples and benchmarks are compiled with. Users of the library never see it.
include(${CMAKE_CURRENT_LIST_DIR}/cuda.cmake)

option(GPUSORT_CCACHE "Compile through ccache where it is installed" OFF)
option(GPUSORT_PARSE_ONLY "Parse most device code, and do not compile it: no kernel will run" OFF)
set(GPUSORT_DEVICE_ON_CPU OFF CACHE STRING
    "ON: run most tests in gpu/ also where kernels are code of the CPU; ALL: all that can be")
set(GPUSORT_SANITIZE "" CACHE STRING "Value of -fsanitize= for the host tests, for example address")

if(GPUSORT_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(NOT DEFINED CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
if(NOT DEFINED CMAKE_CUDA_STANDARD)
  set(CMAKE_CUDA_STANDARD ${CMAKE_CXX_STANDARD})
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

set(gpusort_warnings -Wall -Wextra)
list(JOIN gpusort_warnings "," gpusort_nvcc_warnings)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # These two follow the flow of inlined code, and GCC 12 is wrong about std::vector in both: they
  # are shown, and do not fail the build.
  list(APPEND gpusort_warnings -Wno-error=free-nonheap-object -Wno-error=stringop-overflow)
endif()

# gpusort_add_executable(<name> [HEADER_ONLY] <sources>...): an executable of ours: linked with the
# library, with warnings, and with nothing dynamic that another machine might lack.
function(gpusort_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 program "HEADER_ONLY" "" "")
  add_executable(${name} ${program_UNPARSED_ARGUMENTS})
  set(linked gpusort::gpusort)
  if(program_HEADER_ONLY)
    set(linked gpusort::header_only)
  endif()
  target_link_libraries(${name} PRIVATE ${linked} Threads::Threads)
  target_compile_options(
    ${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${gpusort_warnings}>"
                    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${gpusort_nvcc_warnings}>")
  set_target_properties(${name} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
endfunction()

# The examples that are linked where no kernel will run: the first, and the one that needs libraries.
# tests/meta parses the others.
set(gpusort_linked_examples "/(01|12)_")

# gpusort_may_parse_only(<sources>...): .cu files of the directory that run on the CPU as well, and
# need no device code where there is no GPU.
function(gpusort_may_parse_only)
  if(GPUSORT_PARSE_ONLY)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
                                "$<$<COMPILE_LANGUAGE:CUDA>:-fdevice-syntax-only>")
  endif()
endfunction()

find_package(Threads REQUIRED)

# gpusort_require(<target> <package> <git repository> <tag>): the system's package, or its source.
function(gpusort_require target package repository tag)
  if(TARGET ${target})
    return()
  endif()
  find_package(${package} CONFIG QUIET GLOBAL)
  if(TARGET ${target})
    return()
  endif()
  message(STATUS "gpusort: no ${package} on this system: fetching ${tag}")
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)
  set(BUILD_SHARED_LIBS OFF)
  set(INSTALL_GTEST OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  include(FetchContent)
  string(TOLOWER ${package} name)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
endfunction()
