// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/sample_sort.hpp>

#include "case.hpp"

namespace sanitize {

/// Sample sort with so few ways at each level that few elements have several levels, of which
/// the first is in pages.
struct few_ways : gpusort::detail::tuning::sample_sort_of_numbers<4> {
  using usual = gpusort::detail::tuning::sample_sort_of_numbers<4>;
  static constexpr int max_log_buckets = 3;
  static constexpr int tiles_per_chunk = 1, blocks_wanted = 1, least_page_share = 1;
  struct paging : usual::paging {
    static constexpr int max_log_buckets = few_ways::max_log_buckets;
  };
};

struct few_ways_without_pages : few_ways {
  static constexpr bool has_pages = false;
};

/// A cluster takes fewer than usual, so that few multiprocessors take more in one launch.
struct small_clusters : gpusort::detail::tuning::sample_sort<4> {
  static constexpr int cluster_max_n = 4096;
  static constexpr int cluster_least_numbers = cluster_max_n + 1;
};

template <gpusort::detail::launches Launches, class... Numbers>
void sort_samples(std::size_t n) {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using order = gpusort::detail::by_stored_value<opaque>;
  using sort = gpusort::detail::sample_sort<array, order, Launches, Numbers...>;
  expect_sorted(random_values(n), sort::scratch_bytes(n), [n](std::uint32_t* data, void* memory) {
    sort::run(nullptr, array{data}, array{data}, n, {}, memory);
  });
}

}  // namespace sanitize
