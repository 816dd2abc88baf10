// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/key_bits.hpp>
#include <gpusort/detail/support/validity.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

enum class nan_order { ieee, first, last };

/// Tells the nulls of a field that has none.
struct never_null {};

/// A pointer to a member, as a function. In what nvcc makes of a kernel's arguments, the type of a
/// pointer to a member that is a class reads as a nested name (nvcc 13.0).
template <class Record, class Field>
struct member_access {
  using member_pointer = Field Record::*;  // nvcc puts others in parentheses, which gcc warns of
  member_pointer pointer;

  template <class T, std::enable_if_t<std::is_base_of_v<Record, T>, int> = 0>
  GPUSORT_HOST_DEVICE decltype(auto) operator()(const T& x) const {
    return read_member(x, pointer);
  }
};

/// A member that is known when the call is compiled, as a function. Record stands before it: where
/// a member is the first that nvcc 13.0 names of a caller's type, the code that it generates for
/// the host names that type without `::`, and means gpusort's own if there is one, such as
/// `version`.
template <class Record, auto Member>
struct fixed_member_access {
  template <class T, std::enable_if_t<std::is_invocable_v<decltype(Member), const T&>, int> = 0>
  GPUSORT_HOST_DEVICE decltype(auto) operator()(const T& x) const {
    return read_member(x, Member);
  }
};

template <class Record, class Field>
Record* record_of(Field Record::*);
void record_of(...);  // what asc<> refuses
template <auto Member>
using fixed_access =
    fixed_member_access<std::remove_pointer_t<decltype(detail::record_of(Member))>, Member>;

/// Returns what `rest` reads of what was read: by value, where that is a value itself, which ends
/// here.
template <class Rest, class T>
GPUSORT_HOST_DEVICE decltype(auto) read_again(const Rest& rest, T&& x) {
  using part = decltype(project(rest, x));
  if constexpr (std::is_lvalue_reference_v<T> || !std::is_reference_v<part>) {
    return project(rest, x);
  } else {
    using value = std::remove_cv_t<std::remove_reference_t<part>>;
    static_assert(!std::is_array_v<value>,
                  "gpusort: order_by: an array cannot be read of a member that is misaligned in a "
                  "packed record, or of what a function returns; copy the array to std::array");
    return value(project(rest, x));
  }
}

/// A member of a member: what `first` reads, then `rest` of that.
template <class First, class Rest>
struct nested_access {
  First first;
  Rest rest;

  template <class T, std::enable_if_t<std::is_invocable_v<const First&, const T&>, int> = 0>
  GPUSORT_HOST_DEVICE decltype(auto) operator()(const T& x) const {
    return read_again(rest, first(x));
  }
};

template <class Access>
GPUSORT_HOST_DEVICE constexpr Access as_function(Access access) {
  return access;
}
template <class Record, class Field, std::enable_if_t<!std::is_function_v<Field>, int> = 0>
GPUSORT_HOST_DEVICE constexpr member_access<Record, Field> as_function(Field Record::*member) {
  return {member};
}

/// Returns what nulls_first and nulls_last get: a function of a record, or a pointer to what an
/// element's index tells.
template <class IsValid>
GPUSORT_HOST_DEVICE constexpr auto as_validity(IsValid is_valid) {
  return as_function(is_valid);
}
template <class T, std::enable_if_t<std::is_object_v<T>, int> = 0>
GPUSORT_HOST_DEVICE auto as_validity(T* by_index) {
  static_assert(is_validity_v<T>,
                "gpusort: order_by: what tells nulls by an element's index is a bitmap of "
                "std::uint32_t or std::uint8_t, or bool");
  constexpr bool is_bitmap = !std::is_same_v<std::remove_cv_t<T>, bool>;
  return validity_by_index<is_bitmap>{reinterpret_cast<const unsigned char*>(by_index)};
}

template <class Access>
GPUSORT_HOST_DEVICE constexpr auto make_path(Access access) {
  return as_function(access);
}
template <class First, class Second, class... Rest>
GPUSORT_HOST_DEVICE constexpr auto make_path(First first, Second second, Rest... rest) {
  using path = decltype(make_path(second, rest...));
  return nested_access<decltype(as_function(first)), path>{as_function(first),
                                                           make_path(second, rest...)};
}

template <class Access, class T>
inline constexpr bool can_read_v =
    std::is_invocable_v<const Access&, const T&> && !std::is_member_function_pointer_v<Access>;

/// One field of an order: what is read of a record, which way it counts, and where nulls and NaNs
/// go.
template <class Access, bool Descending, nan_order Nan = nan_order::ieee, class Valid = never_null,
          bool NullsFirst = false>
struct order_field {
  Access access;
  Valid valid;

