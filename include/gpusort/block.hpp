// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorts inside a kernel of your own: gpusort::block sorts by all threads of a block, gpusort::warp
/// by the 32 lanes of a warp. No call on the host is needed. For nvcc only.
///
/// Common to all sorts of a block:
/// - All threads of the block call, with the same arguments but for the items they hold. Blocks are
///   one-dimensional.
/// - Keys and values are trivially relocatable (gpusort::is_trivially_relocatable). The comparator
///   is taken by value and called with two const references to keys of the range, nothing else. The
///   default is gpusort::less, in which -0.0 equals +0.0, and NaNs are where IEEE 754 total order
///   has them.
/// - The elements end as a permutation of what they were, whatever the comparator answers.
/// - Synchronization: where other threads wrote the elements, call __syncthreads() before the sort.
///   A sort ends with one: results are visible to all threads, and the storage may be used again.
/// - Exceptions: none, and nothing is checked.
///
/// @code
/// __global__ void sort_rows(float* rows, int columns) {
///   __shared__ gpusort::block::sort_storage<float, 256, 8> storage;
///   float* row = rows + blockIdx.x * columns;
///   gpusort::block::sort(storage, row, row + columns);  // 256 threads
/// }
/// @endcode
#pragma once

#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA

#include <cstdint>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tile/bitonic_range.hpp>
#include <gpusort/detail/tile/user_block_sort.hpp>
#include <gpusort/detail/tile/user_warp_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {

/// Stands for the type of values where the keys have none.
using no_value = detail::no_value;

namespace detail {

/// Excludes numbers and pointers to elements; a pointer to a function may be a comparator.
template <class Compare>
using enable_comparator = std::enable_if_t<!std::is_integral_v<Compare> &&
                                               (!std::is_pointer_v<Compare> ||
                                                std::is_function_v<std::remove_pointer_t<Compare>>),
                                           int>;
template <class Index>
using enable_count = std::enable_if_t<std::is_integral_v<Index>, int>;
template <class First, class Last>
using enable_indices = std::enable_if_t<are_index_bounds_v<First, Last>, int>;

/// Returns the distance of two indices or pointers; 0 where the first is after the last.
template <class First, class Last>
GPUSORT_DEVICE std::uint64_t count_between(First first, Last last) {
  return first < last ? static_cast<std::uint64_t>(last - first) : 0;
}

}  // namespace detail

namespace block {

/// Holds the shared memory of block sorts.
///
/// Declare it __shared__, or place it in dynamic shared memory at a multiple of 16 bytes; it needs
/// no initialization. More than 48 KB are possible in dynamic shared memory only, which the launch
/// asks for: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
///
/// @tparam Key  the keys
/// @tparam Value  the values; no_value where keys have none
/// @tparam ThreadsPerBlock  the block's number of threads, a multiple of 32 up to 1024
/// @tparam ItemsPerThread  the tile's items for each thread; a power of two up to 16 is fastest
/// @par Scratch
/// sizeof is known at compile time: for each item the key and its value, and an eighth; where the
/// two are larger than 16 bytes, the larger of them and up to 20 bytes. Overloads with a spare
/// range use 8 more bytes.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value = no_value>
class sort_storage {
  static_assert(ThreadsPerBlock % 32 == 0 && ThreadsPerBlock >= 32 && ThreadsPerBlock <= 1024,
                "gpusort: a block that sorts has 32 to 1024 threads, a multiple of 32");
  static_assert(ItemsPerThread >= 1, "gpusort: a block sorts one item per thread or more");

