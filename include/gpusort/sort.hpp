// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting under a gpusort policy: sort, stable_sort, sort_copy, sort_by_key, stable_sort_by_key,
/// is_sorted, argsort, and what tells about them beforehand: scratch_bytes, explain.
///
/// Common to all calls:
/// - Elements are trivially relocatable (gpusort::is_trivially_relocatable). Comparators are called
///   with two const references, on the device, only on elements of the range.
/// - A projection may follow the comparator: a functor or a pointer to a member, of which the
///   results are compared in place of elements. Under less and greater a projection onto arithmetic
///   keys is computed once for each element, and again for the few that are sampled, not for each
///   comparison. {} in the place of the comparator stands for less.
/// - Ranges may be in device, managed, pinned or pageable memory; the library asks the driver.
///   Contiguous ranges are used where they are; others through a contiguous copy. Host memory is
///   staged; what does not fit on the device is sorted in pieces under the options of
///   <gpusort/external.hpp>.
/// - Whatever the comparator answers, the range ends as a permutation of its input.
/// - Floating-point keys under less and greater: -0.0 equals +0.0, and NaNs are where IEEE 754
///   total order has them.
/// - On a machine without a CUDA device, or compiled without nvcc, the CPU does the same.
/// - Synchronization: par_gpu returns when the result is ready, par_gpu_nosync when the work is on
///   the stream. A call on host memory waits for its result under par_gpu_nosync too.
/// - Scratch is device memory, in bytes: n is the number of elements, E the bytes of an element.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | ranges make no sense |
/// | gpusort::cuda_error | CUDA reports an error |
/// | gpusort::out_of_memory | no route fits in the memory |
/// | a comparator's exception | it throws on the CPU |
///
/// After an exception the ranges are permutations of their input.
#pragma once

#include <gpusort/detail/dispatch/order_of_range.hpp>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/records.hpp>
#include <iterator>
#include <tuple>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts keys with the ranges of values.
template <bool Stable, class Policy, class KeyIterator, class Compare, class Projection,
          class... ValueIterators>
void sort_columns(const Policy& policy, KeyIterator first, KeyIterator last, const Compare& compare,
                  const Projection& projection, ValueIterators... values) {
  using key = value_t<KeyIterator>;
  require_writable<KeyIterator>();
  (require_writable<ValueIterators>(), ...);
  require_order<key, Compare, Projection>();
  sort_ranges<Stable>(overwriting_call_of(policy), first, last, canonical<key>(compare, projection),
                      values...);
}

/// Makes the indices of the arguments before the first one that is no iterator.
template <class... Arguments>
constexpr auto leading_iterators() {
  return std::make_index_sequence<count_leading_iterators<Arguments...>()>{};
}

template <std::size_t Nth, class Default, class... Arguments>
auto argument_or(const std::tuple<Arguments...>& arguments) {
  if constexpr (Nth < sizeof...(Arguments)) {
    return std::get<Nth>(arguments);
  } else {
    return Default{};
  }
}

/// Sorts keys with the ranges of values that are the first arguments; a comparator and a projection
/// may follow.
template <bool Stable, class Policy, class KeyIterator, class... Arguments, std::size_t... Values>
void sort_columns_of(std::index_sequence<Values...>, const Policy& policy, KeyIterator first,
                     KeyIterator last, const Arguments&... arguments) {
  constexpr std::size_t values = sizeof...(Values);
  static_assert(
      values > 0,
      "gpusort: one or more ranges of values come before the comparator of a sort by key");
  static_assert(sizeof...(Arguments) <= values + 2,
                "gpusort: after the ranges of values a sort by key takes a comparator and a "
                "projection, and no more");
  const std::tuple<const Arguments&...> all(arguments...);
  sort_columns<Stable>(policy, first, last, argument_or<values, less>(all),
                       argument_or<values + 1, identity>(all), std::get<Values>(all)...);
}

template <class Policy, class Iterator, class... Outputs>
using enable_sort = std::enable_if_t<is_policy<Policy>::value && is_random_access_v<Iterator> &&
                                         (is_iterator_v<Outputs> && ...),
                                     int>;

