// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorts inside a kernel of your own: gpusort::block sorts by all threads of a block,
/// gpusort::warp by the 32 lanes of a warp. No call on the host is needed. For nvcc only.
///
/// Common to all sorts of a block:
/// - All threads of the block call, with the same arguments but for the items they hold. Blocks are
///   one-dimensional.
/// - Where other threads wrote the elements, call __syncthreads() before the sort. A sort ends with
/// one: results are visible to all threads, and the storage may be used again.
/// - Keys and values are trivially relocatable (gpusort::is_trivially_relocatable). The comparator
///   is taken by value and called with two const references to keys of the range, nothing else. The
///   default is gpusort::less, in which -0.0 equals +0.0, and NaNs are where IEEE 754 total order
///   has them.
/// - The elements end as a permutation of what they were, whatever the comparator answers.
///
/// \code
/// __global__ void sort_rows(float* rows, int columns) {
///   __shared__ gpusort::block::sort_storage<float, 256, 8> storage;
///   float* row = rows + blockIdx.x * columns;
///   gpusort::block::sort(storage, row, row + columns);  // 256 threads
/// }
/// \endcode
#pragma once

#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA

#include <cstdint>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tile/bitonic_range.hpp>
#include <gpusort/detail/tile/register_sort.hpp>
#include <gpusort/detail/tile/tile_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {

/// In the place of a type of values: the keys have none.
using no_value = detail::no_value;

namespace detail {

/// Not a number, nor a pointer to elements; a pointer to a function may be one.
template <class Compare>
using enable_comparator = std::enable_if_t<!std::is_integral_v<Compare> &&
                                               (!std::is_pointer_v<Compare> ||
                                                std::is_function_v<std::remove_pointer_t<Compare>>),
                                           int>;
template <class Index>
using enable_count = std::enable_if_t<std::is_integral_v<Index>, int>;
template <class First, class Last>
using enable_indices = std::enable_if_t<are_index_bounds_v<First, Last>, int>;

/// The distance of two indices or pointers; none where the first is after the last.
template <class First, class Last>
GPUSORT_DEVICE std::uint64_t count_between(First first, Last last) {
  return first < last ? static_cast<std::uint64_t>(last - first) : 0;
}

}  // namespace detail

namespace block {

/// Shared memory for block sorts. Overloads with a spare range use 8 more bytes. sizeof is known at
/// compile time: for each item the key and its value, and an eighth; where the two are larger than
/// 16 bytes, the larger of them and up to 20 bytes. Declare it __shared__, or place it in dynamic
/// shared memory at a multiple of 16 bytes; it needs no initialization. More than 48 KB are
/// possible in dynamic shared memory only, which the launch asks for: cudaFuncSetAttribute(kernel,
/// cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
///
/// ThreadsPerBlock is the block's number of threads, a multiple of 32. A power of two of items per
/// thread, up to 16, is sorted fastest.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value = no_value>
class sort_storage {
  static_assert(ThreadsPerBlock % 32 == 0 && ThreadsPerBlock >= 32 && ThreadsPerBlock <= 1024,
                "gpusort: a block that sorts has 32 to 1024 threads, a multiple of 32");
  static_assert(ItemsPerThread >= 1, "gpusort: a block sorts one item per thread or more");

 public:
  using sorter = detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;

  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_thread = ItemsPerThread;
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;

  GPUSORT_DEVICE unsigned char* bytes() { return bytes_; }

