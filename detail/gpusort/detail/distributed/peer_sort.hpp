// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/sort_layouts.hpp>
#include <gpusort/detail/distributed/peer_sample_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The sample sort of several devices for keys by the canonical `Compare`: sort::serves() says
/// whether it is to be taken, and sort::bytes_out() what it expects of the links.
template <class Key, class Compare>
class peer_sort {
  using problem = problem_type<false, false, false, route::sample_sort, Compare, Key>;
  using elements = sort_as_elements<problem, Key, Compare>;

 public:
  /// Whether keys are moved as they are, and not their indices.
  static constexpr bool is_for_keys = router::layout_of(problem::value) == router::layout::elements;

  using array = typename elements::array;
  using order = typename elements::order;
  using sort = peer_sample_sort<array, order>;
  using shard = typename sort::shard;

  static shard shard_at(int device, cudaStream_t stream, Key* keys, std::uint64_t n) {
    return {device, stream, {reinterpret_cast<typename elements::stored*>(keys)}, n};
  }
  static bool is_aligned(const Key* keys) {
    return reinterpret_cast<std::uintptr_t>(keys) % wide_alignment<Key>() == 0;
  }

  static order order_of(const Compare& compare) { return elements::order_of(compare); }

  /// Runs as peer_sample_sort::run, with its promises.
  static bool run(const std::vector<shard>& shards, Compare compare,
                  const peer_sort_options& options = {}) {
    return sort::run(shards, order_of(compare), options);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
