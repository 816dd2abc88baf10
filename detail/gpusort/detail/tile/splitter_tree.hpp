// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/optimization_barrier.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The k - 1 sorted splitters of k = 2^log_k buckets as an implicit search tree: node 1 is the
/// root, node j has the children 2j and 2j + 1 (node 0 is unused). Bucket b holds the x with
/// splitter(b) < x <= splitter(b + 1), splitters counted from 1. Where sampling met one value
/// often, several splitters are equal, and the buckets between them would stay empty: the first of
/// those is the value's own bucket, marked in `equal`, and needs no sorting. Source: paper 003,
/// Algorithm 6 and section 6.2; the equality buckets are ours.
template <class T>
struct splitter_tree {
  const T* nodes;             // in shared memory
  const std::uint8_t* equal;  // k + 1 marks, the last one 0
  int log_k;
  bool has_equal;

  /// Returns the node that holds the splitter of rank r in [1, k).
  static GPUSORT_DEVICE int node_of_rank(int r, int log_k) {
    const int z = __ffs(r) - 1;
    return (1 << (log_k - 1 - z)) + (r >> (z + 1));
  }

  /// Finds the buckets of up to Items elements, descending all of them level by level so that their
  /// dependent loads overlap. `exists(i)` says which there are; no other one is compared.
  template <int Items, class Exists, class Compare>
  GPUSORT_DEVICE void classify(const T (&x)[Items], int (&bucket)[Items], Exists exists,
                               Compare& compare) const {
    // A child's address is twice its parent's, less the tree's, or an item more: with both of these
    // in registers that is two instructions.
    const auto tree = static_cast<std::uint32_t>(__cvta_generic_to_shared(nodes));
    std::uint32_t left = 0u - tree, right = node_bytes - tree;
    optimization_barrier(left);
    optimization_barrier(right);
    const bool knows_top = has_small_nodes && log_k >= top_levels;
    T top[3];
    if (knows_top) {
#pragma unroll
      for (int i = 0; i < 3; ++i) top[i] = nodes[i + 1];
    }
    std::uint32_t address[Items];
    constexpr int at_once = 8;  // more would need more registers than there are
#pragma unroll
    for (int first = 0; first < Items; first += at_once) {
#pragma unroll
      for (int i = first; i < first + at_once && i < Items; ++i) {
        address[i] = tree + node_bytes;
        if (!knows_top || !exists(i)) continue;
        const bool is_right = static_cast<bool>(compare(top[0], x[i]));
        address[i] = tree + (is_right ? 6 : 4) * node_bytes;  // its child's left child
        address[i] += compare(select(is_right, top[2], top[1]), x[i]) ? node_bytes : 0;
      }
#pragma unroll 2
      for (int level = knows_top ? top_levels : 0; level < log_k; ++level) {
#pragma unroll
        for (int i = first; i < first + at_once && i < Items; ++i) {
          if (!exists(i)) continue;
          address[i] = 2 * address[i] + (compare(node_at(address[i]), x[i]) ? right : left);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      bucket[i] = static_cast<int>((address[i] - tree) / node_bytes) - (1 << log_k);
    }
    if (!has_equal) return;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (exists(i) && equal[bucket[i] + 1]) {
        const T& splitter = nodes[node_of_rank(bucket[i] + 1, log_k)];
        if (!compare(x[i], splitter)) ++bucket[i];
      }
    }
  }

 private:
  static constexpr auto node_bytes = static_cast<std::uint32_t>(sizeof(T));

  // Where nodes are small, those of the upper levels are in registers.
  static constexpr bool has_small_nodes = sizeof(T) <= 8;
  static constexpr int top_levels = 2;

  static GPUSORT_DEVICE const T& node_at(std::uint32_t address) {
    return *static_cast<const T*>(__cvta_shared_to_generic(address));
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
