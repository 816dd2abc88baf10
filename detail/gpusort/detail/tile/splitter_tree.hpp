// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

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
  const T* nodes;
  const std::uint8_t* equal;  // k + 1 marks, the last one 0
  int log_k;
  bool has_equal;

  /// The node that holds the splitter of rank r in [1, k).
  static GPUSORT_DEVICE int node_of_rank(int r, int log_k) {
    const int z = __ffs(r) - 1;
    return (1 << (log_k - 1 - z)) + (r >> (z + 1));
  }

  /// The buckets of up to Items elements, descending all of them level by level so that their
  /// dependent loads overlap. `exists(i)` says which there are; no other one is compared.
  template <int Items, class Exists, class Compare>
  GPUSORT_DEVICE void classify(const T (&x)[Items], int (&bucket)[Items], Exists exists,
                               Compare& compare) const {
#pragma unroll
    for (int i = 0; i < Items; ++i) bucket[i] = 1;
    for (int level = 0; level < log_k; ++level) {
#pragma unroll
      for (int i = 0; i < Items; ++i) {
        if (exists(i)) bucket[i] = 2 * bucket[i] + (compare(nodes[bucket[i]], x[i]) ? 1 : 0);
      }
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) bucket[i] -= 1 << log_k;
    if (!has_equal) return;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (exists(i) && equal[bucket[i] + 1]) {
        const T& splitter = nodes[node_of_rank(bucket[i] + 1, log_k)];
        if (!compare(x[i], splitter)) ++bucket[i];
      }
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
