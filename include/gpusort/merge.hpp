// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Merging sorted ranges under a gpusort policy: merge, merge_by_key, inplace_merge; of any number
/// of runs multiway_merge, multiway_merge_by_key; and where such a merge is at some rank:
/// multiway_select.
///
/// Common to all calls:
/// - Each input is sorted by the comparator. Where one is not, or the comparator is no order, the
///   order of the output is unspecified; it is a permutation of the inputs all the same.
/// - All merges are stable: equivalent elements stay in the order of their range, and those of a
///   range that is given earlier come first.
/// - Elements are trivially relocatable (gpusort::is_trivially_relocatable) and of 4 KB at most.
///   Those of the inputs are converted to the output's type and then compared. An output iterator
///   without a type of its own, such as thrust::discard_iterator, gets the first input's.
/// - A projection may follow the comparator, as in the calls of <gpusort/sort.hpp>; {} in the place
///   of the comparator stands for less.
/// - Comparators are called with two const references, on the device. less and greater mean for
///   floating-point keys what they mean for gpusort::sort.
/// - Inputs are only read, and the output is only written to; it overlaps no input.
/// - Ranges may be in device, managed, pinned or pageable memory. Contiguous ranges of the output's
///   type are used where they are; others through a contiguous copy. Host memory is staged.
/// - Elements of up to 64 bytes, with their value in a merge by key, are moved through tiles; of
///   larger ones the addresses are merged, and each element is copied once.
/// - in_place matters to inplace_merge alone. Forced algorithms are of no consequence, nor is
///   deterministic: all merges are. max_device_bytes bounds the memory of all of them.
/// - Offsets of runs lie within their range: there is no end to check them against.
/// - On a machine without a CUDA device, or compiled without nvcc, the CPU does the same.
/// - Scratch that a call states comes on top of contiguous and staged copies.
/// - Synchronization: par_gpu returns when the result is ready, par_gpu_nosync when the work is on
///   the stream, which may be under capture. A call on host memory waits for its result under
///   par_gpu_nosync too.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | ranges make no sense |
/// | gpusort::cuda_error | CUDA reports an error |
/// | gpusort::out_of_memory | scratch cannot be allocated |
/// | a comparator's exception | it throws on the CPU |
///
/// After an exception the inputs are as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/merge.hpp>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Policy, class Iterator, class... Others>
using enable_merge = std::enable_if_t<is_policy<Policy>::value && is_random_access_v<Iterator> &&
                                          (is_iterator_v<Others> && ...),
                                      int>;

/// The last argument tells which of two overloads is meant: the one with pairs and a comparator, or
/// the one with offsets and none.
template <class Policy, class Compare>
using enable_pairs = std::enable_if_t<is_policy<Policy>::value && !is_iterator_v<Compare>, int>;
template <class Policy, class Out>
using enable_offsets = std::enable_if_t<is_policy<Policy>::value && is_iterator_v<Out>, int>;

}  // namespace detail

/// Merges two sorted ranges into a third.
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param first1  the beginning of the first input
/// @param last1  its end
/// @param first2  the beginning of the second input
/// @param last2  its end
/// @param out  the beginning of the output
/// @param compare  the order of the elements, or of their projections
/// @param projection  what is compared of an element; by default itself
/// @return the end of the output
/// @pre Both inputs are sorted by `compare`; the output overlaps neither.
/// @par Cost
/// One pass.
/// @par Stability
/// Stable.
/// @par Scratch
/// | For each | Bytes |
/// |---|---|
/// | tile of the output, of 640 to 4864 elements | 8 |
/// | 64 of these tiles, or more | 8 |
/// @par Source
/// Paper 003, sections 5.1 and 5.3.4; merge path.
template <class Policy, class Iterator1, class Iterator2, class OutIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_merge<Policy, Iterator1, Iterator2, OutIterator> = 0>
OutIterator merge(const Policy& policy, Iterator1 first1, Iterator1 last1, Iterator2 first2,
                  Iterator2 last2, OutIterator out, Compare compare = {},
                  Projection projection = {}) {
  const detail::public_call name("merge");
  using key = detail::merged_t<OutIterator, Iterator1>;
  detail::require_merge_column<OutIterator, Iterator1, Iterator2>();
  detail::require_order<key, Compare, Projection>();
  const std::uint64_t n1 = detail::length_of(first1, last1), n2 = detail::length_of(first2, last2);
  detail::merge_ranges(detail::call_of(policy), detail::columns<Iterator1>{{first1}, n1},
                       detail::columns<Iterator2>{{first2}, n2},
                       detail::columns<OutIterator>{{out}, n1 + n2},
                       detail::canonical<key>(compare, projection));
  return detail::end_of(out, n1 + n2);
}