 private:
  static_assert(
      sorter::storage_bytes <= detail::shared_memory_per_block(),
      "gpusort: the tile of a block::sort_storage is larger than the shared memory that a "
      "block may have; take fewer items per thread");
  alignas(16) unsigned char bytes_[sorter::storage_bytes];
};

/// Sorts the keys [first, last) in shared or global memory where they are, without any other
/// memory, by the bitonic network; any number of threads.
///
/// Not stable. O(n log^2 n) comparisons, O(log^2 n) barriers. Source: paper 004, sections 3.1.5
/// (any n by virtual padding) and 3.2.
template <class Key, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(Key* first, Key* last, Compare compare = {}) {
  detail::tile::sort_in_place<3>(first, static_cast<no_value*>(nullptr),
                                 detail::count_between(first, last), compare);
}

/// Sorts keys as above, and the values that begin at `values` with them.
template <class Key, class Value, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(Key* first, Key* last, Value* values, Compare compare = {}) {
  detail::tile::sort_in_place<3>(first, values, detail::count_between(first, last), compare);
}

/// Sorts whatever the indices [first, last) stand for, where it is: compare(i, j) says whether
/// element i goes before element j, swap(i, j) swaps the two. Both are called with i and j in the
/// range; threads swap disjoint pairs at the same time. Any number of threads. Where a bound
/// is negative both are signed.
///
/// Not stable. O(n log^2 n) calls of each, O(log^2 n) barriers; what swap writes before a barrier
/// must be visible to the block's other threads after it, as plain stores are. Source: paper 004,
/// sections 3.1.5, 3.2 and 3.4.
template <class First, class Last, class Compare, class Swap,
          detail::enable_indices<First, Last> = 0>
GPUSORT_DEVICE void sort(First first, Last last, Compare compare, Swap swap) {
  detail::tile::sort_indices(first, last, compare, swap);
}

/// The same where fetch(i) makes element i's key, twice for each comparison, and compare(a, b)
/// orders keys.
template <class First, class Last, class Fetch, class Compare, class Swap,
          detail::enable_indices<First, Last> = 0>
GPUSORT_DEVICE void sort(First first, Last last, Fetch fetch, Compare compare, Swap swap) {
  using key = std::decay_t<std::invoke_result_t<Fetch&, detail::index_t<First, Last>>>;
  const auto order = detail::tile::known_order<key>(compare);
  using by_key = detail::tile::by_fetched<Fetch, std::decay_t<decltype(order)>>;
  detail::tile::sort_indices(first, last, by_key{fetch, order}, swap);
}

/// Sorts items in registers: thread t has items t * ItemsPerThread, ..., of the tile, before and
/// after. `n`, the same in all threads, from 0 to a tile, which is not checked, says how many of
/// the tile's items exist, all by default; the others, which are after them, are not compared, and
/// hold something unspecified afterwards.
///
/// Not stable. O(n log n) comparisons, none where keys of one or two bytes are sorted by less or
/// greater. Source: paper 003, sections 5.3.4 and 5.4 (merging); paper 004, chapter 3 (runs of a
/// warp); CUB (radix sort of short keys).
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                         Key (&keys)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<false, typename sorter::registers>(storage.bytes(), keys, nullptr,
                                                           static_cast<int>(n), compare);
}

template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                         Key (&keys)[ItemsPerThread], Compare compare = {}) {
  sort(storage, keys, ThreadsPerBlock * ItemsPerThread, compare);
}

/// The same; equivalent items keep their order. Source: paper 003, section 5.3.4.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key (&keys)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<true, typename sorter::registers>(storage.bytes(), keys, nullptr,
                                                          static_cast<int>(n), compare);
}

template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key (&keys)[ItemsPerThread], Compare compare = {}) {
  stable_sort(storage, keys, ThreadsPerBlock * ItemsPerThread, compare);
}

/// Sorts keys in registers, as sort does, and values with them. Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Count,
          class Compare = less, detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key (&keys)[ItemsPerThread], Value (&values)[ItemsPerThread],
                                Count n, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<false, typename sorter::registers>(storage.bytes(), keys, values,
                                                           static_cast<int>(n), compare);
}

template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key (&keys)[ItemsPerThread], Value (&values)[ItemsPerThread],
                                Compare compare = {}) {
  sort_by_key(storage, keys, values, ThreadsPerBlock * ItemsPerThread, compare);
}

/// The same; values of equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Count,
          class Compare = less, detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key (&keys)[ItemsPerThread],
    Value (&values)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<true, typename sorter::registers>(storage.bytes(), keys, values,
                                                          static_cast<int>(n), compare);
}

template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key (&keys)[ItemsPerThread],
    Value (&values)[ItemsPerThread], Compare compare = {}) {
  stable_sort_by_key(storage, keys, values, ThreadsPerBlock * ItemsPerThread, compare);
}

/// Sorts the keys [first, last) in shared or global memory: up to a tile in the storage; more than
/// that in place, as sort without storage does: slow.
///
/// Not stable. O(n log n) comparisons up to a tile.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage, Key* first,
                         Key* last, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<false, typename sorter::memory>(storage.bytes(), first, nullptr,
                                                          static_cast<int>(n), compare);
  } else {
    detail::tile::sort_in_place<1>(first, static_cast<no_value*>(nullptr), n, compare);
  }
}

/// Sorts at most a tile of keys; equivalent ones keep their order. A longer range is left as it is,
/// UNSORTED: give a spare range to sort it.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key* first, Key* last, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<true, typename sorter::memory>(storage.bytes(), first, nullptr,
                                                         static_cast<int>(n), compare);
  } else {
    __syncthreads();
  }
}

/// Sorts keys as sort does, and the values that begin at `values` with them. Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key* first, Key* last, Value* values, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<false, typename sorter::memory>(storage.bytes(), first, values,
                                                          static_cast<int>(n), compare);
  } else {
    detail::tile::sort_in_place<1>(first, values, n, compare);
  }
}

/// The same for at most a tile; values of equivalent keys keep their order. A longer range, keys
/// and values, is left as it is, UNSORTED: give spare ranges to sort it.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key* first, Key* last,
    Value* values, Compare compare = {}) {
  using sorter = detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<true, typename sorter::memory>(storage.bytes(), first, values,
                                                         static_cast<int>(n), compare);
  } else {
    __syncthreads();
  }
}

