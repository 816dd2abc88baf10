// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Tables whose columns, and the order of whose rows, are known at run time only: gpusort::column,
/// gpusort::table_order, argsort_table, sort_table, gather_table, is_table_sorted.
///
/// @code
/// const auto city = gpusort::column::of(cities).with_validity(has_city);  // a bitmap
/// const auto name = gpusort::column(gpusort::column_type::bytes, names, 20);
/// gpusort::table_order order;
/// order.asc(city, gpusort::nulls::first).desc(gpusort::column::of(sales)).asc(name);
/// gpusort::argsort_table(gpusort::par_gpu, order, n, indices);
/// @endcode
///
/// Common to all calls:
/// - Columns are numbers of all types that transparent orders read, bool, byte strings of one
///   width in the order of memcmp, and, where they are only moved, records of up to 60000 bytes.
///   Byte strings and records begin at any address, numbers at a multiple of their size.
/// - Rows without a value are equivalent, and come first or last in either direction. -0.0 equals
///   +0.0; NaNs come first or last, all of them equivalent, or, by default, where less and greater
///   have them.
/// - No sort is compiled for a type of column: each row's columns are encoded into one key, whose
///   length is known at run time.
/// - With a device, columns, validity and indices are in device or managed memory of one device;
///   without one, or compiled without nvcc, the CPU does the same.
/// - Synchronization: par_gpu returns when the result is ready, par_gpu_nosync when the work is on
///   the stream, which may be under capture.
/// - Algorithms that a policy forces are of no consequence; in_place is refused, on a device; the
///   order is proved under verify.
/// - Scratch is device memory, in bytes: n is the number of rows, and K the bits of a key: 1 for
///   each bool, 8 for each byte of other columns, and 1 for each column with validity.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | columns or orders make no sense |
/// | std::invalid_argument | ranges are in host memory (with a device) or on several devices |
/// | std::invalid_argument | ranges overlap what is written |
/// | gpusort::cuda_error | CUDA reports an error |
/// | gpusort::out_of_memory | scratch cannot be allocated |
///
/// After an exception nothing has been written.
#pragma once

#include <gpusort/detail/dispatch/table.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/table.hpp>
#include <gpusort/execution_policy.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Policy>
using enable_table = std::enable_if_t<is_policy<Policy>::value, int>;

template <class Index>
inline constexpr bool is_row_index = std::is_integral_v<Index> &&
                                     (sizeof(Index) == 4 || sizeof(Index) == 8);

/// Returns the rows that a call reads.
template <class IndexIterator>
auto row_indices(IndexIterator first) {
  const auto* const indices = contiguous_address(first);
  static_assert(is_row_index<std::decay_t<decltype(*indices)>>,
                "gpusort: gather_table takes integral indices of 4 or 8 bytes");
  return indices;
}

/// The columns of a call: a pointer to the first, or an iterator of contiguous columns.
class columns_argument {
 public:
  columns_argument(const column* first) : first_(first) {}
  template <class Iterator, std::enable_if_t<is_iterator_v<Iterator>, int> = 0>
  columns_argument(Iterator first) : first_(contiguous_address(first)) {}

  operator const column*() const { return first_; }

 private:
  const column* first_;
};

}  // namespace detail

/// Writes the indices of the rows, in order.
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param order  the order of the rows; without columns they stay in theirs
/// @param n  the number of rows
/// @param out  a pointer, or an iterator, to the first of n contiguous integers of 4 or 8 bytes:
/// out[i] becomes the index of the i-th row in order
/// @par Cost
/// A sort of n numbers of 8 bytes if K + log2 n <= 64, of 16 bytes if K + log2 n <= 128; else one
/// such sort for each 128 - log2 n bits.
/// @par Stability
/// Stable.
/// @par Scratch
/// | Numbers | Bytes | At least, and slower |
/// |---|---|---|
/// | of 8 bytes | 20 n + 16 MB | 8 n |
/// | of 16 bytes | 37 n + 16 MB | 16 n |
/// | several sorts | also an index for each row | |
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated |
template <class Policy, class IndexIterator, detail::enable_table<Policy> = 0>
void argsort_table(const Policy& policy, const table_order& order, std::uint64_t n,
                   IndexIterator out) {
  const detail::public_call name("argsort_table");
  auto* const indices = detail::contiguous_address(out);
  using index = std::remove_pointer_t<decltype(detail::contiguous_address(out))>;
  static_assert(detail::is_row_index<index> && !std::is_const_v<index>,
                "gpusort: argsort_table writes integral indices of 4 or 8 bytes");
  detail::sort_row_indices(detail::call_of(policy), order, n, indices);
}

