// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: CCCL after 3.5 is untested
// expect: GPUSORT_IGNORE_TOOLKIT_VERSION
#include <cuda/std/version>
#undef CCCL_VERSION
#define CCCL_VERSION 3006000
#include <gpusort/version.hpp>
