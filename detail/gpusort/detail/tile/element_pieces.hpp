// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The pieces in which threads write elements of an array. Where a thread writes a whole element,
/// each store of a warp hits a part of every element's sectors; where it writes pieces, a warp's
/// pieces are neighbours. Measured, H100, 2^26 elements by a computed key, whole and by pieces, ms:
/// 32 bytes 13.2 and 11.6, 36 bytes 27.2 and 15.0, 48 bytes 23.9 and 20.3, 64 bytes 29.4 and 22.0;
/// 12 bytes, 2^22, by a member, 0.328 and 0.362.
template <class Array>
struct element_pieces {
  static constexpr int per_element = 1;
};

template <class T, std::size_t Alignment>
struct element_pieces<key_array<raw_storage<T, Alignment>, as_is>> {
  using element = raw_storage<T, Alignment>;
  using array = key_array<element, as_is>;
  static constexpr int per_element =
      sizeof(T) <= 16 || Alignment < 4 ? 1 : static_cast<int>(sizeof(element) / Alignment);

  struct alignas(Alignment) piece {
    typename element::word words[Alignment / sizeof(typename element::word)];
  };

  static GPUSORT_DEVICE piece load(const element& x, int part) {
    return reinterpret_cast<const piece*>(&x)[part];
  }
  static GPUSORT_DEVICE void store(const array& out, std::uint64_t i, int part, const piece& x) {
    reinterpret_cast<piece*>(out.keys + i)[part] = x;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
