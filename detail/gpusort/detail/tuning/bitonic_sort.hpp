// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of bitonic sort for elements of one size.
template <std::size_t ElementBytes>
struct bitonic_sort {
  // Elements that a thread can hold several of go through registers and shared memory; larger ones
  // are compared and swapped where they are.
  static constexpr bool in_registers = ElementBytes <= 32;

  // Steps of the network done at once on 2^log_group elements of one thread: 32 registers of
  // elements at most.
  static constexpr int log_group = !in_registers ? 1 : ElementBytes <= 16 ? 3 : 2;

  // Tiles of 16 to 40 KB of shared memory: a doubling saves one pass in each phase. In place a tile
  // only saves launches. Elements of 32 bytes take 48 where they must be aligned to 16.
  static constexpr int threads_per_block = in_registers && ElementBytes > 16 ? 256 : 512;
  static constexpr int items_per_thread = in_registers && ElementBytes <= 8    ? 8
                                          : in_registers && ElementBytes <= 16 ? 4
                                                                               : 2;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  static constexpr int step_threads = 256;

  static_assert(items_per_tile >= 1 << log_group, "steps may reach into a tile, not beyond it");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
