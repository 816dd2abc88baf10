// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/sort_range.hpp>
#include <gpusort/detail/tile/splitter_tree.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

using global_size = unsigned long long;  // what 64-bit atomics take

/// Lets the next kernel's blocks take their places, and waits for what the kernel before wrote. At
/// the beginning of every kernel that launch_early() launches, and of the one before it.
GPUSORT_DEVICE void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// The segments that a level splits: buckets of the level before, or, without tables, the input.
struct segment_table {
  const global_size* starts;
  const global_size* counts;
  const std::uint8_t* equal;
  const global_size* first_chunks;  // segments + 1 entries: the chunks before each segment
  std::uint32_t segments;
  global_size n;

  GPUSORT_DEVICE global_size start(std::uint32_t s) const { return starts ? starts[s] : 0; }
  GPUSORT_DEVICE global_size count(std::uint32_t s) const { return counts ? counts[s] : n; }
  GPUSORT_DEVICE bool is_equal(std::uint32_t s) const { return equal && equal[s]; }
};

/// What a level produces: k = 2^log_k buckets for each segment, at index segment * k + bucket.
template <class T>
struct bucket_table {
  T* trees;
  std::uint8_t* equal;     // the bucket holds equivalent elements only
  global_size* counts;     // elements of the bucket
  global_size* claimed;    // places of the bucket already given away
  global_size* starts;     // its first place
  std::uint32_t* tickets;  // per segment: chunks counted so far
  int log_k;
  global_size items_per_chunk;
};

struct chunk {
  std::uint32_t segment;
  global_size first;
  global_size last;
  bool exists;
};

/// The chunk of this block: which segment, which elements. Block-wide.
template <class Level>
GPUSORT_DEVICE chunk find_chunk(const segment_table& segments, const Level& level) {
  __shared__ std::uint32_t segment;
  global_size chunk_in_segment = blockIdx.x;
  if (threadIdx.x == 0) segment = segments.first_chunks ? segments.segments : 0;
  __syncthreads();
  if (segments.first_chunks) {
    for (std::uint32_t s = threadIdx.x; s < segments.segments; s += blockDim.x) {
      if (segments.first_chunks[s] <= blockIdx.x && blockIdx.x < segments.first_chunks[s + 1]) {
        segment = s;
      }
    }
    __syncthreads();
    if (segment == segments.segments) return {0, 0, 0, false};
    chunk_in_segment -= segments.first_chunks[segment];
  }
  const global_size begin = segments.start(segment), end = begin + segments.count(segment);
  const global_size first = begin + chunk_in_segment * level.items_per_chunk;
  return {segment, first, min_of(first + level.items_per_chunk, end), first < end};
}

/// A stratified random sample of in[begin, begin + count), sorted, into a tile. Block-wide.
template <class Sorter, class In, class Compare>
GPUSORT_DEVICE void sort_sample(typename Sorter::storage& shared, const In& in, global_size begin,
                                global_size count, int samples, std::uint64_t seed,
                                Compare& compare) {
  for (int i = threadIdx.x; i < samples; i += blockDim.x) {
    const global_size low = i * count / samples, high = (i + 1) * count / samples;
    const global_size random = mix_bits(seed + i) >> 32;
    shared.tile[i] = in.load(begin + low + (random * (high - low) >> 32));
  }
  __syncthreads();
  Sorter::sort(shared, samples, compare);
}

/// Evenly spaced elements of a sorted sample as the splitters of 2^log_k buckets, and marks in
/// `equal`, which is 0, for the buckets of values that take several splitters. Block-wide.
template <class T, class Items, class Compare>
GPUSORT_DEVICE void write_splitters(Items& sample, int samples, int log_k, T* nodes,
                                    std::uint8_t* equal, Compare& compare) {
  const int k = 1 << log_k;
  const auto splitter = [&](int rank) -> const T& {
    return sample[static_cast<unsigned>(rank) * static_cast<unsigned>(samples) >> log_k];
  };
  for (int rank = 1 + threadIdx.x; rank < k; rank += blockDim.x) {
    nodes[tile::splitter_tree<T>::node_of_rank(rank, log_k)] = splitter(rank);
    const bool starts_run = rank + 1 < k && !compare(splitter(rank), splitter(rank + 1)) &&
                            (rank == 1 || compare(splitter(rank - 1), splitter(rank)));
    if (starts_run) equal[rank] = 1;
  }
}

