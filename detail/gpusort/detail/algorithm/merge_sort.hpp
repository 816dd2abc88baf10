// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/algorithm/merge_pass.hpp>
#include <gpusort/detail/kernel/merge_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tile/block_serial_merge_sort.hpp>
#include <gpusort/detail/tuning/merge_sort.hpp>
#include <gpusort/detail/tuning/multiway_merge.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merge sort by tiles of one size.
template <class Array, class Compare, class Tuning>
class merge_sort_by {
 public:
  using element = typename Array::value_type;

  static std::uint64_t tiles(std::uint64_t n) {
    return ceil_div<std::uint64_t>(n, sorter::items_per_tile);
  }

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  static int passes(std::uint64_t n) { return ceil_div(ceil_log2(tiles(n)), max_log_ways); }

  /// Sorts the n elements of `in` into `out`: the same array, or one that does not overlap it.
  template <class In>
  static void run(cudaStream_t stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    const layout parts(n, scratch);
    if constexpr (looks_for_runs) {
      if (parts.natural != nullptr) find_natural_runs(stream, in, n, parts.natural, compare);
    }
    Array from = out, to = parts.elements;
    const bool is_into_out = passes(n) % 2 == 0;  // each pass changes sides; the last ends in `out`
    if (!is_into_out) std::swap(from, to);
    launch(kernel::merge_sort_tiles_kernel<Tuning::arch, sorter, In, Array, Compare>, tiles(n),
           sorter::threads_per_block, sizeof(typename sorter::storage), stream, in, out,
           parts.elements, is_into_out, n, parts.natural, compare);
    for_each_pass(n, [&](int log_run, int log_ways) {
      scratch_cursor cursor = parts.cuts;
      runs merged = runs_of(from, n, log_run, log_ways);
      merged.natural = parts.natural;
      pass::run(stream, merged, cuts_in(cursor, n, log_run, log_ways), to, compare);
      std::swap(from, to);
    });
  }

 private:
  using runs = kernel::merge_sort_runs<Array>;
  using pass = merge_pass<runs, Array, Compare, typename Tuning::pass>;
  using sorter =
      tile::block_serial_merge_sort<element, Tuning::threads_per_block, Tuning::items_per_thread>;

  static constexpr int max_log_ways = pass::tuning::max_log_ways;
  static constexpr bool looks_for_runs = Tuning::min_n_to_look != ~std::uint64_t{0};
  static_assert(sizeof(typename sorter::storage) <= tuning::shared_memory_of(Tuning::arch));
  static_assert(pass::tuning::max_ways <= kernel::natural_runs::max_count);

  /// Calls body(log_run, log_ways) for each pass, which merges runs of 2^log_run tiles 2^log_ways
  /// at a time.
  template <class Body>
  static void for_each_pass(std::uint64_t n, const Body& body) {
    int log_left = ceil_log2(tiles(n)), log_run = 0;
    for (int left = passes(n); left > 0; --left) {
      const int log_ways = ceil_div(log_left, left);
      body(log_run, log_ways);
      log_run += log_ways;
      log_left -= log_ways;
    }
  }

  /// Runs of 2^log_run tiles, merged 2^log_ways at a time.
  static runs runs_of(Array from, std::uint64_t n, int log_run, int log_ways) {
    const std::uint64_t length = std::uint64_t{sorter::items_per_tile} << log_run;
    const std::uint64_t group = length << log_ways;
    return {{n, length, log_ways, ceil_div(group, pass::items_per_tile(1 << log_ways)), nullptr,
             group >= n},
            from};
  }

  /// Finds as many natural runs as the last pass can merge.
  template <class In>
  static void find_natural_runs(cudaStream_t stream, In in, std::uint64_t n,
                                kernel::natural_runs* found, Compare compare) {
    int last_ways = 0;
    for_each_pass(n, [&](int, int log_ways) { last_ways = 1 << log_ways; });
    check(cudaMemsetAsync(found, 0, sizeof(*found), stream), "clearing counters");
    launch(kernel::find_natural_runs_kernel<Tuning::run_threads, In, Compare>,
           Tuning::run_blocks_per_multiprocessor * current_device_properties().multiprocessors,
           Tuning::run_threads, 0, stream, in, n, static_cast<std::uint32_t>(last_ways), found,
           compare);
  }

