// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/key_sizes.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/order_field.hpp>
#include <gpusort/detail/support/wide_key.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// A list of fields, most significant first; cuda::std::tuple is not there for a plain C++ compiler.
template <class... Fields>
struct field_list {};

template <class First, class... Rest>
struct field_list<First, Rest...> {
  First first;
  field_list<Rest...> rest;
};

template <class Last>
struct field_list<Last> {
  Last first;
};

/// Fields of records of type T.
template <class T, class... Fields>
struct fields_of {
  static constexpr bool are_keys = (field_of<Fields, T>::is_key && ...);
  static constexpr int bits = (0 + ... + field_of<Fields, T>::bits);
};

template <class T, class First, class... Rest>
GPUSORT_HOST_DEVICE bool is_before(const field_list<First, Rest...>& fields, const T& a,
                                   const T& b) {
  using field = field_of<First, T>;
  if constexpr (sizeof...(Rest) == 0) {
    return field::before(fields.first, a, b);
  } else {
    if (field::before(fields.first, a, b)) return true;
    if (field::before(fields.first, b, a)) return false;
    return is_before(fields.rest, a, b);
  }
}

template <class Sink, class T, class First, class... Rest>
GPUSORT_HOST_DEVICE void append_fields(Sink& sink, const field_list<First, Rest...>& fields,
                                       const T& record) {
  field_of<First, T>::append_to(sink, fields.first, record);
  if constexpr (sizeof...(Rest) > 0) append_fields(sink, fields.rest, record);
}

/// Reads element Nth of a pair, tuple or array.
template <std::size_t Nth>
struct element_access {
  template <class T>
  GPUSORT_HOST_DEVICE const auto& operator()(const T& x) const {
    return compound<T>::template at<Nth>(x);
  }
};

/// Returns the bytes of the smallest encoded key with `bits` bits. Shorter ones than 4 would be
/// more kernels to compile for no fewer passes.
GPUSORT_HOST_DEVICE constexpr std::size_t encoded_bytes(int bits) {
  return bits <= 32 ? 4 : bits <= 64 ? 8 : 16;
}

/// Compares lexicographically, as returned by gpusort::order_by: a transparent order.
template <class... Fields>
struct ordered_by {
  field_list<Fields...> fields;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    using all = fields_of<T, Fields...>;
    if constexpr (all::are_keys && all::bits <= max_encoded_bits) {
      return key_of(a) < key_of(b);  // reads each field once, and does not branch
    } else {
      return is_before(fields, a, b);
    }
  }

 private:
  template <class T>
  GPUSORT_HOST_DEVICE auto key_of(const T& record) const {
    constexpr int bits = fields_of<T, Fields...>::bits;
    key_word<unsigned_of_size_t<encoded_bytes(bits)>> word(bits, 0);
    append_fields(word, fields, record);
    return word.get();
  }
};

template <class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst>
struct runs_on_host<order_field<Access, Descending, Nan, Valid, NullsFirst>>
    : std::conjunction<runs_on_host<Access>, runs_on_host<Valid>> {};
template <class... Fields>
struct runs_on_host<ordered_by<Fields...>> : std::conjunction<runs_on_host<Fields>...> {};

/// Whether an order has fields whose nulls are told by the indices of the elements.
template <class Compare>
inline constexpr bool tells_nulls_by_index_v = false;
template <class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst>
inline constexpr bool
    tells_nulls_by_index_v<order_field<Access, Descending, Nan, Valid, NullsFirst>> =
        is_by_index_v<Valid>;
template <class... Fields>
inline constexpr bool tells_nulls_by_index_v<ordered_by<Fields...>> =
    (tells_nulls_by_index_v<Fields> || ...);

/// The element of a pair, tuple or array that a field reads, or none.
inline constexpr std::size_t no_element = ~std::size_t{0};
template <class Field>
inline constexpr std::size_t element_read = no_element;
template <std::size_t Nth, bool Descending, bool NullsFirst>
inline constexpr std::size_t element_read<
    order_field<element_access<Nth>, Descending, nan_order::ieee, never_null, NullsFirst>> = Nth;

/// Whether fields read elements, each another one.
template <class... Fields>
constexpr bool are_different_elements() {
  const std::size_t elements[] = {element_read<Fields>...};
  for (std::size_t i = 0; i < sizeof...(Fields); ++i) {
    if (elements[i] == no_element) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (elements[i] == elements[j]) return false;
    }
  }
  return true;
}

/// Tells how elements of type T under Compare become unsigned keys: whether they do (`value`), of
/// how many `bits`, how they are `packed`, and a host and device function append_to(sink, compare,
/// element). Known for less, greater, order_by, and projections under any of these.
template <class Compare, class T, class = void>
struct key_format : std::false_type {
  static constexpr int bits = 0;
  static constexpr packing packed = no_packing;
};

