// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One member of an order: where it is in a record, and which way it counts.
template <class Record, class Field, bool Descending>
struct order_field {
  static_assert(!std::is_array_v<Field>,
                "gpusort::order_by: an array has no order of its own; name "
                "a member that has one, or use a comparator");
  using field_type = std::remove_cv_t<Field>;
  static constexpr bool is_key = is_arithmetic_key_v<field_type>;
  static constexpr int bits = is_key ? 8 * static_cast<int>(sizeof(field_type)) : 0;

  using member_pointer = Field Record::*;
  member_pointer member;

  template <class T>
  GPUSORT_HOST_DEVICE auto order_bits_of(const T& record) const {
    const field_type& field = record.*member;
    const auto ascending = order_bits(field);
    return static_cast<decltype(order_bits(field))>(Descending ? ~ascending : ascending);
  }

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class T>
  GPUSORT_HOST_DEVICE bool before(const T& a, const T& b) const {
    const field_type& x = Descending ? b.*member : a.*member;
    const field_type& y = Descending ? a.*member : b.*member;
    return static_cast<bool>(less_than(x, y));
  }

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  /// before(a, b), or `rest` where neither comes before the other.
  template <class T, class Rest>
  GPUSORT_HOST_DEVICE bool before_or(const T& a, const T& b, const Rest& rest) const {
    if (before(a, b)) return true;
    if (before(b, a)) return false;
    return rest(a, b);
  }
};

// A list of fields, most significant first; cuda::std::tuple is not there for a plain C++ compiler.
template <class... Fields>
struct field_list;

template <class Last>
struct field_list<Last> {
  static constexpr bool are_keys = Last::is_key;
  static constexpr int bits = Last::bits;

  Last first;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return first.before(a, b);
  }

  template <class Bits, class T>
  GPUSORT_HOST_DEVICE Bits append(Bits higher, const T& record) const {
    return static_cast<Bits>(static_cast<Bits>(higher << bits) | first.order_bits_of(record));
  }
  template <class Bits, class T>
  GPUSORT_HOST_DEVICE Bits encode(const T& record) const {
    return first.order_bits_of(record);
  }
};

template <class First, class... Rest>
struct field_list<First, Rest...> {
  static constexpr bool are_keys = First::is_key && field_list<Rest...>::are_keys;
  static constexpr int bits = First::bits + field_list<Rest...>::bits;

  First first;
  field_list<Rest...> rest;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return first.before_or(a, b, rest);
  }

  // Shifts are below the width of Bits: something is before the shifted-in field.
  template <class Bits, class T>
  GPUSORT_HOST_DEVICE Bits append(Bits higher, const T& record) const {
    const Bits with_first =
        static_cast<Bits>(static_cast<Bits>(higher << First::bits) | first.order_bits_of(record));
    return rest.append(with_first, record);
  }
  template <class Bits, class T>
  GPUSORT_HOST_DEVICE Bits encode(const T& record) const {
    return rest.append(static_cast<Bits>(first.order_bits_of(record)), record);
  }
};

/// Bytes of the smallest encoded key with `bits` bits. Shorter ones than 4 would be more kernels to
/// compile for no fewer passes.
GPUSORT_HOST_DEVICE constexpr std::size_t encoded_bytes(int bits) {
  return bits <= 32 ? 4 : bits <= 64 ? 8 : 16;
}

#if defined(__SIZEOF_INT128__)
inline constexpr int max_encoded_bits = 128;
#else
inline constexpr int max_encoded_bits = 64;
#endif

/// What gpusort::order_by returns: a lexicographic comparator that the library sees through.
template <class... Fields>
struct ordered_by {
  using fields = field_list<Fields...>;

  /// Whether the order can be read off an unsigned key of `bits` bits.
  static constexpr bool is_encodable = fields::are_keys && fields::bits <= max_encoded_bits;
  static constexpr int bits = fields::bits;

  fields list;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return list(a, b);
  }

  /// An unsigned integer of 4, 8 or 16 bytes that orders as the records do.
  template <class T>
  GPUSORT_HOST_DEVICE auto encode(const T& record) const {
    static_assert(is_encodable, "the order does not fit in an unsigned key");
    return list.template encode<unsigned_of_size_t<encoded_bytes(bits)>>(record);
  }
};

template <class Compare>
struct is_order_by : std::false_type {};
template <class... Fields>
struct is_order_by<ordered_by<Fields...>> : std::true_type {};

template <class Compare>
inline constexpr bool is_order_by_v = is_order_by<Compare>::value;

