// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: CCCL before 3.0.1 is untested
// expect: GPUSORT_IGNORE_TOOLKIT_VERSION
#include <cuda/std/version>
#undef CCCL_VERSION
#define CCCL_VERSION 2008002
#include <gpusort/version.hpp>
