// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <gpusort/detail/kernel/write_table.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Copies a table of the host's to the device as parameters of launches: it may be gone when this
/// returns, and a graph under capture keeps it.
template <class Row>
void write_table(cudaStream_t stream, const Row* rows, std::size_t count, Row* to) {
  using part = kernel::table_part<Row>;
  for (std::size_t first = 0; first < count; first += part::max_rows) {
    const int taken = static_cast<int>(min_of<std::size_t>(part::max_rows, count - first));
    part carried{};
    std::memcpy(carried.rows, static_cast<const void*>(rows + first), taken * sizeof(Row));
    constexpr int threads = 128;  // the rows of a part are about as many
    launch(kernel::write_table_kernel<threads, Row>, 1, threads, 0, stream, to + first, carried,
           taken);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