template <class Compare, class T>
struct key_format<Compare, T, std::enable_if_t<is_less_or_greater_v<Compare> && key_bits<T>::value>>
    : std::true_type {
  static constexpr int bits = key_bits<T>::bits;
  static constexpr packing packed = key_bits<T>::packed;

  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const Compare&, const T& x) {
    append_directed<std::is_same_v<Compare, greater>>(sink, x);
  }
};

/// Packs elements of tuples only: two member pointers may alias (a union), which cannot be checked
/// at compile time, and bits that no field reads would be lost.
template <class... Fields, class T>
struct key_format<ordered_by<Fields...>, T, std::enable_if_t<fields_of<T, Fields...>::are_keys>>
    : std::true_type {
  static constexpr int bits = fields_of<T, Fields...>::bits;
  static constexpr packing packed =
      is_compound_v<T> && are_different_elements<Fields...>()
          ? (packing{0, true, false} + ... + key_bits<typename field_of<Fields, T>::type>::packed)
          : no_packing;

  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const ordered_by<Fields...>& order,
                                            const T& x) {
    append_fields(sink, order.fields, x);
  }
};

template <class Projection, class T>
using projected_t = std::remove_cv_t<std::remove_reference_t<decltype(project(
    std::declval<const Projection&>(), std::declval<const T&>()))>>;

template <class Inner, class Projection, class T>
struct key_format<projected<Inner, Projection>, T,
                  std::enable_if_t<key_format<Inner, projected_t<Projection, T>>::value>>
    : std::true_type {
  using inner = key_format<Inner, projected_t<Projection, T>>;
  static constexpr int bits = inner::bits;
  static constexpr packing packed = no_packing;

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const projected<Inner, Projection>& order,
                                            const T& x) {
    inner::append_to(sink, order.compare, project(order.projection, x));
  }
};

/// Whether an order reads elements at offsets that are known when the call is compiled: through no
/// pointer to a member, which kernels get as an argument, and by no function, which may be
/// expensive and is called once for each element. A run-time offset forces elements in registers
/// into local memory: compared by one member, 2^26 structs of 16 bytes take 19.7 ms in place of 4.8
/// (H100).
template <class Access>
inline constexpr bool has_fixed_offsets_v = is_less_or_greater_v<Access>;
template <>
inline constexpr bool has_fixed_offsets_v<never_null> = true;
template <std::size_t Nth>
inline constexpr bool has_fixed_offsets_v<element_access<Nth>> = true;
template <class Record, auto Member>
inline constexpr bool has_fixed_offsets_v<fixed_member_access<Record, Member>> = true;
template <class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst>
inline constexpr bool has_fixed_offsets_v<order_field<Access, Descending, Nan, Valid, NullsFirst>> =
    has_fixed_offsets_v<Access>&& has_fixed_offsets_v<Valid>;
template <class... Fields>
inline constexpr bool has_fixed_offsets_v<ordered_by<Fields...>> = (has_fixed_offsets_v<Fields> &&
                                                                    ...);
template <class Inner, class Projection>
inline constexpr bool has_fixed_offsets_v<projected<Inner, Projection>> =
    has_fixed_offsets_v<Inner>&& has_fixed_offsets_v<Projection>;

/// Most words of a key: with an index of 8 bytes they are the largest elements that are moved.
inline constexpr int max_key_words = 7;

/// Bits of the key that stands for an element, or 0 where its order is not read off a key.
template <class Compare, class T>
inline constexpr int encoded_bits =
    key_format<Compare, T>::bits <= 64 * max_key_words ? key_format<Compare, T>::bits : 0;

/// Whether the order of such elements is read off an unsigned key, and whether off an integer.
template <class Compare, class T>
inline constexpr bool is_encodable_v = encoded_bits<Compare, T> > 0;
template <class Compare, class T>
inline constexpr bool has_integer_key_v =
    is_encodable_v<Compare, T>&& encoded_bits<Compare, T> <= max_encoded_bits;

template <int Bits, class = void>
struct encoded_key : type_is<unsigned_of_size_t<encoded_bytes(Bits)>> {};
template <int Bits>
struct encoded_key<Bits, std::enable_if_t<(Bits > max_encoded_bits)>>
    : type_is<wide_key<ceil_div(Bits, 64)>> {};
template <class Compare, class T>
using encoded_key_t = typename encoded_key<encoded_bits<Compare, T>>::type;

/// Most bits of a key that stays in memory. Each word visits all fields, so that encoding takes
/// time with the square of the bits; keys of more than 992 were not measured.
inline constexpr int max_long_key_bits = 2048;

/// Whether elements have keys of more words than are moved, and the keys that stay in memory.
template <class Compare, class T>
inline constexpr bool has_long_key_v = (key_format<Compare, T>::bits > 64 * max_key_words &&
                                        key_format<Compare, T>::bits <= max_long_key_bits);
template <class Compare, class T>
using long_key_t = long_key<ceil_div(key_format<Compare, T>::bits, 128)>;

