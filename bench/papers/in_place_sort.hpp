// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>

#include "in_place_holes.hpp"

namespace papers {

/// Shared memory of a block of threads that sorts a segment by itself.
template <class T>
struct in_place_storage {
  static constexpr int items_per_thread = sizeof(T) <= 4 ? 16 : 8;
  using sorter = tile::block_merge_sort<T, in_place_threads, items_per_thread, false>;

  union {
    typename in_place_sample_sort<T>::storage sample;
    in_place_buffers<T> buffers;
    typename sorter::storage tile;
  };
  in_place_splitters<T> splitters;
  std::uint64_t starts[in_place_buckets + 1], counts[in_place_buckets];
  std::uint32_t firsts[in_place_buckets + 1], blocks[in_place_buckets];
  std::uint32_t full[1], full_before[2];
  unsigned long long unread[in_place_buckets];
  std::uint32_t reading[in_place_buckets];
  std::uint64_t next;  // of the stack

  in_place_storage() = delete;
};

/// A part of the input that is to be sorted.
struct in_place_segment {
  std::uint64_t begin, n;
};

/// Global memory of each block of threads: a stack of segments, a block that may lie beyond a
/// segment, and overflow. Segments on the stack are longer than a tile and share no element, so the
/// stack holds those of 2^25 elements of 4 bytes; longer ones fill it only at a depth of 16.
template <class T>
struct in_place_room {
  static constexpr std::uint32_t most_segments = 4096;

  in_place_segment* stack;
  T* beyond;
  in_place_overflow<T> overflow;

  static in_place_room in_scratch(detail::scratch_cursor& cursor, std::size_t blocks) {
    const std::size_t items = std::size_t{in_place_buckets} * in_place_block<T>;
    return {
        cursor.take<in_place_segment>(blocks * most_segments),
        cursor.take<T>(blocks * in_place_block<T>),
        {cursor.take<T>(blocks * items), cursor.take<std::uint32_t>(blocks * in_place_buckets)}};
  }
  GPUSORT_DEVICE in_place_room of_block() const {
    const std::size_t b = blockIdx.x, items = std::size_t{in_place_buckets} * in_place_block<T>;
    return {stack + b * most_segments,
            beyond + b * in_place_block<T>,
            {overflow.items + b * items, overflow.counts + b * in_place_buckets}};
  }
};

/// Parts a segment by one block of threads. Block-wide; ends with a barrier.
template <class T, class Compare>
GPUSORT_DEVICE in_place_table<T> part_segment(in_place_storage<T>& shared, T* data, std::uint64_t n,
                                              const in_place_room<T>& room, Compare& compare) {
  const std::uint64_t tiles = 2 * n / in_place_storage<T>::sorter::items_per_tile;
  int ranges = 4;
  while (ranges < in_place_buckets && static_cast<std::uint64_t>(ranges) < tiles) ranges *= 2;
  choose_in_place_splitters<T>(shared.sample, data, n, shared.splitters, ranges, compare);
  const in_place_table<T> table{data,
                                n,
                                1,
                                static_cast<std::uint32_t>(n / in_place_block<T>) + 1,
                                &shared.splitters,
                                shared.starts,
                                shared.firsts,
                                shared.blocks,
                                shared.full,
                                shared.full_before,
                                shared.unread,
                                shared.reading,
                                room.beyond};
  std::uint32_t mine;
  const std::uint32_t written = shared.buffers.distribute(data, n, shared.splitters, compare, mine);
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) shared.full[0] = written;
  if (me < in_place_buckets) {
    shared.blocks[me] = mine;
    shared.counts[me] = std::uint64_t{mine} * table.block + shared.buffers.held[me];
  }
  lay_out_buckets(table, shared.counts);
  constexpr std::uint32_t warps = in_place_threads / tile::warp_size;
  const auto warp = static_cast<std::uint32_t>(tile::warp_id());
  exchange_blocks(table, warp, warps, compare);
  __syncthreads();
  const int buckets = shared.splitters.buckets();
  for (int b = static_cast<int>(warp); b < buckets; b += static_cast<int>(warps)) {
    save_overflow(table, room.overflow, b);
  }
  __syncthreads();
  const in_place_leftovers<T> leftovers{shared.buffers.items, shared.buffers.held};
  for (int b = static_cast<int>(warp); b < buckets; b += static_cast<int>(warps)) {
    fill_holes(table, room.overflow, leftovers, b);
  }
  __syncthreads();
  return table;
}

