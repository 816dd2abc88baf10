// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/multiway_merge.hpp>
#include <gpusort/detail/kernel/natural_runs.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Returns how many runs there are, if they are few and somebody has looked; 0 otherwise.
GPUSORT_DEVICE std::uint32_t count_of(const natural_runs* found) {
  return found == nullptr ? 0 : __ldg(&found->count);
}

/// Describes what a pass of merge sort merges: runs of `length` elements of one array, the last of
/// what is left, 2^log_ways at a time. Where few natural runs have been found, the last pass merges
/// those, and the others nothing.
struct merge_sort_groups {
  std::uint64_t n;
  std::uint64_t length;
  int log_ways;
  std::uint64_t tiles_per_group;
  const natural_runs* natural;
  bool is_last_pass;

  /// Whether there is nothing to be merged.
  GPUSORT_DEVICE bool are_settled() const {
    const std::uint32_t count = count_of(natural);
    return count == 1 || (count > 1 && !is_last_pass);
  }
  GPUSORT_DEVICE merge_group group_of(std::uint64_t tile) const {
    const auto count = static_cast<int>(count_of(natural));
    if (count > 0) return {0, 0, n, of_natural_runs, count};
    const std::uint64_t g = tile / tiles_per_group;
    const std::uint64_t begin = g * (length << log_ways);
    const std::uint64_t in_group = min_of(length << log_ways, n - begin);
    return {g * tiles_per_group, begin, in_group, g << log_ways,
            static_cast<int>(ceil_div(in_group, length))};
  }

  static constexpr std::uint64_t of_natural_runs = ~std::uint64_t{0};
};

/// The runs of a pass of merge sort.
template <class Array>
struct merge_sort_runs : merge_sort_groups {
  using array = Array;
  using groups_only = merge_sort_groups;

  Array data;

  GPUSORT_DEVICE sorted_run<Array> run(const merge_group& group, int i) const {
    if (group.first_run == of_natural_runs) {
      const std::uint64_t begin = natural->begins[i];
      return {data + begin, natural->begins[i + 1] - begin};
    }
    const std::uint64_t begin = i * length;
    return {data + (group.first_out + begin), min_of(length, group.n - begin)};
  }
};

/// Sorts each tile of `from` into the same indices of `out`, or of `spare`. Where few natural runs
/// have been found, `spare` gets them as they are, and `out` if it is only one.
template <tuning::architecture Arch, class Sorter, class From, class To, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    merge_sort_tiles_kernel(From from, To out, To spare, bool is_into_out, std::uint64_t n,
                            const natural_runs* natural, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    auto& shared = *reinterpret_cast<typename Sorter::storage*>(dynamic);
    const std::uint32_t runs = count_of(natural);
    if constexpr (std::is_same_v<From, To>) {
      if (runs == 1 && from.keys == out.keys) return;
    }
    const std::uint64_t first = std::uint64_t{blockIdx.x} * Sorter::items_per_tile;
    const int count = static_cast<int>(min_of(n - first, Sorter::items_per_tile));
    tile::stage_tile<Sorter>(shared, count, [&](int i) { return from.load(first + i); });
    __syncthreads();
    if (runs == 0) Sorter::sort(shared, count, compare);
    const bool goes_out = runs == 0 ? is_into_out : runs == 1;
    tile::unstage_tile<Sorter>(shared, count, goes_out ? out : spare, first);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
