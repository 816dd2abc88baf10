// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of bitonic sort for elements of one size.
template <std::size_t ElementBytes>
struct bitonic_sort {
  // Elements that a thread can hold several of go through registers and shared memory; larger ones
  // are compared and swapped where they are.
  static constexpr bool in_registers = ElementBytes <= 32;

  // Steps of the network done at once on 2^log_group elements of one thread, in 16 to 64 registers.
  // A pass of them over 4-byte elements takes as long as a copy. Five steps for those would take 7%
  // less time for 2^24 and no less for 2^20, and make an object with one sort, which all carry this
  // one, 18% larger.
  static constexpr int log_group = !in_registers ? 1 : ElementBytes <= 8 ? 4 : 3;

  // Threads that hold many registers come in smaller blocks, of which more fit.
  static constexpr int step_threads = in_registers && ElementBytes > 8 ? 64 : 256;

  // Tiles of 16 to 48 KB of shared memory: a doubling saves one pass in each phase, and makes a
  // sort of few elements, which one block then does, slower: of 4-byte keys tiles of 8192 take
  // 7% less time for 2^24 and 28% more for 2^12. In place a tile only saves launches.
  static constexpr int items_per_tile = !in_registers        ? 1024
                                        : ElementBytes <= 8  ? 4096
                                        : ElementBytes <= 16 ? 2048
                                                             : 1024;
  static constexpr int sort_threads = 512;

  // A thread of a merge holds one group of elements.
  static constexpr int merge_threads = in_registers ? items_per_tile >> log_group : sort_threads;

  static_assert(items_per_tile >= 1 << log_group, "steps may reach into a tile, not beyond it");
};

/// The numbers of the network that does one step at a time.
struct single_steps {
  static constexpr int log_group = 1;
  static constexpr int step_threads = 256;
  static constexpr int items_per_tile = 1;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
