// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Comparators over what a tile holds. Device functions only, so that the user's comparator may be
// one; it is called with references to the user's own type.

template <class Compare>
struct by_stored_value {
  Compare compare;
  template <class T>
  GPUSORT_DEVICE bool operator()(const T& a, const T& b) {
    return static_cast<bool>(compare(stored_value(a), stored_value(b)));
  }
};

template <class Compare>
struct by_key {
  Compare compare;
  template <class Key, class Value>
  GPUSORT_DEVICE bool operator()(const key_value<Key, Value>& a, const key_value<Key, Value>& b) {
    return compare(a.key, b.key);
  }
};

/// The same, with equivalent keys in the order of their values, which are places: any sort becomes
/// stable. Without branches: in an exchange they cost more than the second comparison.
template <class Compare>
struct by_key_then_value {
  Compare compare;
  template <class Key, class Value>
  GPUSORT_DEVICE bool operator()(const key_value<Key, Value>& a, const key_value<Key, Value>& b) {
    const bool is_before = compare(a.key, b.key), is_behind = compare(b.key, a.key);
    return is_before | (!is_behind & (a.value < b.value));
  }
};

/// Orders indices by what they point at.
template <class Key, class Compare>
struct by_pointee {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_DEVICE bool operator()(const Index& a, const Index& b) {
    return compare(keys[a], keys[b]);
  }
};

/// The same, with equivalent elements in the order of their indices: any sort becomes stable.
template <class Key, class Compare>
struct by_pointee_then_index {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_DEVICE bool operator()(const Index& a, const Index& b) {
    if (compare(keys[a], keys[b])) return true;
    if (compare(keys[b], keys[a])) return false;
    return a < b;
  }
};

/// Whether elements are indices, and comparing two of them reads memory elsewhere.
template <class Compare>
inline constexpr bool follows_indices = false;
template <class Key, class Compare>
inline constexpr bool follows_indices<by_pointee<Key, Compare>> = true;
template <class Key, class Compare>
inline constexpr bool follows_indices<by_pointee_then_index<Key, Compare>> = true;
template <class Compare>
inline constexpr bool follows_indices<by_stored_value<Compare>> = follows_indices<Compare>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
