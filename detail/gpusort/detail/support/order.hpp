// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <functional>
#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/optimization_barrier.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <limits>

#if GPUSORT_CUDA
#include <cuda/std/functional>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the bits of a key. Copied first: of a key in memory memcpy would read byte after byte,
/// which was seen in every kernel that sorts numbers (nvcc 13.0).
template <class T>
GPUSORT_HOST_DEVICE unsigned_of_size_t<sizeof(T)> bits_of(const T& key) {
  unsigned_of_size_t<sizeof(T)> bits;
  if constexpr (is_bool_v<T>) {
    bits = reinterpret_cast<const unsigned char&>(key);
  } else {
    const T own = key;
    memcpy(&bits, &own, sizeof(T));
  }
  return bits;
}

/// Returns the bits of a key that are not padding: of x87's long double 80, which begin with the
/// lowest.
template <class T>
GPUSORT_HOST_DEVICE constexpr int width_of_key() {
  if constexpr (std::is_floating_point_v<T> && sizeof(T) == 16) {
    if (std::numeric_limits<T>::digits == 64) return 80;
  }
  return 8 * static_cast<int>(sizeof(T));
}

/// Returns an unsigned integer that orders as the key does: sign bit flipped for signed integers,
/// the usual bit reversal of negatives for floats, with -0.0 folded onto +0.0 and NaNs where IEEE
/// 754 total order puts them.
template <class T>
GPUSORT_HOST_DEVICE unsigned_of_size_t<sizeof(T)> order_bits(const T& key) {
  using bits_t = unsigned_of_size_t<sizeof(T)>;
  constexpr bits_t sign = static_cast<bits_t>(bits_t{1} << (width_of_key<T>() - 1));
  constexpr bits_t all = static_cast<bits_t>(sign | static_cast<bits_t>(sign - 1));
  bits_t bits = bits_of(key);
  if constexpr (is_bool_v<T>) {
    return bits != 0;
  } else if constexpr (is_ieee_float<T>()) {
    bits &= all;
    if (bits == sign) bits = 0;
    return static_cast<bits_t>((bits & sign) ? bits ^ all : (bits | sign));
  } else if constexpr (is_signed_key_v<T>) {
    return static_cast<bits_t>(bits ^ sign);
  } else {
    return bits;
  }
}

/// Whether a floating-point key is none of the numbers.
template <class T>
GPUSORT_HOST_DEVICE bool is_nan(const T& key) {
  using bits_t = unsigned_of_size_t<sizeof(T)>;
  constexpr bits_t sign = static_cast<bits_t>(bits_t{1} << (width_of_key<T>() - 1));
  constexpr bits_t no_sign = static_cast<bits_t>(sign - 1);
  const auto magnitude = static_cast<bits_t>(bits_of(key) & no_sign);
  if constexpr (is_float_key_v<T>) {
    constexpr int log_range = sizeof(T) == 8 ? 11 : std::is_same_v<T, __half> ? 5 : 8;  // exponent
    constexpr auto infinity =
        static_cast<bits_t>(((bits_t{1} << log_range) - 1) << (8 * sizeof(T) - 1 - log_range));
    return magnitude > infinity;
  } else {
    return magnitude > (bits_of(std::numeric_limits<T>::infinity()) & no_sign);
  }
}

/// Tells how a tile holds a number in that order: as an unsigned integer of at least a word, which
/// is moved and compared in one instruction. It can be undone, so -0.0 is before +0.0: for sorts
/// that need not be stable.
struct as_ordered_bits {
  template <class Key>
  using type = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;

  template <class Key>
  static GPUSORT_HOST_DEVICE type<Key> encode(const Key& key) {
    const bits_t<Key> bits = bits_of(key);
    return static_cast<bits_t<Key>>(bits ^ flips<Key>((bits & sign<Key>()) != 0));
  }
  template <class Key>
  static GPUSORT_HOST_DEVICE Key decode(type<Key> held) {
    auto bits = static_cast<bits_t<Key>>(held);
    bits = static_cast<bits_t<Key>>(bits ^ flips<Key>((bits & sign<Key>()) == 0));
    if constexpr (is_signed_key_v<Key> && !is_float_key_v<Key> && sizeof(Key) <= 4) {
      bits = static_cast<bits_t<Key>>(as_loaded(bits));
    }
    Key key;
    memcpy(&key, &bits, sizeof(Key));
    return key;
  }