/// Step 1: a block finds the splitters of its segment. Also clears the segment's counters.
template <class Sorter, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    choose_splitters_kernel(In in, segment_table segments, bucket_table<T> level, int samples,
                            std::uint64_t seed, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
  const std::uint32_t segment = blockIdx.x;
  const int k = 1 << level.log_k;
  const global_size begin = segments.start(segment), count = segments.count(segment);
  const global_size table = global_size{segment} * k;
  const bool is_equal = segments.is_equal(segment);
  for (int b = threadIdx.x; b < k; b += blockDim.x) {
    level.counts[table + b] = level.claimed[table + b] = 0;
    level.starts[table + b] = begin;
    level.equal[table + b] = is_equal && b == 0;
  }
  if (threadIdx.x == 0) level.tickets[segment] = 0;
  if (count == 0 || is_equal) return;
  sort_sample<Sorter>(shared, in, begin, count, samples, seed + table, compare);
  write_splitters(shared.tile, samples, level.log_k, level.trees + table, level.equal + table,
                  compare);
}

/// The search tree of a segment, in shared memory. Block-wide; ends with a barrier.
template <class T>
GPUSORT_DEVICE tile::splitter_tree<T> load_tree(unsigned char*& raw, const bucket_table<T>& level,
                                                std::uint32_t segment) {
  const int k = 1 << level.log_k;
  const global_size table = global_size{segment} * k;
  T* nodes = reinterpret_cast<T*>(raw);
  auto* equal = reinterpret_cast<std::uint8_t*>(nodes + k);
  raw += round_up<std::size_t>(k * sizeof(T) + k + 1, 16);
  bool has_equal = false;
  for (int j = threadIdx.x; j < k; j += blockDim.x) {
    if (j > 0) nodes[j] = level.trees[table + j];
    equal[j] = level.equal[table + j];
    has_equal |= equal[j] != 0;
  }
  if (threadIdx.x == 0) equal[k] = 0;
  has_equal = __syncthreads_or(has_equal);
  return {nodes, equal, level.log_k, has_equal};
}

/// True for the last of a segment's blocks to arrive; it sees what the others wrote before.
GPUSORT_DEVICE bool is_last_to_arrive(std::uint32_t* ticket, global_size blocks) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(ticket, 1u) + 1 == blocks;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

/// Bucket counts of a segment to bucket starts.
template <int ThreadsPerBlock, class T>
GPUSORT_DEVICE void scan_buckets(const bucket_table<T>& level, global_size table,
                                 global_size begin) {
  using scan = cub::BlockScan<global_size, ThreadsPerBlock>;
  __shared__ typename scan::TempStorage temporary;
  const int k = 1 << level.log_k, first = 2 * threadIdx.x;
  global_size count[2] = {first < k ? __ldcg(level.counts + table + first) : 0,
                          first + 1 < k ? __ldcg(level.counts + table + first + 1) : 0};
  global_size start[2];
  scan(temporary).ExclusiveSum(count, start);
  for (int i = 0; i < 2; ++i) {
    if (first + i < k) level.starts[table + first + i] = begin + start[i];
  }
}

/// The elements of one tile that a thread holds: item i is number i * threads + thread of the tile.
/// In a full tile all exist, which is known when compiling and saves a test for each step.
template <class Tuning>
struct full_tile {
  GPUSORT_DEVICE constexpr bool operator()(int) const { return true; }
};
template <class Tuning>
struct partial_tile {
  int count;
  GPUSORT_DEVICE bool operator()(int i) const {
    return i * Tuning::threads_per_block + static_cast<int>(threadIdx.x) < count;
  }
};

/// Calls body(first, count, exists) for each tile of a chunk.
template <class Tuning, class Body>
GPUSORT_DEVICE void for_each_tile(const chunk& mine, Body body) {
  global_size first = mine.first;
  for (; first + Tuning::items_per_tile <= mine.last; first += Tuning::items_per_tile) {
    body(first, Tuning::items_per_tile, full_tile<Tuning>{});
  }
  const int count = static_cast<int>(mine.last - first);
  if (count > 0) body(first, count, partial_tile<Tuning>{count});
}

