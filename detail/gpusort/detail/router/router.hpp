// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/router/problem.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/merge_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// The most elements that sample sort's routes for few elements take on a device.
struct one_launch_limits {
  std::uint64_t cluster = any_n;
  std::uint64_t single_launch = any_n;
};

/// Abilities of the device for this call. By default it does everything, and indices are not
/// carried.
struct abilities {
  one_launch_limits one_launch;
  one_launch_limits one_launch_with_indices{0, 0};
  bool can_count = true;  // there is shared memory for the counters
  // Shared memory of a block that tiles are tuned for.
  std::size_t block_bytes = shared_memory_per_block();
};

struct decision {
  route algorithm;
  const char* reason;
  bool with_indices = false;  // of few elements, so that ties are decided by index
  bool infers_key = false;    // first; the route then sorts what that has not put in order
};

/// A row of the table of routes.
struct route_row {
  route algorithm;
  launch_strategy launched_as;
  /// Whether some n of a problem may lead to it. It is compiled for no other problem.
  bool (*serves)(const problem&);
  /// The largest n for which the row is taken, if no row above it is.
  std::uint64_t (*max_n)(const problem&, const abilities&);
  /// The route to try when the allocation of its scratch fails; if that one does not serve the
  /// problem, its own successor follows.
  route without_scratch;
  /// The number of passes over n elements whose keys have `digits` digits of 8 bits.
  int (*passes)(std::uint64_t n, int digits);
  const char* (*reason)(const problem&, std::uint64_t n);
};

/// Whether buckets are tried before a radix sort, or alone.
constexpr bool may_sample(const problem& p) {
  if (may_count(p)) return false;
  if (p.forced == route::sample_sort) return true;
  if (order_of(p) != order_kind::opaque) return max_n_compared(p) > 0;
  return !p.stable || layout_of(p) != layout::elements;
}

constexpr bool may_radix_sort(const problem& p) {
  if (p.forced == route::radix_sort) return true;
  if (may_count(p)) return is_two_byte_keys(p);  // where the device cannot count them
  return order_of(p) != order_kind::opaque && max_n_compared(p) != any_n;
}

/// Whether radix sort takes over where sample sort needs more than one launch.
constexpr bool needs_one_launch_only(const problem& p) {
  return p.only_one_launch || (p.forced == route::nothing && may_radix_sort(p) && may_sample(p) &&
                               max_n_compared(p) < min_radix_n);
}

// Quicksort's pieces of elements of 4 bytes, and merge sort's runs of 8 bytes, by which passes are
// counted; those of other sizes are alike. tuning/quicksort.hpp includes tile primitives, which the
// router must not see; tests/routing/test_tuning_cpu.cu compares its piece_items with this number.
inline constexpr std::uint64_t quicksort_piece = 6432;
using merge_sort_tuning = tuning::merge_sort<8>;
inline constexpr std::uint64_t merge_sort_run =
    merge_sort_tuning::threads_per_block * merge_sort_tuning::items_per_thread;
inline constexpr int log_merged_runs = merge_sort_tuning::pass::max_log_ways;

/// Returns the largest n of small_sort where others take more, and else what one block holds.
constexpr std::uint64_t max_n_in_one_block(const problem& p, const abilities& device) {
  const std::uint64_t most = max_tile_items(tile_element_bytes(p), device.block_bytes);
  const bool has_rival = may_sample(p) || may_count(p);
  const bool are_records_elsewhere =
      layout_of(p) == layout::indices && p.key_bytes > max_element_bytes;
  if (has_rival && are_records_elsewhere && order_of(p) == order_kind::opaque &&
      device.one_launch.cluster > max_small_indices) {
    return max_small_indices;
  }
  return has_rival && small_sort_limit(p) < most ? small_sort_limit(p) : most;
}

constexpr std::uint64_t at_most_compared(const problem& p, std::uint64_t n) {
  const std::uint64_t most = p.forced == route::nothing ? max_n_compared(p) : any_n;
  return n < most ? n : most;
}

constexpr std::uint64_t always(const problem&, const abilities&) { return any_n; }
constexpr int one_pass(std::uint64_t, int) { return 1; }
constexpr int passes_by_levels(std::uint64_t n, int) { return 1 + ceil_log2(n) / 10; }

