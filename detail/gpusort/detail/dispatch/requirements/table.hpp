// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/row_keys.hpp>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#endif

// What is refused of calls on tables, with std::invalid_argument and before anything is done.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The arrays of a call.
class table_memory {
 public:
  /// Adds a column of n > 0 rows, and refuses one that makes no sense.
  void add(const column& c, std::uint64_t n, bool is_written) {
    const std::size_t width = c.width();
    if (c.type() > column_type::record) {
      refuse("a column has an unknown type; name one of gpusort::column_type");
    }
    if (width == 0) refuse("a column has elements of 0 bytes; tell their width");
    if (width > max_column_width) {
      refuse("a column has elements of more than 60000 bytes; move indices of them");
    }
    if (c.data() == nullptr) refuse("a column has no data; pass the address of its first element");
    const bool is_number = width_of(c.type()) != 0;
    if (is_number && reinterpret_cast<std::uintptr_t>(c.data()) % width != 0) {
      refuse("a column is not aligned to its type; copy it to a multiple of its width");
    }
    if (is_written && !column_access::is_writable(c)) {
      refuse("a column that is written was made of a pointer to const; pass a pointer that is not");
    }
    add_array(c.data(), n * width, is_written);
    const bool is_bitmap = column_access::kind_of_validity(c) == validity_kind::bits;
    if (c.validity() != nullptr) {
      add_array(c.validity(), is_bitmap ? ceil_div<std::uint64_t>(n, 8) : n, is_written);
    }
  }

  template <class Index>
  void add_indices(const Index* indices, std::uint64_t n, bool is_written) {
    if (indices == nullptr) refuse("there are no indices; pass the address of the first one");
    add_array(indices, n * sizeof(Index), is_written);
  }

  void add(const table_memory& other) {
    arrays_.insert(arrays_.end(), other.arrays_.begin(), other.arrays_.end());
  }

  /// Refuses output that overlaps anything.
  void require_disjoint() {
    std::sort(arrays_.begin(), arrays_.end(),
              [](const array& a, const array& b) { return a.begin < b.begin; });
    std::uintptr_t end_of_all = 0, end_of_written = 0;
    for (const array& a : arrays_) {
      if (a.begin < (a.is_written ? end_of_all : end_of_written)) {
        refuse("two of its ranges overlap; pass ranges that share no memory");
      }
      end_of_all = (std::max)(end_of_all, a.end);
      if (a.is_written) end_of_written = (std::max)(end_of_written, a.end);
    }
  }

#if GPUSORT_CUDA
  /// Returns where all of them are: on one device, or in managed memory.
  pointer_kind owner() const {
    memory_location location;
    for (const array& a : arrays_) {
      location.add(classify_pointer(reinterpret_cast<const void*>(a.begin)));
    }
    if (location.is_staged()) {
      refuse("a column, or its validity, or indices are in host memory; copy them to the device");
    }
    return location.owner();
  }
#endif

 private:
  struct array {
    std::uintptr_t begin;
    std::uintptr_t end;
    bool is_written;
  };

  void add_array(const void* data, std::uint64_t bytes, bool is_written) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    arrays_.push_back({begin, begin + bytes, is_written});
  }

  std::vector<array> arrays_;
};

/// Returns the keys of an order of n rows, whose columns are added to `memory`.
inline row_keys keys_of(const table_order& order, std::uint64_t n, table_memory& memory) {
  row_keys keys{};
  for (const table_order::key& key : order) {
    const column& c = key.column;
    memory.add(c, n, false);
    if (c.type() == column_type::record) {
      refuse("an order has a column of records; name a type that has an order");
    }
    const std::uint64_t first = keys.bits;
    if (c.validity() != nullptr) ++keys.bits;
    keys.bits += c.type() == column_type::boolean ? 1 : 8 * c.width();
    keys.columns[keys.count++] = {static_cast<const unsigned char*>(c.data()),
                                  static_cast<const unsigned char*>(c.validity()),
                                  first,
                                  keys.bits,
                                  static_cast<std::uint32_t>(c.width()),
                                  c.type(),
                                  column_access::kind_of_validity(c),
                                  key.is_descending,
                                  key.nulls == nulls::first,
                                  key.nans};
  }
  return keys;
}

/// Checks a column that is gathered, and where to.
inline void require_same_kind(const column& in, const column& out) {
  if (in.type() != out.type() || in.width() != out.width() ||
      column_access::kind_of_validity(in) != column_access::kind_of_validity(out)) {
    refuse(
        "a column of the output has another type, width or kind of validity than that of the "
        "input; make them alike");
  }
}

/// Checks a column that is gathered, and where to, where rows may become null.
inline void require_nullable_kind(const column& in, const column& out) {
  const validity_kind kind = column_access::kind_of_validity(out);
  if (kind == validity_kind::none) {
    refuse("rows may become null, and a column of the output has no validity; give it a bitmap");
  }
  if (in.validity() != nullptr) return require_same_kind(in, out);
  require_same_kind(in, out.with_validity(static_cast<bool*>(nullptr)));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
