// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_sort.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(sample_sort, "choose_splitters_kernel", "count_buckets_kernel", "scatter_kernel",
              "number_chunks_kernel", "sort_buckets_kernel") {
  sort_samples<gpusort::detail::launches::only_several, few_ways_without_pages>(50021);
}

SANITIZE_CASE(sample_sort_of_long_buckets, "sort_buckets_kernel") {
  sort_samples<gpusort::detail::launches::only_several, long_buckets>(50021);
}

SANITIZE_CASE(sample_sort_of_wide_buckets, "sort_buckets_kernel") {
  sort_samples<gpusort::detail::launches::only_several, wide_buckets>(50021);
}

SANITIZE_CASE(sample_sort_of_long_compared_buckets, "sort_long_buckets_kernel") {
  sort_samples<gpusort::detail::launches::only_several, long_compared_buckets>(50021);
}

}  // namespace
}  // namespace sanitize
