// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns a bit of a bitmap, least significant bits first.
GPUSORT_HOST_DEVICE inline bool bit_at(const unsigned char* bitmap, std::uint64_t i) {
  return (bitmap[i / 8] >> (i % 8) & 1) != 0;
}

/// Tells by an element's index whether it has a value: a bitmap, or flags, of bool. Null: all
/// elements have one.
template <bool IsBitmap>
struct validity_by_index {
  const unsigned char* data;

  static constexpr std::uint64_t bytes(std::uint64_t n) { return IsBitmap ? (n + 7) / 8 : n; }

  GPUSORT_HOST_DEVICE bool operator()(std::uint64_t i) const {
    return data == nullptr || (IsBitmap ? bit_at(data, i) : data[i] != 0);
  }
};

/// Whether an index is one of `rows` rows, and the row has a value.
template <bool IsBitmap>
struct row_has_value {
  validity_by_index<IsBitmap> valid;
  std::uint64_t rows;

  GPUSORT_HOST_DEVICE bool operator()(std::uint64_t i) const { return i < rows && valid(i); }
};

template <class Valid>
inline constexpr bool is_by_index_v = false;
template <bool IsBitmap>
inline constexpr bool is_by_index_v<validity_by_index<IsBitmap>> = true;

template <class T>
inline constexpr bool is_validity_v =
    std::is_same_v<std::remove_cv_t<T>, std::uint32_t> ||
    std::is_same_v<std::remove_cv_t<T>, std::uint8_t> || std::is_same_v<std::remove_cv_t<T>, bool>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
