// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <std::size_t Bytes>
using signed_of_size_t = std::make_signed_t<unsigned_of_size_t<Bytes>>;

template <class Key, class = void>
struct representative_key {
  using type = Key;
};
template <class Key>
struct representative_key<Key, std::enable_if_t<is_integer_key_v<Key> && !is_int128<Key>::value>> {
  using type = std::conditional_t<std::is_signed_v<Key>, signed_of_size_t<sizeof(Key)>,
                                  unsigned_of_size_t<sizeof(Key)>>;
};

template <std::size_t Bytes, class Value>
inline constexpr bool is_word_of = sizeof(Value) == Bytes && alignof(Value) == Bytes;

/// The key by which keys are sorted that the order cannot tell from it: integers of the same size
/// and sign under less and greater.
template <class Compare, class Key>
using representative_key_t =
    typename std::conditional_t<is_less_or_greater_v<Compare>, representative_key<Key>,
                                representative_key<Key, int>>::type;

/// The value as which values are moved: an unsigned integer of 4 or 8 bytes, where they are aligned
/// as that.
template <class Value>
using representative_value_t =
    std::conditional_t<is_word_of<4, Value>, std::uint32_t,
                       std::conditional_t<is_word_of<8, Value>, std::uint64_t, Value>>;

template <class Value>
representative_value_t<Value>* as_representatives(Value* values) {
  return reinterpret_cast<representative_value_t<Value>*>(values);
}

template <class Key>
inline constexpr bool is_linked_key =
    std::is_same_v<Key, float> || std::is_same_v<Key, double> ||
    (std::is_integral_v<Key> && std::is_same_v<Key, typename representative_key<Key>::type> &&
     !is_bool_v<Key> && !is_int128<Key>::value);

/// Whether a sort is linked: of numbers under less or greater, with no values or with one range of
/// 4 or 8 bytes, and no option that names an algorithm.
template <class Problem>
inline constexpr bool is_linked = false;
template <bool KeepsOrder, class Compare, class Key, class... Values>
inline constexpr bool
    is_linked<problem_type<false, KeepsOrder, false, route::nothing, Compare, Key, Values...>> =
        GPUSORT_HAS_LIBRARY&& is_less_or_greater_v<Compare>&& is_linked_key<Key> &&
        sizeof...(Values) <= 1 &&
        ((std::is_same_v<Values, std::uint32_t> || std::is_same_v<Values, std::uint64_t>)&&...);

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// device_sort, compiled in gpusort's library: engines/sorts_of_numbers.cu.in, sorts_of_bits.cu.in.
template <class Problem, class Key, class Compare, class... Values>
struct linked_sort {
  static plan plan_for(std::uint64_t n);
  static void run(const sort_request<Key, Compare, Values...>& r, const memory_source& memory);
};

}  // namespace GPUSORT_LINKED

/// Whether a linked sort shares its code with those of other numbers of that size: floats, and
/// integers of all sizes but 4 bytes; but not unsigned ones of 8 bytes under less, which need no
/// code. Zeros of either sign are equal, and a stable sort must not tell them apart. Sorts of
/// 4-byte integers took 1.07 times as long by a shared one (docs/internals/ledger.md).
template <class Problem, class Key, class Compare>
inline constexpr bool is_in_bit_order =
    is_linked<Problem> &&
    (is_float_key_v<Key>
         ? !Problem::value.stable
         : sizeof(Key) <= 2 ||
               (sizeof(Key) == 8 && (is_signed_key_v<Key> || std::is_same_v<Compare, greater>)));

template <bool KeepsOrder, class Bits, class... Values>
using problem_of_bits =
    problem_type<false, KeepsOrder, false, route::nothing, less, Bits, Values...>;

/// Sorts numbers by their bits.
template <class Problem, class Key, class Compare, class... Values>
struct bit_order_sort {
  using bits = unsigned_of_size_t<sizeof(Key)>;
  using sort = linked_sort<problem_of_bits<Problem::value.stable, bits, Values...>, bits,
                           bit_order_for<Key>, Values...>;

  static plan plan_for(std::uint64_t n) { return sort::plan_for(n); }
  static void run(const sort_request<Key, Compare, Values...>& r, const memory_source& memory) {
    sort::run({reinterpret_cast<const bits*>(r.in), reinterpret_cast<bits*>(r.keys), r.n,
               bit_order_of<Key, Compare>(), r.values, r.stream, r.is_aligned, r.known},
              memory);
  }
};

template <class Problem, class Key, class Compare, class... Values>
using compiled_sort = std::conditional_t<
    is_in_bit_order<Problem, Key, Compare>, bit_order_sort<Problem, Key, Compare, Values...>,
    std::conditional_t<is_linked<Problem>, linked_sort<Problem, Key, Compare, Values...>,
                       device_sort<Problem, Key, Compare, Values...>>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
