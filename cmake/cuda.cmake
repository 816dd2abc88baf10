# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes CUDA a language where it is found: of this project alone, or for its tests. Sets
# gpusort_has_nvcc.
include_guard()

# The architectures of the GPUs in this machine, or of Hopper where there is none.
function(gpusort_local_architectures result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE status)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
  if(NOT status EQUAL 0 OR NOT capabilities)
    set(capabilities 9.0)
  endif()
  list(TRANSFORM capabilities REPLACE "\\." "")
  list(REMOVE_DUPLICATES capabilities)
  list(TRANSFORM capabilities APPEND "-real")
  set(${result} ${capabilities} PARENT_SCOPE)
endfunction()

set(gpusort_has_nvcc FALSE)
if(GPUSORT_WITH_CUDA)
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_NVCC_EXECUTABLE AND NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    gpusort_local_architectures(CMAKE_CUDA_ARCHITECTURES)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(gpusort_has_nvcc TRUE)
  endif()
endif()
if(gpusort_has_nvcc)
  if(NOT GPUSORT_IGNORE_TOOLKIT_VERSION AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    gpusort_check_toolkit(${CMAKE_CUDA_COMPILER_VERSION} FATAL_ERROR)
  endif()
  message(STATUS "gpusort: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, "
                 "architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "gpusort: no CUDA compiler: CPU-only build, without what needs nvcc")
endif()
