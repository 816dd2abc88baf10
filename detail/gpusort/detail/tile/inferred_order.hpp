// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <climits>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// An order that a comparator seems to follow: that of one word of each element, read as a number.
/// A guess, made from a sample; what is sorted by it is compared again.
struct inferred_order {
  enum reading : std::uint32_t { as_unsigned, as_signed, as_float };

  std::uint32_t offset;      // of the word in an element, a multiple of its size
  std::uint32_t word_bytes;  // 4 or 8; 0: no word will do
  reading read_as;
  bool is_descending;

  /// Returns a word as an unsigned number that ascends as the reading does.
  template <class Word>
  static GPUSORT_DEVICE Word ascending(Word word, reading read_as) {
    constexpr Word sign = Word{1} << (8 * sizeof(Word) - 1);
    if (read_as == as_unsigned) return word;
    return read_as == as_float && (word & sign) ? static_cast<Word>(~word) : word ^ sign;
  }

  /// Returns a word as a number that ascends as the order does.
  template <class Word>
  GPUSORT_DEVICE Word number_of(Word word) const {
    const Word number = ascending(word, read_as);
    return is_descending ? static_cast<Word>(~number) : number;
  }
};

/// Looks for the order of `count` sampled elements, at(0) .. at(count - 1) ascending, of which
/// is_less(i) says that the i-th is before the next, and not equivalent. A word by which neighbours
/// are equal that are not equivalent does not hold the order. Words of 8 bytes come first, as their
/// upper half may seem to hold it too, if both halves vary. Block-wide; the result is thread 0's.
template <int ElementBytes, int Alignment, class At, class IsLess>
GPUSORT_DEVICE inferred_order infer_order(int count, const At& at, const IsLess& is_less) {
  constexpr int searched_bytes = min_of(ElementBytes, 256);  // one block looks at all words
  constexpr int wide = Alignment % 8 == 0 ? searched_bytes / 8 : 0;
  constexpr int narrow = searched_bytes / 4;
  constexpr int readings = 3;
  __shared__ int found;
  if (threadIdx.x == 0) found = INT_MAX;
  __syncthreads();
  // Signed before unsigned: where both will do, no sampled number had its first bit set, and rare
  // ones that have are negative more often than large.
  constexpr inferred_order::reading reading_of[readings] = {
      inferred_order::as_signed, inferred_order::as_float, inferred_order::as_unsigned};
  const auto examine = [&](auto zero, int offset, int candidate) {
    using word = decltype(zero);
    std::uint32_t possible = (1u << 2 * readings) - 1;
    word varying = 0;
    for (int i = lane_id(); i + 1 < count; i += warp_size) {
      const word a = *reinterpret_cast<const word*>(at(i) + offset);
      const word b = *reinterpret_cast<const word*>(at(i + 1) + offset);
      varying |= a ^ b;
      if (a == b && is_less(i)) possible = 0;
#pragma unroll
      for (int r = 0; r < readings; ++r) {
        const word x = inferred_order::ascending(a, reading_of[r]);
        const word y = inferred_order::ascending(b, reading_of[r]);
        if (x > y) possible &= ~(1u << 2 * r);
        if (x < y) possible &= ~(2u << 2 * r);
      }
    }
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
      possible &= shuffle_xor(possible, mask);
      varying |= shuffle_xor(varying, mask);
    }
    const bool is_half =
        static_cast<std::uint32_t>(varying) == 0 || varying >> (8 * sizeof(word) - 32) == 0;
    if (is_half) return;
    if (possible != 0 && lane_id() == 0) {
      atomicMin(&found, candidate * 2 * readings + __ffs(static_cast<int>(possible)) - 1);
    }
  };
  for (int c = warp_id(); c < wide + narrow; c += blockDim.x / warp_size) {
    if (c < wide) {
      examine(std::uint64_t{0}, 8 * c, c);
    } else {
      examine(std::uint32_t{0}, 4 * (c - wide), c);
    }
  }
  __syncthreads();
  inferred_order order{};
  if (threadIdx.x == 0 && found != INT_MAX) {
    const int c = found / (2 * readings), way = found % (2 * readings);
    order.word_bytes = c < wide ? 8 : 4;
    order.offset = c < wide ? 8 * c : 4 * (c - wide);
    order.read_as = reading_of[way / 2];
    order.is_descending = way % 2 != 0;
  }
  return order;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
