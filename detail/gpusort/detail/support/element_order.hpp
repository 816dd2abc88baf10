// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/cycles_now.hpp>
#include <gpusort/detail/support/select.hpp>
#include <gpusort/detail/support/traits.hpp>

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
    return static_cast<bool>(compare(a.key, b.key));
  }
};

/// Orders by keys, and equivalent ones by their values, which are indices: any sort becomes
/// stable. One comparison: only the key with the greater index can be the one that must not be
/// before the other.
template <class Compare>
struct by_key_then_value {
  Compare compare;
  template <class Key, class Value>
  GPUSORT_DEVICE bool operator()(const key_value<Key, Value>& a, const key_value<Key, Value>& b) {
    const bool is_earlier = a.value < b.value;
    const Key later = select(is_earlier, b.key, a.key), earlier = select(is_earlier, a.key, b.key);
    return static_cast<bool>(compare(later, earlier)) != is_earlier;
  }
};

/// Orders indices by what they point at.
template <class Key, class Compare>
struct by_pointee {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_DEVICE bool operator()(const Index& a, const Index& b) {
    return static_cast<bool>(compare(keys[a], keys[b]));
  }
};

/// Orders indices by what they point at, and equivalent elements by their indices: any sort becomes
/// stable.
template <class Key, class Compare>
struct by_pointee_then_index {
  const Key* keys;
  Compare compare;
  template <class Index>
  GPUSORT_DEVICE bool operator()(const Index& a, const Index& b) {
    const bool is_earlier = a < b;
    const Index later = is_earlier ? b : a, earlier = is_earlier ? a : b;
    return static_cast<bool>(compare(keys[later], keys[earlier])) != is_earlier;
  }
};

/// Compares copies of two elements in storage.
template <class T, class Compare>
GPUSORT_RARE bool compare_copies(const T& a, const T& b, Compare compare) {
  using wide = wide_stored_t<T>;
  wide x, y;
  const auto addresses =
      reinterpret_cast<std::uintptr_t>(&a) | reinterpret_cast<std::uintptr_t>(&b);
  if (addresses % alignof(wide) == 0) {
    x = reinterpret_cast<const wide&>(a);
    y = reinterpret_cast<const wide&>(b);
  } else {
    reinterpret_cast<T&>(x) = a;
    reinterpret_cast<T&>(y) = b;
  }
  return static_cast<bool>(compare(reinterpret_cast<const T&>(x), reinterpret_cast<const T&>(y)));
}

/// The largest elements that are copied: most comparators read little of larger ones. Measured were
/// elements of 128 bytes.
inline constexpr std::size_t max_copied_bytes = 256;

/// Compares elements in memory; once a comparison took long, copies of them. A load of a warp that
/// reads a byte of 32 records touches 32 lines of the L1 cache, of 32 copies in local memory one.
template <class Compare>
struct copies_where_slow {
  // 128 bytes were measured with this limit, 8192 cycles, and with no other.
  static constexpr int slow_cycles_per_byte = 64;

  Compare compare;
  bool are_copied = false;

  template <class T>
  GPUSORT_DEVICE bool operator()(const T& a, const T& b) {
    if (are_copied) return compare_copies(a, b, compare);
    const long long begin = cycles_now();
    const bool result = static_cast<bool>(compare(a, b));
    are_copied = cycles_now() - begin > slow_cycles_per_byte * static_cast<long long>(sizeof(T));
    return result;
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
