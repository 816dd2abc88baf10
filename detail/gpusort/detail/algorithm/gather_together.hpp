// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/rows.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Puts several columns into an order together: packed into rows, they take one random read for
/// each element in place of one for each column.
///
/// Scratch: a row for each element. Launches: 2. No synchronization; capturable. Source: paper 002
/// (its question, columns or records, within one call).
template <class Index, class... Fields>
class gather_together {
  using row = kernel::row<stored_t<Fields>...>;

  // Half of the 50 MB of an H100: the indices pass through it too. By estimate; measured at 2^20
  // and 2^24 elements of 4 bytes, on both sides of it.
  static constexpr double least_column_bytes = 25e6;

 public:
  /// Whether rows are short: packing moves each byte twice more, which longer rows would not get
  /// back by fewer random reads. The limit is by estimate.
  static constexpr bool is_possible() {
    if constexpr (sizeof...(Fields) < 2) {
      return false;
    } else {
      return sizeof(row) <= 32;
    }
  }

  /// Whether columns are so long, on average, that the cache cannot hold what is read of one at
  /// random.
  static constexpr bool serves(std::uint64_t n) {
    return static_cast<double>(n) * (0 + ... + sizeof(Fields)) / sizeof...(Fields) >=
           least_column_bytes;
  }

  static std::size_t scratch_bytes(std::uint64_t n) {
    return static_cast<std::size_t>(n) * sizeof(row);
  }

  /// Makes columns[i] what columns[order[i]] was, in each column.
  static void run(cudaStream_t stream, const Index* order, std::uint64_t n, void* scratch,
                  Fields*... columns) {
    if (n == 0) return;
    constexpr int threads = 256;
    constexpr int rows_per_thread = 4;  // random reads wait for memory; how many is by estimate
    auto* const rows = static_cast<row*>(scratch);
    launch(kernel::pack_rows_kernel<threads, stored_t<Fields>...>,
           ceil_div<std::uint64_t>(n, threads), threads, 0, stream, rows, n,
           reinterpret_cast<const stored_t<Fields>*>(columns)...);
    launch(kernel::gather_rows_kernel<threads, rows_per_thread, Index, stored_t<Fields>...>,
           ceil_div<std::uint64_t>(n, threads * rows_per_thread), threads, 0, stream,
           static_cast<const row*>(rows), order, n,
           reinterpret_cast<stored_t<Fields>*>(columns)...);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
