// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/pointee_array.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Most bytes of what is merged through tiles; beyond it, pointers go in its place.
inline constexpr std::size_t max_merged_bytes = 64;

/// Whether a T that takes `bytes` in a tile is in it. Shared memory is aligned to 16 bytes.
template <class T>
constexpr bool is_merged_itself(std::size_t bytes = sizeof(T)) {
  return bytes <= max_merged_bytes && alignof(T) <= 16;
}

/// Tells how a column takes part in a merge: by its elements, or by where they are.
template <class T, bool IsItself>
struct merge_column {
  using stored = wide_stored_t<T>;
  using held = std::conditional_t<IsItself, stored, const stored*>;
  using input = std::conditional_t<IsItself, key_array<stored>, pointer_array<stored>>;
  using output = std::conditional_t<IsItself, key_array<stored>, pointee_array<stored>>;

  static stored* at(const T* data) { return reinterpret_cast<stored*>(const_cast<T*>(data)); }
};

template <class T, bool IsItself, class Compare>
using merge_order =
    std::conditional_t<IsItself, by_stored_value<Compare>, by_target<by_stored_value<Compare>>>;

/// Holds what the algorithms take for a merge of keys, or of keys with values: handles of what is
/// merged, of where it goes and of scratch in between, and an order of what these hold.
template <class Compare, class Key, class... Values>
struct merge_layout;

template <class Compare, class Key>
struct merge_layout<Compare, Key> {
  static constexpr bool is_itself = is_merged_itself<Key>();
  using column = merge_column<Key, is_itself>;
  using input = typename column::input;
  using output = typename column::output;
  using between = key_array<typename column::held>;
  using order = merge_order<Key, is_itself, Compare>;

  static input input_at(const Key* keys) { return {column::at(keys)}; }
  static output output_at(Key* keys) { return {column::at(keys)}; }
  static order order_of(const Compare& compare) {
    if constexpr (is_itself) {
      return {compare};
    } else {
      return {{compare}};
    }
  }
};

template <class Compare, class Key, class Value>
struct merge_layout<Compare, Key, Value> {
  // Keys, which are compared, are the last to be left where they are.
  static constexpr bool is_value_itself =
      is_merged_itself<Value>(sizeof(key_value<raw_storage<Key>, raw_storage<Value>>)) &&
      alignof(Key) <= 16;
  static constexpr bool is_key_itself =
      is_merged_itself<Key>() &&
      (is_value_itself || sizeof(key_value<raw_storage<Key>, const void*>) <= max_merged_bytes);
  using keys = merge_column<Key, is_key_itself>;
  using values = merge_column<Value, is_value_itself>;
  using between = key_value_array<typename keys::held, typename values::held>;
  static constexpr bool is_itself = is_key_itself && is_value_itself;
  using input = std::conditional_t<is_itself, between,
                                   pair_array<typename keys::input, typename values::input>>;
  using output = std::conditional_t<is_itself, between,
                                    pair_array<typename keys::output, typename values::output>>;
  using order = by_key<merge_order<Key, is_key_itself, Compare>>;

  static input input_at(const Key* k, const Value* v) {
    return at<input>(keys::at(k), values::at(v));
  }
  static output output_at(Key* k, Value* v) { return at<output>(keys::at(k), values::at(v)); }
  static order order_of(const Compare& compare) {
    if constexpr (is_key_itself) {
      return {{compare}};
    } else {
      return {{{compare}}};
    }
  }

 private:
  template <class Array, class K, class V>
  static Array at(K* k, V* v) {
    if constexpr (is_itself) {
      return {k, v};
    } else {
      return {{k}, {v}};
    }
  }
};

/// Alignment of a column of a merge: for wide moves. A constant of its own, as nvcc takes 400 MB
/// for each alias template that evaluates it.
template <class T>
inline constexpr std::size_t merge_alignment = wide_alignment<T>();

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
