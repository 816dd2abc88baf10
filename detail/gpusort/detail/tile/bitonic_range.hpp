// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>
#include <gpusort/detail/tile/indexed_elements.hpp>
#include <gpusort/detail/tile/tile_elements.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Makes `Log` steps in a row from spans of 2^log_span positions downwards, by all threads of the
/// block; where the elements are when Log is 0: then it is one step. Ends with a barrier.
template <int Log, bool Mirrored, class Array, class Index, class Compare>
GPUSORT_DEVICE void block_steps(const Array& array, Index n, int log_span, Compare& compare) {
  constexpr int log_group = Log == 0 ? 1 : Log;
  const Index groups = round_up(n, Index{1} << log_span) >> log_group;
  for (Index group = threadIdx.x; group < groups; group += blockDim.x) {
    if constexpr (Log == 0) {
      steps_in_place::run<1, Mirrored>(array, n, group, log_span, compare);
    } else {
      using element = typename Array::value_type;
      exchange_group_in_registers<false, Log, Mirrored, element>(array, n, group, log_span,
                                                                 compare);
    }
  }
  __syncthreads();
}

/// Sorts elements [0, n) of an array where they are by one block, by the bitonic network: any n for
/// which Index can count the next power of two, any number of threads, no memory besides. All
/// threads call it, after a barrier that made the elements visible. Not stable. LogGroup steps at
/// once through registers, or none when it is 0. Source: paper 004, sections 3.1.5 and 3.2.
template <int LogGroup, class Array, class Index, class Compare>
GPUSORT_DEVICE void bitonic_sort_range(const Array& array, Index n, Compare& compare) {
  constexpr int single = LogGroup == 0 ? 0 : 1;
  if (n < 2) __syncthreads();
  for (int log_run = 1; Index{1} << (log_run - 1) < n; ++log_run) {
    int log_span = log_run;
    if (LogGroup > 1 && log_span >= LogGroup) {
      block_steps<LogGroup, true>(array, n, log_span, compare);
      log_span -= LogGroup;
    } else {
      block_steps<single, true>(array, n, log_span, compare);
      --log_span;
    }
    for (; LogGroup > 1 && log_span >= LogGroup; log_span -= LogGroup) {
      block_steps<LogGroup, false>(array, n, log_span, compare);
    }
    for (; log_span > 0; --log_span) block_steps<single, false>(array, n, log_span, compare);
  }
}

/// Sorts keys, and values where they have some, where they are. MaxLogGroup: of the steps that are
/// done at once, which take registers.
template <int MaxLogGroup, class Key, class Value, class Compare>
GPUSORT_DEVICE void sort_in_place(Key* keys, Value* values, std::uint64_t n, Compare compare) {
  const auto order = known_order<Key>(compare);
  using chosen = tile_elements<Key, Value, std::decay_t<decltype(order)>, false>;
  // Larger elements are swapped where they are.
  constexpr std::size_t bytes = sizeof(typename chosen::element);
  constexpr int log_group = bytes > 32 ? 0 : min_of(bytes > 16 ? 2 : 3, MaxLogGroup);
  const auto array = chosen::at(keys, values);
  typename chosen::compare by_order{order};
  // Where 32 bits suffice they are cheaper.
  if (n <= std::uint64_t{1} << 31) {
    bitonic_sort_range<log_group>(array, static_cast<std::uint32_t>(n), by_order);
  } else {
    bitonic_sort_range<log_group>(array, n, by_order);
  }
}

/// Sorts what indices stand for.
template <class First, class Last, class Compare, class Swap>
GPUSORT_DEVICE void sort_indices(First first, Last last, Compare compare, Swap swap) {
  using index = index_t<First, Last>;
  const index begin = first, end = last;
  // Negative bounds wrap to the distance, which is positive.
  const std::uint64_t n =
      begin < end ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin) : 0;
  bitonic_sort_range<0>(indexed_elements<index, Swap>{begin, swap}, n, compare);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