/// Sorts any number of keys in shared or global memory; `spare` is the beginning of a range that is
/// as long, may be overwritten, and overlaps nothing that is sorted. The result is where the keys
/// were. Tiles are sorted in shared memory, then merged in pairs.
///
/// Not stable. O(n log n) comparisons, whatever they answer; all elements are moved once for each
/// doubling of the tile. Source: paper 003, sections 5.3.4 and 5.4.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage, Key* first,
                         Key* last, Key* spare, Compare compare = {}) {
  detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>::template sort_range<
      false>(storage.bytes(), first, nullptr, spare, nullptr, detail::count_between(first, last),
             compare);
}

/// The same; equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key* first, Key* last, Key* spare, Compare compare = {}) {
  detail::tile::tile_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>::template sort_range<
      true>(storage.bytes(), first, nullptr, spare, nullptr, detail::count_between(first, last),
            compare);
}

/// Sorts keys as above, and values with them; both have a spare range. Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key* first, Key* last, Value* values, Key* spare_keys,
                                Value* spare_values, Compare compare = {}) {
  detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>::template sort_range<false>(
      storage.bytes(), first, values, spare_keys, spare_values, detail::count_between(first, last),
      compare);
}

/// The same; values of equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key* first, Key* last,
    Value* values, Key* spare_keys, Value* spare_values, Compare compare = {}) {
  detail::tile::tile_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>::template sort_range<true>(
      storage.bytes(), first, values, spare_keys, spare_values, detail::count_between(first, last),
      compare);
}

}  // namespace block

/// Sorts by a warp: all 32 lanes call, with the same arguments but for their items. Lane l has
/// items l * ItemsPerLane, ..., before and after; ItemsPerLane is a power of two. `n`, the same in
/// all lanes, from 0 to 32 * ItemsPerLane, says how many items exist, all by default; the others,
/// which are after them, are not compared. Blocks are one-dimensional here too, and the lanes have
/// converged. Keys, values and comparators are as for blocks; a permutation whatever is answered.
/// No shared memory.
namespace warp {

/// Sorts items in registers.
///
/// Not stable. O(n log^2 n) comparisons. Source: paper 004, chapter 3, in its mirrored form.
template <class Key, int ItemsPerLane, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort(Key (&keys)[ItemsPerLane], Count n, Compare compare = {}) {
  detail::tile::register_sort<Key, no_value, ItemsPerLane>::template sort<false, false>(
      keys, nullptr, static_cast<int>(n), compare);
}

template <class Key, int ItemsPerLane, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(Key (&keys)[ItemsPerLane], Compare compare = {}) {
  detail::tile::register_sort<Key, no_value, ItemsPerLane>::template sort<false, true>(
      keys, nullptr, 32 * ItemsPerLane, compare);
}

/// The same; equivalent items keep their order: their places are compared too, for which `compare`
/// is called twice.
template <class Key, int ItemsPerLane, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort(Key (&keys)[ItemsPerLane], Count n, Compare compare = {}) {
  detail::tile::register_sort<Key, no_value, ItemsPerLane>::template sort<true, false>(
      keys, nullptr, static_cast<int>(n), compare);
}

template <class Key, int ItemsPerLane, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(Key (&keys)[ItemsPerLane], Compare compare = {}) {
  detail::tile::register_sort<Key, no_value, ItemsPerLane>::template sort<true, true>(
      keys, nullptr, 32 * ItemsPerLane, compare);
}

/// Sorts keys in registers, and values with them. Not stable.
template <class Key, int ItemsPerLane, class Value, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane], Count n,
                                Compare compare = {}) {
  detail::tile::register_sort<Key, Value, ItemsPerLane>::template sort<false, false>(
      keys, values, static_cast<int>(n), compare);
}

template <class Key, int ItemsPerLane, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                Compare compare = {}) {
  detail::tile::register_sort<Key, Value, ItemsPerLane>::template sort<false, true>(
      keys, values, 32 * ItemsPerLane, compare);
}

/// The same; values of equivalent keys keep their order.
template <class Key, int ItemsPerLane, class Value, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                       Count n, Compare compare = {}) {
  detail::tile::register_sort<Key, Value, ItemsPerLane>::template sort<true, false>(
      keys, values, static_cast<int>(n), compare);
}

template <class Key, int ItemsPerLane, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                       Compare compare = {}) {
  detail::tile::register_sort<Key, Value, ItemsPerLane>::template sort<true, true>(
      keys, values, 32 * ItemsPerLane, compare);
}

}  // namespace warp
}  // namespace GPUSORT_ABI
}  // namespace gpusort

#endif  // GPUSORT_CUDA
