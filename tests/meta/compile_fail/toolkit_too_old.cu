// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: CUDA before 13.0 is untested
// expect: GPUSORT_IGNORE_TOOLKIT_VERSION
#undef CUDART_VERSION
#define CUDART_VERSION 12090
#include <gpusort/version.hpp>
