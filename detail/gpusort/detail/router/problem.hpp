// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/router/cost.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/key_sizes.hpp>
#include <gpusort/detail/tuning/small_radix_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// Names how much the library knows of an order.
enum class order_kind {
  arithmetic,  // less or greater on keys whose bits it can read
  encoded,     // an order_by or a projection that packs into an unsigned key
  opaque,      // a function of two elements
};

/// Names what is moved while sorting.
enum class layout {
  elements,           // keys, with a range of values
  keys_with_indices,  // keys, and the indices that they had; values move once, afterwards
  indices,            // indices only, or encoded keys with indices; everything else moves once
};

/// Holds what is known of a sort when the call is compiled: everything but its size.
struct problem {
  std::size_t key_bytes;
  std::size_t value_bytes;  // of all value ranges together
  int value_ranges;
  std::size_t alignment;  // the largest of all
  order_kind order;
  bool stable;  // equivalent elements can be told apart, and must keep their order
  bool in_place;
  bool only_indices;           // wanted is the order, not the keys in it; then `stable` is set
  bool only_one_launch;        // no more than sample sort does in one launch
  route forced;                // route::nothing: the router is free
  int key_bits = 0;            // of the unsigned key, where the order can be read off one, or 0
  bool fixed_offsets = false;  // it reads elements at offsets known when the call is compiled
};

inline constexpr std::uint64_t any_n = ~std::uint64_t{0};
inline constexpr std::uint64_t max_narrow_index = 0xFFFFFFFF;

// Elements up to this size are moved at every pass; larger ones are represented by their index.
// Comparing 64-byte structs where they are, by index, was measured 2.8 times slower than moving
// them along: every comparison waits for two random reads.
inline constexpr std::size_t max_element_bytes = 64;
inline constexpr std::size_t max_element_alignment = 16;

// CUB moves values at every radix pass: beyond 16 bytes an index of 4 and one gather move less.
inline constexpr std::size_t max_radix_value_bytes = 16;

/// Least n of radix sort: below it, launches cost more than comparisons, and CUB's radix sort needs
/// more of them: up to what sample sort does in one launch. Measured with 4-byte keys, in us: 44 at
/// 2^18, where Thrust's radix sort takes 125.
inline constexpr std::uint64_t min_radix_n = (std::uint64_t{1} << 18) + 1;

/// Tells whether a comparison route was asked for: what the library sees of the order is then of no
/// use.
constexpr bool forced_to_compare(const problem& p) {
  return p.forced != route::nothing && p.forced != route::counting_sort &&
         p.forced != route::radix_sort;
}

constexpr bool is_wide_key(const problem& p) { return p.key_bits > max_encoded_bits; }

/// Whether elements are compared although an unsigned key stands for each: it has more words than
/// are moved, and stays in memory where elements are sorted as indices.
constexpr bool has_long_key(const problem& p) {
  return p.order == order_kind::opaque && p.key_bits > 0;
}

/// Packed keys were measured of elements of up to this size; larger ones are charged for a
/// function.
inline constexpr std::size_t max_packed_bytes = 16;

/// Returns the comparison of fields that are read at fixed offsets.
constexpr comparison comparison_of_fields(int key_bits, std::size_t bytes) {
  return key_bits <= max_encoded_bits && bytes <= max_packed_bytes ? comparison::packed
                                                                   : comparison::functions;
}

constexpr records records_of(const problem& p) {
  const bool is_number = p.order == order_kind::arithmetic;
  return {p.key_bytes, p.value_bytes, p.value_ranges,
          is_number         ? static_cast<int>(8 * p.key_bytes)
          : has_long_key(p) ? 0
                            : p.key_bits,
          is_number ? comparison::numbers
          : p.order == order_kind::encoded && p.fixed_offsets
              ? comparison_of_fields(p.key_bits, p.key_bytes)
              : comparison::functions};
}

/// The router compiles one of two strategies for a type, moving elements or sorting keys with
/// indices, and compares their estimates for this number of elements.
inline constexpr std::uint64_t many = std::uint64_t{1} << 26;

/// Least share by which moving must win: keys with indices take the same for all inputs.
inline constexpr double least_gain = 1.05;

/// The largest elements that were measured to be moved sooner than their keys are sorted.
inline constexpr std::size_t max_direct_bytes = 32;

/// Tells which elements are estimated to be moved and compared, or merged, sooner than their keys
/// with indices are sorted: sizes of elements where they are moved. Asked often, so made once.
class direct_sizes {
 public:
  constexpr direct_sizes() {
    for (bool is_stable : {false, true}) {
      for (int digits = least_digits; digits <= most_digits; ++digits) {
        for (std::size_t bytes = 4; bytes <= max_direct_bytes; bytes += 4) {
          if (bytes == size_charged(bytes) && is_sooner(is_stable, digits, bytes)) {
            sizes[is_stable][digits] |= bit_of(bytes);
          }
        }
      }
    }
  }