/// Merges two sorted ranges of keys, and their values in the same way.
///
/// Common: see the top of this file.
///
/// @param policy  as in merge, like compare and projection
/// @param keys1_first  the beginning of the first input's keys
/// @param keys1_last  their end
/// @param keys2_first  the beginning of the second input's keys
/// @param keys2_last  their end
/// @param values1_first  the beginning of the values that go with the first keys
/// @param values2_first  the beginning of those that go with the second
/// @param keys_out  the beginning of the output of keys
/// @param values_out  the beginning of the output of values
/// @return the ends of both outputs
/// @pre As merge.
/// @par Cost
/// As merge.
/// @par Stability
/// Stable.
/// @par Scratch
/// As merge.
/// @par Source
/// Paper 003, sections 5.1 and 5.3.4; merge path.
template <class Policy, class KeyIterator1, class KeyIterator2, class ValueIterator1,
          class ValueIterator2, class OutKeyIterator, class OutValueIterator, class Compare = less,
          class Projection = detail::identity,
          detail::enable_merge<Policy, KeyIterator1, KeyIterator2, ValueIterator1, ValueIterator2,
                               OutKeyIterator, OutValueIterator> = 0>
std::pair<OutKeyIterator, OutValueIterator> merge_by_key(
    const Policy& policy, KeyIterator1 keys1_first, KeyIterator1 keys1_last,
    KeyIterator2 keys2_first, KeyIterator2 keys2_last, ValueIterator1 values1_first,
    ValueIterator2 values2_first, OutKeyIterator keys_out, OutValueIterator values_out,
    Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("merge_by_key");
  using key = detail::merged_t<OutKeyIterator, KeyIterator1>;
  detail::require_merge_column<OutKeyIterator, KeyIterator1, KeyIterator2>();
  detail::require_merge_column<OutValueIterator, ValueIterator1, ValueIterator2>();
  detail::require_order<key, Compare, Projection>();
  const std::uint64_t n1 = detail::length_of(keys1_first, keys1_last);
  const std::uint64_t n2 = detail::length_of(keys2_first, keys2_last);
  detail::merge_ranges(
      detail::call_of(policy),
      detail::columns<KeyIterator1, ValueIterator1>{{keys1_first, values1_first}, n1},
      detail::columns<KeyIterator2, ValueIterator2>{{keys2_first, values2_first}, n2},
      detail::columns<OutKeyIterator, OutValueIterator>{{keys_out, values_out}, n1 + n2},
      detail::canonical<key>(compare, projection));
  return {detail::end_of(keys_out, n1 + n2), detail::end_of(values_out, n1 + n2)};
}

/// Merges the sorted neighbours [first, middle) and [middle, last) into [first, last).
///
/// Common: see the top of this file.
///
/// @param policy  as in merge, like compare and projection
/// @param first  the beginning of the first range
/// @param middle  its end, and the beginning of the second range
/// @param last  the end of the second range
/// @pre Both ranges are sorted by `compare`.
/// @par Stability
/// Stable.
/// @par Scratch
/// | When | Bytes |
/// |---|---|
/// | there is memory | those of the range, which is merged into them and copied back |
/// | else, and under in_place | at most 32 sqrt(n) + 264; it takes several times as long |
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | there is not even this |
///
/// After other exceptions the range is a permutation of its input.
/// @par Source
/// Paper 003, section 5.1; in place SymMerge (Kim and Kutzner).
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_merge<Policy, Iterator> = 0>
void inplace_merge(const Policy& policy, Iterator first, Iterator middle, Iterator last,
                   Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("inplace_merge");
  using key = detail::value_t<Iterator>;
  detail::require_writable<Iterator>();
  detail::require_order<key, Compare, Projection>();
  detail::merge_in_place(detail::overwriting_call_of(policy), first, middle, last,
                         detail::canonical<key>(compare, projection));
}

/// Merges any number of sorted runs into one range.
///
/// Common: see the top of this file.
///
/// @param policy  as in merge, like compare and projection
/// @param runs_first  the beginning of pairs of iterators, with members first and second: the runs.
/// The pairs may be in host or in device memory
/// @param runs_last  the end of the pairs
/// @param out  the beginning of the output
/// @return the end of the output
/// @pre Each run is sorted by `compare`; the output overlaps none.
/// @par Cost
/// One pass over up to 64 runs, two over up to 4096, however unequal they are. Launches: at most
/// four for each pass, and one for every 150 runs or so. More than 64 runs of elements of up to 64
/// bytes are sorted, stably, where that is estimated to take less time.
/// @par Stability
/// Stable.
/// @par Scratch
/// | k runs | Bytes |
/// |---|---|
/// | any | 8 (k + 1) for each tile of the output, of 250 to 18000 elements |
/// | k > 64 | also a copy of the elements, or of their addresses |
/// | k > 4096 | also another such copy |
/// | where runs are sorted | as stable_sort |
/// @par Synchronization
/// Pairs in host memory are read before the call returns. Those in device and managed memory are
/// copied to the host first: the call waits for that, under par_gpu_nosync too.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::cuda_error | for pairs in device or managed memory on a stream under capture |
/// @par Source
/// Paper 003, sections 5.1 to 5.4.
template <class Policy, class RunIterator, class OutIterator, class Compare = less,
          class Projection = detail::identity, detail::enable_pairs<Policy, Compare> = 0>