/// A comparator, which may be {}, follows one range of values.
template <class Policy, class KeyIterator, class ValueIterator, class Compare>
using enable_sort_by_key =
    std::enable_if_t<is_policy<Policy>::value && is_random_access_v<KeyIterator> &&
                         is_iterator_v<ValueIterator> && !is_iterator_v<Compare>,
                     int>;

}  // namespace detail

/// Sorts [first, last).
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param first  the beginning of the range, a random access iterator
/// @param last  its end
/// @param compare  the order of the elements, or of their projections
/// @param projection  what is compared of an element; by default itself
/// @par Cost
/// O(n log n) comparisons; in place O(n log^2 n).
/// @par Stability
/// Not stable: equivalent elements end in any order.
/// @par Scratch
/// | Order | n | Bytes |
/// |---|---|---|
/// | any | any | 7/6 n (E + 2) + 16 MB |
/// | order_by, projections | any | at least 20 n |
/// | these, keys of more than 32 bits, E >= 24 | any | at least 28 n |
/// | these, keys of more than 32 bits | up to 2^21 | at least 26 n |
/// | these, keys of more than 64 bits | up to 2^21 | at least 42 n |
/// | these, keys of more than 128 bits, in w <= 7 words of 8 bytes | any | at least (16 w + 11) n |
///
/// From 2^32 elements on order_by and projections take more. If allocation fails and no algorithm
/// is forced, sort takes less:
///
/// | Elements | Bytes |
/// |---|---|
/// | 4-byte numbers under less or greater, n > 2^18 | 9/8 n E |
/// | compared | n E, and 2% for E = 4 and E = 8, 5% at most (merge sort) |
/// | any, if that fails too | none: a network sorts in place, more slowly |
/// @par Source
/// Paper 003, section 6 (sample sort); CUB (radix sort); paper 004 (bitonic sort); where it is
/// forced, paper 000 (quicksort).
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
void sort(const Policy& policy, Iterator first, Iterator last, Compare compare = {},
          Projection projection = {}) {
  const detail::public_call name("sort");
  using key = detail::value_t<Iterator>;
  detail::require_writable<Iterator>();
  detail::require_order<key, Compare, Projection>();
  detail::sort_ranges<false>(detail::overwriting_call_of(policy), first, last,
                             detail::canonical<key>(compare, projection));
}

/// Sorts [first, last) stably.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like first, last, compare and projection
/// @par Cost
/// O(n log n) comparisons. By an opaque order, few ascending runs of many elements are merged, on a
/// device.
/// @par Stability
/// Stable: equivalent elements keep their order.
/// @par Scratch
/// As sort.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated, unless equal elements are identical |
/// | std::invalid_argument | under in_place, unless equal elements are identical, as integers are |
/// @par Source
/// Paper 003, sections 5.4 and 6; CUB (radix sort).
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
void stable_sort(const Policy& policy, Iterator first, Iterator last, Compare compare = {},
                 Projection projection = {}) {
  const detail::public_call name("stable_sort");
  using key = detail::value_t<Iterator>;
  detail::require_writable<Iterator>();
  detail::require_order<key, Compare, Projection>();
  detail::sort_ranges<true>(detail::overwriting_call_of(policy), first, last,
                            detail::canonical<key>(compare, projection));
}

/// Writes [first, last), sorted, to another range.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like compare and projection
/// @param first  the beginning of the input, which stays as it is and may be constant
/// @param last  its end
/// @param out  the beginning of the output, of the input's element type
/// @return the end of the output
/// @pre The two ranges are one and the same, or do not overlap.
/// @par Cost
/// As sort.
/// @par Stability
/// Not stable.
/// @par Scratch
/// As sort.
/// @par Source
/// As sort.
template <class Policy, class Iterator, class OutIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator, OutIterator> = 0>
OutIterator sort_copy(const Policy& policy, Iterator first, Iterator last, OutIterator out,
                      Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("sort_copy");
  using key = detail::value_t<Iterator>;
  detail::require_sortable<Iterator>();
  detail::require_writable<OutIterator>();
  detail::require_order<key, Compare, Projection>();
  static_assert(std::is_same_v<key, detail::value_t<OutIterator>>,
                "gpusort: sort_copy copies between ranges of the same element type");
  return detail::sort_into(detail::overwriting_call_of(policy), first, last, out,
                           detail::canonical<key>(compare, projection));
}

