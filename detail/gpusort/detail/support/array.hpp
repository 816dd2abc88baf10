// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// The handles that algorithms and kernels take: where elements are, and how one is loaded and
// stored. Copied by value; `value_type` is what a tile holds.

template <class Key>
struct key_array {
  using value_type = Key;
  static constexpr bool has_values = false;

  Key* keys;

  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const { return keys[i]; }
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const { keys[i] = x; }
  GPUSORT_HOST_DEVICE key_array operator+(std::uint64_t n) const { return {keys + n}; }
};

template <class Key, class Value>
struct key_value {
  Key key;
  Value value;
};

/// Two arrays outside a tile, pairs inside it.
template <class Key, class Value>
struct key_value_array {
  using value_type = key_value<Key, Value>;
  static constexpr bool has_values = true;

  Key* keys;
  Value* values;

  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const { return {keys[i], values[i]}; }
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const {
    keys[i] = x.key;
    values[i] = x.value;
  }
  GPUSORT_HOST_DEVICE key_value_array operator+(std::uint64_t n) const {
    return {keys + n, values + n};
  }
};

// Comparators over elements. The user's comparator is called with references to its own type.

template <class Compare>
struct by_stored_value {
  Compare compare;
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return static_cast<bool>(compare(stored_value(a), stored_value(b)));
  }
};

template <class Compare>
struct by_key {
  Compare compare;
  template <class Key, class Value>
  GPUSORT_HOST_DEVICE bool operator()(const key_value<Key, Value>& a,
                                      const key_value<Key, Value>& b) const {
    return compare(a.key, b.key);
  }
};

/// Orders indices by what they point at.
template <class Key, class Compare>
struct by_pointee {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_HOST_DEVICE bool operator()(const Index& a, const Index& b) const {
    return compare(keys[a], keys[b]);
  }
};

/// The same, with equivalent elements in the order of their indices: any sort becomes stable.
template <class Key, class Compare>
struct by_pointee_then_index {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_HOST_DEVICE bool operator()(const Index& a, const Index& b) const {
    if (compare(keys[a], keys[b])) return true;
    if (compare(keys[b], keys[a])) return false;
    return a < b;
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
