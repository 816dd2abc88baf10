// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// The handles that algorithms and kernels take: where elements are, and how one is loaded and
// stored. Copied by value; `value_type` is what a tile holds.

/// Tells how a tile holds a key: as it is.
struct as_is {
  template <class Key>
  using type = Key;
  template <class Key>
  static GPUSORT_HOST_DEVICE const Key& encode(const Key& key) {
    return key;
  }
  template <class Key>
  static GPUSORT_HOST_DEVICE const Key& decode(const Key& held) {
    return held;
  }
};

/// Tells how a tile holds keys by an encoding that is known when the sort runs: an object with
/// encode(key), which returns a `word`, and decode(word). One that is made by default serves
/// scratch.
template <class Encoding>
struct held_by {
  template <class Key>
  using type = typename Encoding::word;

  Encoding encoding{};

  template <class Key>
  GPUSORT_HOST_DEVICE type<Key> encode(const Key& key) const {
    return encoding.encode(key);
  }
  template <class Key>
  GPUSORT_HOST_DEVICE Key decode(const type<Key>& held) const {
    return encoding.decode(held);
  }
};

template <class Key, class Held = as_is>
struct key_array {
  using value_type = typename Held::template type<Key>;
  using fetched_type = Key;
  static constexpr bool is_encoded = !std::is_same_v<Held, as_is>;

  Key* keys;
  Held held{};

  static key_array in_scratch(scratch_cursor& cursor, std::uint64_t n) {
    return {cursor.take<Key>(n)};
  }

  GPUSORT_HOST_DEVICE fetched_type fetch(std::uint64_t i) const { return keys[i]; }
  GPUSORT_HOST_DEVICE value_type hold(const fetched_type& x) const { return held.encode(x); }
  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const { return held.encode(keys[i]); }
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const {
    keys[i] = held.template decode<Key>(x);
  }
  GPUSORT_HOST_DEVICE key_array operator+(std::uint64_t n) const { return {keys + n, held}; }
};

template <class Key, class Value>
struct key_value {
  Key key;
  Value value;
};

/// Two arrays outside a tile, pairs inside it.
template <class Key, class Value, class Held = as_is>
struct key_value_array {
  using value_type = key_value<typename Held::template type<Key>, Value>;
  using fetched_type = key_value<Key, Value>;
  static constexpr bool is_encoded = !std::is_same_v<Held, as_is>;

  Key* keys;
  Value* values;
  Held held{};

  static key_value_array in_scratch(scratch_cursor& cursor, std::uint64_t n) {
    Key* keys = cursor.take<Key>(n);
    return {keys, cursor.take<Value>(n)};
  }

  GPUSORT_HOST_DEVICE fetched_type fetch(std::uint64_t i) const { return {keys[i], values[i]}; }
  GPUSORT_HOST_DEVICE value_type hold(const fetched_type& x) const {
    return {held.encode(x.key), x.value};
  }
  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const {
    return {held.encode(keys[i]), values[i]};
  }
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const {
    keys[i] = held.template decode<Key>(x.key);
    values[i] = x.value;
  }
  GPUSORT_HOST_DEVICE key_value_array operator+(std::uint64_t n) const {
    return {keys + n, values + n, held};
  }
};

/// Whether elements of an array are encoded once they have come from memory. They may then be
/// loaded in two steps: hold(array, fetch(array, i)) is array.load(i). What is encoded at once
/// waits for memory at once.
template <class Array, class = void>
inline constexpr bool is_encoded_v = false;
template <class Array>
inline constexpr bool is_encoded_v<Array, std::enable_if_t<Array::is_encoded>> = true;

template <class Array, class = void>
struct element_fetched : type_is<std::decay_t<decltype(std::declval<const Array&>().load(0))>> {};
template <class Array>
struct element_fetched<Array, std::enable_if_t<is_encoded_v<Array>>>
    : type_is<typename Array::fetched_type> {};
template <class Array>
using fetched_element_t = typename element_fetched<Array>::type;

template <class Array>
GPUSORT_HOST_DEVICE fetched_element_t<Array> fetch(const Array& array, std::uint64_t i) {
  if constexpr (is_encoded_v<Array>) {
    return array.fetch(i);
  } else {
    return array.load(i);
  }
}
template <class Array>
GPUSORT_HOST_DEVICE auto hold([[maybe_unused]] const Array& array,
                              const fetched_element_t<Array>& x) {
  if constexpr (is_encoded_v<Array>) {
    return array.hold(x);
  } else {
    return x;
  }
}

/// A sorted run among several.
template <class Array>
struct sorted_run {
  Array data;
  std::uint64_t count;
};

/// The numbers 0, 1, ...: what a sort of indices reads before anything is stored.
template <class Index>
struct index_sequence_array {
  GPUSORT_HOST_DEVICE Index load(std::uint64_t i) const { return static_cast<Index>(i); }
};

/// The keys of one array with the indices they came from.
template <class Key, class Index, class Held = as_is>
struct key_index_array {
  using value_type = key_value<typename Held::template type<Key>, Index>;
  using fetched_type = key_value<Key, Index>;
  static constexpr bool is_encoded = !std::is_same_v<Held, as_is>;

  Key* keys;
  Held held{};

  GPUSORT_HOST_DEVICE fetched_type fetch(std::uint64_t i) const {
    return {keys[i], static_cast<Index>(i)};
  }
  GPUSORT_HOST_DEVICE value_type hold(const fetched_type& x) const {
    return {held.encode(x.key), x.value};
  }
  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const { return hold(fetch(i)); }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