  constexpr bool has(bool is_stable, int key_bits, std::size_t bytes) const {
    const int digits = key_bits <= 8 * least_digits ? least_digits : ceil_div(key_bits, 8);
    return bytes <= max_direct_bytes &&
           (sizes[is_stable][digits] & bit_of(size_charged(bytes))) != 0;
  }

 private:
  // Keys shorter than 32 bits, which were not measured, are taken for keys of 32 bits.
  static constexpr int least_digits = 4, most_digits = max_encoded_bits / 8;

  std::uint32_t sizes[2][most_digits + 1] = {};

  static constexpr std::size_t size_charged(std::size_t bytes) {
    return are_words_in_large_tiles(bytes) ? bytes : moved_bytes(bytes);
  }

  static constexpr std::uint32_t bit_of(std::size_t charged) {
    return std::uint32_t{1} << (charged / 4 - 1);
  }

  static constexpr bool is_sooner(bool is_stable, int digits, std::size_t bytes) {
    const records r = {bytes, 0, 0, 8 * digits, comparison_of_fields(8 * digits, bytes)};
    const auto us = [&](strategy how) { return microseconds(how, r, many); };
    return least_gain * us(is_stable ? strategy::elements_merged : strategy::elements_compared) <=
           us(strategy::keys_with_indices_by_radix);
  }
};
inline constexpr direct_sizes sizes_moved;

/// Whether elements are moved and compared although keys and indices could be sorted in their
/// place. Keys with values were not measured: they are what comparators get.
constexpr bool is_direct(const problem& p) {
  if (p.order != order_kind::encoded || p.only_indices || p.forced != route::nothing ||
      is_wide_key(p) || !p.fixed_offsets) {
    return false;
  }
  if (p.value_ranges > 0) return true;
  // In records without words no key word is found, and their tiles are those of larger elements.
  const bool has_words = p.alignment % 4 == 0;
  return sizes_moved.has(p.stable, p.key_bits, has_words ? p.key_bytes : moved_bytes(p.key_bytes));
}

constexpr order_kind order_of(const problem& p) {
  if (forced_to_compare(p) || is_direct(p)) return order_kind::opaque;
  const bool needs_copy_of_keys = p.only_indices && p.order == order_kind::arithmetic;
  return needs_copy_of_keys ? order_kind::encoded : p.order;
}

/// Tells whether a sort must carry indices: one that must be stable, by an algorithm that is not,
/// compares indices where keys are equivalent.
constexpr bool needs_indices(const problem& p) {
  return p.stable && (p.forced == route::sample_sort || p.forced == route::quicksort);
}

constexpr layout layout_of(const problem& p) {
  if (order_of(p) == order_kind::encoded) return layout::indices;
  const bool is_aligned = p.alignment <= max_element_alignment;
  const std::size_t max_values =
      order_of(p) == order_kind::arithmetic ? max_radix_value_bytes : max_element_bytes;
  if (is_aligned && p.key_bytes + p.value_bytes <= max_element_bytes && p.value_ranges <= 1 &&
      p.value_bytes <= max_values && !needs_indices(p) && !p.only_indices) {
    return layout::elements;
  }
  return is_aligned && p.key_bytes <= 16 ? layout::keys_with_indices : layout::indices;
}

/// Returns the bytes of what one block holds in shared memory per element, padding between members
/// included.
constexpr std::size_t tile_element_bytes(const problem& p) {
  const std::size_t second = layout_of(p) == layout::elements ? p.value_bytes : 8;
  if (layout_of(p) == layout::indices) return 8;
  // Numbers are held as words at least.
  const bool is_short = order_of(p) == order_kind::arithmetic && p.key_bytes < 4;
  const std::size_t first = is_short ? 4 : p.key_bytes;
  if (second == 0) return first;
  return 2 * (first > second ? first : second);
}

/// Tells whether keys are arithmetic, of `key_bytes`, without values; the order of equal keys does
/// not matter.
constexpr bool is_keys_only_arithmetic(const problem& p, std::size_t key_bytes) {
  return order_of(p) == order_kind::arithmetic && p.key_bytes == key_bytes && p.value_ranges == 0 &&
         !p.stable && !p.in_place;
}

/// Whether counting how often each key occurs sorts them: one pass instead of a radix sort's one
/// for each byte, and its copies.
constexpr bool may_count(const problem& p) {
  return is_keys_only_arithmetic(p, 1) || is_keys_only_arithmetic(p, 2);
}

/// Whether one block sorts keys by their digits: for two bytes that is sooner than comparing.
constexpr bool is_two_byte_keys(const problem& p) {
  return is_keys_only_arithmetic(p, 2) && p.forced == route::nothing;
}

/// The largest n for which one block sorts elements of 4 bytes sooner than several multiprocessors.
inline constexpr std::uint64_t max_small_words = 1024;

/// Returns the largest n for which one block is faster than several multiprocessors. From measured
/// calls for u32 and u64, for others by analogy; for two bytes it is what the one block holds,
/// which was not measured against counting.
constexpr std::uint64_t small_sort_limit(const problem& p) {
  if (is_two_byte_keys(p)) return tuning::large_radix_tile::items_per_tile;
  return tile_element_bytes(p) <= 4 ? max_small_words : 512;
}

