// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/distributor.hpp>
#include <gpusort/detail/tile/load_items.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

template <class Shape, class T>
struct scatter_storage {
  static constexpr int max_buckets = 1 << Shape::max_log_buckets;

  T items[Shape::items_per_tile];
  run_starts<Shape::items_per_tile> starts;
  typename slot_scan<Shape>::TempStorage scan_storage;
  std::uint32_t histogram[max_buckets + 1];
  global_size destinations[max_buckets];  // of each run, less its slot
};

/// Claims destinations for a tile's items in all buckets; claimed(b, end) is told where they end.
/// Block-wide, before a barrier.
template <class Shape, class T, class Claimed>
GPUSORT_DEVICE void claim_destinations(scatter_storage<Shape, T>& shared, int k,
                                       global_size* bucket_cursors, const Claimed& claimed) {
#pragma unroll 1
  for (int b = threadIdx.x; b < k; b += Shape::threads_per_block) {
    const std::uint32_t slot = shared.histogram[b] & 0xffff, run = shared.histogram[b] >> 16;
    const std::uint32_t count = (shared.histogram[b + 1] & 0xffff) - slot;
    if (count == 0) continue;
    shared.starts.add(run, slot, count);
    const global_size first = atomicAdd(bucket_cursors + b, global_size{count});
    shared.destinations[run] = first - slot;
    claimed(b, first + count);
  }
}

/// Buckets that have been counted have room for all that comes.
struct counted_buckets {
  GPUSORT_DEVICE void claimed(int, global_size) {}
  GPUSORT_DEVICE bool synchronize() {
    __syncthreads();
    return true;
  }
};

/// Copies a chunk home by a block, with several elements of each thread on the way.
template <class Tuning, class T, class In, class Out>
GPUSORT_DEVICE void copy_chunk(const In& in, const Out& out, const chunk& mine) {
  for_each_tile<Tuning>(mine, [&](global_size first, int, const auto& exists) {
    const global_size to = first - mine.first + mine.contiguous_begin;
    T x[Tuning::items_per_thread];
    tile::load_items(
        in, x, [&](int i) { return first + i * Tuning::threads_per_block + threadIdx.x; }, exists);
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      if (exists(i)) out.store(to + i * Tuning::threads_per_block + threadIdx.x, x[i]);
    }
  });
}

/// Scatters the tiles of a block's chunk: it regroups the items by bucket in shared memory and
/// writes each group to destinations that it claims in the bucket. load(held, first) begins to load
/// a tile, find(held) completes its bucket numbers. `room` is told of the claims, and synchronizes
/// the block: false ends it. Block-wide.
template <class Tuning, class Held, class T, class Out, class Room, class Load, class Find>
GPUSORT_DEVICE void scatter_chunk(scatter_storage<Tuning, T>& shared, const chunk& mine,
                                  const Out& out, const bucket_table<T>& level, Room room,
                                  const Load& load, const Find& find) {
  const int k = 1 << level.log_k;
  Held held;
  load(held, mine.first);
#pragma unroll 1
  for (global_size first = mine.first; first < mine.last; first += Tuning::items_per_tile) {
    const int count =
        static_cast<int>(min_of<global_size>(mine.last - first, Tuning::items_per_tile));
    for (int b = threadIdx.x; b < k; b += blockDim.x) shared.histogram[b] = 0;
    shared.starts.clear();
    find(held);
    __syncthreads();
    held.count_in(shared.histogram, count);
    __syncthreads();
    scan_slots<Tuning>(shared.scan_storage, shared.histogram, k,
                       [](int, std::uint32_t items) { return items > 0 ? 1u : 0u; });
    global_size table = global_size{mine.segment} * k;
    optimization_barrier(table);  // addresses computed before the loop would take registers
    claim_destinations<Tuning>(shared, k, level.bucket_cursors + table,
                               [&](int b, global_size end) { room.claimed(b, end); });
    held.regroup(shared.histogram, shared.items, count);
    load(held, first + Tuning::items_per_tile);  // is on its way while this tile is written
    if (!room.synchronize()) return;
    write_slots<Tuning>(shared.items, shared.starts, shared.destinations, out, count);
    __syncthreads();
  }
}

/// Copies a chunk of equivalent elements to where they belong in the end, if it is one. True where
/// that is all of a chunk.
template <class Tuning, class T, class In, class Out>
GPUSORT_DEVICE bool copied_equal_chunk(const In& in, const Out& equal_out,
                                       const segment_table& segments, const chunk& mine) {
  if (!segments.is_equal(mine.segment)) return false;
  if constexpr (std::is_same_v<In, Out>) {
    if (in.keys == equal_out.keys) return true;
  }
  copy_chunk<Tuning, T>(in, equal_out, mine);
  return true;
}

/// Scatters each block's tiles to where counting has said: step 3. Not stable. No element is
/// classified twice, so the output is a permutation for any comparator. Segments of equivalent
/// elements go to `equal_out`, which on the last level is where they belong in the end, and may be
/// where they are.
template <tuning::architecture Arch, class Tuning, class In, class Out, class T>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    scatter_kernel(In in, Out out, Out equal_out, segment_table segments, bucket_table<T> level) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (segments.probe.is_in_order()) return;
    const chunk mine = find_chunk(segments, level);
    if (!mine.exists) return;
    if (copied_equal_chunk<Tuning, T>(in, equal_out, segments, mine)) return;
    using held = held_items<Tuning, T, fetched_element_t<In>>;
    scatter_chunk<Tuning, held>(
        *reinterpret_cast<scatter_storage<Tuning, T>*>(raw), mine, out, level, counted_buckets{},
        [&](held& items, global_size first) {
          const global_size left = first < mine.last ? mine.last - first : 0;
          items.load(in, level.bucket_ids, first,
                     static_cast<int>(min_of<global_size>(left, Tuning::items_per_tile)));
        },
        [&](held& items) { items.hold(in); });
  }
}

/// Scatters without stored bucket numbers, in step 3: elements are classified again, which only an
/// order of the library's own allows (may_classify_twice).
template <tuning::architecture Arch, class Tuning, class In, class Out, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    classify_and_scatter_kernel(In in, Out out, Out equal_out, segment_table segments,
                                bucket_table<T> level, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (segments.probe.is_in_order()) return;
    const chunk mine = find_chunk(segments, level);
    if (!mine.exists) return;
    if (copied_equal_chunk<Tuning, T>(in, equal_out, segments, mine)) return;
    auto& shared =
        *reinterpret_cast<scatter_storage<Tuning, T>*>(raw + tree_bytes<T>(1 << level.log_k));
    using held = held_items<Tuning, T, fetched_element_t<In>>;
    with_finder<In, Compare>(raw, level, mine.segment, [&](const auto& finder) GPUSORT_INLINED {
      scatter_chunk<Tuning, held>(
          shared, mine, out, level, counted_buckets{},
          [&](held& items, global_size first) { items.load(in, first, mine.last); },
          [&](held& items) {
            items.hold(in);
            items.find_buckets(finder, compare);
          });
    });
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