 public:
  using sorter = detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;

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

/// Sorts the keys [first, last) in shared or global memory where they are, by the bitonic network.
///
/// Common: see the top of this file. Takes any number of threads.
///
/// @param first  the beginning of the keys
/// @param last  their end
/// @param compare  the order of the keys
/// @par Cost
/// O(n log^2 n) comparisons and O(log^2 n) barriers.
/// @par Stability
/// Not stable.
/// @par Scratch
/// None.
/// @par Source
/// Paper 004, sections 3.1.5 (any n by virtual padding) and 3.2.
template <class Key, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(Key* first, Key* last, Compare compare = {}) {
  detail::tile::sort_in_place<3>(first, static_cast<no_value*>(nullptr),
                                 detail::count_between(first, last), compare);
}

/// Sorts keys as sort(first, last, compare) does, and the values that begin at `values` with them.
///
/// @param first  as in sort, like last and compare
/// @param values  the beginning of the values
/// @par Stability
/// Not stable.
template <class Key, class Value, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(Key* first, Key* last, Value* values, Compare compare = {}) {
  detail::tile::sort_in_place<3>(first, values, detail::count_between(first, last), compare);
}

/// @overload
/// Sorts what the indices [first, last) stand for, where it is.
///
/// Makes O(n log^2 n) calls of each function and O(log^2 n) barriers. Any number of threads.
///
/// @param first  the first index, an integer; where a bound is negative both are signed
/// @param last  after the last index
/// @param compare  compare(i, j): whether element i goes before element j, both in the range
/// @param swap  swap(i, j): swaps the two, both in the range; threads swap disjoint pairs at the
/// same time
/// @pre What swap writes before a barrier is visible to the block's other threads after it, as
/// plain stores are.
/// @par Stability
/// Not stable.
/// @par Source
/// Paper 004, sections 3.1.5, 3.2 and 3.4.
template <class First, class Last, class Compare, class Swap,
          detail::enable_indices<First, Last> = 0>
GPUSORT_DEVICE void sort(First first, Last last, Compare compare, Swap swap) {
  detail::tile::sort_indices(first, last, compare, swap);
}

/// @overload
/// Sorts by keys that are fetched, twice for each comparison.
///
/// @param fetch  fetch(i): element i's key
/// @param compare  compare(a, b): the order of keys
template <class First, class Last, class Fetch, class Compare, class Swap,
          detail::enable_indices<First, Last> = 0>
GPUSORT_DEVICE void sort(First first, Last last, Fetch fetch, Compare compare, Swap swap) {
  using key = std::decay_t<std::invoke_result_t<Fetch&, detail::index_t<First, Last>>>;
  const auto order = detail::tile::known_order<key>(compare);
  using by_key = detail::tile::by_fetched<Fetch, std::decay_t<decltype(order)>>;
  detail::tile::sort_indices(first, last, by_key{fetch, order}, swap);
}

/// @overload
/// Sorts items in registers: thread t has items t * ItemsPerThread, ..., of the tile, before and
/// after.
///
/// Makes O(n log n) comparisons, none where keys of one or two bytes are sorted by less or greater.
///
/// @param storage  the block's shared memory
/// @param keys  the thread's items
/// @param n  how many of the tile's items exist, the same in all threads. The others, which are
/// after them, are not compared, and hold something unspecified afterwards
/// @param compare  the order of the keys
/// @pre 0 <= n <= the items of a tile, which is not checked.
/// @par Stability
/// Not stable.
/// @par Source
/// Paper 003, sections 5.3.4 and 5.4 (merging); paper 004, chapter 3 (runs of a warp); CUB (radix
/// sort of short keys).
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                         Key (&keys)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<false, typename sorter::registers>(storage.bytes(), keys, nullptr,
                                                           static_cast<int>(n), compare);
}

/// @overload
/// Sorts a full tile.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                         Key (&keys)[ItemsPerThread], Compare compare = {}) {
  sort(storage, keys, ThreadsPerBlock * ItemsPerThread, compare);
}

/// Sorts items in registers as sort does, stably.
///
/// @param storage  as in sort, like keys, n and compare
/// @par Stability
/// Stable: equivalent items keep their order.
/// @par Source
/// Paper 003, section 5.3.4.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key (&keys)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<true, typename sorter::registers>(storage.bytes(), keys, nullptr,
                                                          static_cast<int>(n), compare);
}

/// @overload
/// Sorts a full tile.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key (&keys)[ItemsPerThread], Compare compare = {}) {
  stable_sort(storage, keys, ThreadsPerBlock * ItemsPerThread, compare);
}

/// @overload
/// Sorts keys in registers, as sort does, and values with them.
///
/// @param values  the thread's values
/// @par Stability
/// Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Count,
          class Compare = less, detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key (&keys)[ItemsPerThread], Value (&values)[ItemsPerThread],
                                Count n, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<false, typename sorter::registers>(storage.bytes(), keys, values,
                                                           static_cast<int>(n), compare);
}

/// @overload
/// Sorts a full tile.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key (&keys)[ItemsPerThread], Value (&values)[ItemsPerThread],
                                Compare compare = {}) {
  sort_by_key(storage, keys, values, ThreadsPerBlock * ItemsPerThread, compare);
}

/// Sorts keys and values in registers as sort_by_key does, stably.
///
/// @param storage  as in sort_by_key, like keys, values, n and compare
/// @par Stability
/// Stable: values of equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Count,
          class Compare = less, detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key (&keys)[ItemsPerThread],
    Value (&values)[ItemsPerThread], Count n, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  sorter::template sort<true, typename sorter::registers>(storage.bytes(), keys, values,
                                                          static_cast<int>(n), compare);
}

