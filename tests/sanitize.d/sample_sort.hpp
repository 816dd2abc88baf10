// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/sample_sort.hpp>

#include "../kit/few_sample_sort.hpp"
#include "case.hpp"

namespace sanitize {

/// Sample sort with so few ways at each level that few elements have several levels, of which
/// the first is in pages.
struct few_ways : gpusort::detail::tuning::sample_sort_of_numbers<4> {
  using usual = gpusort::detail::tuning::sample_sort_of_numbers<4>;
  struct distribution : usual::distribution {
    static constexpr int max_log_buckets = 3, tiles_per_chunk = 1, blocks_wanted = 1;
  };
  struct paging : usual::paging {
    static constexpr int max_log_buckets = distribution::max_log_buckets, least_share = 1;
  };
};

struct few_ways_without_pages : few_ways {
  struct paging : few_ways::paging {
    static constexpr bool is_used = false;
  };
};

/// Makes buckets of one level of that many elements.
template <class Tuning, int Elements>
struct with_one_level_target : Tuning {
  struct buckets : Tuning::buckets {
    static constexpr int one_level_target = Elements;
  };
};

/// Makes buckets few enough that all are long.
using long_buckets = with_one_level_target<few_ways_without_pages, 1 << 20>;

/// Makes buckets of two tiles each, as a rule.
using wide_buckets = with_one_level_target<few_ways_without_pages, 1 << 14>;

/// Long ones of elements that are compared.
struct long_compared_buckets
    : with_one_level_target<gpusort::detail::tuning::sample_sort<4>, 1 << 20> {
  struct paging : sample_sort::paging {
    static constexpr bool is_used = false;
  };
};

/// A cluster takes fewer than usual, so that few multiprocessors take more in one launch.
struct small_clusters : gpusort::detail::tuning::sample_sort<4> {
  struct cluster : sample_sort::cluster {
    static constexpr int max_n = 4096;
    static constexpr int least_numbers = max_n + 1;
  };
};

template <class Array, class Order, class... Tuning>
using sort_on_levels = gpusort::detail::sample_sort<Array, Order, Tuning...>;

inline constexpr int no_plant = 0;

/// Sorts values of which the sample of 2^log_samples has the least, so one bucket gets nearly all
/// others.
template <template <class, class, class...> class Sort, class... Tuning>
void sort_samples(std::size_t n, int log_samples = no_plant) {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using order = gpusort::detail::by_stored_value<opaque>;
  using sort = Sort<array, order, Tuning...>;
  constexpr std::uint64_t seed = 7;
  std::vector<std::uint32_t> values = random_values(n);
  if (log_samples != no_plant) {
    for (auto& value : values) value |= 0x80000000u;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << log_samples; ++i) {
      const auto index = gpusort::detail::tile::sample_index(i, log_samples, n, seed);
      values[index] = static_cast<std::uint32_t>(index);
    }
  }
  expect_sorted(values, sort::scratch_bytes(n), [n](std::uint32_t* data, void* memory) {
    const gpusort::detail::call_stream stream(nullptr, nullptr, seed);
    sort::run(stream, array{data}, array{data}, n, {}, memory);
  });
}

}  // namespace sanitize
