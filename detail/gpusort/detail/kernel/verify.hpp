// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cuda/std/tuple>
#include <gpusort/detail/support/checksum.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/segment_offsets.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// What verify_kernel reads: checksum(i) of what is at an index.

/// Keys, with their values. Reads before the first key where an order says that there
/// are more.
template <class Key, class... Values>
struct verified_columns {
  const Key* keys;
  cuda::std::tuple<const Values*...> values;

  GPUSORT_DEVICE std::uint64_t checksum(std::uint64_t i) const {
    return checksum(i, std::index_sequence_for<Values...>{});
  }

 private:
  template <std::size_t... Is>
  GPUSORT_DEVICE std::uint64_t checksum(std::uint64_t i, std::index_sequence<Is...>) const {
    std::uint64_t sum = element_checksum<Key>::add(checksum_seed, keys[i]);
    ((sum = element_checksum<Values>::add(sum, cuda::std::get<Is>(values)[i])), ...);
    return mixed_checksum(sum);
  }
};

/// Holds as many keys as one load reads.
template <class Key>
struct alignas(16) key_vector {
  static constexpr int count = 16 / sizeof(Key);
  Key keys[count];
};

/// All indices of n elements, of which each must come out of an argsort once.
template <class Index>
struct all_indices {
  GPUSORT_DEVICE std::uint64_t checksum(std::uint64_t i) const {
    return mixed_checksum(element_checksum<Index>::add(checksum_seed, static_cast<Index>(i)));
  }
};

/// Stands for elements that only functions know.
struct hidden_elements {
  GPUSORT_DEVICE std::uint64_t checksum(std::uint64_t) const { return 0; }
};

// What verify_kernel asks: whether the element at an index is out of order.

struct no_order {
  static constexpr bool reads_left = false;

  template <class Elements>
  GPUSORT_DEVICE bool is_wrong(const Elements&, std::uint64_t) {
    return false;
  }
};

/// One range from end to end.
struct one_segment {
  GPUSORT_DEVICE bool has_neighbours(std::uint64_t) const { return true; }
  /// Whether the element is in no segment with the one before it.
  GPUSORT_DEVICE bool is_apart(std::uint64_t) const { return false; }
};

/// Elements outside the segments are not wrong, wherever they are.
template <class Offset>
struct offset_segments {
  segment_offsets<Offset> offsets;

