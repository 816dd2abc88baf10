// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/long_ranges.hpp>
#include <gpusort/detail/kernel/page_table.hpp>
#include <gpusort/detail/kernel/predicate.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/linear_map.hpp>
#include <gpusort/detail/tile/order_preserving_bits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Lets the next kernel's blocks become resident, and waits for what the kernel before wrote. At
/// the beginning of every kernel that launch_early() launches, and of the one before it.
GPUSORT_DEVICE void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Names what speaks against an input's being in order.
enum violation : std::uint32_t {
  not_ascending = 1,   // some element is before the one in front of it
  not_descending = 2,  // some element is not before the one in front of it
  neither = not_ascending | not_descending,
};

/// Holds what the blocks that probe an input have found of its order. Where the input is not to be
/// sorted they find nothing against it.
struct sortedness {
  std::uint32_t* violations;  // of each block
  int blocks;
  std::uint32_t* all;  // of all together, once publish_sortedness() has been called

  /// Whether the input is in order, one way or the other: then there is nothing to distribute.
  GPUSORT_DEVICE bool is_in_order() const { return *all != neither; }
};

/// Marks of buckets.
enum equal_mark : std::uint8_t {
  not_equal,
  found_equal,      // all elements are equivalent, by the splitters of this level
  inherited_equal,  // they have been since a level before
};

/// The segments that a level splits: buckets of the level before, one after the other or in pages,
/// or, without tables, the input. Buckets that several devices have filled are as many runs each,
/// and so are the entries of these tables.
struct segment_table {
  const global_size* starts;
  const global_size* counts;
  const std::uint8_t* equal;
  const global_size* first_chunks;  // and one entry more: the chunks before each run
  std::uint32_t segments;
  global_size n;
  sortedness probe;
  predicate gate;
  page_table pages;
  std::uint32_t runs = 1;               // of a segment
  const global_size* begins = nullptr;  // where runs are; null: at their starts

  GPUSORT_DEVICE bool is_input() const { return starts == nullptr; }
  GPUSORT_DEVICE global_size start(std::uint32_t s) const { return starts ? starts[s * runs] : 0; }
  GPUSORT_DEVICE global_size count(std::uint32_t s) const {
    if (!counts) return n;
    global_size all = counts[s * runs];
    for (std::uint32_t r = 1; r < runs; ++r) all += counts[s * runs + r];
    return all;
  }
  GPUSORT_DEVICE bool is_equal(std::uint32_t s) const { return equal && equal[s]; }

  GPUSORT_DEVICE global_size chunks(std::uint32_t s, global_size items_per_chunk) const {
    if (!counts) return ceil_div(n, items_per_chunk);
    global_size all = 0;
    for (std::uint32_t r = 0; r < runs; ++r) {
      all += ceil_div(counts[s * runs + r], items_per_chunk);
    }
    return all;
  }

  /// Returns where element i of a segment is.
  GPUSORT_DEVICE global_size index_of(std::uint32_t s, global_size i) const {
    if (begins != nullptr) {
      std::uint32_t run = s * runs;
      for (; i >= counts[run]; ++run) i -= counts[run];
      return begins[run] + i;
    }
    if (!pages.is_used()) return start(s) + i;
    const auto page = static_cast<std::uint32_t>(i / pages.items);
    return pages.begin(s, page) + i % pages.items;
  }
};

/// Holds what the blocks that sort buckets tell each other; 0 at first.
struct bucket_sort_state {
  long_range_totals long_buckets;
  int wrong_guesses;  // tile::inferred_number_sort
};

/// Holds what a level produces: k = 2^log_k buckets for each segment, at index segment * k +
/// bucket.
template <class T>
struct bucket_table {
  T* trees;
  int* tree_levels;        // per segment; a lower tree has fewer buckets, the others stay empty
  tile::linear_map* maps;  // per segment; those that are used replace its tree
  std::uint8_t* equal;     // an equal_mark for each bucket
  global_size* counts;     // elements of the bucket
  global_size* starts;     // where it begins; of pages, once they are in order
  global_size* bucket_cursors;  // its first destination that is not given away; unused for pages
  std::uint32_t* arrivals;      // per segment: chunks counted so far; unused for pages
  int log_k;
  global_size items_per_chunk;
  page_table pages;            // of the buckets, where they are not counted before
  std::uint16_t* bucket_ids;   // the bucket of each element, from counting to the distribution;
                               // null where elements are classified twice, unused for pages
  bucket_sort_state* sorting;  // of the last level, null for the others
  long_ranges long_buckets;    // the same

  /// Returns the table of elements of which only the bytes are read.
  template <class U>
  bucket_table<U> of() const {
    return {reinterpret_cast<U*>(trees),
            tree_levels,
            maps,
            equal,
            counts,
            starts,
            bucket_cursors,
            arrivals,
            log_k,
            items_per_chunk,
            pages,
            bucket_ids,
            sorting,
            long_buckets};
  }
};

/// Whether a level may do without stored bucket ids: the order is the library's own, so an element
/// that is classified twice goes to the same bucket twice.
template <class T, class Compare>
inline constexpr bool may_classify_twice = tile::order_preserving_bits<T, Compare>::is_known &&
                                           sizeof(T) == 4;

struct chunk {
  std::uint32_t segment;
  global_size first;
  global_size last;
  global_size contiguous_begin;  // index of the first one if the segments were contiguous
  bool exists;
};

/// Returns the chunk of this block: which segment, which elements. Block-wide.
template <class Level>
GPUSORT_DEVICE chunk find_chunk(const segment_table& segments, const Level& level) {
  __shared__ std::uint32_t run;
  const std::uint32_t runs = segments.segments * segments.runs;
  global_size chunk_in_run = blockIdx.x;
  if (threadIdx.x == 0) run = segments.first_chunks ? runs : 0;
  __syncthreads();
  if (segments.first_chunks) {
    for (std::uint32_t r = threadIdx.x; r < runs; r += blockDim.x) {
      if (segments.first_chunks[r] <= blockIdx.x && blockIdx.x < segments.first_chunks[r + 1]) {
        run = r;
      }
    }
    __syncthreads();
    if (run == runs) return {0, 0, 0, 0, false};
    chunk_in_run -= segments.first_chunks[run];
  }
  const global_size before = chunk_in_run * level.items_per_chunk;
  const global_size count = segments.counts ? segments.counts[run] : segments.n;
  if (before >= count) return {0, 0, 0, 0, false};
  const global_size first =
      segments.begins ? segments.begins[run] + before : segments.index_of(run, before);
  const global_size contiguous = (segments.starts ? segments.starts[run] : 0) + before;
  return {run / segments.runs, first, first + min_of(level.items_per_chunk, count - before),
          contiguous, true};
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