/// Loads a tile's elements and finds their buckets.
template <class Tuning, class In, class T, class Exists, class Compare>
GPUSORT_DEVICE void classify_tile(const In& in, global_size first, const Exists& exists,
                                  const tile::splitter_tree<T>& tree,
                                  T (&x)[Tuning::items_per_thread],
                                  int (&bucket)[Tuning::items_per_thread], Compare& compare) {
#pragma unroll
  for (int i = 0; i < Tuning::items_per_thread; ++i) {
    if (exists(i)) x[i] = in.load(first + i * Tuning::threads_per_block + threadIdx.x);
  }
  tree.classify(x, bucket, exists, compare);
}

/// Step 2: each block counts the elements of its chunk by bucket; the last block of a segment turns
/// the counts into places.
template <class Tuning, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    count_buckets_kernel(In in, segment_table segments, bucket_table<T> level, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  const chunk mine = find_chunk(segments, level);
  if (!mine.exists) return;
  const int k = 1 << level.log_k;
  const global_size table = global_size{mine.segment} * k;
  if (segments.is_equal(mine.segment)) {
    if (threadIdx.x == 0) atomicAdd(level.counts + table, mine.last - mine.first);
  } else {
    unsigned char* free = raw;
    const auto tree = load_tree(free, level, mine.segment);
    auto* histogram = reinterpret_cast<std::uint32_t*>(free);
    for (int b = threadIdx.x; b < k; b += blockDim.x) histogram[b] = 0;
    __syncthreads();
    for_each_tile<Tuning>(mine, [&](global_size first, int, const auto& exists) {
      T x[Tuning::items_per_thread];
      int bucket[Tuning::items_per_thread];
      classify_tile<Tuning>(in, first, exists, tree, x, bucket, compare);
#pragma unroll
      for (int i = 0; i < Tuning::items_per_thread; ++i) {
        if (exists(i)) atomicAdd(histogram + bucket[i], 1u);
      }
    });
    __syncthreads();
    for (int b = threadIdx.x; b < k; b += blockDim.x) {
      if (histogram[b]) atomicAdd(level.counts + table + b, global_size{histogram[b]});
    }
  }
  const global_size chunks = ceil_div(segments.count(mine.segment), level.items_per_chunk);
  if (is_last_to_arrive(level.tickets + mine.segment, chunks)) {
    scan_buckets<Tuning::threads_per_block>(level, table, segments.start(mine.segment));
  }
}

/// A place for an element whose bucket is full, which happens only when a comparator has answered
/// differently than it did while counting: the first free place of a following bucket. As many
/// places exist as elements, so one is found; a bucket seen full is not claimed from.
template <class T>
GPUSORT_DEVICE global_size claim_any_place(const bucket_table<T>& level, global_size table,
                                           int bucket) {
  const int k = 1 << level.log_k;
  for (;; bucket = (bucket + 1) & (k - 1)) {
    const global_size count = level.counts[table + bucket];
    if (__ldcg(level.claimed + table + bucket) >= count) continue;
    const global_size place = atomicAdd(level.claimed + table + bucket, global_size{1});
    if (place < count) return level.starts[table + bucket] + place;
  }
}

/// Shared memory of the scatter kernel beyond the tree.
template <class Tuning, class T>
struct scatter_storage {
  using scan = cub::BlockScan<std::uint32_t, Tuning::threads_per_block>;

  T items[Tuning::items_per_tile];
  std::uint16_t buckets[Tuning::items_per_tile];
  typename scan::TempStorage scan_storage;
  global_size places[1 << Tuning::max_log_buckets];       // of a bucket's first item, less its slot
  std::uint32_t histogram[1 << Tuning::max_log_buckets];  // then each bucket's first slot
  int limits[1 << Tuning::max_log_buckets];  // slots from here on have no claimed place
};

/// Claims places for a tile's items in all buckets. Block-wide; true when some bucket was full.
template <class Tuning, class T>
GPUSORT_DEVICE bool claim_places(scatter_storage<Tuning, T>& shared, const bucket_table<T>& level,
                                 global_size table) {
  const int k = 1 << level.log_k, first = 2 * threadIdx.x;
  std::uint32_t count[2] = {first < k ? shared.histogram[first] : 0,
                            first + 1 < k ? shared.histogram[first + 1] : 0};
  std::uint32_t slot[2];
  typename scatter_storage<Tuning, T>::scan(shared.scan_storage).ExclusiveSum(count, slot);
  bool is_full = false;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int b = first + i;
    if (b >= k) continue;
    shared.histogram[b] = slot[i];
    if (count[i] == 0) continue;
    const global_size claimed = atomicAdd(level.claimed + table + b, global_size{count[i]});
    const global_size total = level.counts[table + b];
    const global_size granted = claimed < total ? min_of(total - claimed, count[i]) : 0;
    shared.places[b] = level.starts[table + b] + claimed - slot[i];
    shared.limits[b] = static_cast<int>(slot[i] + granted);
    is_full |= granted < count[i];
  }
  return __syncthreads_or(is_full);
}