constexpr const char* reason_to_compare(const problem& p, std::uint64_t n) {
  if (is_direct(p) && !infers_key(p, n)) {
    return "elements so short are moved in less time than keys and indices are sorted";
  }
  if (infers_key(p, n)) {
    return "the order is known by comparisons only; the word that it seems to follow is tried "
           "first";
  }
  if (order_of(p) == order_kind::opaque) return "the order is known by comparisons only";
  if (order_of(p) == order_kind::encoded && is_wide_key(p)) {
    return "keys of more than 128 bits are compared word by word";
  }
  if (order_of(p) == order_kind::encoded ? p.key_bits > 32 : max_n_compared(p) == any_n) {
    return "buckets take fewer passes than a radix sort of these keys";
  }
  return "for so few elements buckets beat a radix sort's passes";
}

/// Whether merge sort, with one copy of the elements, takes over where sample sort lacks scratch.
constexpr bool merges_for_want_of_scratch(const problem& p) {
  return p.forced == route::nothing && !p.stable && layout_of(p) == layout::elements &&
         may_sample(p) && !needs_one_launch_only(p) && !may_radix_sort(p);
}

/// The table: the first row that serves a problem and takes n elements is its route. The constants
/// of problem.hpp carry the measurements.
inline constexpr route_row routes[] = {
    {route::small_sort, launch_strategy::one_block,
     [](const problem& p) {
       return may_count(p) ? is_two_byte_keys(p) : order_of(p) != order_kind::encoded;
     },
     max_n_in_one_block, route::bitonic_sort, one_pass,
     [](const problem&, std::uint64_t) { return "it fits in one block's shared memory"; }},
    {route::counting_sort, launch_strategy::count_and_fill, may_count,
     [](const problem&, const abilities& device) { return device.can_count ? any_n : 0; },
     route::bitonic_sort, one_pass,
     [](const problem&, std::uint64_t) {
       return "there are so few values that the keys of each are counted";
     }},
    {route::cluster_sample_sort, launch_strategy::one_cluster, may_sample,
     [](const problem& p, const abilities& device) {
       return at_most_compared(p, device.one_launch.cluster);
     },
     route::radix_sort, passes_by_levels, reason_to_compare},
    {route::single_launch_sample_sort, launch_strategy::one_cooperative_launch, may_sample,
     [](const problem& p, const abilities& device) {
       return at_most_compared(p, device.one_launch.single_launch);
     },
     route::radix_sort, passes_by_levels, reason_to_compare},
    {route::sample_sort, launch_strategy::levels_of_buckets,
     [](const problem& p) { return may_sample(p) && !needs_one_launch_only(p); },
     [](const problem& p, const abilities&) { return at_most_compared(p, any_n); },
     route::lean_sample_sort, passes_by_levels, reason_to_compare},
    // Its second classification of each element makes it slower: only for want of scratch.
    {route::lean_sample_sort, launch_strategy::levels_of_buckets,
     [](const problem& p) { return is_keys_only_arithmetic(p, 4) && p.forced == route::nothing; },
     [](const problem&, const abilities&) { return std::uint64_t{0}; }, route::radix_sort,
     passes_by_levels, reason_to_compare},
    {route::radix_sort, launch_strategy::passes_of_digits, may_radix_sort, always,
     route::merge_sort, [](std::uint64_t, int digits) { return digits; },
     [](const problem& p, std::uint64_t n) {
       return needs_one_launch_only(p) && n < min_radix_n
                  ? "sample sort would take several launches on this device"
                  : "the order can be read off the bits of the keys";
     }},
    // 2.3 to 4 times sample sort's time (docs/decisions, 7).
    {route::quicksort, launch_strategy::levels_of_parts,
     [](const problem& p) { return p.forced == route::quicksort; }, always, route::bitonic_sort,
     [](std::uint64_t n, int) {
       return n > quicksort_piece ? 1 + ceil_log2(n / quicksort_piece) : 1;
     },
     [](const problem&, std::uint64_t) { return "the policy forces it"; }},
    {route::merge_sort, launch_strategy::passes_of_merging,
     [](const problem& p) {
       return p.forced == route::merge_sort || merges_for_want_of_scratch(p) ||
              (order_of(p) == order_kind::opaque && p.stable && layout_of(p) == layout::elements);
     },
     [](const problem& p, const abilities&) { return p.stable ? any_n : 0; }, route::bitonic_sort,
     [](std::uint64_t n, int) {
       return 1 + ceil_div(ceil_log2(ceil_div(n, merge_sort_run)), log_merged_runs);
     },
     [](const problem&, std::uint64_t) {
       return "the order is known by comparisons only, and the sort is stable";
     }},
    {route::bitonic_sort, launch_strategy::steps_of_network,
     [](const problem& p) { return !p.stable; }, always, route::nothing, one_pass,
     [](const problem&, std::uint64_t) { return "in_place forbids scratch"; }},
};