OutIterator multiway_merge(const Policy& policy, RunIterator runs_first, RunIterator runs_last,
                           OutIterator out, Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("multiway_merge");
  detail::require_runs<RunIterator>();
  using iterator = detail::run_iterator_t<RunIterator>;
  using key = detail::merged_t<OutIterator, iterator>;
  detail::require_merge_column<OutIterator, iterator>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto runs = detail::runs_of_pairs(call, runs_first, runs_last);
  detail::merge_runs(call, runs, detail::canonical<key>(compare, projection), out);
  return detail::end_of(out, runs.n);
}

/// @overload
/// Merges runs in one range. Takes less time than pairs where there are many runs: where sorting
/// the range is sooner than merging them, it is sorted, stably. Where their number alone decides
/// that, only the first and the last offset are read.
///
/// @param data_first  the beginning of the range
/// @param offsets_first  the beginning of k + 1 offsets into it, none less than the one before, of
/// which neighbours bound a run
/// @param offsets_last  their end
template <class Policy, class Iterator, class OffsetIterator, class OutIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_offsets<Policy, OutIterator> = 0>
OutIterator multiway_merge(const Policy& policy, Iterator data_first, OffsetIterator offsets_first,
                           OffsetIterator offsets_last, OutIterator out, Compare compare = {},
                           Projection projection = {}) {
  const detail::public_call name("multiway_merge");
  using key = detail::merged_t<OutIterator, Iterator>;
  detail::require_offsets<OffsetIterator>();
  detail::require_merge_column<OutIterator, Iterator>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto order = detail::canonical<key>(compare, projection);
  using sort = detail::run_sorter<decltype(call), decltype(order), key>;
  const auto runs = detail::runs_between<sort>(call, offsets_first, offsets_last, data_first);
  detail::merge_runs(call, runs, order, out);
  return detail::end_of(out, runs.n);
}

/// Merges any number of sorted runs of keys, and their values in the same way.
///
/// Common: see the top of this file.
///
/// @param policy  as in merge, like compare and projection
/// @param runs_first  the beginning of pairs of iterators: the runs of keys
/// @param runs_last  the end of the pairs
/// @param values_first  the beginning of a range of iterators, one for each run: the beginnings of
/// their values. The iterators may be where the pairs may be
/// @param keys_out  the beginning of the output of keys
/// @param values_out  the beginning of the output of values
/// @return the ends of both outputs
/// @pre As multiway_merge, also for values.
/// @par Cost
/// As multiway_merge.
/// @par Stability
/// Stable.
/// @par Scratch
/// As multiway_merge, of keys and values.
/// @par Synchronization
/// As multiway_merge.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::cuda_error | as multiway_merge |
/// @par Source
/// Paper 003, sections 5.1 to 5.4.
template <class Policy, class RunIterator, class ValueIterators, class OutKeyIterator,
          class OutValueIterator, class Compare = less, class Projection = detail::identity,
          detail::enable_pairs<Policy, Compare> = 0>
std::pair<OutKeyIterator, OutValueIterator> multiway_merge_by_key(
    const Policy& policy, RunIterator runs_first, RunIterator runs_last,
    ValueIterators values_first, OutKeyIterator keys_out, OutValueIterator values_out,
    Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("multiway_merge_by_key");
  detail::require_runs<RunIterator>();
  using iterator = detail::run_iterator_t<RunIterator>;
  using key = detail::merged_t<OutKeyIterator, iterator>;
  static_assert(detail::is_iterator_v<detail::value_t<ValueIterators>>,
                "gpusort: the values of runs that are pairs are a range of iterators");
  detail::require_merge_column<OutKeyIterator, iterator>();
  detail::require_merge_column<OutValueIterator, detail::value_t<ValueIterators>>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto runs = detail::runs_of_pairs(call, runs_first, runs_last, values_first);
  detail::merge_runs(call, runs, detail::canonical<key>(compare, projection), keys_out, values_out);
  return {detail::end_of(keys_out, runs.n), detail::end_of(values_out, runs.n)};
}

