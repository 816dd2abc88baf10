// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: CUDA after 13.5 is untested
// expect: GPUSORT_IGNORE_TOOLKIT_VERSION
#undef CUDART_VERSION
#define CUDART_VERSION 13060
#include <gpusort/version.hpp>
