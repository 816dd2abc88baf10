// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/splitter_tree.hpp>

#include "odd_even_sort.hpp"

namespace papers {

namespace detail = gpusort::detail;

/// Pseudorandom places: a linear congruential generator.
class random_places {
 public:
  GPUSORT_DEVICE explicit random_places(std::uint64_t seed) : state_(detail::mix_bits(seed)) {}

  GPUSORT_DEVICE std::uint32_t below(std::uint32_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 32) * n >> 32);
  }

 private:
  std::uint64_t state_;
};

/// The k - 1 splitters of k buckets as a search tree: the root is node 1, the children of node j
/// are 2j and 2j + 1. Where all splitters are equivalent, there are three buckets: what is before
/// them, equivalent to them and after them. The paper splits so where all samples are equivalent.
/// That alone leaves inputs of which a pass after the other puts everything into one bucket: a
/// value that is in almost all samples. Source: paper 003, section 6.2, algorithm 6.
template <class T, int k>
struct search_tree {
  static constexpr int levels = detail::ceil_log2(k);
  static constexpr int equals = 1;  // the bucket, where splitters are equivalent
  static_assert(k >= 4 && 1 << levels == k);

  T nodes[k];
  bool has_one_value;

  template <class Compare>
  GPUSORT_DEVICE int bucket_of(const T& x, Compare& compare) const {
    if (has_one_value) return compare(x, nodes[1]) ? 0 : compare(nodes[1], x) ? 2 : equals;
    int j = 1;
#pragma unroll
    for (int level = 0; level < levels; ++level) j = 2 * j + compare(nodes[j], x);
    return j - k;
  }
};

/// Makes the tree of every a-th of a * k random samples, by one block; `samples` is shared memory.
/// Ends with a barrier. Source: paper 003, section 6.2, step 1.
template <int Threads, int a, int k, class T, class Compare>
GPUSORT_DEVICE void choose_splitters(const T* from, std::uint32_t count, std::uint64_t seed,
                                     T (&samples)[a * k], search_tree<T, k>& tree,
                                     Compare& compare) {
  const int thread = static_cast<int>(threadIdx.x);
  random_places places(seed + threadIdx.x);
  for (int i = thread; i < a * k; i += Threads) samples[i] = from[places.below(count)];
  odd_even_sort<Threads>(samples, a * k, compare);
  for (int rank = 1 + thread; rank < k; rank += Threads) {
    const int node = detail::tile::splitter_tree<T>::node_of_rank(rank, tree.levels);
    tree.nodes[node] = samples[rank * a];
  }
  if (thread == 0) tree.has_one_value = !compare(samples[a], samples[(k - 1) * a]);
  __syncthreads();
}

}  // namespace papers
