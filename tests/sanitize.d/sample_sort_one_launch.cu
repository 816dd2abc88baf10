// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_sort.hpp"

namespace sanitize {
namespace {

using kit::few_sample_sort;

// Where the device has no clusters the second kernel sorts both.
SANITIZE_CASE(sample_sort_in_one_launch, "cluster_sample_sort_kernel",
              "single_launch_sample_sort_kernel") {
  sort_samples<few_sample_sort>(5003);
  sort_samples<few_sample_sort, small_clusters>(3001);
  sort_samples<few_sample_sort, small_clusters>(7001);
  for (int log_samples : {6, 7, 8}) {
    sort_samples<few_sample_sort>(5003, log_samples);
    sort_samples<few_sample_sort, small_clusters>(3001, log_samples);
    sort_samples<few_sample_sort, small_clusters>(7001, log_samples);
  }
}

}  // namespace
}  // namespace sanitize