  /// Returns the field with its nulls before, or after, all others, whichever way it counts.
  /// valid(record), or the member that `valid` points at, is false where the field is null. In
  /// calls that move no elements `valid` may also point at bits, or flags, one for each element.
  template <class IsValid>
  GPUSORT_HOST_DEVICE constexpr auto nulls_first(IsValid is_valid) const {
    return with_nulls<true>(as_validity(is_valid));
  }
  template <class IsValid>
  GPUSORT_HOST_DEVICE constexpr auto nulls_last(IsValid is_valid) const {
    return with_nulls<false>(as_validity(is_valid));
  }

  /// Returns the field with NaNs, which are then equal, before or after all numbers, whichever way
  /// it counts.
  GPUSORT_HOST_DEVICE constexpr order_field<Access, Descending, nan_order::first, Valid, NullsFirst>
  nan_first() const {
    return {access, valid};
  }
  GPUSORT_HOST_DEVICE constexpr order_field<Access, Descending, nan_order::last, Valid, NullsFirst>
  nan_last() const {
    return {access, valid};
  }

 private:
  template <bool First, class IsValid>
  GPUSORT_HOST_DEVICE constexpr order_field<Access, Descending, Nan, IsValid, First> with_nulls(
      IsValid is_valid) const {
    return {access, is_valid};
  }
};

template <class T>
struct is_order_field : std::false_type {};
template <class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst>
struct is_order_field<order_field<Access, Descending, Nan, Valid, NullsFirst>> : std::true_type {};

/// A field of records of type T.
template <class Field, class T>
struct field_of;

template <class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst, class T>
struct field_of<order_field<Access, Descending, Nan, Valid, NullsFirst>, T> {
  using field = order_field<Access, Descending, Nan, Valid, NullsFirst>;
  static_assert(can_read_v<Access, T>,
                "gpusort: order_by: a field is no member of these records, nor a function of one");
  using type = std::remove_cv_t<std::remove_reference_t<decltype(project(
      std::declval<const Access&>(), std::declval<const T&>()))>>;
  static_assert(!std::is_array_v<type> || is_byte_string<type>::value,
                "gpusort: order_by: an array has no order of its own, but for one of bytes; name "
                "a member that has one, or use a comparator");
  static_assert(std::is_array_v<type> || is_trivially_relocatable_v<type>,
                "gpusort: order_by: a field must be trivially relocatable, which std::string, for "
                "one, is not; name an array of char, or sort indices by a comparator");
  static_assert(!GPUSORT_CUDA || is_type_of_device<type>::value,
                "gpusort: order_by: the device has no long double; order by double, or compile by "
                "a C++ compiler, for which calls run on the CPU");
  static constexpr bool is_nullable = !std::is_same_v<Valid, never_null>;
  static constexpr bool orders_nan = Nan != nan_order::ieee;
  static_assert(!orders_nan || is_ieee_float<type>(),
                "gpusort: order_by: nan_first and nan_last are for floating-point fields");

  /// Whether the order can be read off the field's bits, and how many there are.
  static constexpr bool is_key = key_bits<type>::value;
  static constexpr int bits = key_bits<type>::bits + is_nullable;

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const field& f, const T& record) {
    if constexpr (is_nullable) {
      const bool is_valid = is_true(project(f.valid, record));
      sink.append(static_cast<unsigned char>(is_valid == NullsFirst), 1);
      if (!is_valid) return sink.skip(key_bits<type>::bits);
    }
    append_value(sink, project(f.access, record));
  }

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  static GPUSORT_HOST_DEVICE bool before(const field& f, const T& a, const T& b) {
    if constexpr (is_nullable) {
      const bool is_a = is_true(project(f.valid, a));
      const bool is_b = is_true(project(f.valid, b));
      if (!is_a || !is_b) return NullsFirst ? !is_a && is_b : is_a && !is_b;
    }
    const type& x = project(f.access, Descending ? b : a);
    const type& y = project(f.access, Descending ? a : b);
    if constexpr (orders_nan) {
      return bits_with_nan(x) < bits_with_nan(y);
    } else {
      return field_less_than(x, y);
    }
  }

 private:
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_value(Sink& sink, const type& x) {
    if constexpr (orders_nan) {
      append_directed<Descending>(sink, bits_with_nan(x));
    } else {
      append_directed<Descending>(sink, x);
    }
  }

  /// Returns bits that no number has, below or above those of all numbers.
  static GPUSORT_HOST_DEVICE auto bits_with_nan(const type& x) {
    auto ordered = order_bits(x);
    using word = decltype(ordered);
    constexpr bool is_lowest = (Nan == nan_order::first) != Descending;
    if (!is_nan(x)) return ordered;
    return static_cast<word>(is_lowest ? word{0} : static_cast<word>(~word{0}));
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