  GPUSORT_DEVICE bool has_neighbours(std::uint64_t i) const {
    const auto at = static_cast<std::int64_t>(i);
    return begin(0) < at && at < end(offsets.k - 1);
  }
  GPUSORT_DEVICE bool is_apart(std::uint64_t i) const {
    const auto at = static_cast<std::int64_t>(i);
    std::uint64_t low = 0, high = offsets.k;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (begin(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 || end(low - 1) <= at;
  }

 private:
  GPUSORT_DEVICE std::int64_t begin(std::uint64_t s) const {
    return static_cast<std::int64_t>(offsets.begins[s]);
  }
  GPUSORT_DEVICE std::int64_t end(std::uint64_t s) const {
    return static_cast<std::int64_t>(offsets.ends[s]);
  }
};

/// Keys ascend within segments. The piece that is read begins at `begin` in the range.
template <class Compare, class Segments>
struct ascending_keys {
  Compare compare;
  Segments segments;
  std::uint64_t begin;

  static constexpr bool reads_left = true;

  template <class Key, class... Values>
  GPUSORT_DEVICE bool is_wrong(const verified_columns<Key, Values...>& elements, std::uint64_t i) {
    const std::uint64_t index = begin + i;
    if (!segments.has_neighbours(index)) return false;
    // The very first is compared with itself, so that no load waits for a branch.
    const Key* const key = elements.keys + i;
    const bool is_before = static_cast<bool>(compare(*key, *(index == 0 ? key : key - 1)));
    return is_before && index != 0 && !segments.is_apart(index);
  }
};

/// Indices are of keys that ascend, equivalent ones in their order.
template <class Key, class Compare>
struct indices_of_ascending_keys {
  const Key* keys;
  std::uint64_t n;
  Compare compare;

  template <class Index>
  GPUSORT_DEVICE bool is_wrong(const verified_columns<Index>& indices, std::uint64_t i) {
    const auto here = static_cast<std::uint64_t>(indices.keys[i]);
    if (here >= n) return true;
    if (i == 0) return false;
    const auto left = static_cast<std::uint64_t>(indices.keys[i - 1]);
    if (left >= n) return false;  // it is the wrong one
    if (static_cast<bool>(compare(keys[here], keys[left]))) return true;
    return here < left && !static_cast<bool>(compare(keys[left], keys[here]));
  }
};

/// The elements at indices ascend by compare(i, j).
template <class Index, class Compare>
struct ascending_indices {
  Index first;
  Compare compare;

  GPUSORT_DEVICE bool is_wrong(const hidden_elements&, std::uint64_t i) {
    return i > 0 && static_cast<bool>(compare(index_at(first, i), index_at(first, i - 1)));
  }
};

/// The elements at indices ascend by the keys that fetch(i) returns.
template <class Index, class Fetch, class Compare, class Key>
struct ascending_fetched_keys {
  Index first;
  Fetch fetch;
  Compare compare;

  GPUSORT_DEVICE bool is_wrong(const hidden_elements&, std::uint64_t i) {
    if (i == 0) return false;
    const Key here = fetch(index_at(first, i)), left = fetch(index_at(first, i - 1));
    return static_cast<bool>(compare(here, left));
  }
};

namespace kernel GPUSORT_HIDDEN {

/// Holds what a thread has found in a pass.
struct pass_findings {
  unsigned long long sum = 0, first_wrong = pass_record::nowhere;

  template <class Elements, class Order>
  GPUSORT_DEVICE void add_one(const Elements& elements, Order& order, std::uint64_t i) {
    sum += elements.checksum(i);
    if (order.is_wrong(elements, i) && i < first_wrong) first_wrong = i;
  }

  /// Adds what all threads of a warp have found to a record whose indices are counted from `begin`.
  GPUSORT_DEVICE void add_to(pass_record* record, std::uint64_t begin) {
    sum = tile::warp_sum(sum);
    if (threadIdx.x % tile::warp_size == 0 && sum != 0) atomicAdd(&record->sum, sum);
    if (first_wrong != pass_record::nowhere) atomicMin(&record->first_wrong, begin + first_wrong);
  }
};

/// Adds the checksums of n > 0 elements to a record and finds the first that is out of order, of
/// which the index in the range is counted from `begin`. Tiles are full, so that no load waits for
/// a branch; the last block reads what is left.
template <int ThreadsPerBlock, int ItemsPerThread, class Elements, class Order>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    verify_kernel(Elements elements, std::uint64_t begin, std::uint64_t n, Order order,
                  pass_record* record) {
  constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;
  pass_findings found;
  const std::uint64_t tiles = n / items_per_tile;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t first = tile * items_per_tile + threadIdx.x;
    int wrong = ItemsPerThread;
#pragma unroll
    for (int k = 0; k < ItemsPerThread; ++k) {
      const std::uint64_t i = first + static_cast<unsigned>(k * ThreadsPerBlock);
      found.sum += elements.checksum(i);
      if (order.is_wrong(elements, i)) wrong = min_of(wrong, k);
    }
    if (wrong < ItemsPerThread && found.first_wrong == pass_record::nowhere) {
      found.first_wrong = first + static_cast<unsigned>(wrong * ThreadsPerBlock);
    }
  }
  if (blockIdx.x == gridDim.x - 1) {
#pragma unroll 1
    for (std::uint64_t i = tiles * items_per_tile + threadIdx.x; i < n; i += ThreadsPerBlock) {
      found.add_one(elements, order, i);
    }
  }
  found.add_to(record, begin);
}

/// Reads short keys of one segment as vectors, of which the first is at `head`; else as
/// verify_kernel. A key is compared with the one before it in registers.
template <int ThreadsPerBlock, int VectorsPerThread, class Key, class Order>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    verify_vectors_kernel(verified_columns<Key> elements, std::uint64_t begin, std::uint64_t n,
                          std::uint32_t head, Order order, pass_record* record) {
  using vector = key_vector<Key>;
  constexpr int count = vector::count, vectors_per_tile = ThreadsPerBlock * VectorsPerThread;
  const auto* const vectors = reinterpret_cast<const vector*>(elements.keys + head);
  pass_findings found;
  const std::uint64_t tiles = (n - head) / (vectors_per_tile * count);
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t first = tile * vectors_per_tile + threadIdx.x;
    vector loaded[VectorsPerThread];
    Key left[VectorsPerThread];
    const auto index_of = [&](int v) {
      return head + (first + static_cast<unsigned>(v * ThreadsPerBlock)) * count;
    };
#pragma unroll
    for (int v = 0; v < VectorsPerThread; ++v) {
      loaded[v] = vectors[first + static_cast<unsigned>(v * ThreadsPerBlock)];
      const std::uint64_t i = index_of(v);
      if constexpr (Order::reads_left) left[v] = elements.keys[i + begin == 0 ? i : i - 1];
    }
    bool is_any_wrong = false;
#pragma unroll
    for (int v = 0; v < VectorsPerThread; ++v) {
#pragma unroll
      for (int k = 0; k < count; ++k) {
        const Key& key = loaded[v].keys[k];
        found.sum += mixed_checksum(element_checksum<Key>::add(checksum_seed, key));
        if constexpr (Order::reads_left) {
          const Key& before = k == 0 ? left[v] : loaded[v].keys[k - 1];
          is_any_wrong |= static_cast<bool>(order.compare(key, before));
        }
      }
    }
    if (is_any_wrong && found.first_wrong == pass_record::nowhere) {
#pragma unroll 1
      for (int item = VectorsPerThread * count - 1; item >= 0; --item) {
        const std::uint64_t i = index_of(item / count) + static_cast<unsigned>(item % count);
        if (order.is_wrong(elements, i)) found.first_wrong = i;
      }
    }
  }
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x < head) found.add_one(elements, order, threadIdx.x);
#pragma unroll 1
    for (std::uint64_t i = head + tiles * vectors_per_tile * count + threadIdx.x; i < n;
         i += ThreadsPerBlock) {
      found.add_one(elements, order, i);
    }
  }
  found.add_to(record, begin);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
