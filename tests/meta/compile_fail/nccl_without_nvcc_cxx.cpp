// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: nccl.hpp> needs a CUDA compiler
// at most: 12 lines
#include <gpusort/distributed/nccl.hpp>
