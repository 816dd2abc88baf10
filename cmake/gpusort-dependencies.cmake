# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by the build and by the installed package: what may be there is looked for on the machine
# that compiles, not on the one that installed. Nothing is required; what is missing is said.

# Sets tbb_target and cccl_target, in the caller, to the targets to link, or to nothing.
function(gpusort_find_dependencies tbb_target cccl_target)
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

  set(cccl "")
  find_package(CUDAToolkit QUIET GLOBAL)
  if(NOT CUDAToolkit_FOUND)
    message(STATUS "gpusort: no CUDA toolkit found: CPU-only")
  elseif(CUDAToolkit_VERSION VERSION_LESS 13)
    # Toolkits before 13 ship CCCL 2; CCCL 3 installed beside them is what we need.
    find_package(CCCL 3.0 CONFIG QUIET GLOBAL)
    if(TARGET CCCL::CCCL)
      set(cccl CCCL::CCCL)
    else()
      message(WARNING "gpusort needs CCCL 3.0 or newer; CUDA toolkit ${CUDAToolkit_VERSION} has an "
                      "older one and no other was found (set CCCL_DIR)")
    endif()
  endif()

  set(${tbb_target} "${tbb}" PARENT_SCOPE)
  set(${cccl_target} "${cccl}" PARENT_SCOPE)
endfunction()