/// @overload
/// Sorts a full tile.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key (&keys)[ItemsPerThread],
    Value (&values)[ItemsPerThread], Compare compare = {}) {
  stable_sort_by_key(storage, keys, values, ThreadsPerBlock * ItemsPerThread, compare);
}

/// @overload
/// Sorts the keys [first, last) in shared or global memory.
///
/// Up to a tile is sorted in the storage, by O(n log n) comparisons; more than that in place, as
/// sort without storage does: slow.
///
/// @par Stability
/// Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage, Key* first,
                         Key* last, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<false, typename sorter::memory>(storage.bytes(), first, nullptr,
                                                          static_cast<int>(n), compare);
  } else {
    detail::tile::sort_in_place<1>(first, static_cast<no_value*>(nullptr), n, compare);
  }
}

/// @overload
/// Sorts at most a tile of keys in shared or global memory.
///
/// @pre The range is no longer than a tile. A longer one is left as it is, UNSORTED: give a spare
/// range to sort it.
/// @par Stability
/// Stable: equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key* first, Key* last, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<true, typename sorter::memory>(storage.bytes(), first, nullptr,
                                                         static_cast<int>(n), compare);
  } else {
    __syncthreads();
  }
}

/// @overload
/// Sorts keys in shared or global memory, as sort does, and the values that begin at `values` with
/// them.
///
/// @par Stability
/// Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key* first, Key* last, Value* values, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<false, typename sorter::memory>(storage.bytes(), first, values,
                                                          static_cast<int>(n), compare);
  } else {
    detail::tile::sort_in_place<1>(first, values, n, compare);
  }
}

/// @overload
/// Sorts at most a tile of keys in shared or global memory, and their values.
///
/// @pre The range is no longer than a tile. A longer one, keys and values, is left as it is,
/// UNSORTED: give spare ranges to sort it.
/// @par Stability
/// Stable: values of equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key* first, Key* last,
    Value* values, Compare compare = {}) {
  using sorter = detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>;
  const std::uint64_t n = detail::count_between(first, last);
  if (n <= sorter::items_per_tile) {
    sorter::template sort<true, typename sorter::memory>(storage.bytes(), first, values,
                                                         static_cast<int>(n), compare);
  } else {
    __syncthreads();
  }
}

/// @overload
/// Sorts any number of keys in shared or global memory, with a spare range.
///
/// Tiles are sorted in shared memory, then merged in pairs. Makes O(n log n) comparisons, whatever
/// `compare` answers; all elements are moved once for each doubling of the tile.
///
/// @param spare  the beginning of a range that is as long and may be overwritten
/// @pre The spare range overlaps nothing that is sorted.
/// @post The result is where the keys were.
/// @par Stability
/// Not stable.
/// @par Scratch
/// The spare range, and 8 bytes of shared memory.
/// @par Source
/// Paper 003, sections 5.3.4 and 5.4.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage, Key* first,
                         Key* last, Key* spare, Compare compare = {}) {
  detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock,
                                ItemsPerThread>::template sort_range<false>(storage.bytes(), first,
                                                                            nullptr, spare, nullptr,
                                                                            detail::count_between(
                                                                                first, last),
                                                                            compare);
}

/// @overload
/// Sorts any number of keys, with a spare range as sort.
///
/// @par Stability
/// Stable: equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(sort_storage<Key, ThreadsPerBlock, ItemsPerThread>& storage,
                                Key* first, Key* last, Key* spare, Compare compare = {}) {
  detail::tile::user_block_sort<Key, no_value, ThreadsPerBlock,
                                ItemsPerThread>::template sort_range<true>(storage.bytes(), first,
                                                                           nullptr, spare, nullptr,
                                                                           detail::count_between(
                                                                               first, last),
                                                                           compare);
}

/// @overload
/// Sorts any number of keys, and their values; both have a spare range as sort.
///
/// @par Stability
/// Not stable.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage,
                                Key* first, Key* last, Value* values, Key* spare_keys,
                                Value* spare_values, Compare compare = {}) {
  detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>::template sort_range<
      false>(storage.bytes(), first, values, spare_keys, spare_values,
             detail::count_between(first, last), compare);
}

/// @overload
/// Sorts any number of keys, and their values; both have a spare range as sort.
///
/// @par Stability
/// Stable: values of equivalent keys keep their order.
template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(
    sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>& storage, Key* first, Key* last,
    Value* values, Key* spare_keys, Value* spare_values, Compare compare = {}) {
  detail::tile::user_block_sort<Key, Value, ThreadsPerBlock, ItemsPerThread>::template sort_range<
      true>(storage.bytes(), first, values, spare_keys, spare_values,
            detail::count_between(first, last), compare);
}

}  // namespace block

