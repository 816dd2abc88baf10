// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/contiguous.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/support/validity.hpp>
#include <iterator>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {

/// Names what the elements of a column are.
enum class column_type : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  int128,
  uint8,
  uint16,
  uint32,
  uint64,
  uint128,
  float16,
  bfloat16,
  float32,
  float64,
  boolean,  // a byte: 0, or true
  bytes,    // strings of one width, in the order of memcmp
  record,   // anything of one width: it is moved, and has no order
};

/// Names where an order has rows without a value, in both directions.
enum class nulls : std::uint8_t { first, last };

/// Names where an order has NaNs: before or after all other values, in both directions, all of them
/// equivalent; or where less and greater have them.
enum class nans : std::uint8_t { first, last, ieee };

namespace detail {

enum class validity_kind : std::uint8_t { none, bits, bytes };

struct column_access;

/// The most bytes of an element of bytes or record.
inline constexpr std::size_t max_column_width = 60000;

/// Returns the bytes of an element; 0 for a type without a width of its own, and for no type.
constexpr std::uint32_t width_of(column_type type) {
  constexpr std::uint32_t widths[] = {1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 2, 2, 4, 8, 1};
  static_assert(std::size(widths) == static_cast<std::size_t>(column_type::boolean) + 1);
  const auto i = static_cast<std::size_t>(type);
  return i < std::size(widths) ? widths[i] : 0;
}

template <class T>
constexpr column_type column_type_of() {
  using type = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<type, bool>) {
    return column_type::boolean;
  } else if constexpr (std::is_same_v<type, __half>) {
    return column_type::float16;
  } else if constexpr (std::is_same_v<type, __nv_bfloat16>) {
    return column_type::bfloat16;
  } else if constexpr (std::is_same_v<type, float>) {
    return column_type::float32;
  } else if constexpr (std::is_same_v<type, double>) {
    return column_type::float64;
  } else if constexpr (is_integer_key_v<type>) {
    constexpr auto first = is_signed_key_v<type> ? column_type::int8 : column_type::uint8;
    auto of_size = static_cast<int>(first);
    for (std::size_t bytes = 1; bytes < sizeof(type); bytes *= 2) ++of_size;
    return static_cast<column_type>(of_size);
  } else {
    static_assert(is_trivially_relocatable_v<type>,
                  "gpusort: records of a column are moved as bytes; declare the type by "
                  "gpusort::is_trivially_relocatable, or sort indices");
    return column_type::record;
  }
}

}  // namespace detail

/// A column of a table: where its elements are, and what they are, told at run time. How many there
/// are, each call says.
///
/// A small value that owns nothing. One that is made of pointers to const can be read only.
class column {
 public:
  column() = default;

  /// @param type  what the elements are
  /// @param data  the first of them
  /// @param width  the bytes of each, of bytes and record; of other types it is ignored
  column(column_type type, void* data, std::size_t width = 0) noexcept
      : data_(data), width_(detail::width_of(type)), type_(type) {
    if (type == column_type::bytes || type == column_type::record) width_ = width;
  }
  /// @overload
  column(column_type type, const void* data, std::size_t width = 0) noexcept
      : column(type, const_cast<void*>(data), width) {
    is_writable_ = false;
  }

  /// Makes a column of elements whose type is known here: numbers, bool, or anything trivially
  /// relocatable, which is a record.
  ///
  /// @param elements  a pointer, or an iterator, to the first of contiguous elements; or a range of
  /// such, as a std::vector, which stays where it is while the column is used
  template <class Elements>
  static column of(Elements&& elements) noexcept {
    static_assert(!std::is_void_v<std::remove_pointer_t<std::decay_t<Elements>>>,
                  "gpusort: a column of void has no type; name its type");
    auto* const data = detail::contiguous_address_of(std::forward<Elements>(elements));
    using T = std::remove_pointer_t<decltype(detail::contiguous_address_of(elements))>;
    constexpr auto type = detail::column_type_of<T>();
    if constexpr (type == column_type::record) {
      return {type, data, sizeof(T)};
    } else {
      return {type, data};
    }
  }

