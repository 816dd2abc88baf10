// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting many ranges in one call, under a gpusort policy: segmented_sort, stable_segmented_sort,
/// segmented_sort_by_key, stable_segmented_sort_by_key.
///
/// The segments of a range are between neighbours of k + 1 offsets into it, none less than the one
/// before, none negative or after the range; or from each of k offsets to the one of the same
/// number in another range of k, in ascending order and without overlap. They may be of any
/// lengths, empty ones included. The elements outside the segments stay where they are; but the
/// whole range belongs to the call until its work is done, since elements may be copied and written
/// back.
///
/// Common to all calls, besides what is common to those of <gpusort/sort.hpp>:
/// - Offsets are integers, in any memory. On the device and in managed memory they are used where
///   they are, and never read by the host: such calls do not wait for them, and can be captured.
///   Those in pinned and pageable memory, and reached through iterators that are not contiguous,
///   are copied; they are read when the call is made, not in the order of the stream, and must not
///   change until it returns. Offsets that are computed, by counting and transform iterators, are
///   so on the device. Offsets may not overlap what is sorted, which is not checked.
/// - Wrong offsets: in host memory std::invalid_argument. On the device, and computed, where one is
///   less than the one before, or a segment begins before the one in front of it ends, nothing is
///   sorted at all; those outside the range mean its ends. The range is a permutation of its input
///   in any case. Fewer than two offsets without ends are no work.
/// - What does not fit on the device is not sorted in pieces.
/// - Each segment ends as a permutation of itself, whatever the comparator answers.
/// - Forced algorithms are accepted, and of no consequence; deterministic makes the sort stable.
///   max_device_bytes bounds the memory that is taken.
/// - Ranges have less than 2^48 elements on a device.
/// - Where a range is longer than a block sorts, one kernel waits until all its blocks have room on
///   the device: while a kernel of yours waits for the sort, it would wait for ever.
/// - Mind the order of arguments: values stand before offsets here, after them in
///   multiway_merge_by_key.
/// - Synchronization: none but that of par_gpu; with offsets in host memory a call waits for its
///   result under par_gpu_nosync too.
///
/// | Thrown | When | The range then |
/// |---|---|---|
/// | std::invalid_argument | a device is given 2^48 elements and more | as it was |
/// | std::invalid_argument | in_place on a device: there is no route in place | as it was |
/// | std::invalid_argument | offsets in host memory are wrong | as it was |
/// | gpusort::out_of_memory | scratch cannot be allocated | as it was |
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/dispatch/segmented_sort.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class OffsetIterator>
constexpr auto require_segments() {
  require_random_access<OffsetIterator>();
  static_assert(std::is_integral_v<value_t<OffsetIterator>> &&
                    (sizeof(value_t<OffsetIterator>) == 4 || sizeof(value_t<OffsetIterator>) == 8),
                "gpusort: the offsets of the segments must be integers of 32 or 64 bits");
}

/// The argument after the offsets tells which of two overloads is meant: a comparator, or the
/// offsets at which segments end.
template <class Policy, class Iterator, class Compare>
using enable_neighbours = std::enable_if_t<
    is_policy<Policy>::value && is_random_access_v<Iterator> && !is_iterator_v<Compare>, int>;
template <class Policy, class Iterator, class EndIterator>
using enable_ends = std::enable_if_t<
    is_policy<Policy>::value && is_random_access_v<Iterator> && is_iterator_v<EndIterator>, int>;

template <class Iterator>
segment_bounds<true, Iterator, Iterator> segments_between(Iterator first, Iterator last) {
  require_segments<Iterator>();
  const std::uint64_t offsets = length_of(first, last), k = offsets < 2 ? 0 : offsets - 1;
  return {first, k == 0 ? first : end_of(first, 1), k};
}

template <class Begins, class Ends>
segment_bounds<false, Begins, Ends> segments_from(Begins first, Begins last, Ends ends) {
  require_segments<Begins>();
  require_segments<Ends>();
  static_assert(std::is_same_v<value_t<Begins>, value_t<Ends>>,
                "gpusort: the offsets at which segments begin and end must be of one type");
  return {first, ends, length_of(first, last)};
}

template <bool Stable, class Policy, class KeyIterator, class Bounds, class Compare,
          class Projection, class... ValueIterators>
void sort_checked_segments(const Policy& policy, KeyIterator first, KeyIterator last,
                           const Bounds& bounds, const Compare& compare,
                           const Projection& projection, ValueIterators... values) {
  using key = value_t<KeyIterator>;
  require_writable<KeyIterator>();
  (require_writable<ValueIterators>(), ...);
  require_order<key, Compare, Projection>();
  sort_segments<Stable>(overwriting_call_of(policy), first, length_of(first, last), bounds,
                        canonical<key>(compare, projection), values...);
}

}  // namespace detail

