# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DTOOLKIT_VERSION=13.0.88 -P check_toolkit.cmake: fails where the package refuses that CUDA.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/gpusort-dependencies.cmake)
gpusort_check_toolkit(${TOOLKIT_VERSION} FATAL_ERROR)