/// Sorts the keys [keys_first, keys_last), and ranges of values in the same way.
///
/// Common: see the top of this file.
///
/// @param policy  as sort
/// @param keys_first  the first of the keys
/// @param keys_last  the end of the keys
/// @param arguments  the beginnings of one or more ranges of values, without their ends, which
/// would be taken for beginnings too; a comparator of keys may follow, and then a projection
/// @pre The ranges do not overlap.
/// @par Cost
/// As sort.
/// @par Stability
/// Not stable: values of equivalent keys end in any order.
/// @par Scratch
/// | Values | Bytes |
/// |---|---|
/// | one range, which fits in a few registers | as sort, of keys and values together |
/// | other ranges | as sort, of the largest range, and an index for each element |
/// | several long ranges | also a copy of all of them, if there is memory for it |
///
/// Without scratch the sort is in place, and slower.
/// @par Source
/// As sort.
template <class Policy, class KeyIterator, class... Arguments,
          detail::enable_sort<Policy, KeyIterator> = 0>
void sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                 Arguments... arguments) {
  const detail::public_call name("sort_by_key");
  detail::sort_columns_of<false>(detail::leading_iterators<Arguments...>(), policy, keys_first,
                                 keys_last, arguments...);
}

/// @overload
/// Sorts keys and one range of values; `{}` stands for less. Several ranges of values before a `{}`
/// are one zip iterator, of which a contiguous copy is sorted.
template <class Policy, class KeyIterator, class ValueIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_sort_by_key<Policy, KeyIterator, ValueIterator, Compare> = 0>
void sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                 ValueIterator values_first, Compare compare, Projection projection = {}) {
  const detail::public_call name("sort_by_key");
  detail::sort_columns<false>(policy, keys_first, keys_last, compare, projection, values_first);
}

/// Sorts keys and values as sort_by_key, stably.
///
/// @param policy  as in sort_by_key, like keys_first, keys_last and arguments
/// @pre The ranges do not overlap.
/// @par Stability
/// Stable: values of equivalent keys keep their order.
/// @par Scratch
/// As sort_by_key.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated |
/// | std::invalid_argument | under in_place |
template <class Policy, class KeyIterator, class... Arguments,
          detail::enable_sort<Policy, KeyIterator> = 0>
void stable_sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                        Arguments... arguments) {
  const detail::public_call name("stable_sort_by_key");
  detail::sort_columns_of<true>(detail::leading_iterators<Arguments...>(), policy, keys_first,
                                keys_last, arguments...);
}

/// @overload
/// Sorts keys and one range of values; `{}` stands for less. Several ranges of values before a `{}`
/// are one zip iterator, of which a contiguous copy is sorted.
template <class Policy, class KeyIterator, class ValueIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_sort_by_key<Policy, KeyIterator, ValueIterator, Compare> = 0>
void stable_sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                        ValueIterator values_first, Compare compare, Projection projection = {}) {
  const detail::public_call name("stable_sort_by_key");
  detail::sort_columns<true>(policy, keys_first, keys_last, compare, projection, values_first);
}

/// Tells whether no element of [first, last) is before its predecessor.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like first, last, compare and projection
/// @return true where the range is sorted
/// @par Cost
/// n - 1 comparisons.
/// @par Scratch
/// One flag; where a bitmap or flags tell nulls 8 n bytes more.
/// @par Synchronization
/// Waits for its result under any policy.
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
bool is_sorted(const Policy& policy, Iterator first, Iterator last, Compare compare = {},
               Projection projection = {}) {
  const detail::public_call name("is_sorted");
  using key = detail::value_t<Iterator>;
  detail::require_sortable<Iterator>();
  if constexpr (detail::tells_nulls_by_index_v<Compare>) {
    detail::require_order_by_index<key, Projection>(compare);
    return detail::check_sorted_by_index(detail::call_of(policy), first, last, compare);
  } else {
    detail::require_order<key, Compare, Projection>();
    return detail::check_sorted(detail::call_of(policy), first, last,
                                detail::canonical<key>(compare, projection));
  }
}