  /// Returns the column with what tells which rows have a value.
  ///
  /// @param valid  a bitmap of words of 4 bytes or of bytes: bit i % 32 of word i / 32, which is
  /// bit i % 8 of byte i / 8, is 1 where row i has a value; or a bool for each row. Given as the
  /// elements of `of`; a null pointer: all rows have a value
  template <class Validity>
  column with_validity(Validity&& valid) const noexcept {
    auto* const first = detail::contiguous_address_of(std::forward<Validity>(valid));
    using T = std::remove_pointer_t<decltype(detail::contiguous_address_of(valid))>;
    using flag = std::remove_cv_t<T>;
    static_assert(detail::is_validity_v<T>,
                  "gpusort: validity is a bitmap of std::uint32_t or std::uint8_t, or bool");
    column with = *this;
    with.validity_kind_ = detail::validity_kind::none;
    with.validity_ = const_cast<flag*>(first);
    if (first == nullptr) return with;
    with.validity_kind_ =
        std::is_same_v<flag, bool> ? detail::validity_kind::bytes : detail::validity_kind::bits;
    with.is_writable_ = is_writable_ && !std::is_const_v<T>;
    return with;
  }

  /// @return what the elements are
  column_type type() const noexcept { return type_; }
  /// @return the bytes of an element
  std::size_t width() const noexcept { return width_; }
  /// @return the first element
  const void* data() const noexcept { return data_; }
  /// @return the bitmap or the flags; null where all rows have a value
  const void* validity() const noexcept { return validity_; }

 private:
  friend detail::column_access;

  void* data_ = nullptr;
  void* validity_ = nullptr;
  std::size_t width_ = 0;
  column_type type_ = column_type::record;
  detail::validity_kind validity_kind_ = detail::validity_kind::none;
  bool is_writable_ = true;
};

namespace detail {

/// Gives access to what of a column only the library asks for.
struct column_access {
  static void* data(const column& c) { return c.data_; }
  static unsigned char* validity(const column& c) {
    return static_cast<unsigned char*>(c.validity_);
  }
  static validity_kind kind_of_validity(const column& c) { return c.validity_kind_; }
  static bool is_writable(const column& c) { return c.is_writable_; }
};

}  // namespace detail

/// An order of rows by some columns, the first one added before all others.
class table_order {
 public:
  /// Most columns of an order.
  static constexpr int max_columns = 32;

  /// A column with its direction.
  struct key {
    gpusort::column column;
    bool is_descending = false;
    gpusort::nulls nulls = gpusort::nulls::last;
    gpusort::nans nans = gpusort::nans::ieee;
  };

  /// Adds a column.
  ///
  /// @param column  of any type but record
  /// @param is_descending  the direction
  /// @param null_rows  where rows without a value are, whatever the direction
  /// @param nan_rows  where NaNs are
  /// @return the order itself
  /// @throws std::invalid_argument  where it has max_columns already
  table_order& add(const gpusort::column& column, bool is_descending,
                   gpusort::nulls null_rows = gpusort::nulls::last,
                   gpusort::nans nan_rows = gpusort::nans::ieee) {
    const detail::public_call name("table_order");
    if (size_ == max_columns) {
      detail::refuse("an order has at most 32 columns; leave out the last ones");
    }
    keys_[static_cast<std::size_t>(size_++)] = {column, is_descending, null_rows, nan_rows};
    return *this;
  }
  /// Adds a column that counts upwards; see add.
  table_order& asc(const gpusort::column& column, gpusort::nulls null_rows = gpusort::nulls::last,
                   gpusort::nans nan_rows = gpusort::nans::ieee) {
    return add(column, false, null_rows, nan_rows);
  }
  /// Adds a column that counts downwards; see add.
  table_order& desc(const gpusort::column& column, gpusort::nulls null_rows = gpusort::nulls::last,
                    gpusort::nans nan_rows = gpusort::nans::ieee) {
    return add(column, true, null_rows, nan_rows);
  }

  /// @return how many columns it has
  int size() const noexcept { return size_; }
  /// @return the first column with its direction; others follow
  const key* begin() const noexcept { return keys_.data(); }
  /// @return after the last column
  const key* end() const noexcept { return keys_.data() + size_; }

 private:
  std::array<key, max_columns> keys_;
  int size_ = 0;
};

}  // namespace GPUSORT_ABI
}  // namespace gpusort
