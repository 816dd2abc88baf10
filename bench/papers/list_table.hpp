// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace papers {

namespace detail = gpusort::detail;

/// Counts the vectors of all lists together, and those of the longest list.
struct list_totals {
  std::uint32_t vectors;
  std::uint32_t longest;
};

/// The lists that a split makes: no element of one is above an element of the next. A list begins
/// at a vector; padding of less than a vector follows its elements before the sort, and precedes
/// them after it. The last list holds the NaNs: it has no order.
struct list_table {
  std::uint32_t sorted_lists;   // all but the last
  std::uint32_t* counts;        // elements
  std::uint32_t* begins;        // in vectors
  std::uint32_t* destinations;  // of the first element in the output
  list_totals* totals;

  static list_table in_scratch(detail::scratch_cursor& cursor, std::uint32_t most_lists) {
    return {0, cursor.take<std::uint32_t>(most_lists), cursor.take<std::uint32_t>(most_lists),
            cursor.take<std::uint32_t>(most_lists), cursor.take<list_totals>(1)};
  }

  GPUSORT_HOST_DEVICE std::uint32_t lists() const { return sorted_lists + 1; }
  GPUSORT_DEVICE std::uint32_t vectors(std::uint32_t list) const {
    return detail::ceil_div(counts[list], 4u);
  }
};

/// Holds what one block has of a list where `blocks_per_list` blocks share each list.
struct list_share {
  std::uint32_t list;
  std::uint64_t first;
  std::uint64_t stride;

  GPUSORT_DEVICE explicit list_share(std::uint32_t blocks_per_list)
      : list(blockIdx.x / blocks_per_list),
        first(std::uint64_t{blockIdx.x % blocks_per_list} * blockDim.x + threadIdx.x),
        stride(std::uint64_t{blocks_per_list} * blockDim.x) {}
};

inline constexpr int table_threads = 1024;
inline constexpr int list_threads = 128;

/// Returns the blocks for each list, at most 2^16 for all lists, where the longest list needs
/// `threads_of_longest` threads. Lists may be unequal; in the paper the longest one alone decides,
/// and the other blocks end at once.
inline std::uint32_t blocks_per_list(std::uint32_t lists, std::uint32_t threads_of_longest) {
  const std::uint32_t most = detail::ceil_div(1u << 16, lists);
  const auto wanted = detail::ceil_div<std::uint32_t>(threads_of_longest, list_threads);
  return wanted == 0 ? 1 : detail::min_of(wanted, most);
}

/// Writes prefix sums of the lists' lengths, in vectors and in elements, by one block. The totals
/// are 0 before. Padding is minus infinity: it comes first, and where elements are minus infinity
/// too it does not matter which of them are padding. Source: paper 001, sections 5.1 and 6.
template <int Threads>
__global__ void __launch_bounds__(Threads) lay_out_lists_kernel(list_table table, float* elements) {
  using block_scan = cub::BlockScan<std::uint32_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  std::uint32_t vectors_before = 0, elements_before = 0;
  for (std::uint32_t first = 0; first < table.lists(); first += Threads) {
    const std::uint32_t list = first + threadIdx.x;
    const bool exists = list < table.lists();
    const std::uint32_t count = exists ? table.counts[list] : 0;
    const std::uint32_t vectors = detail::ceil_div(count, 4u);
    std::uint32_t begin, all_vectors, destination, all_elements;
    block_scan(storage).ExclusiveSum(vectors, begin, all_vectors);
    __syncthreads();
    block_scan(storage).ExclusiveSum(count, destination, all_elements);
    __syncthreads();
    if (exists) {
      begin += vectors_before;
      table.begins[list] = begin;
      table.destinations[list] = elements_before + destination;
      for (std::uint32_t slot = count; slot < 4 * vectors; ++slot) {
        elements[4 * std::uint64_t{begin} + slot] = -HUGE_VALF;
      }
      if (list < table.sorted_lists) atomicMax(&table.totals->longest, vectors);
    }
    vectors_before += all_vectors;
    elements_before += all_elements;
  }
  if (threadIdx.x == 0) table.totals->vectors = vectors_before;
}

/// Moves contiguous lists to where the table says.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    spread_lists_kernel(list_table table, std::uint32_t blocks_per_list, const float* from,
                        float* to) {
  const list_share share(blocks_per_list);
  const float* const in = from + table.destinations[share.list];
  float* const out = to + 4 * std::uint64_t{table.begins[share.list]};
  for (std::uint64_t i = share.first; i < table.counts[share.list]; i += share.stride) {
    out[i] = in[i];
  }
}

/// Moves sorted lists, without their padding, to the output. Each lies where its last merge pass
/// has left it.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    gather_lists_kernel(list_table table, std::uint32_t blocks_per_list, const float* after_even,
                        const float* after_odd, float* to) {
  const list_share share(blocks_per_list);
  const std::uint32_t count = table.counts[share.list];
  const std::uint32_t vectors = table.vectors(share.list);
  const bool is_sorted = share.list < table.sorted_lists;
  const bool is_odd = is_sorted && detail::ceil_log2(vectors) % 2 != 0;
  const std::uint32_t padding = is_sorted ? 4 * vectors - count : 0;
  const float* const in =
      (is_odd ? after_odd : after_even) + 4 * std::uint64_t{table.begins[share.list]} + padding;
  float* const out = to + table.destinations[share.list];
  for (std::uint64_t i = share.first; i < count; i += share.stride) out[i] = in[i];
}

}  // namespace papers