/// Sorts a segment of at most a tile, or lays it on the stack. Block-wide; ends with a barrier.
template <class T, class Compare>
GPUSORT_DEVICE void sort_or_push(in_place_storage<T>& shared, T* data, in_place_segment segment,
                                 const in_place_room<T>& room, Compare& compare) {
  using sorter = typename in_place_storage<T>::sorter;
  if (segment.n > sorter::items_per_tile) {
    if (threadIdx.x == 0) room.stack[shared.next++] = segment;
    __syncthreads();
  } else if (segment.n > 1) {
    const detail::key_array<T> array{data + segment.begin};
    sorter::sort(shared.tile, array, static_cast<int>(segment.n), compare);
    tile::store_tile<in_place_threads>(array, 0, static_cast<int>(segment.n), shared.tile.tile);
    __syncthreads();
  }
}

/// Sorts the segments between starts, a block of threads each. Those of equivalent elements stay.
template <class T, class Compare>
__global__ void __launch_bounds__(in_place_threads)
    sort_segments_in_place_kernel(T* data, const std::uint64_t* starts,
                                  const in_place_splitters<T>* splitters, in_place_room<T> rooms,
                                  Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<in_place_storage<T>*>(raw);
  const int bucket = static_cast<int>(blockIdx.x);
  if (splitters != nullptr && (bucket >= splitters->buckets() || splitters->is_of_equals(bucket))) {
    return;
  }
  const in_place_room<T> room = rooms.of_block();
  if (threadIdx.x == 0) shared.next = 0;
  __syncthreads();
  sort_or_push(shared, data, {starts[bucket], starts[bucket + 1] - starts[bucket]}, room, compare);
  while (shared.next > 0) {
    const in_place_segment whole = room.stack[shared.next - 1];
    __syncthreads();
    if (threadIdx.x == 0) --shared.next;
    const in_place_table<T> table =
        part_segment(shared, data + whole.begin, whole.n, room, compare);
    const int buckets = shared.splitters.buckets();
    for (int b = 0; b < buckets; ++b) {
      if (shared.splitters.is_of_equals(b)) continue;
      const std::uint64_t begin = table.starts[b];
      sort_or_push(shared, data, {whole.begin + begin, table.starts[b + 1] - begin}, room, compare);
    }
  }
}

template <class T, class Compare>
__global__ void __launch_bounds__(in_place_threads)
    choose_in_place_splitters_kernel(const T* data, std::uint64_t n,
                                     in_place_splitters<T>* splitters, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& sample = *reinterpret_cast<typename in_place_sample_sort<T>::storage*>(raw);
  choose_in_place_splitters(sample, data, n, *splitters, in_place_buckets, compare);
}

