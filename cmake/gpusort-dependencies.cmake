# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by the build and by the installed package: what may be there is looked for on the machine
# that compiles, not on the one that installed. Nothing is required; what is missing is said.

# gpusort_check_toolkit(<version> <mode>): a message of that mode unless everything was compiled with
# CUDA of this version (tests/toolkits; support/config.hpp asks the same of the compiler).
function(gpusort_check_toolkit version mode)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${version}")
  if(minor VERSION_LESS 13.0 OR minor VERSION_GREATER 13.5)
    message(${mode} "gpusort: CUDA ${version} is untested: gpusort is tested with 13.0 to 13.5. Set "
                    "CUDAToolkit_ROOT or CMAKE_CUDA_COMPILER to one of these, or "
                    "GPUSORT_IGNORE_TOOLKIT_VERSION to ON to try this one")
  endif()
endfunction()

# Sets tbb_target, in the caller, to the target to link, or to nothing.
function(gpusort_find_dependencies tbb_target)
  set(tbb "")
  if(NOT DEFINED GPUSORT_WITH_TBB OR GPUSORT_WITH_TBB)
    find_package(TBB CONFIG QUIET GLOBAL)
    if(TARGET TBB::tbb)
      set(tbb TBB::tbb)
    else()
      message(STATUS "gpusort: no oneTBB found (Debian: libtbb-dev): "
                     "sorting on the CPU uses one core")
    endif()
  else()
    message(STATUS "gpusort: GPUSORT_WITH_TBB is off: sorting on the CPU uses one core")
  endif()

  find_package(CUDAToolkit QUIET GLOBAL)
  if(NOT CUDAToolkit_FOUND)
    message(STATUS "gpusort: no CUDA toolkit found: CPU-only")
  elseif(NOT GPUSORT_IGNORE_TOOLKIT_VERSION)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if("CUDA" IN_LIST languages)
      gpusort_check_toolkit(${CUDAToolkit_VERSION} FATAL_ERROR)
    else()  # which sorts on the CPU, unless it takes CUDA later
      gpusort_check_toolkit(${CUDAToolkit_VERSION} WARNING)
    endif()
  endif()

  set(${tbb_target} "${tbb}" PARENT_SCOPE)
endfunction()

# gpusort_find_adaptors(): gpusort::nccl and gpusort::mpi, which what includes
# <gpusort/distributed/nccl.hpp> or mpi.hpp is linked with, where they are wanted and found.
function(gpusort_find_adaptors)
  if(GPUSORT_WITH_NCCL AND NOT TARGET gpusort::nccl)
    find_path(GPUSORT_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(GPUSORT_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_BIN_DIR}/../lib64)
    if(GPUSORT_NCCL_INCLUDE_DIR AND GPUSORT_NCCL_LIBRARY)
      add_library(gpusort::nccl INTERFACE IMPORTED GLOBAL)
      target_include_directories(gpusort::nccl SYSTEM INTERFACE ${GPUSORT_NCCL_INCLUDE_DIR})
      target_link_libraries(gpusort::nccl INTERFACE gpusort::header_only ${GPUSORT_NCCL_LIBRARY})
    else()
      message(STATUS "gpusort: no NCCL found (Debian: libnccl-dev): no gpusort::nccl")
    endif()
  endif()
  if(GPUSORT_WITH_MPI AND NOT TARGET gpusort::mpi)
    find_package(MPI QUIET GLOBAL COMPONENTS CXX)
    if(MPI_CXX_FOUND)
      # Not MPI::MPI_CXX, whose options are for a C++ compiler.
      add_library(gpusort::mpi INTERFACE IMPORTED GLOBAL)
      target_include_directories(gpusort::mpi SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
      target_link_libraries(gpusort::mpi INTERFACE gpusort::header_only ${MPI_CXX_LIBRARIES})
      target_compile_definitions(gpusort::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    else()
      message(STATUS "gpusort: no MPI found (Debian: libopenmpi-dev): no gpusort::mpi")
    endif()
  endif()
endfunction()

# gpusort_architecture_digits(<variable>): what __CUDA_ARCH_LIST__ holds where sources are compiled for
# CMAKE_CUDA_ARCHITECTURES, one after the other, by which a program and the library that it links are
# told to be for the same (support/library.hpp). nvcc is asked where it has the list.
function(gpusort_architecture_digits variable)
  string(TOLOWER "${CMAKE_CUDA_ARCHITECTURES}" name)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA"
     AND name MATCHES "^(all|all-major|native|off|no|false|0)$")
    set(flag "")
    if(name MATCHES "^(all|all-major|native)$")
      set(flag -arch=${name})
    endif()
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CUDA_FLAGS}")
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} ${flags} ${flag} --dryrun -c none.cu
                    OUTPUT_QUIET ERROR_VARIABLE commands)
    string(REGEX MATCH "__CUDA_ARCH_LIST__=([0-9,]+)" found "${commands}")
    string(REPLACE "," "" digits "${CMAKE_MATCH_1}")
  else()
    set(architectures ${CMAKE_CUDA_ARCHITECTURES})
    list(TRANSFORM architectures REPLACE "^([0-9]+).*" "\\10")
    list(REMOVE_DUPLICATES architectures)
    list(SORT architectures COMPARE NATURAL)
    list(JOIN architectures "" digits)
  endif()
  set(${variable} "${digits}" PARENT_SCOPE)
endfunction()