/// How elements of type T under Compare become unsigned keys: `is_encodable`, and where it holds
/// `key_type` (4, 8 or 16 bytes), `bits` (how many of its low bits are used) and a host and device
/// function key_type encode(compare, element). Known for less, greater, order_by, and projections
/// under any of these.
template <class Compare, class T, class = void>
struct key_encoding {
  static constexpr bool is_encodable = false;
};

template <class Compare, class T>
struct key_encoding<Compare, T,
                    std::enable_if_t<is_less_or_greater_v<Compare> && is_arithmetic_key_v<T>>> {
  static constexpr bool is_encodable = true;
  static constexpr int bits = 8 * static_cast<int>(sizeof(T));
  using key_type = unsigned_of_size_t<encoded_bytes(bits)>;

  GPUSORT_HOST_DEVICE static key_type encode(const Compare&, const T& x) {
    const unsigned_of_size_t<sizeof(T)> ascending = order_bits(x);
    if constexpr (std::is_same_v<Compare, less>) {
      return ascending;
    } else {
      return static_cast<unsigned_of_size_t<sizeof(T)>>(~ascending);
    }
  }
};

template <class... Fields, class T>
struct key_encoding<ordered_by<Fields...>, T,
                    std::enable_if_t<ordered_by<Fields...>::is_encodable>> {
  static constexpr bool is_encodable = true;
  static constexpr int bits = ordered_by<Fields...>::bits;
  using key_type = unsigned_of_size_t<encoded_bytes(bits)>;

  GPUSORT_HOST_DEVICE static key_type encode(const ordered_by<Fields...>& order, const T& x) {
    return order.encode(x);
  }
};

template <class Projection, class T>
using projected_t = std::remove_cv_t<std::remove_reference_t<decltype(project(
    std::declval<const Projection&>(), std::declval<const T&>()))>>;

template <class Inner, class Projection, class T>
struct key_encoding<
    projected<Inner, Projection>, T,
    std::enable_if_t<key_encoding<Inner, projected_t<Projection, T>>::is_encodable>> {
  using inner = key_encoding<Inner, projected_t<Projection, T>>;
  static constexpr bool is_encodable = true;
  static constexpr int bits = inner::bits;
  using key_type = typename inner::key_type;

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  GPUSORT_HOST_DEVICE static key_type encode(const projected<Inner, Projection>& order,
                                             const T& x) {
    return inner::encode(order.compare, project(order.projection, x));
  }
};

template <class Compare, class T>
inline constexpr bool is_encodable_v = key_encoding<Compare, T>::is_encodable;

}  // namespace detail

/// A member that an order counts upwards: `order_by(asc(&record::name), ...)`.
template <class Record, class Field>
GPUSORT_HOST_DEVICE constexpr detail::order_field<Record, Field, false> asc(Field Record::*member) {
  static_assert(!std::is_function_v<Field>, "gpusort::asc takes a pointer to a data member");
  return {member};
}

/// A member that an order counts downwards.
template <class Record, class Field>
GPUSORT_HOST_DEVICE constexpr detail::order_field<Record, Field, true> desc(Field Record::*member) {
  static_assert(!std::is_function_v<Field>, "gpusort::desc takes a pointer to a data member");
  return {member};
}

namespace detail {
template <class Last>
GPUSORT_HOST_DEVICE constexpr field_list<Last> make_field_list(Last last) {
  return {last};
}
template <class First, class Second, class... Rest>
GPUSORT_HOST_DEVICE constexpr field_list<First, Second, Rest...> make_field_list(First first,
                                                                                 Second second,
                                                                                 Rest... rest) {
  return {first, make_field_list(second, rest...)};
}
}  // namespace detail

/// The lexicographic order of records by some of their members, most significant first; each is
/// compared as gpusort::less does (floating-point members in IEEE 754 total order, with -0.0 and
/// +0.0 equal), a member wrapped in desc() the other way round. A comparator, on the host and on
/// the device, that any algorithm takes. Where all members are arithmetic and have 128 bits
/// together at most, gpusort::sort reads the order off their bits instead of calling it.
template <class... Records, class... Members, bool... Descending>
GPUSORT_HOST_DEVICE constexpr auto order_by(
    detail::order_field<Records, Members, Descending>... fields) {
  static_assert(sizeof...(fields) > 0, "gpusort::order_by: name at least one member");
  return detail::ordered_by<detail::order_field<Records, Members, Descending>...>{
      detail::make_field_list(fields...)};
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