/// @overload
/// Merges runs in one range of keys and one of values.
///
/// @param keys_first  the beginning of the range of keys
/// @param values_first  the beginning of the range of values
/// @param offsets_first  the beginning of k + 1 offsets into both
/// @param offsets_last  their end
template <class Policy, class KeyIterator, class OffsetIterator, class ValueIterator,
          class OutKeyIterator, class OutValueIterator, class Compare = less,
          class Projection = detail::identity, detail::enable_offsets<Policy, OutValueIterator> = 0>
std::pair<OutKeyIterator, OutValueIterator> multiway_merge_by_key(
    const Policy& policy, KeyIterator keys_first, OffsetIterator offsets_first,
    OffsetIterator offsets_last, ValueIterator values_first, OutKeyIterator keys_out,
    OutValueIterator values_out, Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("multiway_merge_by_key");
  using key = detail::merged_t<OutKeyIterator, KeyIterator>;
  detail::require_offsets<OffsetIterator>();
  detail::require_merge_column<OutKeyIterator, KeyIterator>();
  detail::require_merge_column<OutValueIterator, ValueIterator>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto order = detail::canonical<key>(compare, projection);
  using value = detail::merged_t<OutValueIterator, ValueIterator>;
  using sort = detail::run_sorter<decltype(call), decltype(order), key, value>;
  const auto runs =
      detail::runs_between<sort>(call, offsets_first, offsets_last, keys_first, values_first);
  detail::merge_runs(call, runs, order, keys_out, values_out);
  return {detail::end_of(keys_out, runs.n), detail::end_of(values_out, runs.n)};
}

/// Writes for each of some sorted runs how many of its elements are among the first `rank` of the
/// runs' merged order.
///
/// Common: see the top of this file.
///
/// @param policy  as in merge, like compare and projection
/// @param runs_first  the beginning of pairs of iterators: the runs, as multiway_merge takes them
/// @param runs_last  the end of the pairs
/// @param rank  how many elements of the merged order
/// @param positions_out  the beginning of one integer for each run, in any memory
/// @return the end of the positions
/// @post The positions add up to the rank, whatever the comparator says.
/// @par Stability
/// Equivalent elements of earlier runs come first, as in multiway_merge.
/// @par Scratch
/// | For | Bytes |
/// |---|---|
/// | each run | 24 |
/// | all runs | their table |
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | for a rank beyond the number of elements |
/// @par Source
/// Paper 003, section 5.2.
template <class Policy, class RunIterator, class PositionIterator, class Compare = less,
          class Projection = detail::identity, detail::enable_pairs<Policy, Compare> = 0>
PositionIterator multiway_select(const Policy& policy, RunIterator runs_first,
                                 RunIterator runs_last, std::uint64_t rank,
                                 PositionIterator positions_out, Compare compare = {},
                                 Projection projection = {}) {
  const detail::public_call name("multiway_select");
  detail::require_runs<RunIterator>();
  using iterator = detail::run_iterator_t<RunIterator>;
  using key = detail::value_t<iterator>;
  detail::require_sortable<iterator>();
  detail::require_positions<PositionIterator>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto runs = detail::runs_of_pairs(call, runs_first, runs_last);
  detail::select_in_runs(call, runs, rank, positions_out,
                         detail::canonical<key>(compare, projection));
  return detail::end_of(positions_out, runs.runs.size());
}

/// @overload
/// Takes runs in one range, between k + 1 offsets; see multiway_merge.
template <class Policy, class Iterator, class OffsetIterator, class PositionIterator,
          class Compare = less, class Projection = detail::identity,
          detail::enable_offsets<Policy, PositionIterator> = 0>
PositionIterator multiway_select(const Policy& policy, Iterator data_first,
                                 OffsetIterator offsets_first, OffsetIterator offsets_last,
                                 std::uint64_t rank, PositionIterator positions_out,
                                 Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("multiway_select");
  using key = detail::value_t<Iterator>;
  detail::require_sortable<Iterator>();
  detail::require_offsets<OffsetIterator>();
  detail::require_positions<PositionIterator>();
  detail::require_order<key, Compare, Projection>();
  const auto call = detail::call_of(policy);
  const auto runs =
      detail::runs_between<detail::never_sorts>(call, offsets_first, offsets_last, data_first);
  detail::select_in_runs(call, runs, rank, positions_out,
                         detail::canonical<key>(compare, projection));
  return detail::end_of(positions_out, runs.runs.size());
}

GPUSORT_DETAIL_REFUSE(merge, 5)
GPUSORT_DETAIL_REFUSE(merge_by_key, 8)
GPUSORT_DETAIL_REFUSE(inplace_merge, 3)
GPUSORT_DETAIL_REFUSE(multiway_merge, 0)
GPUSORT_DETAIL_REFUSE(multiway_merge_by_key, 0)
GPUSORT_DETAIL_REFUSE(multiway_select, 0)

}  // namespace GPUSORT_ABI
}  // namespace gpusort
