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
  if(TARGET gpusort::engines AND (NOT DEFINED GPUSORT_LIBRARY OR GPUSORT_LIBRARY))
    get_property(gpusort_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    get_target_property(gpusort_library_architectures gpusort::engines GPUSORT_ARCHITECTURES)
    gpusort_architecture_digits(gpusort_digits)
    if(NOT "CUDA" IN_LIST gpusort_languages)
      message(STATUS "gpusort: CUDA is no language here yet: gpusort::gpusort is header-only")
    elseif(NOT gpusort_digits STREQUAL gpusort_library_architectures)
      message(STATUS "gpusort: the library is built for ${gpusort_library_architectures}, this "
                     "project for ${gpusort_digits}: gpusort::gpusort is header-only")
    else()
      set_property(TARGET gpusort::gpusort APPEND PROPERTY
                   INTERFACE_LINK_LIBRARIES gpusort::engines)
    endif()
  endif()
  gpusort_find_adaptors()
  set(gpusort_dependencies_linked TRUE)  # a second find_package in this scope appends nothing
endif()
