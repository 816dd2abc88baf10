// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// Counting keys of KeyBytes bytes. None of these numbers is the result of a sweep.
template <std::size_t KeyBytes>
struct counting_sort;

template <>
struct counting_sort<1> {
  static constexpr int threads_per_block = 512;
  static constexpr int threads_for_few = threads_per_block;  // the same counters
  static constexpr int blocks_resident = 2;
  static constexpr int pieces_in_flight = 8;  // of 4 bytes: 32 KB for a multiprocessor
  // Up to here one block, which waits for no other.
  static constexpr std::uint64_t max_one_block_n = std::uint64_t{1} << 14;
  // Up to here one cooperative launch.
  static constexpr std::uint64_t max_one_launch_n = std::uint64_t{1} << 18;
  static constexpr std::uint64_t max_few_per_block = max_one_launch_n;
  static constexpr std::uint64_t min_keys_per_block = 4096;  // 8 bytes a thread
};

template <>
struct counting_sort<2> {
  static constexpr int threads_per_block = 1024;
  static constexpr int blocks_resident = 1;   // 128 KB of counters each
  static constexpr int pieces_in_flight = 4;  // of 16 bytes: 64 KB for a multiprocessor
  // One block has no way without totals.
  static constexpr std::uint64_t max_one_block_n = 0;
  // In one launch a block has a key for each thread; how many keys that makes, the device decides.
  static constexpr int threads_for_few = 512;
  static constexpr std::uint64_t max_few_per_block = threads_for_few;
  static constexpr std::uint64_t max_one_launch_n = ~std::uint64_t{0};
  static constexpr std::uint64_t min_keys_per_block = threads_for_few;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
