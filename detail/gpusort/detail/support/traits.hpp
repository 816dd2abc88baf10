// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif

// Declared, not included: a key of these types brings its header along.
struct __half;
struct __nv_bfloat16;

namespace gpusort {
inline namespace GPUSORT_ABI {

/// Whether a value may be moved to another address by copying its bytes and forgetting the old
/// ones. True for trivially copyable types and for pairs, tuples and arrays of such; specialise it
/// for a type of your own that holds no pointer into itself.
template <class T>
struct is_trivially_relocatable : std::is_trivially_copyable<T> {};

template <class A, class B>
struct is_trivially_relocatable<std::pair<A, B>>
    : std::conjunction<is_trivially_relocatable<A>, is_trivially_relocatable<B>> {};

template <class... Ts>
struct is_trivially_relocatable<std::tuple<Ts...>>
    : std::conjunction<is_trivially_relocatable<Ts>...> {};

template <class T, std::size_t N>
struct is_trivially_relocatable<std::array<T, N>> : is_trivially_relocatable<T> {};

#if GPUSORT_CUDA
template <class A, class B>
struct is_trivially_relocatable<cuda::std::pair<A, B>>
    : std::conjunction<is_trivially_relocatable<A>, is_trivially_relocatable<B>> {};

template <class... Ts>
struct is_trivially_relocatable<cuda::std::tuple<Ts...>>
    : std::conjunction<is_trivially_relocatable<Ts>...> {};

template <class T, std::size_t N>
struct is_trivially_relocatable<cuda::std::array<T, N>> : is_trivially_relocatable<T> {};
#endif

template <class T>
inline constexpr bool is_trivially_relocatable_v = is_trivially_relocatable<T>::value;

namespace detail {

template <class T>
inline constexpr bool is_half_v = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

template <class T>
inline constexpr bool is_float_key_v =
    std::is_same_v<T, float> || std::is_same_v<T, double> || is_half_v<T>;

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
#endif

/// The widest word that keys are read into.
#if defined(__SIZEOF_INT128__)
using widest_word = uint128;
#else
using widest_word = std::uint64_t;
#endif

/// Whether a floating-point type has an order that is read off its bits. The CPU has more of them
/// than is_float_key_v, such as long double (but for PowerPC's pairs of doubles).
template <class T>
GPUSORT_HOST_DEVICE constexpr bool is_ieee_float() {
  if constexpr (std::is_floating_point_v<T> && !is_float_key_v<T>) {
    return std::numeric_limits<T>::is_iec559 && sizeof(T) <= sizeof(widest_word);
  } else {
    return is_float_key_v<T>;
  }
}

template <class T>
struct is_int128 : std::false_type {};
#if defined(__SIZEOF_INT128__)
template <>
struct is_int128<int128> : std::true_type {};
template <>
struct is_int128<uint128> : std::true_type {};
#endif

template <class T>
struct is_signed_int128 : std::false_type {};
#if defined(__SIZEOF_INT128__)
template <>
struct is_signed_int128<int128> : std::true_type {};
#endif

/// Any byte but 0 is true, so bools that are equal may differ in their bits. Compilers take the
/// value of other bytes than 0 and 1 for either: a bool of the user's is only read by truth_of.
template <class T>
inline constexpr bool is_bool_v = std::is_same_v<T, bool>;

GPUSORT_HOST_DEVICE inline bool truth_of(const bool& x) {
  return reinterpret_cast<const unsigned char&>(x) != 0;
}

/// Integers of 1 to 16 bytes: equal keys have equal bits.
template <class T>
inline constexpr bool is_integer_key_v =
    (std::is_integral_v<T> && sizeof(T) <= 8 && !is_bool_v<T>) || is_int128<T>::value;

template <class T>
inline constexpr bool is_signed_key_v = std::is_signed_v<T> || is_signed_int128<T>::value;

/// Keys whose order under less and greater the library knows bit by bit.
template <class T>
inline constexpr bool is_arithmetic_key_v =
    is_integer_key_v<T> || is_float_key_v<T> || is_bool_v<T>;

/// std::type_identity of C++20.
template <class T>
struct type_is {
  using type = T;
};

template <std::size_t Bytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> : type_is<std::uint8_t> {};
template <>
struct unsigned_of_size<2> : type_is<std::uint16_t> {};
template <>
struct unsigned_of_size<4> : type_is<std::uint32_t> {};
template <>
struct unsigned_of_size<8> : type_is<std::uint64_t> {};
#if defined(__SIZEOF_INT128__)
template <>
struct unsigned_of_size<16> : type_is<uint128> {};
#endif
template <std::size_t Bytes>
using unsigned_of_size_t = typename unsigned_of_size<Bytes>::type;

/// The bytes of a value, which kernels move without calling its constructors, in words as wide as
/// the alignment allows: a struct of bytes would take a register for each.
template <class T, std::size_t Alignment = alignof(T)>
struct alignas(Alignment) raw_storage {
  using word = unsigned_of_size_t<(Alignment < 4 ? Alignment : 4)>;
  static constexpr std::size_t bytes = sizeof(T);  // apart, as T may be a pointer: gcc warns
  word words[bytes / sizeof(word)];
};

template <class T>
inline constexpr bool is_stored_as_itself_v = (std::is_scalar_v<T> ||
                                               is_arithmetic_key_v<T>)&&!is_bool_v<T>;

/// Stands for what kernels hold in registers and shared memory in place of T: numbers themselves,
/// of other types the storage.
template <class T>
using stored_t = std::conditional_t<is_stored_as_itself_v<T>, T, raw_storage<T>>;

/// Returns the alignment that lets a T be moved in the widest pieces that divide its size, at most
/// 16 bytes.
template <class T>
constexpr std::size_t wide_alignment() {
  if (is_stored_as_itself_v<T>) return alignof(T);
  std::size_t widest = alignof(T);
  while (widest < 16 && sizeof(T) % (2 * widest) == 0) widest *= 2;
  return widest;
}

/// stored_t for arrays that begin at a multiple of wide_alignment.
template <class T>
using wide_stored_t =
    std::conditional_t<is_stored_as_itself_v<T>, T, raw_storage<T, wide_alignment<T>()>>;

template <class T>
GPUSORT_HOST_DEVICE const T& stored_value(const T& x) {
  return x;
}
template <class T, std::size_t Alignment>
GPUSORT_HOST_DEVICE const T& stored_value(const raw_storage<T, Alignment>& x) {
  return reinterpret_cast<const T&>(x);
}

/// Copies an element in the bytes that it has: a bool's too.
template <class T>
GPUSORT_HOST_DEVICE void copy_as_stored(T& to, const T& from) {
  reinterpret_cast<stored_t<T>&>(to) = reinterpret_cast<const stored_t<T>&>(from);
}

/// Stands in the place of a type of values: keys alone are sorted.
struct no_value {};

template <class Iterator>
using value_t = typename std::iterator_traits<Iterator>::value_type;

template <class T, class = void>
struct is_iterator : std::false_type {};
template <class T>
struct is_iterator<T, std::void_t<typename std::iterator_traits<T>::iterator_category>>
    : std::bool_constant<!std::is_function_v<std::remove_pointer_t<T>>> {};

template <class T>
inline constexpr bool is_iterator_v = is_iterator<T>::value;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
