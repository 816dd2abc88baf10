// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: library that gpusort::gpusort links is built for other architectures
// expect: gpusort::header_only
#define GPUSORT_LIBRARY 75
#include <gpusort/sort.hpp>
