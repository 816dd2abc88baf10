// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/router/plan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// How much the library knows of an order.
enum class order_kind {
  arithmetic,  // less or greater on keys whose bits it can read
  encoded,     // an order_by or a projection that packs into one unsigned key
  opaque,      // a function of two elements
};

/// What is moved while sorting.
enum class layout {
  elements,           // keys, and a range of values beside them
  keys_with_indices,  // keys, and the places they came from; values move once, afterwards
  indices,            // places only, or encoded keys with places; everything else moves once
};

/// A problem but for its size: what is known when the call is compiled.
struct problem {
  std::size_t key_bytes;
  std::size_t value_bytes;  // of all value ranges together
  int value_ranges;
  std::size_t alignment;  // the largest of all
  order_kind order;
  bool stable;  // equivalent elements can be told apart, and must keep their order
  bool in_place;
  bool only_places;  // wanted is the order, not the keys in it; then `stable` is set
  route forced;      // route::nothing: the router is free
};

struct decision {
  route algorithm;
  const char* reason;
};

// Elements up to this size are moved at every pass; larger ones are represented by their index.
// Comparing 64-byte structs where they are, by index, was measured 2.8 times slower than moving
// them along: every comparison waits for two random reads.
inline constexpr std::size_t max_element_bytes = 64;
inline constexpr std::size_t max_element_alignment = 16;

// CUB moves values at every radix pass: beyond 16 bytes an index of 4 and one gather move less.
inline constexpr std::size_t max_radix_value_bytes = 16;

// Below this, launches cost more than comparisons, and CUB's radix sort needs more of them.
// Measured for u32: 38 against 64 us at 2^17, even at 2^18, 108 against 86 at 2^20.
inline constexpr std::uint64_t min_radix_n = std::uint64_t{1} << 18;

/// The largest n that one block can sort, in tiles of 1024 threads.
constexpr std::uint64_t small_sort_capacity(std::size_t element_bytes) {
  return element_bytes <= 8 ? 8192 : element_bytes <= 16 ? 4096 : 2048;
}

/// The largest n for which one block is faster than sample sort on all multiprocessors, which costs
/// three barriers of the whole device. From measured calls for u32 and u64; for others by analogy.
constexpr std::uint64_t small_sort_limit(std::size_t element_bytes) {
  return element_bytes <= 4 ? 4096 : element_bytes <= 16 ? 2048 : 1024;
}

/// A comparison route was asked for: what the library sees of the order is of no use.
constexpr bool forced_to_compare(const problem& p) {
  return p.forced != route::nothing && p.forced != route::radix_sort;
}

constexpr order_kind order_of(const problem& p) {
  if (forced_to_compare(p)) return order_kind::opaque;
  const bool needs_copy_of_keys = p.only_places && p.order == order_kind::arithmetic;
  return needs_copy_of_keys ? order_kind::encoded : p.order;
}

/// A sort that must be stable, by an algorithm that is not, compares places where keys are
/// equivalent; so it must carry them.
constexpr bool needs_places(const problem& p) { return p.stable && p.forced == route::sample_sort; }

constexpr layout layout_of(const problem& p) {
  if (p.only_places || order_of(p) == order_kind::encoded) return layout::indices;
  const bool is_aligned = p.alignment <= max_element_alignment;
  const std::size_t max_values =
      order_of(p) == order_kind::arithmetic ? max_radix_value_bytes : max_element_bytes;
  if (is_aligned && p.key_bytes + p.value_bytes <= max_element_bytes && p.value_ranges <= 1 &&
      p.value_bytes <= max_values && !needs_places(p)) {
    return layout::elements;
  }
  return is_aligned && p.key_bytes <= 16 ? layout::keys_with_indices : layout::indices;
}

/// Bytes of what one block holds in shared memory per element, padding between members included.
constexpr std::size_t tile_element_bytes(const problem& p) {
  const std::size_t second = layout_of(p) == layout::elements ? p.value_bytes : 8;
  if (layout_of(p) == layout::indices) return 8;
  if (second == 0) return p.key_bytes;
  return 2 * (p.key_bytes > second ? p.key_bytes : second);
}

/// Routes that may be taken for some n: no other one is compiled.
constexpr bool may_take(const problem& p, route r) {
  const order_kind order = order_of(p);
  if (p.in_place) return r == route::bitonic_sort && !p.stable;
  if (p.forced != route::nothing && p.forced != r) {
    return r == route::bitonic_sort && !p.stable;  // where scratch cannot be had
  }
  switch (r) {
    case route::small_sort:
      return true;
    case route::radix_sort:
      return order != order_kind::opaque;
    case route::sample_sort:
      if (p.forced == r) return true;
      if (order == order_kind::encoded) return false;
      if (order == order_kind::arithmetic) return layout_of(p) == layout::elements && !p.stable;
      return !p.stable || layout_of(p) != layout::elements;
    case route::merge_sort:
      return p.forced == r ||
             (order == order_kind::opaque && p.stable && layout_of(p) == layout::elements);
    case route::bitonic_sort:
      return !p.stable;
    default:
      return false;
  }
}

/// The route for n elements of a problem.
constexpr decision choose(const problem& p, std::uint64_t n) {
  if (n < 2) return {route::nothing, "fewer than two elements are sorted"};
  if (p.in_place) return {route::bitonic_sort, "in_place forbids scratch"};
  if (p.forced != route::nothing) return {p.forced, "the policy forces it"};
  const std::size_t bytes = tile_element_bytes(p);
  if (n <=
      (may_take(p, route::sample_sort) ? small_sort_limit(bytes) : small_sort_capacity(bytes))) {
    return {route::small_sort, "it fits in one block's shared memory"};
  }
  if (may_take(p, route::radix_sort) && (n >= min_radix_n || !may_take(p, route::sample_sort))) {
    return {route::radix_sort, "the order can be read off the bits of the keys"};
  }
  if (may_take(p, route::sample_sort)) {
    return order_of(p) == order_kind::opaque
               ? decision{route::sample_sort, "the order is known by comparisons only"}
               : decision{route::sample_sort, "for so few keys fewer launches beat fewer passes"};
  }
  return {route::merge_sort, "the order is known by comparisons only, and the sort is stable"};
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
