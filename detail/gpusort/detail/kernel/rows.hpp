// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

template <class First, class... Rest>
struct row_fields {
  First first;
  row_fields<Rest...> rest;
};
template <class Last>
struct row_fields<Last> {
  Last first;
};

template <class Field, class... Rest>
GPUSORT_DEVICE void load_row(row_fields<Field, Rest...>& row, std::uint64_t i, const Field* column,
                             const Rest*... rest) {
  row.first = column[i];
  if constexpr (sizeof...(Rest) > 0) load_row(row.rest, i, rest...);
}
template <class Field, class... Rest>
GPUSORT_DEVICE void store_row(const row_fields<Field, Rest...>& row, std::uint64_t i, Field* column,
                              Rest*... rest) {
  column[i] = row.first;
  if constexpr (sizeof...(Rest) > 0) store_row(row.rest, i, rest...);
}

/// Returns the alignment of rows, which are read in pieces of up to 16 bytes.
template <class Fields>
constexpr std::size_t row_alignment() {
  const std::size_t piece = min_of(std::size_t{1} << ceil_log2(sizeof(Fields)), 16);
  return piece < alignof(Fields) ? alignof(Fields) : piece;
}

/// Elements of columns with the same index, side by side.
template <class... Fields>
struct alignas(row_alignment<row_fields<Fields...>>()) row : row_fields<Fields...> {};

/// Packs the elements i of the columns into rows[i].
template <int ThreadsPerBlock, class... Fields>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    pack_rows_kernel(row<Fields...>* __restrict__ rows, std::uint64_t n, const Fields*... columns) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  row<Fields...> mine;
  load_row(mine, i, columns...);
  rows[i] = mine;
}

/// Gathers: the elements i of the columns become those of rows[order[i]].
template <int ThreadsPerBlock, int RowsPerThread, class Index, class... Fields>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    gather_rows_kernel(const row<Fields...>* __restrict__ rows, const Index* __restrict__ order,
                       std::uint64_t n, Fields*... columns) {
  const std::uint64_t first =
      std::uint64_t{blockIdx.x} * (ThreadsPerBlock * RowsPerThread) + threadIdx.x;
  // Past the end the last row is read again, so that no read waits for a branch.
  row<Fields...> held[RowsPerThread];
#pragma unroll
  for (int k = 0; k < RowsPerThread; ++k) {
    held[k] = rows[order[min_of(first + k * ThreadsPerBlock, n - 1)]];
  }
#pragma unroll
  for (int k = 0; k < RowsPerThread; ++k) {
    const std::uint64_t i = first + k * ThreadsPerBlock;
    if (i < n) store_row(held[k], i, columns...);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
