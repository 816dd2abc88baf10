# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/gpusort-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gpusort-dependencies.cmake)

if(NOT gpusort_dependencies_linked)
  gpusort_find_dependencies(gpusort_tbb_target)
  set_property(TARGET gpusort::header_only APPEND PROPERTY
               INTERFACE_LINK_LIBRARIES ${gpusort_tbb_target})
  set_property(TARGET gpusort::header_only APPEND PROPERTY
               INTERFACE_COMPILE_DEFINITIONS GPUSORT_HAS_TBB=$<BOOL:${gpusort_tbb_target}>)
  if(GPUSORT_IGNORE_TOOLKIT_VERSION)
    set_property(TARGET gpusort::header_only APPEND PROPERTY
                 INTERFACE_COMPILE_DEFINITIONS GPUSORT_IGNORE_TOOLKIT_VERSION)
  endif()
  get_property(gpusort_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(TARGET gpusort::engines AND "CUDA" IN_LIST gpusort_languages)
    set_property(TARGET gpusort::gpusort APPEND PROPERTY INTERFACE_LINK_LIBRARIES gpusort::engines)
  endif()
  gpusort_find_adaptors()
  set(gpusort_dependencies_linked TRUE)  # a second find_package in this scope appends nothing
endif()
