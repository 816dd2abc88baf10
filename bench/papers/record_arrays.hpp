// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <initializer_list>
#include <stdexcept>

namespace papers {

/// Tells where records of 32-bit fields are, the first of which is the key: some fields in columns,
/// the others of a record together. Source: paper 002, section III.
struct record_arrays {
  static constexpr int most_columns = 20;

  std::uint32_t* columns[most_columns];
  int column_count;
  std::uint32_t* rows;
  std::uint32_t words_per_row;  // 0: all fields are in columns

  /// Returns all fields in columns.
  static record_arrays by_field(std::uint32_t* const* columns, int fields) {
    if (fields < 1 || fields > most_columns) throw std::invalid_argument("1 to 20 columns");
    record_arrays r{};
    for (int i = 0; i < fields; ++i) r.columns[i] = columns[i];
    r.column_count = fields;
    return r;
  }
  /// Returns all fields of a record together.
  static record_arrays by_record(std::uint32_t* records, int fields) {
    record_arrays r{};
    r.rows = records;
    r.words_per_row = static_cast<std::uint32_t>(fields);
    return r;
  }
  /// Returns keys in a column, the other fields of a record together.
  static record_arrays hybrid(std::uint32_t* keys, std::uint32_t* others, int fields) {
    record_arrays r = by_field(&keys, 1);
    r.rows = others;
    r.words_per_row = static_cast<std::uint32_t>(fields - 1);
    return r;
  }

  bool keys_are_a_column() const { return column_count > 0; }
  const std::uint32_t* keys() const { return keys_are_a_column() ? columns[0] : rows; }
  std::uint32_t words_per_key() const { return keys_are_a_column() ? 1 : words_per_row; }

  /// Returns the records without the first column.
  record_arrays without_keys() const {
    record_arrays r = *this;
    r.column_count = 0;
    for (int i = 1; i < column_count; ++i) r.columns[r.column_count++] = columns[i];
    return r;
  }
};

}  // namespace papers