/// Puts the rows of some columns into order.
///
/// Common: see the top of this file.
///
/// @param policy  as in argsort_table, like order and n
/// @param columns  a pointer, or an iterator, to the first of contiguous columns: those that are
/// moved, with their validity; of the order, if they are to be, and any others
/// @param n_columns  how many they are
/// @pre The columns that are moved do not overlap, nor share validity.
/// @par Cost
/// As argsort_table; each column is then moved once, and copied back.
/// @par Stability
/// Stable.
/// @par Scratch
/// The larger of
/// | For | Bytes |
/// |---|---|
/// | the order | as argsort_table, and an index for each row |
/// | the move | the longest column that is moved, and an index for each row |
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated |
template <class Policy, detail::enable_table<Policy> = 0>
void sort_table(const Policy& policy, const table_order& order, detail::columns_argument columns,
                std::size_t n_columns, std::uint64_t n) {
  const detail::public_call name("sort_table");
  detail::sort_rows(detail::call_of(policy), order, columns, n_columns, n);
}

/// Copies the rows at n indices: row i of the output is row indices[i] of the input.
///
/// Common: see the top of this file. The last byte of a bitmap is filled up by zeros.
///
/// @param policy  as argsort_table
/// @param columns  the input, columns of any type with their validity
/// @param n_columns  how many they are
/// @param indices  a pointer, or an iterator, to the first of n contiguous integers of 4 or 8 bytes
/// @param n  the number of rows of the output
/// @param out_columns  n_columns columns of the input's types, widths and kinds of validity
/// @pre Indices are rows of the input; they may repeat. They are not checked: another index reads
/// outside the columns. What is written overlaps nothing that is read.
/// @par Scratch
/// None.
template <class Policy, class IndexIterator, detail::enable_table<Policy> = 0>
void gather_table(const Policy& policy, detail::columns_argument columns, std::size_t n_columns,
                  IndexIterator indices, std::uint64_t n, detail::columns_argument out_columns) {
  const detail::public_call name("gather_table");
  detail::gather_rows(detail::call_of(policy), columns, n_columns, detail::row_indices(indices), n,
                      out_columns);
}

/// @overload
/// Makes null rows of the indices that are negative or not below n_rows, the number of rows of the
/// input; the bytes of their elements are unspecified.
///
/// @param policy  as in above, like columns, n_columns, indices and n
/// @param n_rows  the number of rows of the input
/// @param out_columns  n_columns columns of the input's types and widths, each with validity: of
/// the input's kind, or of either where the input has none
/// @par Scratch
/// An index for each row of the output.
template <class Policy, class IndexIterator, detail::enable_table<Policy> = 0>
void gather_table(const Policy& policy, detail::columns_argument columns, std::size_t n_columns,
                  std::uint64_t n_rows, IndexIterator indices, std::uint64_t n,
                  detail::columns_argument out_columns) {
  const detail::public_call name("gather_table");
  detail::gather_rows_or_nulls(detail::call_of(policy), columns, n_columns, n_rows,
                               detail::row_indices(indices), n, out_columns);
}

/// Tells whether no row is before its predecessor.
///
/// Common: see the top of this file.
///
/// @param policy  as in argsort_table, like order and n
/// @return true where the rows are in order
/// @par Scratch
/// One flag.
/// @par Synchronization
/// Waits for its result under any policy.
template <class Policy, detail::enable_table<Policy> = 0>
bool is_table_sorted(const Policy& policy, const table_order& order, std::uint64_t n) {
  const detail::public_call name("is_table_sorted");
  return detail::check_rows_sorted(detail::call_of(policy), order, n);
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
