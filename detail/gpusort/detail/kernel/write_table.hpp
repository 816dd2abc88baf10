// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Holds as many rows of a table as the parameters of a launch hold.
template <class Row>
struct table_part {
  static constexpr int max_rows = static_cast<int>(3584 / sizeof(Row));

  raw_storage<Row> rows[max_rows];
};

template <int ThreadsPerBlock, class Row>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    write_table_kernel(Row* to, table_part<Row> part, int count) {
  for (int i = threadIdx.x; i < count; i += ThreadsPerBlock) {
    reinterpret_cast<raw_storage<Row>*>(to)[i] = part.rows[i];
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
