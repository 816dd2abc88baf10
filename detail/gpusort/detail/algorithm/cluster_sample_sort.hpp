// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/algorithm/sample_sort_tuning.hpp>
#include <gpusort/detail/kernel/cluster_sample_sort.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/shared_memory.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sample sort of few elements by one cluster of blocks, which share their shared memory: one
/// launch, no scratch. Not stable. A permutation for any comparator. For any input each element is
/// compared log2(n) times at most to distribute it, and then as in a merge sort of its bucket. No
/// synchronization; capturable. The idea is ours (docs/decisions, 5); the rest: paper 003,
/// section 6.
template <class Array, class Compare,
          class Tuning = sample_sort_tuning<typename Array::value_type, Compare>>
class cluster_sample_sort {
  using element = typename Array::value_type;
  using tuning = typename Tuning::cluster;
  using storage = kernel::cluster_storage<tuning, element, Compare>;
  static constexpr auto first_generation = detail::tuning::architecture::sm_90;
  static constexpr bool is_possible =
      detail::tuning::is_compiled_for(Tuning::arch, first_generation);
  static_assert(sizeof(storage) <= detail::tuning::shared_memory_of(Tuning::arch));
  static_assert(tuning::blocks <= completion::max_blocks);

 public:
  /// Returns the most elements that it sorts on the current device; 0 where that has no clusters.
  static std::uint64_t max_n() {
    if (!is_possible) return 0;
    const device_properties& device = current_device_properties();
    const auto code = detail::tuning::generation_of(10 * device.compiled_architecture);
    const bool has_clusters = device.may_cluster && code >= first_generation &&
                              device.max_shared_memory_per_block >= sizeof(storage);
    return has_clusters ? tuning::max_n : 0;
  }

  static std::size_t scratch_bytes(std::uint64_t) { return 0; }

  /// Sorts the n <= max_n() elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* = nullptr) {
    if constexpr (is_possible) {
      const int items = static_cast<int>(n);
      launch_cluster(kernel::cluster_sample_sort_kernel<Tuning::arch, tuning, Array, In, Compare>,
                     tuning::blocks, storage::threads(items),
                     {storage::bytes(items), sizeof(storage)}, stream, in, out, items,
                     storage::share(items), stream.seed().bits, compare,
                     stream.completion_words(tuning::blocks));
    }
  }
};

template <class Array, class Compare>
struct cluster_sample_sorts {
  template <tuning::architecture Arch>
  using on = cluster_sample_sort<Array, Compare,
                                 sample_sort_tuning<typename Array::value_type, Compare, Arch>>;
};
template <class Array, class Compare>
using tuned_cluster_sample_sort = by_generation<cluster_sample_sorts<Array, Compare>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
