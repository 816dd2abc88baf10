// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "random.hpp"

#if defined(__CUDACC__)
#include <cuda/version>
#endif

namespace kit {

/// Prints what the tests of the GPU are compiled by and for, for the record of a run.
inline void print_toolkit() {
#if defined(__CUDACC_VER_MAJOR__) && defined(__CUDA_ARCH_LIST__)
  std::printf("toolkit cuda %d.%d cccl %d.%d.%d architectures", __CUDACC_VER_MAJOR__,
              __CUDACC_VER_MINOR__, CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION);
  for (int architecture : {__CUDA_ARCH_LIST__}) std::printf(" %d", architecture);
  std::printf("\n");
#endif
}

/// Prints the seed before the first test, so that a run which hangs or dies can be repeated.
class seed_printer : public ::testing::Environment {
 public:
  void SetUp() override {
    std::printf("GPUSORT_TEST_SEED=%llu%s\n", static_cast<unsigned long long>(seed()),
                small_sizes_only() ? " GPUSORT_TEST_SMALL=1" : "");
    print_toolkit();
    std::fflush(stdout);
  }
};

/// Registered once for the whole program, whichever main() it has.
inline ::testing::Environment* const registered_seed_printer =
    ::testing::AddGlobalTestEnvironment(new seed_printer);

}  // namespace kit