 private:
  template <class Key>
  using bits_t = unsigned_of_size_t<sizeof(Key)>;

  template <class Key>
  static GPUSORT_HOST_DEVICE constexpr bits_t<Key> sign() {
    return static_cast<bits_t<Key>>(bits_t<Key>{1} << (8 * sizeof(Key) - 1));
  }

  /// Returns the bits that encoding flips in a key that is negative, or is not.
  template <class Key>
  static GPUSORT_HOST_DEVICE constexpr bits_t<Key> flips(bool is_negative) {
    if constexpr (is_float_key_v<Key>) {
      return is_negative ? static_cast<bits_t<Key>>(~bits_t<Key>{0}) : sign<Key>();
    } else {
      return is_signed_key_v<Key> ? sign<Key>() : bits_t<Key>{0};
    }
  }
};

// A `<` that is a host function cannot be called on the device, where nvcc would warn and leave the
// comparison out. Not here; its error names this function.
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014
#endif
template <class A, class B>
GPUSORT_HOST_DEVICE bool gpusort_needs_a_host_device_operator_less_or_a_comparator(const A& a,
                                                                                   const B& b) {
  return static_cast<bool>(a < b);  // gpusort: operator< must be __host__ __device__
}
#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

template <class A, class B>
GPUSORT_HOST_DEVICE bool less_than(const A& a, const B& b) {
  static_assert(!std::is_array_v<A>,
                "gpusort: an array has no order of its own; take std::array, or a comparator");
  if constexpr (std::is_same_v<A, B> && (is_ieee_float<A>() || is_bool_v<A>)) {
    return order_bits(a) < order_bits(b);
  } else if constexpr (std::is_same_v<A, B> && is_compound_v<A>) {
    return compound<A>::less(a, b);
  } else if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
    return a < b;
  } else {
    return gpusort_needs_a_host_device_operator_less_or_a_comparator(a, b);
  }
}

}  // namespace detail

/// Ascending order, transparent, on the host and the device. Floating-point keys are in IEEE 754
/// total order, except that -0.0 and +0.0 are equal. Pairs, tuples and arrays, of std and
/// cuda::std, are ordered by their elements, from the first on. A transparent order.
struct less {
  using is_transparent = void;
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A& a, const B& b) const {
    return detail::less_than(a, b);
  }
};

/// Descending order; otherwise as less.
struct greater {
  using is_transparent = void;
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A& a, const B& b) const {
    return detail::less_than(b, a);
  }
};

namespace detail {

/// std::less<U> over elements that are not U: the standard functor is not callable on the device.
template <class U>
struct less_as {
  GPUSORT_HOST_DEVICE bool operator()(const U& a, const U& b) const { return less_than(a, b); }
};
template <class U>
struct greater_as {
  GPUSORT_HOST_DEVICE bool operator()(const U& a, const U& b) const { return less_than(b, a); }
};

/// Maps the comparators the library knows to one spelling; any other is passed through, opaque.
template <class T, class Compare>
struct canonical_order {
  using type = Compare;
  static type make(const Compare& compare) { return compare; }
};

template <class To>
struct canonical_functor {
  using type = To;
  template <class Compare>
  static type make(const Compare&) {
    return {};
  }
};

template <class T, class U, class ToSame, class ToOther>
using canonical_typed_functor = canonical_functor<
    std::conditional_t<std::is_same_v<U, T> || std::is_void_v<U>, ToSame, ToOther>>;

template <class T, class U>
struct canonical_order<T, std::less<U>> : canonical_typed_functor<T, U, less, less_as<U>> {};
template <class T, class U>
struct canonical_order<T, std::greater<U>> : canonical_typed_functor<T, U, greater, greater_as<U>> {
};
#if __cplusplus >= 202002L && defined(__cpp_lib_ranges)
template <class T>
struct canonical_order<T, std::ranges::less> : canonical_functor<less> {};
template <class T>
struct canonical_order<T, std::ranges::greater> : canonical_functor<greater> {};
#endif
#if GPUSORT_CUDA
template <class T, class U>
struct canonical_order<T, cuda::std::less<U>> : canonical_typed_functor<T, U, less, less_as<U>> {};
template <class T, class U>
struct canonical_order<T, cuda::std::greater<U>>
    : canonical_typed_functor<T, U, greater, greater_as<U>> {};
#endif

template <class Compare>
inline constexpr bool is_less_or_greater_v =
    std::is_same_v<Compare, less> || std::is_same_v<Compare, greater>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