inline constexpr int no_row = static_cast<int>(sizeof(routes) / sizeof(routes[0]));

/// Returns the number of a route's row, or no_row.
constexpr int row_of(route r) {
  int row = 0;
  while (row < no_row && routes[row].algorithm != r) ++row;
  return row;
}

/// Returns the route that a policy forces by a name that stands for several.
constexpr route family_of(route r) {
  return r == route::cluster_sample_sort || r == route::single_launch_sample_sort ||
                 r == route::lean_sample_sort
             ? route::sample_sort
             : r;
}

/// Tells whether a route is for so few elements that their indices have 4 bytes.
constexpr bool is_for_few(route r) {
  return r == route::small_sort || r == route::cluster_sample_sort ||
         r == route::single_launch_sample_sort;
}

/// Whether more elements may take a route than indices of 4 bytes tell apart.
constexpr bool takes_many(const problem& p, route r) {
  if (r == route::sample_sort && p.forced == route::nothing) {
    return max_n_compared(p) > max_narrow_index;
  }
  return !is_for_few(r);
}

/// Tells whether a route may be taken for some n: no other one is compiled. The one in place serves
/// also where no scratch can be allocated.
constexpr bool may_take(const problem& p, route r) {
  const int row = row_of(r);
  if (row == no_row || !routes[row].serves(p)) return false;
  if (r == route::bitonic_sort) return true;
  return !p.in_place && (p.forced == route::nothing || p.forced == family_of(r));
}

/// Returns the first row that takes n elements, or no_row.
constexpr int first_row(const problem& p, std::uint64_t n, const abilities& device) {
  const bool is_bounded = p.forced == route::nothing || p.forced == route::sample_sort;
  int row = 0;
  while (row < no_row && !(may_take(p, routes[row].algorithm) &&
                           n <= (is_bounded ? routes[row].max_n(p, device) : any_n))) {
    ++row;
  }
  return row;
}

/// Returns the route for n elements of a problem on a device.
constexpr decision choose(const problem& p, std::uint64_t n, const abilities& device = {}) {
  if (n < 2) return {route::nothing, "fewer than two elements are sorted"};
  if (p.in_place) return {route::bitonic_sort, "in_place forbids scratch"};
  if (may_carry_indices(p) && n > max_n_without_indices) {
    abilities few{};
    few.one_launch = device.one_launch_with_indices;
    few.block_bytes = device.block_bytes;
    const int row = first_row(with_indices(p), n, few);
    if (row != no_row) {
      return {routes[row].algorithm, "few elements are sorted sooner with their indices", true};
    }
  }
  const int row = first_row(p, n, device);
  if (row == no_row) return {p.forced, "the policy forces it"};  // which will be refused
  const char* const reason =
      p.forced != route::nothing ? "the policy forces it" : routes[row].reason(p, n);
  return {routes[row].algorithm, reason, false, infers_key(p, n)};
}

/// Returns the decision to try when the allocation of another one's scratch has failed;
/// route::nothing when none is left.
constexpr decision without_scratch(const problem& p, std::uint64_t n, const abilities& device,
                                   decision failed) {
  if (failed.with_indices) {
    abilities without = device;
    without.one_launch_with_indices = {0, 0};
    return choose(p, n, without);
  }
  if (failed.infers_key) return {failed.algorithm, failed.reason};
  route next = failed.algorithm;
  do {
    next = routes[row_of(next)].without_scratch;
  } while (next != route::nothing && !may_take(p, next));
  return {next, "the scratch of a faster route cannot be had"};
}

constexpr launch_strategy launched_as(route r) {
  return r == route::nothing ? launch_strategy::none : routes[row_of(r)].launched_as;
}

constexpr int passes(route r, std::uint64_t n, int digits) {
  return r == route::nothing ? 0 : routes[row_of(r)].passes(n, digits);
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
