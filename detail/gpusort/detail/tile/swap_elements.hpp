// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/zip_array.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

template <class Piece>
GPUSORT_DEVICE void swap_pieces(void* a, void* b, std::size_t bytes) {
  Piece* __restrict__ x = static_cast<Piece*>(a);
  Piece* __restrict__ y = static_cast<Piece*>(b);
#pragma unroll 4
  for (std::size_t i = 0; i < bytes / sizeof(Piece); ++i) {
    const Piece piece = x[i];
    x[i] = y[i];
    y[i] = piece;
  }
}

/// Swaps two values of any size where they are, in the largest pieces that their addresses allow.
template <class T>
GPUSORT_DEVICE void swap_in_memory(T* a, T* b) {
  const std::uintptr_t unit =
      reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) | sizeof(T);
  if (unit % sizeof(uint4) == 0) {
    swap_pieces<uint4>(a, b, sizeof(T));
  } else if (unit % sizeof(std::uint32_t) == 0) {
    swap_pieces<std::uint32_t>(a, b, sizeof(T));
  } else {
    swap_pieces<unsigned char>(a, b, sizeof(T));
  }
}

// What an algorithm in place asks of an array of any layout: whether element i goes before element
// j, and each of the arrays that it consists of. Overload both, found by argument, for a handle to
// further layouts.

template <class Key, class Compare>
GPUSORT_DEVICE bool is_before(const key_array<Key>& array, std::uint64_t i, std::uint64_t j,
                              Compare& compare) {
  return static_cast<bool>(compare(array.keys[i], array.keys[j]));
}

template <class Key, class Held, class Use>
GPUSORT_DEVICE void for_each_column(const key_array<Key, Held>& array, Use use) {
  use(array.keys);
}

template <class Key, class Value, class Held, class Compare>
GPUSORT_DEVICE bool is_before(const key_value_array<Key, Value, Held>& array, std::uint64_t i,
                              std::uint64_t j, Compare& compare) {
  return static_cast<bool>(compare(array.load(i), array.load(j)));
}

template <class Key, class Value, class Held, class Use>
GPUSORT_DEVICE void for_each_column(const key_value_array<Key, Value, Held>& array, Use use) {
  use(array.keys);
  use(array.values);
}

template <class Tuple, class Held, class First, class... Rest, class Compare>
GPUSORT_DEVICE bool is_before(const zip_array<Tuple, Held, First, Rest...>& array, std::uint64_t i,
                              std::uint64_t j, Compare& compare) {
  return static_cast<bool>(compare(array.load(i), array.load(j)));
}

template <class Tuple, class Held, class First, class... Rest, class Use>
GPUSORT_DEVICE void for_each_column(const zip_array<Tuple, Held, First, Rest...>& array, Use use) {
  use(array.keys);
  cuda::std::apply([&](auto*... columns) { (use(columns), ...); }, array.rest);
}

template <class Array>
GPUSORT_DEVICE void swap_elements(const Array& array, std::uint64_t i, std::uint64_t j) {
  for_each_column(array, [&](auto* column) { swap_in_memory(column + i, column + j); });
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
