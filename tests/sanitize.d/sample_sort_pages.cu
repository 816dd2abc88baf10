// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_sort.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(sample_sort_in_pages, "scatter_to_pages_kernel") {
  sort_samples<sort_on_levels, few_ways>(60013);
}

}  // namespace
}  // namespace sanitize
