// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <iterator>
#include <ostream>

namespace gpusort {
inline namespace GPUSORT_ABI {

/// The algorithms that a call may be routed to.
enum class route {
  nothing,                    ///< fewer than two elements
  small_sort,                 ///< one block sorts everything
  counting_sort,              ///< the output is written from the counts of each key
  radix_sort,                 ///< least significant digit first, by CUB
  cluster_sample_sort,        ///< sample sort by one cluster of blocks
  single_launch_sample_sort,  ///< sample sort by all multiprocessors in one cooperative launch
  sample_sort,                ///< levels of distribution by sampled splitters, then buckets
  lean_sample_sort,           ///< the same with less scratch: no bucket ids are stored
  quicksort,     ///< parts about a pivot, by many blocks, then by one; a warp sort for each
  merge_sort,    ///< sorted tiles, merged up to 64 at a time; stable
  bitonic_sort,  ///< a network, in place
  host_sort,     ///< merge sort on the CPU
};

inline const char* name_of(route r) {
  constexpr const char* names[] = {
      "nothing to do", "small_sort",          "counting_sort",
      "radix_sort",    "cluster_sample_sort", "single_launch_sample_sort",
      "sample_sort",   "lean_sample_sort",    "quicksort",
      "merge_sort",    "bitonic_sort",        "host_sort"};
  static_assert(std::size(names) == static_cast<std::size_t>(route::host_sort) + 1);
  const auto i = static_cast<std::size_t>(r);
  return i < std::size(names) ? names[i] : "unknown";
}

/// Names how the kernels of a route are launched.
enum class launch_strategy {
  none,                    ///< nothing is launched on a device
  one_block,               ///< one launch of one block
  one_cluster,             ///< one launch of one cluster of blocks
  one_cooperative_launch,  ///< one launch, whose blocks wait for each other
  count_and_fill,     ///< one launch for few elements, for more one that counts and one that fills
  levels_of_buckets,  ///< launches for each level of buckets, then those that sort buckets
  levels_of_parts,    ///< launches for each level of parts about a pivot
  passes_of_merging,  ///< launches that sort tiles, then those of each pass
  steps_of_network,   ///< a launch for each step of a network, or for several
  passes_of_digits,   ///< the launches of a radix sort for each digit
};

/// Returns what is launched, in words that "in" may precede.
inline const char* name_of(launch_strategy s) {
  constexpr const char* names[] = {
      "no launch",
      "one launch of one block",
      "one launch of a cluster of blocks",
      "one cooperative launch",
      "one launch, or one that counts and one that fills",
      "up to four launches for each level of buckets and up to two that sort these",
      "two launches for each level of parts and two more",
      "up to two launches for runs and up to four for each pass that merges them",
      "a launch for each step of a network, or for several steps",
      "the launches of CUB's radix sort, or two that partition bools"};
  static_assert(std::size(names) ==
                static_cast<std::size_t>(launch_strategy::passes_of_digits) + 1);
  const auto i = static_cast<std::size_t>(s);
  return i < std::size(names) ? names[i] : "unknown";
}

/// Tells what a sort launches: for its route, and before and after that.
struct launch_plan {
  const char* before = "";  ///< what launches of their own do first; empty where there are none
  launch_strategy sort = launch_strategy::none;
  const char* after = "";  ///< and last
};

inline std::ostream& operator<<(std::ostream& out, const launch_plan& l) {
  out << name_of(l.sort);
  if (l.before[0] != '\0') out << ", after " << l.before;
  if (l.after[0] != '\0') out << ", before " << l.after;
  return out;
}

/// Tells where the kernels of a sort were compiled.
enum class code_origin {
  program,  ///< with the program that calls it
  library,  ///< in the library that gpusort::gpusort links
};

/// Estimates what a sort takes on an H100, elements on the device, scratch at hand. Other devices
/// have other rates; which of two ways takes less is mostly the same.
struct cost_estimate {
  const char* what = "";          ///< what is moved, and by what it is sorted; empty: not estimated
  double microseconds = 0;        ///< the longer time of random keys and of 10^6 different ones
  std::uint64_t bytes_moved = 0;  ///< read and written
};

/// Tells what a call will do, as far as the host knows before it runs.
struct plan {
  route algorithm = route::nothing;
  const char* reason = "";        ///< why, in a sentence
  int passes = 0;                 ///< how often the elements are moved through memory
  std::size_t scratch_bytes = 0;  ///< device memory the route takes besides the range
  cost_estimate estimate{};       ///< of the route
  cost_estimate next_best{};      ///< of the best other way to sort the same elements
  launch_plan launches{};         ///< how kernels are launched
  code_origin compiled_in = code_origin::program;  ///< where the kernels come from
  bool is_for_older_device = false;  ///< they were compiled for an older one than it is
};

namespace detail {

/// Prints in microseconds up to a millisecond, then in milliseconds with one digit after the point.
struct printed_time {
  double microseconds;
  friend std::ostream& operator<<(std::ostream& out, const printed_time& t) {
    if (t.microseconds < 999.5)
      return out << static_cast<std::uint64_t>(t.microseconds + 0.5) << " us";
    const auto tenths = static_cast<std::uint64_t>(t.microseconds / 100 + 0.5);
    return out << tenths / 10 << '.' << tenths % 10 << " ms";
  }
};

}  // namespace detail

inline std::ostream& operator<<(std::ostream& out, const plan& p) {
  out << name_of(p.algorithm) << ": " << p.reason << "; passes " << p.passes << ", scratch "
      << p.scratch_bytes << " bytes";
  if (p.launches.sort != launch_strategy::none) {
    out << "; in " << p.launches << "; compiled in "
        << (p.compiled_in == code_origin::library ? "gpusort's library" : "the program");
    if (p.is_for_older_device) out << ", for an older device";
  }
  if (p.estimate.what[0] == '\0') return out;
  out << "; " << p.estimate.what << ": about " << detail::printed_time{p.estimate.microseconds};
  if (p.next_best.what[0] == '\0') return out;
  return out << ", next best: " << p.next_best.what << ", "
             << detail::printed_time{p.next_best.microseconds};
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
