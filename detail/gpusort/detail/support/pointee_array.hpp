// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Handles of elements too large for a tile, which holds where they are in their place. See
// array.hpp.

/// Loads where the element is.
template <class T>
struct pointer_array {
  using value_type = const T*;

  const T* data;

  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const { return data + i; }
  GPUSORT_HOST_DEVICE pointer_array operator+(std::uint64_t n) const { return {data + n}; }
};

/// Stores into the element that is there; it is not in this array.
template <class T>
struct pointee_array {
  using value_type = const T*;

  T* data;

  GPUSORT_DEVICE void store(std::uint64_t i, value_type x) const {
    // In a loop, as a copy of 4 KB would go through a thousand registers.
    using piece = raw_storage<unsigned char[alignment], alignment>;
    const auto* const from = reinterpret_cast<const piece*>(x);
    auto* const to = reinterpret_cast<piece*>(data + i);
#pragma unroll 4
    for (std::size_t p = 0; p < sizeof(T) / alignment; ++p) to[p] = from[p];
  }
  GPUSORT_HOST_DEVICE pointee_array operator+(std::uint64_t n) const { return {data + n}; }

 private:
  static constexpr std::size_t alignment = alignof(T) < 16 ? alignof(T) : 16;
};

/// Keys and values of which either may be pointers. `Values` is loaded, or stored, as `Keys` is.
template <class Keys, class Values>
struct pair_array {
  using value_type = key_value<typename Keys::value_type, typename Values::value_type>;

  Keys keys;
  Values values;

  GPUSORT_DEVICE value_type load(std::uint64_t i) const { return {keys.load(i), values.load(i)}; }
  GPUSORT_DEVICE void store(std::uint64_t i, const value_type& x) const {
    keys.store(i, x.key);
    values.store(i, x.value);
  }
  GPUSORT_HOST_DEVICE pair_array operator+(std::uint64_t n) const { return {keys + n, values + n}; }
};

/// Orders pointers by what they point at.
template <class Compare>
struct by_target {
  Compare compare;
  template <class T>
  GPUSORT_DEVICE bool operator()(const T* a, const T* b) {
    return static_cast<bool>(compare(*a, *b));
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