/// Sorts each segment of [first, last).
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param first  the beginning of the range, a random access iterator
/// @param last  its end
/// @param offsets_first  the beginning of k + 1 offsets into it, integers of 32 or 64 bits
/// @param offsets_last  their end
/// @param compare  the order of the elements, or of their projections
/// @param projection  what is compared of an element; by default itself
/// @pre No offset is less than the one before, negative or after the range.
/// @par Cost
/// O(m log m) comparisons, expected, for a segment of m elements. Elements of up to 64 bytes are
/// moved as they are; of larger ones the indices are sorted, and each element is moved once.
/// Launches: 6 at most, besides those that move large elements, and what clears some counters.
/// @par Stability
/// Not stable: equivalent elements end in any order.
/// @par Scratch
/// | For | Bytes |
/// |---|---|
/// | k segments of n elements | 64 k, at most 10 n |
/// | a range longer than a block sorts | those of the range, and 6% of them at most |
/// | elements of more than 64 bytes | their indices; also the larger of the indices and the range |
/// | offsets that are copied | theirs |
/// @par Source
/// Paper 000 (quicksort, for segments that a block does not hold); networks and merging inside a
/// block for the others.
template <class Policy, class Iterator, class OffsetIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_neighbours<Policy, Iterator, Compare> = 0>
void segmented_sort(const Policy& policy, Iterator first, Iterator last,
                    OffsetIterator offsets_first, OffsetIterator offsets_last, Compare compare = {},
                    Projection projection = {}) {
  const detail::public_call name("segmented_sort");
  detail::sort_checked_segments<false>(policy, first, last,
                                       detail::segments_between(offsets_first, offsets_last),
                                       compare, projection);
}

/// @overload
/// Sorts the segments from each beginning to its end; what is between them stays.
///
/// @param begins_first  the first of k offsets in ascending order: where segments begin
/// @param begins_last  the end of those offsets
/// @param ends_first  where segments end: k offsets of the same type, none less than its beginning
/// or after the one at which the next segment begins
template <class Policy, class Iterator, class BeginIterator, class EndIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_ends<Policy, Iterator, EndIterator> = 0>
void segmented_sort(const Policy& policy, Iterator first, Iterator last, BeginIterator begins_first,
                    BeginIterator begins_last, EndIterator ends_first, Compare compare = {},
                    Projection projection = {}) {
  const detail::public_call name("segmented_sort");
  detail::sort_checked_segments<false>(policy, first, last,
                                       detail::segments_from(begins_first, begins_last, ends_first),
                                       compare, projection);
}

/// Sorts each segment of [first, last) stably.
///
/// Common: see the top of this file.
///
/// @param policy  as in segmented_sort, like first, last, offsets_first, offsets_last, compare and
/// projection
/// @pre As segmented_sort.
/// @par Cost
/// As segmented_sort.
/// @par Stability
/// Stable: equivalent elements keep their order.
/// @par Scratch
/// | For | Bytes |
/// |---|---|
/// | any elements | as segmented_sort |
/// | elements that can be told apart though equivalent | also 8 n, from 2^32 on 16 n |
/// @par Source
/// As segmented_sort.
template <class Policy, class Iterator, class OffsetIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_neighbours<Policy, Iterator, Compare> = 0>
void stable_segmented_sort(const Policy& policy, Iterator first, Iterator last,
                           OffsetIterator offsets_first, OffsetIterator offsets_last,
                           Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("stable_segmented_sort");
  detail::sort_checked_segments<true>(policy, first, last,
                                      detail::segments_between(offsets_first, offsets_last),
                                      compare, projection);
}

/// @overload
/// Sorts the segments from each beginning to its end; what is between them stays.
///
/// @param begins_first  the first of k offsets in ascending order: where segments begin
/// @param begins_last  the end of those offsets
/// @param ends_first  where segments end: k offsets of the same type, none less than its beginning
/// or after the one at which the next segment begins
template <class Policy, class Iterator, class BeginIterator, class EndIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_ends<Policy, Iterator, EndIterator> = 0>
void stable_segmented_sort(const Policy& policy, Iterator first, Iterator last,
                           BeginIterator begins_first, BeginIterator begins_last,
                           EndIterator ends_first, Compare compare = {},
                           Projection projection = {}) {
  const detail::public_call name("stable_segmented_sort");
  detail::sort_checked_segments<true>(policy, first, last,
                                      detail::segments_from(begins_first, begins_last, ends_first),
                                      compare, projection);
}