/// The largest n for which one multiprocessor compares records elsewhere in memory sooner than
/// a cluster of blocks: H200, 128 bytes, 128 26.1 and 27.3 us by a member, 54.5 and 49.0 by names
/// of 120 bytes; 200 31.4 and 25.9, 71.5 and 53.4.
inline constexpr std::uint64_t max_small_indices = 128;

/// Tells how many keys of more than 32 bits, with indices, are estimated to be sorted by
/// comparisons sooner than by radix, by the digits of 8 bits of a key. A power of two, and what one
/// launch sorts at least. Both encode and gather the same.
struct pair_limits {
  std::uint64_t by_digits[max_encoded_bits / 8 + 1] = {};
};
inline constexpr pair_limits max_pairs_compared = [] {
  pair_limits limits;
  for (int digits = 5; digits <= max_encoded_bits / 8; ++digits) {
    const records r{8, 0, 0, 8 * digits, comparison::packed};
    std::uint64_t& n = limits.by_digits[digits];
    n = min_radix_n - 1;
    while (n < max_narrow_index / 2 &&
           microseconds(strategy::keys_with_indices_compared, r, 2 * n) <
               microseconds(strategy::keys_with_indices_by_radix, r, 2 * n)) {
      n *= 2;
    }
  }
  return limits;
}();

/// Returns the largest n for which comparisons are faster than radix sort, which takes one pass for
/// each byte of the key; any_n where only comparisons know the order. Measured, less, in ms,
/// against Thrust's radix sort: u32, 2^28 keys, 4.5 and 6.2; u64 7.8 and 17.9; u64 with u32 values
/// 14.6 and 23.4. u32 with u32 values, against ours: 3 * 2^26 5.85 and 6.47, 2^28 9.13 and 8.63;
/// where few keys differ or they are in order, also these are sooner. u32 with u64 values, against
/// ours: 2^22 0.222 and 0.264, 2^26 3.06 and 2.74. Other short keys: not measured; the bound is
/// what one launch sorts.
constexpr std::uint64_t max_n_compared(const problem& p) {
  if (order_of(p) == order_kind::opaque) return any_n;
  if (order_of(p) == order_kind::arithmetic) {
    if (layout_of(p) != layout::elements || p.stable) return 0;
    if (p.key_bytes >= 8 || (p.key_bytes == 4 && p.value_bytes == 0)) return any_n;
    if (p.key_bytes == 4 && p.value_bytes == 4) return std::uint64_t{3} << 26;
    if (p.key_bytes == 4 && p.value_bytes == 8) return std::uint64_t{1} << 22;
  }
  if (order_of(p) == order_kind::encoded && is_wide_key(p)) return any_n;
  if (order_of(p) == order_kind::encoded && p.key_bits > 32) {
    return max_pairs_compared.by_digits[ceil_div(p.key_bits, 8)];
  }
  return min_radix_n - 1;
}

/// Whether few elements, of which equivalent ones must keep their order, are sorted sooner with
/// their indices than by an algorithm that is stable itself.
constexpr bool may_carry_indices(const problem& p) {
  return p.stable && !p.only_indices && !p.in_place && p.forced == route::nothing &&
         layout_of(p) == layout::elements && p.key_bytes <= 16;
}

/// Most elements that one block sorts without scratch. The unstable sort's limit for 4-byte keys;
/// not swept.
inline constexpr std::uint64_t max_n_without_indices = max_small_words;

/// Returns the problem of few elements that are sorted with their indices.
constexpr problem with_indices(problem p) {
  p.forced = route::sample_sort;
  p.only_one_launch = true;
  return p;
}

/// Whether the order that a sample teaches is tried before elements are compared: words of theirs
/// are sorted with indices, which must fit in the scratch that the elements take anyway. Numbers
/// gain too little: u64 2^28 14.5 to 12.5 ms, double 13.9 to 15.3, u32 8.9 to 9.5.
constexpr bool may_infer_key(const problem& p) {
  return p.forced == route::nothing && order_of(p) == order_kind::opaque && !p.stable &&
         !p.in_place && p.value_ranges == 0 && p.key_bytes > max_word_record_bytes &&
         p.alignment % 4 == 0;
}

/// Tells whether n elements have their order inferred: fewer are sorted sooner, or little later;
/// more do not have indices of 4 bytes. Measured, with the order inferred and without, us: 64
/// bytes, 2^22 808 and 1346; 128 bytes, 2^20 408 and 1644; 32 bytes, 2^22 590 and 657, less than a
/// comparator without such a word loses; 24 bytes, 2^22 606 and 624.
constexpr bool infers_key(const problem& p, std::uint64_t n) {
  const int log_least = p.key_bytes < 28                   ? 22
                        : p.key_bytes < 48                 ? 24
                        : p.key_bytes <= max_element_bytes ? 22
                                                           : 20;
  return may_infer_key(p) && n >> log_least != 0 && n >> 32 == 0;
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