/// Writes the indices of the elements in sorted order.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like compare and projection
/// @param first  the beginning of the elements, which stay where they are
/// @param last  their end
/// @param out  the beginning of n integers of 4 or 8 bytes: out[i] gets the index of the i-th
/// element in sorted order
/// @par Stability
/// Stable.
/// @par Scratch
/// | Keys | n | Indices of 4 bytes | Indices of 8 bytes |
/// |---|---|---|---|
/// | up to 32 bits | any | 16 n | 24 n |
/// | more than 32 bits | any | 24 n | 32 n |
/// | more than 32 bits | up to 2^21 | 23 n | 27 n |
/// | more than 64 bits | up to 2^21 | 39 n | 43 n |
/// | more than 128 bits: w words of 8 bytes, w <= 7 | any | (16 w + 7) n | (16 w + 11) n |
/// | numbers of 8 bytes, opaque order | any | 23 n | 27 n |
/// | other elements, opaque order | any | 7 n | 11 n |
/// | more, if a bitmap or flags tell nulls | any | 8 n | 8 n |
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated |
/// | std::invalid_argument | a bitmap, flags or their elements are in host memory, with a device |
template <class Policy, class Iterator, class IndexIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator, IndexIterator> = 0>
void argsort(const Policy& policy, Iterator first, Iterator last, IndexIterator out,
             Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("argsort");
  using key = detail::value_t<Iterator>;
  using index = detail::value_t<IndexIterator>;
  detail::require_sortable<Iterator>();
  detail::require_writable<IndexIterator>();
  static_assert(std::is_integral_v<index> && (sizeof(index) == 4 || sizeof(index) == 8),
                "gpusort: argsort writes integral indices of 4 or 8 bytes");
  if constexpr (detail::tells_nulls_by_index_v<Compare>) {
    detail::require_order_by_index<key, Projection>(compare);
    detail::sort_indices_by_index(detail::call_of(policy), first, last, out, compare);
  } else {
    detail::require_order<key, Compare, Projection>();
    detail::sort_indices(detail::call_of(policy), first, last, out,
                         detail::canonical<key>(compare, projection));
  }
}

/// Tells how much scratch sort and stable_sort of the range take at most.
///
/// The answer is enough for policy.with(gpusort::scratch(pointer, bytes)). sort_copy takes as much
/// where both ranges are in device memory; otherwise add the range once for each of the two that is
/// not.
///
/// @param policy  as the sort will get them, like first, last, compare and projection
/// @return bytes of device memory
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
std::size_t scratch_bytes(const Policy& policy, Iterator first, Iterator last, Compare compare = {},
                          Projection projection = {}) {
  const detail::public_call name("scratch_bytes");
  detail::require_order<detail::value_t<Iterator>, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto order = detail::canonical<detail::value_t<Iterator>>(compare, projection);
  const std::size_t bytes = detail::plan_sort<false>(call, first, last, order).scratch_bytes;
  if constexpr (std::decay_t<decltype(call)>::forced == route::counting_sort) {
    return bytes;  // a stable sort is the same, or does not compile
  } else {
    return (std::max)(bytes, detail::plan_sort<true>(call, first, last, order).scratch_bytes);
  }
}

/// Tells what sort would do with the range, without doing it.
///
/// @param policy  as sort would get them, like first, last, compare and projection
/// @return the plan: the algorithm, why, how often it moves the elements, its scratch in bytes, how
/// it is launched and where its kernels were compiled, and what it and the next best way are
/// estimated to take on an H100
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
plan explain(const Policy& policy, Iterator first, Iterator last, Compare compare = {},
             Projection projection = {}) {
  const detail::public_call name("explain");
  detail::require_order<detail::value_t<Iterator>, Compare, Projection>();
  return detail::plan_sort<false>(
      detail::call_of(policy), first, last,
      detail::canonical<detail::value_t<Iterator>>(compare, projection));
}

GPUSORT_DETAIL_REFUSE(sort, 2)
GPUSORT_DETAIL_REFUSE(stable_sort, 2)
GPUSORT_DETAIL_REFUSE(sort_copy, 3)
GPUSORT_DETAIL_REFUSE(sort_by_key, 3)
GPUSORT_DETAIL_REFUSE(stable_sort_by_key, 3)
GPUSORT_DETAIL_REFUSE(is_sorted, 2)
GPUSORT_DETAIL_REFUSE(argsort, 3)
GPUSORT_DETAIL_REFUSE(scratch_bytes, 2)
GPUSORT_DETAIL_REFUSE(explain, 2)

}  // namespace GPUSORT_ABI
}  // namespace gpusort