/// Sorts each segment of [keys_first, keys_last), and the values in the same way.
///
/// Common: see the top of this file.
///
/// @param policy  as in segmented_sort, like compare and projection
/// @param keys_first  the beginning of the keys
/// @param keys_last  their end
/// @param values_first  the beginning of the values
/// @param offsets_first  the beginning of the offsets into the keys and the values
/// @param offsets_last  their end
/// @pre As segmented_sort.
/// @par Cost
/// As segmented_sort; a key and its value of up to 64 bytes together are moved as they are.
/// @par Stability
/// Not stable.
/// @par Scratch
/// As segmented_sort, for keys and values that are moved as they are for both.
/// @par Source
/// As segmented_sort.
template <class Policy, class KeyIterator, class ValueIterator, class OffsetIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_neighbours<Policy, KeyIterator, Compare> = 0>
void segmented_sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                           ValueIterator values_first, OffsetIterator offsets_first,
                           OffsetIterator offsets_last, Compare compare = {},
                           Projection projection = {}) {
  const detail::public_call name("segmented_sort_by_key");
  detail::sort_checked_segments<false>(policy, keys_first, keys_last,
                                       detail::segments_between(offsets_first, offsets_last),
                                       compare, projection, values_first);
}

/// @overload
/// Sorts the segments from each beginning to its end; what is between them stays.
///
/// @param begins_first  the first of k offsets in ascending order: where segments begin
/// @param begins_last  the end of those offsets
/// @param ends_first  where segments end: k offsets of the same type, none less than its beginning
/// or after the one at which the next segment begins
template <class Policy, class KeyIterator, class ValueIterator, class BeginIterator,
          class EndIterator, class Compare = less, class Projection = detail::identity,
          detail::enable_ends<Policy, KeyIterator, EndIterator> = 0>
void segmented_sort_by_key(const Policy& policy, KeyIterator keys_first, KeyIterator keys_last,
                           ValueIterator values_first, BeginIterator begins_first,
                           BeginIterator begins_last, EndIterator ends_first, Compare compare = {},
                           Projection projection = {}) {
  const detail::public_call name("segmented_sort_by_key");
  detail::sort_checked_segments<false>(policy, keys_first, keys_last,
                                       detail::segments_from(begins_first, begins_last, ends_first),
                                       compare, projection, values_first);
}

/// Sorts keys and values as segmented_sort_by_key, stably.
///
/// @param policy  as in segmented_sort_by_key, like keys_first, keys_last, values_first,
/// offsets_first, offsets_last, compare and projection
/// @pre As segmented_sort.
/// @par Cost
/// As segmented_sort_by_key.
/// @par Stability
/// Stable: equivalent keys, and their values, keep their order.
/// @par Scratch
/// As stable_segmented_sort.
/// @par Source
/// As segmented_sort.
template <class Policy, class KeyIterator, class ValueIterator, class OffsetIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_neighbours<Policy, KeyIterator, Compare> = 0>
void stable_segmented_sort_by_key(const Policy& policy, KeyIterator keys_first,
                                  KeyIterator keys_last, ValueIterator values_first,
                                  OffsetIterator offsets_first, OffsetIterator offsets_last,
                                  Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("stable_segmented_sort_by_key");
  detail::sort_checked_segments<true>(policy, keys_first, keys_last,
                                      detail::segments_between(offsets_first, offsets_last),
                                      compare, projection, values_first);
}

/// @overload
/// Sorts the segments from each beginning to its end; what is between them stays.
///
/// @param begins_first  the first of k offsets in ascending order: where segments begin
/// @param begins_last  the end of those offsets
/// @param ends_first  where segments end: k offsets of the same type, none less than its beginning
/// or after the one at which the next segment begins
template <class Policy, class KeyIterator, class ValueIterator, class BeginIterator,
          class EndIterator, class Compare = less, class Projection = detail::identity,
          detail::enable_ends<Policy, KeyIterator, EndIterator> = 0>
void stable_segmented_sort_by_key(const Policy& policy, KeyIterator keys_first,
                                  KeyIterator keys_last, ValueIterator values_first,
                                  BeginIterator begins_first, BeginIterator begins_last,
                                  EndIterator ends_first, Compare compare = {},
                                  Projection projection = {}) {
  const detail::public_call name("stable_segmented_sort_by_key");
  detail::sort_checked_segments<true>(policy, keys_first, keys_last,
                                      detail::segments_from(begins_first, begins_last, ends_first),
                                      compare, projection, values_first);
}

GPUSORT_DETAIL_REFUSE(segmented_sort, 4)
GPUSORT_DETAIL_REFUSE(stable_segmented_sort, 4)
GPUSORT_DETAIL_REFUSE(segmented_sort_by_key, 5)
GPUSORT_DETAIL_REFUSE(stable_segmented_sort_by_key, 5)

}  // namespace GPUSORT_ABI
}  // namespace gpusort
