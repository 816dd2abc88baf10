// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>

#include "sizes.hpp"
#include "subject.hpp"

// Sample sort whose first level is in pages, of fewer elements than have such a level by default.

namespace kit {

/// Pages of few tiles: many of them, of fewer elements than would have as many.
template <class Tuning, int Tiles>
struct small_pages : Tuning {
  struct distribution : Tuning::distribution {
    static constexpr int max_log_buckets = device_is_cpu ? 3 : 5;
    static constexpr int tiles_per_chunk = Tiles;
  };
  struct paging : Tuning::paging {
    static constexpr int max_log_buckets = distribution::max_log_buckets;
  };
};

template <class T, class Tuning, class Compare>
struct paged_sort {
  using array = gpusort::detail::key_array<T>;
  using order = gpusort::detail::by_stored_value<Compare>;
  using algorithm = gpusort::detail::sample_sort<array, order, Tuning>;
  static constexpr std::size_t page =
      Tuning::distribution::items_per_tile * Tuning::distribution::tiles_per_chunk;
  static constexpr std::size_t least_n = (page * Tuning::paging::least_share)
                                         << Tuning::distribution::max_log_buckets;

  static void run(const buffer<T>& in, const buffer<T>& out, Compare compare, void* scratch,
                  const gpusort::detail::kernel::sortedness& known = {},
                  gpusort::detail::kernel::predicate gate = {}) {
    algorithm::run(nullptr, array{in.begin()}, array{out.begin()}, in.size(), {compare}, scratch,
                   known, gate);
  }

  /// Checks from one range to another, then in place, with what the first sort has left in the
  /// scratch.
  static void check(const column<T>& input, Compare compare, promise promised) {
    const buffer<unsigned char> scratch(algorithm::scratch_bytes(input.size()), 0);
    const buffer<T> in(input, 3), out(input.size(), 3);
    for (const buffer<T>* to : {&out, &in}) {
      run(in, *to, compare, scratch.data());
      const findings f = examine(input, to->read(), compare, promised);
      ASSERT_TRUE(f.ok() && to->intact()) << "n = " << input.size() << ": " << f;
    }
  }
};

template <class T, class Tuning, class Compare>
void sort_in_pages(Compare compare) {
  using sort = paged_sort<T, Tuning, Compare>;
  for (std::size_t n : {sort::least_n, sort::least_n + 1, sort::least_n + 41 * sort::page - 1}) {
    if (small_sizes_only() && n % sort::page != 1) continue;
    int seen = 0;
    for (distribution d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                           distribution::staggered, distribution::all_equal, distribution::reverse,
                           distribution::almost_sorted, distribution::two_alternating,
                           distribution::organ_pipe, distribution::special}) {
      if (device_is_cpu && ++seen > 4) break;
      SCOPED_TRACE(name_of(d));
      sort::check(generate<T>(d, n, seed()), compare, promise::order);
    }
  }
}

}  // namespace kit