/// Distributes stripes, one by each block of threads.
template <class T, class Compare>
__global__ void __launch_bounds__(in_place_threads)
    distribute_stripes_kernel(in_place_table<T> table, unsigned long long* counts, T* leftovers,
                              std::uint32_t* leftover_counts, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<in_place_storage<T>*>(raw);
  const std::uint32_t stripe = blockIdx.x;
  const std::uint64_t length = std::uint64_t{table.blocks_per_stripe} * table.block;
  const std::uint64_t begin = stripe * length;
  const std::uint64_t n = stripe + 1 == table.stripes ? table.n - begin : length;
  if (threadIdx.x == 0) shared.splitters = *table.splitters;
  __syncthreads();
  std::uint32_t mine;
  const std::uint32_t written =
      shared.buffers.distribute(table.data + begin, n, shared.splitters, compare, mine);
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) table.full[stripe] = written;
  const std::size_t first = std::size_t{stripe} * in_place_buckets;
  if (me < in_place_buckets) {
    const std::uint32_t held = shared.buffers.held[me];
    leftover_counts[first + static_cast<std::size_t>(me)] = held;
    atomicAdd(table.blocks + me, mine);
    atomicAdd(counts + me, static_cast<unsigned long long>(mine) * table.block + held);
  }
  const int items = in_place_buckets * in_place_block<T>;
  for (int i = me; i < items; i += in_place_threads) {
    leftovers[first * in_place_block<T> + static_cast<std::size_t>(i)] = shared.buffers.items[i];
  }
}

template <class T>
__global__ void __launch_bounds__(in_place_threads)
    lay_out_buckets_kernel(in_place_table<T> table, const std::uint64_t* counts) {
  lay_out_buckets(table, counts);
}

template <class T>
__global__ void __launch_bounds__(in_place_threads) close_gaps_kernel(in_place_table<T> table) {
  close_gaps(table, blockIdx.x);
}

template <class T, class Compare>
__global__ void __launch_bounds__(in_place_threads)
    exchange_blocks_kernel(in_place_table<T> table, Compare compare) {
  constexpr std::uint32_t warps = in_place_threads / tile::warp_size;
  exchange_blocks(table, blockIdx.x * warps + static_cast<std::uint32_t>(tile::warp_id()),
                  gridDim.x * warps, compare);
}

template <class T>
__global__ void __launch_bounds__(in_place_threads)
    save_overflow_kernel(in_place_table<T> table, in_place_overflow<T> overflow) {
  const int buckets = table.splitters->buckets();
  for (int b = tile::warp_id(); b < buckets; b += in_place_threads / tile::warp_size) {
    save_overflow(table, overflow, b);
  }
}

template <class T>
__global__ void __launch_bounds__(in_place_threads)
    fill_holes_kernel(in_place_table<T> table, in_place_overflow<T> overflow,
                      in_place_leftovers<T> leftovers) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* const offsets = reinterpret_cast<std::uint32_t*>(raw);
  const int bucket = static_cast<int>(blockIdx.x);
  if (bucket >= table.splitters->buckets()) return;
  fill_holes_from_stripes(table, overflow, leftovers, bucket, offsets);
}