/// Returns the word of an element's key whose lowest bit is bit `lowest`; it may be negative.
template <class Word, class Compare, class T>
GPUSORT_HOST_DEVICE Word encode_word(const Compare& compare, const T& x, int lowest) {
  key_word<Word> word(key_format<Compare, T>::bits, lowest);
  key_format<Compare, T>::append_to(word, compare, x);
  return word.get();
}

template <class Compare, class T>
GPUSORT_HOST_DEVICE encoded_key_t<Compare, T> encode_key(const Compare& compare, const T& x) {
  using key = encoded_key_t<Compare, T>;
  if constexpr (encoded_bits<Compare, T> <= max_encoded_bits) {
    return encode_word<key>(compare, x, 0);
  } else {
    constexpr int count = sizeof(key) / 8;
    key words;
    for (int w = 0; w < count; ++w) {
      words.words[w] =
          encode_word<std::uint64_t>(compare, x, encoded_bits<Compare, T> - 64 * (w + 1));
    }
    return words;
  }
}

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

/// Returns what a field reads: a member, a member of a member and so on, or what a function
/// returns.
template <class Access, class... Members>
GPUSORT_HOST_DEVICE constexpr auto make_access(Access access, Members... members) {
  require_function<Access>();
  static_assert(!std::is_member_function_pointer_v<Access>,
                "gpusort: asc and desc take a pointer to a data member, or a function of a record");
  return make_path(access, members...);
}

template <bool Descending, class Access>
GPUSORT_HOST_DEVICE constexpr order_field<Access, Descending> make_field(Access access) {
  return {access, {}};
}

template <class Field>
GPUSORT_HOST_DEVICE constexpr auto as_field(Field field) {
  if constexpr (is_order_field<Field>::value) {
    return field;
  } else {
    return make_field<false>(make_access(field));
  }
}

}  // namespace detail

/// Returns a field that an order counts upwards: `order_by(asc(&record::name), ...)`. What it reads
/// is given by a pointer to a member; several, for a member of a member (`asc(&outer::inner,
/// &inner::value)`); or a function of a record with a return type, on the host and the device.
///
/// - `.nulls_first(valid)`, `.nulls_last(valid)`: the field may be null. valid(record), or the
///   member that `valid` points at, is true where it is not. Nulls are equal, and before or after
///   all others, whichever way the field counts. In argsort and is_sorted, which move no elements,
///   `valid` may point at a bitmap or at flags, as those of gpusort::column::with_validity.
/// - `.nan_first()`, `.nan_last()`: NaNs are equal, and before or after all numbers, whichever way
///   it counts. Otherwise they are where IEEE 754 total order puts them.
template <class Access, class... Members>
GPUSORT_HOST_DEVICE constexpr auto asc(Access access, Members... members) {
  return detail::make_field<false>(detail::make_access(access, members...));
}

/// Returns a field that an order counts downwards; otherwise as asc.
template <class Access, class... Members>
GPUSORT_HOST_DEVICE constexpr auto desc(Access access, Members... members) {
  return detail::make_field<true>(detail::make_access(access, members...));
}

/// Returns a field whose member is a template argument, `order_by(asc<&record::name>())`: short
/// elements are sorted sooner so, as nothing is read through a pointer. By a pointer, sort and
/// stable_sort take up to 11% longer by one number of up to 4 bytes, up to 38% by a double (H200).
template <auto Member>
GPUSORT_HOST_DEVICE constexpr auto asc() {
  static_assert(std::is_member_object_pointer_v<decltype(Member)>,
                "gpusort: asc<> takes a pointer to a data member");
  return detail::make_field<false>(detail::fixed_access<Member>{});
}
template <auto Member>
GPUSORT_HOST_DEVICE constexpr auto desc() {
  static_assert(std::is_member_object_pointer_v<decltype(Member)>,
                "gpusort: desc<> takes a pointer to a data member");
  return detail::make_field<true>(detail::fixed_access<Member>{});
}

/// Element Nth of pairs, tuples and arrays as a field: `order_by(desc(element<1>), element<0>)`.
template <std::size_t Nth>
inline constexpr detail::element_access<Nth> element{};

/// Returns the lexicographic order of records by some of their fields, most significant first: of
/// asc, desc, and what asc takes. Each is compared as gpusort::less does (floating-point fields in
/// IEEE 754 total order, with -0.0 and +0.0 equal), and members that are arrays of bytes as memcmp
/// does. A comparator, on the host and on the device, that any algorithm takes. Where all fields
/// are arithmetic, bytes, strings of bytes, or pairs, tuples and arrays of such, gpusort::sort
/// reads the order off their bits instead of calling it: up to 448 bits together, and up to 2048 of
/// elements that are sorted as indices: larger than 64 bytes, in argsort, or with values.
template <class... Fields>
GPUSORT_HOST_DEVICE constexpr auto order_by(Fields... fields) {
  static_assert(sizeof...(fields) > 0, "gpusort: order_by: name at least one member");
  return detail::ordered_by<decltype(detail::as_field(fields))...>{
      detail::make_field_list(detail::as_field(fields)...)};
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
