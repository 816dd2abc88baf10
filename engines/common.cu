// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that sorts of any types call: routes, launches, scratch, staging, waiting, errors.
#define GPUSORT_DEFINES_LINKABLE 1
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
