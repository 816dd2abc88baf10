// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_sort.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(sample_sort, "choose_splitters_kernel", "count_buckets_kernel", "scatter_kernel",
              "number_chunks_kernel", "sort_buckets_kernel") {
  sort_samples<sort_on_levels, few_ways_without_pages>(50021);
}

SANITIZE_CASE(sample_sort_of_long_buckets, "sort_buckets_kernel") {
  sort_samples<sort_on_levels, long_buckets>(50021);
}

SANITIZE_CASE(sample_sort_of_wide_buckets, "sort_buckets_kernel") {
  sort_samples<sort_on_levels, wide_buckets>(50021);
}

SANITIZE_CASE(sample_sort_of_long_compared_buckets, "sort_long_buckets_kernel") {
  sort_samples<sort_on_levels, long_compared_buckets>(50021);
}

SANITIZE_CASE(sample_sort_without_bucket_ids, "classify_and_scatter_kernel") {
  using namespace gpusort::detail;
  using array = key_array<std::uint32_t>;
  using sort = sample_sort<array, by_stored_value<gpusort::less>, few_ways, bucket_ids::recomputed>;
  const std::size_t n = 50021;
  const std::vector<std::uint32_t> values = random_values(n);
  expect_sorted(values, sort::scratch_bytes(n), [n](std::uint32_t* data, void* memory) {
    sort::run(nullptr, array{data}, array{data}, n, {}, memory);
  });
}

}  // namespace
}  // namespace sanitize
