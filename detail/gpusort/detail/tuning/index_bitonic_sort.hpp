// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of the network on indices. How large an element is, is not known.
struct index_bitonic_sort {
  // A thread does three steps on eight elements: what the first one brings to the caches the other
  // two find there.
  static constexpr int log_group = 3;
  static constexpr int step_threads = 256;

  // A tile saves launches, and its elements stay in a cache as far as they fit.
  static constexpr int items_per_tile = 2048;
  static constexpr int sort_threads = 512;
  static constexpr int merge_threads = 512;
};

/// The tuning of the network on fetched keys, of which PairBytes are held for each.
template <std::size_t PairBytes>
struct fetch_bitonic_sort {
  static constexpr int log_group = PairBytes <= 16 ? 3 : 2;
  static constexpr int step_threads = 256;

  // 32 KB of shared memory: pairs, and then 8 bytes for each to find the cycles; a slot takes
  // 16 bits.
  static constexpr int items_per_tile = PairBytes <= 8 ? 4096 : PairBytes <= 16 ? 2048 : 1024;
  static constexpr int sort_threads = items_per_tile / (PairBytes <= 8 ? 8 : 4);
  static constexpr int merge_threads = items_per_tile >> log_group;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