/// Sorts in place. Scratch: 51 MB on a device of 132 multiprocessors, counted, and less for few
/// elements. Not stable; a permutation under honest
/// comparators. No synchronization.
template <class T, class Compare>
class in_place_sort {
 public:
  static constexpr std::uint32_t most_stripes = 512;

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(nullptr, n, nullptr).bytes; }

  static void run(cudaStream_t stream, T* data, std::uint64_t n, Compare compare, void* scratch) {
    if (n < 2) return;
    layout parts(data, n, scratch);
    constexpr std::size_t bytes = sizeof(in_place_storage<T>);
    if (parts.table.stripes < 2) {
      const std::uint64_t ends[] = {0, n};
      detail::check(
          cudaMemcpyAsync(parts.table.starts, ends, sizeof(ends), cudaMemcpyHostToDevice, stream),
          "copying the ends of a range");
      detail::launch(sort_segments_in_place_kernel<T, Compare>, 1, in_place_threads, bytes, stream,
                     data, parts.table.starts, static_cast<in_place_splitters<T>*>(nullptr),
                     parts.room, compare);
      return;
    }
    part(stream, parts, compare);
    detail::launch(sort_segments_in_place_kernel<T, Compare>, in_place_buckets, in_place_threads,
                   bytes, stream, data, parts.table.starts, parts.splitters, parts.room, compare);
  }

 private:
  struct layout {
    in_place_splitters<T>* splitters;
    std::uint64_t* counts;
    in_place_table<T> table{};
    T* leftovers;
    std::uint32_t* leftover_counts;
    in_place_room<T> room;
    std::size_t bytes;

    layout(T* data, std::uint64_t n, void* scratch) {
      constexpr std::uint32_t block = in_place_block<T>;
      detail::scratch_cursor cursor(scratch);
      const std::uint64_t blocks = n / block;
      const auto most = std::min<std::uint64_t>(
          {most_stripes, 2ull * detail::current_device_properties().multiprocessors,
           n / (8 * in_place_storage<T>::sorter::items_per_tile)});
      const std::uint64_t each = most < 2 ? blocks + 1 : detail::ceil_div(blocks, most);
      table.data = data;
      table.n = n;
      table.blocks_per_stripe = static_cast<std::uint32_t>(each);
      table.stripes =
          static_cast<std::uint32_t>(std::max<std::uint64_t>(detail::ceil_div(blocks, each), 1));
      table.splitters = splitters = cursor.take<in_place_splitters<T>>(1);
      counts = cursor.take<std::uint64_t>(in_place_buckets);
      table.starts = cursor.take<std::uint64_t>(in_place_buckets + 1);
      table.firsts = cursor.take<std::uint32_t>(in_place_buckets + 1);
      table.blocks = cursor.take<std::uint32_t>(in_place_buckets);
      table.full = cursor.take<std::uint32_t>(most_stripes);
      table.full_before = cursor.take<std::uint32_t>(most_stripes + 1);
      table.unread = cursor.take<unsigned long long>(in_place_buckets);
      table.reading = cursor.take<std::uint32_t>(in_place_buckets);
      const std::size_t held = std::size_t{table.stripes} * in_place_buckets;
      leftovers = cursor.take<T>(held * block);
      leftover_counts = cursor.take<std::uint32_t>(held);
      room = in_place_room<T>::in_scratch(cursor, in_place_buckets);
      table.beyond = room.beyond;
      bytes = cursor.used();
    }
  };

  static void part(cudaStream_t stream, const layout& parts, Compare compare) {
    const in_place_table<T>& table = parts.table;
    constexpr std::size_t bytes = sizeof(in_place_storage<T>);
    detail::launch(choose_in_place_splitters_kernel<T, Compare>, 1, in_place_threads, bytes, stream,
                   table.data, table.n, parts.splitters, compare);
    clear(stream, parts.counts, in_place_buckets);
    clear(stream, table.blocks, in_place_buckets);
    detail::launch(distribute_stripes_kernel<T, Compare>, table.stripes, in_place_threads, bytes,
                   stream, table, reinterpret_cast<unsigned long long*>(parts.counts),
                   parts.leftovers, parts.leftover_counts, compare);
    detail::launch(lay_out_buckets_kernel<T>, 1, in_place_threads, 0, stream, table, parts.counts);
    detail::launch(close_gaps_kernel<T>, table.stripes, in_place_threads, 0, stream, table);
    detail::launch(exchange_blocks_kernel<T, Compare>, table.stripes, in_place_threads, 0, stream,
                   table, compare);
    detail::launch(save_overflow_kernel<T>, 1, in_place_threads, 0, stream, table,
                   parts.room.overflow);
    detail::launch(fill_holes_kernel<T>, in_place_buckets, in_place_threads,
                   most_stripes * sizeof(std::uint32_t), stream, table, parts.room.overflow,
                   in_place_leftovers<T>{parts.leftovers, parts.leftover_counts});
  }

  template <class U>
  static void clear(cudaStream_t stream, U* numbers, std::size_t count) {
    detail::check(cudaMemsetAsync(numbers, 0, count * sizeof(U), stream), "clearing counters");
  }
};

}  // namespace papers