  static kernel::merge_cuts cuts_in(scratch_cursor& cursor, std::uint64_t n, int log_run,
                                    int log_ways) {
    const std::uint64_t group = std::uint64_t{sorter::items_per_tile} << (log_run + log_ways);
    const std::uint64_t tile = pass::items_per_tile(1 << log_ways);
    return pass::cuts_in(cursor, n / group * ceil_div(group, tile) + ceil_div(n % group, tile),
                         1 << log_ways);
  }

  struct layout {
    Array elements{};
    kernel::natural_runs* natural = nullptr;
    scratch_cursor cuts;  // of each pass, one after the other
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) : cuts(scratch) {
      if (passes(n) > 0) elements = Array::in_scratch(cuts, n);
      if (n >= Tuning::min_n_to_look) natural = cuts.take<kernel::natural_runs>(1);
      bytes = cuts.used();
      for_each_pass(n, [&](int log_run, int log_ways) {
        scratch_cursor cursor = cuts;
        cuts_in(cursor, n, log_run, log_ways);
        bytes = cursor.used() > bytes ? cursor.used() : bytes;
      });
    }
  };
};

/// Merge sort with an opaque comparator: tiles are sorted, then up to 64 sorted runs at a time are
/// merged into one, in as few passes as that takes. An input of few ascending runs, 16 to 64 by its
/// size, is merged in one pass without being sorted; of one, it is left alone.
///
/// Stable, and so deterministic. A permutation for any comparator: a cut between two blocks is
/// found once and read by both. O(n log n) comparisons for any input. Scratch: n elements and 8
/// bytes for each way of each tile, none up to one tile. Launches: 1, at most 4 for each pass, and
/// one to look for runs; ceil(log2(tiles) / 6) passes. No synchronization; capturable. Source:
/// paper 003, sections 5.1 to 5.4; cuts published and checked are ours.
template <class Array, class Compare, tuning::architecture Arch = tuning::architecture::every>
class merge_sort {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) {
    return are_few(n) ? of_few::scratch_bytes(n) : of_many::scratch_bytes(n);
  }

  static int passes(std::uint64_t n) { return are_few(n) ? of_few::passes(n) : of_many::passes(n); }

  /// Sorts the n elements of `in` into `out`: the same array, or one that does not overlap it.
  template <class In>
  static void run(cudaStream_t stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    if (are_few(n)) return of_few::run(stream, in, out, n, compare, scratch);
    of_many::run(stream, in, out, n, compare, scratch);
  }

 private:
  static constexpr std::size_t element_bytes = sizeof(typename Array::value_type);
  using tuning_of_few = tuning::merge_sort_of_few<element_bytes, Arch>;
  using of_many = merge_sort_by<Array, Compare, tuning::merge_sort<element_bytes, Arch>>;
  using of_few = std::conditional_t<tuning_of_few::are_used,
                                    merge_sort_by<Array, Compare, tuning_of_few>, of_many>;

  /// Tells whether there are few tiles: not where one tile does, nor where three quarters of the
  /// multiprocessors have one. A sort of 2^21 elements of 4 bytes, 125 tiles, took 0.175 ms on an
  /// H100 by smaller tiles, 0.134 by larger ones.
  static bool are_few(std::uint64_t n) {
    const std::uint64_t tiles = of_many::tiles(n);
    return tiles > 1 &&
           4 * tiles < 3 * static_cast<std::uint64_t>(current_device_properties().multiprocessors);
  }
};

/// Merge sort of fewer kernels: one size of tiles, one way to cut, and no look for natural runs.
/// For sorts whose usual route lacks scratch.
template <class Array, class Compare, tuning::architecture Arch = tuning::architecture::every>
using lean_merge_sort =
    merge_sort_by<Array, Compare,
                  tuning::lean_merge_sort<sizeof(typename Array::value_type), Arch>>;

template <class Array, class Compare, bool IsLean>
struct merge_sorts {
  template <tuning::architecture Arch>
  using on = std::conditional_t<IsLean, lean_merge_sort<Array, Compare, Arch>,
                                merge_sort<Array, Compare, Arch>>;
};
template <class Array, class Compare, bool IsLean = false>
using tuned_merge_sort = by_generation<merge_sorts<Array, Compare, IsLean>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
