# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(gpusort_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/gpusort)

install(TARGETS gpusort gpusort_header_only EXPORT gpusort-targets FILE_SET HEADERS)
if(TARGET gpusort_engines)
  install(TARGETS gpusort_engines EXPORT gpusort-targets)
endif()
install(EXPORT gpusort-targets NAMESPACE gpusort:: DESTINATION ${gpusort_package_dir})

set(arch_independent ARCH_INDEPENDENT)
if(TARGET gpusort_engines)
  set(arch_independent "")
endif()
write_basic_package_version_file(gpusort-config-version.cmake COMPATIBILITY SameMinorVersion
                                 ${arch_independent})
install(FILES cmake/gpusort-config.cmake cmake/gpusort-dependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gpusort-config-version.cmake
        DESTINATION ${gpusort_package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gpusort)
