// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/member.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells which member an access reads of elements of type T, if it is a number that pointers name,
/// and returns the bytes before it.
template <class Access, class T>
struct number_named : std::false_type {};
template <class Record, class Field, class T>
struct number_named<Field Record::*, T> : std::bool_constant<!std::is_function_v<Field>> {
  using type = std::remove_cv_t<Field>;
  static std::size_t offset(Field Record::*member) { return offset_of_member<T, Field>(member); }
};
template <class Record, class Field, class T>
struct number_named<member_access<Record, Field>, T> : number_named<Field Record::*, T> {
  static std::size_t offset(const member_access<Record, Field>& access) {
    return number_named<Field Record::*, T>::offset(access.pointer);
  }
};
template <class Record, class Field, class Rest, class T>
struct number_named<nested_access<member_access<Record, Field>, Rest>, T>
    : number_named<Rest, std::remove_cv_t<Field>> {
  using rest = number_named<Rest, std::remove_cv_t<Field>>;
  static std::size_t offset(const nested_access<member_access<Record, Field>, Rest>& access) {
    return number_named<member_access<Record, Field>, T>::offset(access.first) +
           rest::offset(access.rest);
  }
};

/// Reads the number that an element begins with.
template <class Number>
struct first_number {
  template <class T>
  GPUSORT_HOST_DEVICE Number operator()(const T& x) const {
    raw_storage<Number> bytes;
    memcpy(&bytes, &x, sizeof(Number));
    return reinterpret_cast<const Number&>(bytes);
  }
};
template <class Number>
inline constexpr bool has_fixed_offsets_v<first_number<Number>> = true;

/// An order by one number that pointers name: how elements are ordered that begin with it.
template <class Compare, class T>
struct order_by_number_named : std::false_type {};
template <class Access, bool Descending, nan_order Nan, bool NullsFirst, class T>
struct order_by_number_named<
    ordered_by<order_field<Access, Descending, Nan, never_null, NullsFirst>>, T>
    : number_named<Access, T> {
  using named = number_named<Access, T>;
  template <class Number>
  using order = ordered_by<order_field<first_number<Number>, Descending, Nan>>;

  static std::size_t offset(
      const ordered_by<order_field<Access, Descending, Nan, never_null, NullsFirst>>& order) {
    return named::offset(order.fields.first.access);
  }
};
template <class Inner, class Projection, class T>
struct order_by_number_named<projected<Inner, Projection>, T>
    : std::bool_constant<is_less_or_greater_v<Inner> && number_named<Projection, T>::value> {
  using named = number_named<Projection, T>;
  template <class Number>
  using order = ordered_by<order_field<first_number<Number>, std::is_same_v<Inner, greater>>>;

  static std::size_t offset(const projected<Inner, Projection>& order) {
    return named::offset(order.projection);
  }
};

/// A record of whole words, moved round until it begins with the number that orders it.
template <std::size_t Bytes, std::size_t Alignment>
struct alignas(Alignment) rotated_record {
  std::uint32_t words[Bytes / 4];
};

/// Moves records round by a number of bytes that is known when a sort runs: what a kernel reads
/// afterwards it reads at a fixed offset, so that records stay in registers.
template <std::size_t Bytes, std::size_t Alignment>
struct rotation {
  using word = rotated_record<Bytes, Alignment>;

  std::uint32_t offset = 0;  // of the number

  GPUSORT_HOST_DEVICE word encode(const word& record) const { return rotated(record, offset); }
  GPUSORT_HOST_DEVICE word decode(const word& held) const {
    return rotated(held, static_cast<std::uint32_t>(Bytes) - offset);
  }

 private:
  static constexpr int words = Bytes / 4;

  static GPUSORT_HOST_DEVICE word rotated(word x, std::uint32_t bytes) {
    for (int step = 1; step < 2 * words; step *= 2) {
      if ((bytes / 4 & step) != 0) x = with_words_from(x, step);
    }
    word result;
    for (int j = 0; j < words; ++j) {
      const std::uint64_t two = std::uint64_t{x.words[(j + 1) % words]} << 32 | x.words[j];
      result.words[j] = static_cast<std::uint32_t>(two >> 8 * (bytes % 4));
    }
    return result;
  }

  static GPUSORT_HOST_DEVICE word with_words_from(const word& x, int first) {
    word result;
    for (int j = 0; j < words; ++j) result.words[j] = x.words[(j + first) % words];
    return result;
  }
};

/// Whether elements of type T are held rotated under an order: where a run-time offset would force
/// them into local memory.
template <class T, class Compare, class = void>
inline constexpr bool is_rotatable_v = false;
template <class T, class Compare>
inline constexpr bool
    is_rotatable_v<T, Compare, std::enable_if_t<order_by_number_named<Compare, T>::value>> =
        is_arithmetic_key_v<typename order_by_number_named<Compare, T>::named::type> &&
        !is_bool_v<typename order_by_number_named<Compare, T>::named::type> && sizeof(T) % 4 == 0 &&
        alignof(T) % 4 == 0;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