/// Step 4: each block regroups its tiles by bucket in shared memory and writes every group to
/// places that it claims in the bucket. Not stable. An element classified differently than it was
/// counted finds another place, so the output is a permutation for any comparator.
template <class Tuning, class In, class Out, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    scatter_kernel(In in, Out out, segment_table segments, bucket_table<T> level, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  const chunk mine = find_chunk(segments, level);
  if (!mine.exists) return;
  if (segments.is_equal(mine.segment)) {
    for (global_size i = mine.first + threadIdx.x; i < mine.last; i += blockDim.x) {
      out.store(i, in.load(i));
    }
    return;
  }
  const int k = 1 << level.log_k;
  const global_size table = global_size{mine.segment} * k;
  unsigned char* free = raw;
  const auto tree = load_tree(free, level, mine.segment);
  auto& shared = *reinterpret_cast<scatter_storage<Tuning, T>*>(free);
  for_each_tile<Tuning>(mine, [&](global_size first, int count, const auto& exists) {
    for (int b = threadIdx.x; b < k; b += blockDim.x) shared.histogram[b] = 0;
    __syncthreads();
    T x[Tuning::items_per_thread];
    int bucket[Tuning::items_per_thread];  // then also, from bit 16 on, the rank among its equals
    classify_tile<Tuning>(in, first, exists, tree, x, bucket, compare);
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      if (exists(i)) bucket[i] |= atomicAdd(shared.histogram + bucket[i], 1u) << 16;
    }
    __syncthreads();
    const bool some_full = claim_places<Tuning>(shared, level, table);
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      if (!exists(i)) continue;
      const int b = bucket[i] & 0xffff, rank = bucket[i] >> 16;
      const std::uint32_t slot = shared.histogram[b] + rank;
      shared.items[slot] = x[i];
      shared.buckets[slot] = static_cast<std::uint16_t>(b);
    }
    __syncthreads();
    for (int slot = threadIdx.x; slot < count; slot += Tuning::threads_per_block) {
      const int b = shared.buckets[slot];
      const bool has_place = !some_full || slot < shared.limits[b];
      out.store(has_place ? shared.places[b] + slot : claim_any_place(level, table, b),
                shared.items[slot]);
    }
    __syncthreads();
  });
}

/// Between two levels: the chunks of each bucket of the level before, summed up. One block.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    number_chunks_kernel(const global_size* counts, std::uint32_t segments,
                         global_size items_per_chunk, global_size* first_chunks) {
  using scan = cub::BlockScan<global_size, ThreadsPerBlock>;
  __shared__ typename scan::TempStorage temporary;
  wait_for_previous_kernel();
  global_size before = 0;
  for (std::uint32_t base = 0; base < segments; base += ThreadsPerBlock) {
    const std::uint32_t s = base + threadIdx.x;
    const global_size chunks = s < segments ? ceil_div(counts[s], items_per_chunk) : 0;
    global_size first, total;
    scan(temporary).ExclusiveSum(chunks, first, total);
    if (s < segments) first_chunks[s] = before + first;
    before += total;
    __syncthreads();
  }
  if (threadIdx.x == 0) first_chunks[segments] = before;
}

/// Last step: a block sorts a bucket of `from` into `to`. `spare` may be overwritten.
template <class Sorter, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    sort_buckets_kernel(Array from, Array to, Array spare, const global_size* starts,
                        const global_size* counts, const std::uint8_t* equal, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
  const global_size begin = starts[blockIdx.x], count = counts[blockIdx.x];
  if (count == 0) return;
  if (equal[blockIdx.x]) {
    if (from.keys == to.keys) return;
    for (global_size i = begin + threadIdx.x; i < begin + count; i += blockDim.x) {
      to.store(i, from.load(i));
    }
    return;
  }
  tile::sort_range<Sorter>(shared, from + begin, to + begin, spare + begin, count, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
