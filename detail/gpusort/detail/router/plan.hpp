// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>
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
  switch (r) {
    case route::nothing:
      return "nothing to do";
    case route::small_sort:
      return "small_sort";
    case route::counting_sort:
      return "counting_sort";
    case route::radix_sort:
      return "radix_sort";
    case route::cluster_sample_sort:
      return "cluster_sample_sort";
    case route::single_launch_sample_sort:
      return "single_launch_sample_sort";
    case route::sample_sort:
      return "sample_sort";
    case route::lean_sample_sort:
      return "lean_sample_sort";
    case route::quicksort:
      return "quicksort";
    case route::merge_sort:
      return "merge_sort";
    case route::bitonic_sort:
      return "bitonic_sort";
    case route::host_sort:
      return "host_sort";
  }
  return "unknown";
}

/// What a call will do, as far as the host knows before it runs.
struct plan {
  route algorithm = route::nothing;
  const char* reason = "";        ///< why, in a sentence
  int passes = 0;                 ///< how often the elements are moved through memory
  std::size_t scratch_bytes = 0;  ///< device memory the route takes besides the range
};

inline std::ostream& operator<<(std::ostream& out, const plan& p) {
  return out << name_of(p.algorithm) << ": " << p.reason << "; passes " << p.passes << ", scratch "
             << p.scratch_bytes << " bytes";
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