/// Sorts by a warp.
///
/// Common to all sorts of a warp:
/// - All 32 lanes have converged and call. Their arguments differ in the items only. Blocks are
///   one-dimensional here too.
/// - Lane l has items l * ItemsPerLane, ..., before and after; ItemsPerLane is a power of two.
/// - Keys, values and comparators are as for blocks; the items end as a permutation of what they
///   were, whatever the comparator answers.
/// - Scratch: no shared memory.
/// - Synchronization: no barrier is needed.
/// - Exceptions: none, and nothing is checked.
namespace warp {

/// Sorts items in registers.
///
/// Common: see the top of this namespace.
///
/// @param keys  the lane's items
/// @param n  how many items exist, the same in all lanes; the others, which are after them, are not
/// compared
/// @param compare  the order of the keys
/// @pre 0 <= n <= 32 * ItemsPerLane.
/// @par Cost
/// O(n log^2 n) comparisons.
/// @par Stability
/// Not stable.
/// @par Source
/// Paper 004, chapter 3, in its mirrored form.
template <class Key, int ItemsPerLane, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort(Key (&keys)[ItemsPerLane], Count n, Compare compare = {}) {
  detail::tile::user_warp_sort<Key, no_value, ItemsPerLane>::template sort<false, false>(
      keys, nullptr, static_cast<int>(n), compare);
}

/// @overload
/// Sorts full lanes: all items exist.
template <class Key, int ItemsPerLane, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort(Key (&keys)[ItemsPerLane], Compare compare = {}) {
  detail::tile::user_warp_sort<Key, no_value, ItemsPerLane>::template sort<false, true>(
      keys, nullptr, 32 * ItemsPerLane, compare);
}

/// Sorts items in registers as sort does, stably.
///
/// The indices of equivalent items are compared too, for which `compare` is called twice.
///
/// @param keys  as in sort, like n and compare
/// @par Stability
/// Stable: equivalent items keep their order.
template <class Key, int ItemsPerLane, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort(Key (&keys)[ItemsPerLane], Count n, Compare compare = {}) {
  detail::tile::user_warp_sort<Key, no_value, ItemsPerLane>::template sort<true, false>(
      keys, nullptr, static_cast<int>(n), compare);
}

/// @overload
/// Sorts full lanes: all items exist.
template <class Key, int ItemsPerLane, class Compare = less, detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort(Key (&keys)[ItemsPerLane], Compare compare = {}) {
  detail::tile::user_warp_sort<Key, no_value, ItemsPerLane>::template sort<true, true>(
      keys, nullptr, 32 * ItemsPerLane, compare);
}

/// Sorts keys in registers, as sort does, and values with them.
///
/// @param keys  as in sort, like n and compare
/// @param values  the lane's values
/// @par Stability
/// Not stable.
template <class Key, int ItemsPerLane, class Value, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane], Count n,
                                Compare compare = {}) {
  detail::tile::user_warp_sort<Key, Value, ItemsPerLane>::template sort<false, false>(
      keys, values, static_cast<int>(n), compare);
}

/// @overload
/// Sorts full lanes: all items exist.
template <class Key, int ItemsPerLane, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                Compare compare = {}) {
  detail::tile::user_warp_sort<Key, Value, ItemsPerLane>::template sort<false, true>(
      keys, values, 32 * ItemsPerLane, compare);
}

/// Sorts keys and values in registers as sort_by_key does, stably.
///
/// @param keys  as in sort_by_key, like values, n and compare
/// @par Stability
/// Stable: values of equivalent keys keep their order.
template <class Key, int ItemsPerLane, class Value, class Count, class Compare = less,
          detail::enable_count<Count> = 0>
GPUSORT_DEVICE void stable_sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                       Count n, Compare compare = {}) {
  detail::tile::user_warp_sort<Key, Value, ItemsPerLane>::template sort<true, false>(
      keys, values, static_cast<int>(n), compare);
}

/// @overload
/// Sorts full lanes: all items exist.
template <class Key, int ItemsPerLane, class Value, class Compare = less,
          detail::enable_comparator<Compare> = 0>
GPUSORT_DEVICE void stable_sort_by_key(Key (&keys)[ItemsPerLane], Value (&values)[ItemsPerLane],
                                       Compare compare = {}) {
  detail::tile::user_warp_sort<Key, Value, ItemsPerLane>::template sort<true, true>(
      keys, values, 32 * ItemsPerLane, compare);
}

}  // namespace warp
}  // namespace GPUSORT_ABI
}  // namespace gpusort

#endif  // GPUSORT_CUDA
