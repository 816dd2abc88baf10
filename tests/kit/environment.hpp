// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "random.hpp"

namespace kit {

/// Prints the seed before the first test, so that a run which hangs or dies can be repeated.
class seed_printer : public ::testing::Environment {
 public:
  void SetUp() override {
    std::printf("GPUSORT_TEST_SEED=%llu%s\n", static_cast<unsigned long long>(seed()),
                small_sizes_only() ? " GPUSORT_TEST_SMALL=1" : "");
    std::fflush(stdout);
  }
};

/// Registered once for the whole program, whichever main() it has.
inline ::testing::Environment* const registered_seed_printer =
    ::testing::AddGlobalTestEnvironment(new seed_printer);

}  // namespace kit
