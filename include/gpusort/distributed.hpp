// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting what the ranks of a communicator have together: each passes its own range. Not part of
/// <gpusort/gpusort.hpp>. Common to all calls:
/// - All ranks make the same call, with the same types, comparator and options. Counts may differ,
///   and be 0. In the order of all elements those of rank 0 come first, then those of rank 1, and
///   so on.
/// - A communicator is an object with
///   - `int rank() const`, `int size() const`;
///   - `void allgather(const void* send, void* receive, std::size_t bytes)`: `bytes` of each rank,
///     to all of them, one after the other;
///   - `void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
///     const std::uint64_t* receive_offsets, bool on_device)`: bytes between offsets r and r + 1,
///     of size() + 1, to and from rank r. `on_device` says whether both are in device memory, which
///     those of ranks without a device are not; what the device has been given to do by then is
///     done, and the work that follows waits;
///   - `void abort()`: ends all ranks, when one cannot go on.
///   Both are collective, and return when the memory may be used again. Those that exist:
///   <gpusort/distributed/nccl.hpp> and <gpusort/distributed/mpi.hpp>; for tests there is
///   <gpusort/distributed/in_process.hpp>, whose calls run all ranks.
/// - Elements are trivially relocatable, mean the same in the memory of all ranks, and are in
///   contiguous ranges. Comparators and projections are as in <gpusort/sort.hpp>.
/// - Whatever the comparator answers, the elements of all ranks are a permutation of what they
///   were, and each rank has as many as it is promised.
/// - Memory: as much again as the rank's range; and in host memory samples: some times 8192
///   elements, at most 1 MB of these, or 32 of each rank where that is more. distributed::predict
///   tells how many bytes are sent.
/// - Synchronization: collective; all calls wait for the other ranks. None can be captured into a
///   graph.
/// - Options of policies: streams, allocators, scratch, algorithms, deterministic, require_device.
///
/// Exceptions are thrown on all ranks, whichever failed:
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | ranks disagree, or arguments make no sense |
/// | gpusort::out_of_memory | scratch cannot be allocated |
/// | gpusort::cuda_error | CUDA reports an error, or the stream is under capture |
/// | gpusort::rank_error | anything else, such as a comparator's exception on the CPU |
///
/// The text of an error has at most 247 bytes. The range of each rank is then a permutation of its
/// own input. Where a collective fails, the communicator aborts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/call.hpp>
#include <gpusort/detail/distributed/cost.hpp>
#include <gpusort/detail/distributed/make_rank.hpp>
#include <gpusort/detail/distributed/partition.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Makes the call of a policy as these calls take it.
template <class Policy>
plain_call<Policy> plain_call_of(const Policy& policy) {
  static_assert(!has_option<Policy, verify_t> && !has_option<Policy, keep_input_t> &&
                    !has_option<Policy, in_place_t> && !has_limits<Policy> && !is_spread<Policy>,
                "gpusort: distributed calls do not take verify, keep_input, in_place, on_devices, "
                "max_device_bytes or progress");
  return make_call<plain_call<Policy>>(policy);
}

/// Makes the order of a call that reads its ranges.
template <class Iterator, class Compare, class Projection>
auto order_of_read(const Compare& compare, const Projection& projection) {
  require_sortable<Iterator>();
  require_order<value_t<Iterator>, Compare, Projection>();
  return canonical<value_t<Iterator>>(compare, projection);
}

/// Makes the order of a call that moves the elements of vectors.
template <class T, class Compare, class Projection>
auto order_of_vectors(const Compare& compare, const Projection& projection) {
  require_element<T>();
  require_order<T, Compare, Projection>();
  return canonical<T>(compare, projection);
}

template <class Communicator, class Policy, class Order, class Iterator, class... ValueIterators>
void sort_columns(Communicator& communicator, const Policy& policy, bool is_stable,
                  const Order& order, Iterator first, Iterator last, ValueIterators... values) {
  (require_writable<ValueIterators>(), ...);
  call_on_rank(communicator,
               request{plain_call_of(policy), order, sorting(is_stable, shares::kept), no_result()},
               first, last, values...);
}

template <class Communicator, class Policy, class Iterator, class... Arguments,
          std::size_t... Values>
void sort_by_key(Communicator& communicator, const Policy& policy, bool is_stable, Iterator first,
                 Iterator last, const std::tuple<const Arguments&...>& arguments,
                 std::index_sequence<Values...>) {
  constexpr std::size_t values = sizeof...(Values);
  static_assert(
      values > 0,
      "gpusort: one or more ranges of values come before the comparator of a sort by key");
  static_assert(sizeof...(Arguments) <= values + 2,
                "gpusort: after the ranges of values a sort by key takes a comparator and a "
                "projection, and no more");
  sort_columns(
      communicator, policy, is_stable,
      [&] {
        return order_of_sorted<Iterator>(argument_or<values, less>(arguments),
                                         argument_or<values + 1, identity>(arguments));
      },
      first, last, std::get<Values>(arguments)...);
}

}  // namespace distributed
}  // namespace detail

/// Calls of several ranks on what they have together.
namespace distributed {

/// Sorts the elements of all ranks; each rank keeps its count.
///
/// Common: see the top of this file. Each rank sorts its range; the ranks find where these are cut
/// exactly; each merges what arrives.
///
/// @param communicator  as at the top of this file
/// @param policy  par_gpu or par_gpu_nosync, with its options
/// @param first  the beginning of the range of this rank
/// @param last  its end
/// @param compare  the order of the elements, or of their projections
/// @param projection  what is compared of an element; by default itself
/// @par Cost
/// Rounds of samples, at most 6 for 1024 ranks of 2^20 elements, however these are distributed.
/// Each element that belongs to another rank is sent there once.
/// @par Stability
/// Not stable.
/// @par Scratch
/// The range once more, on a device that is device memory; samples, see the top of this file.
/// @par Synchronization
/// Collective; waits for the result under any policy.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | ranks disagree on types, comparator or stability; nothing is moved |
/// | gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error | on every rank, the same |
/// @par Source
/// Paper 003, section 4 (multisequence selection) and section 5 (multiway merging); paper 001
/// splits one sort over several devices.
template <class Communicator, class Policy, class Iterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, Iterator> = 0>
void sort(Communicator& communicator, const Policy& policy, Iterator first, Iterator last,
          Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::sort");
  detail::distributed::sort_columns(
      communicator, policy, false,
      [&] { return detail::order_of_sorted<Iterator>(compare, projection); }, first, last);
}

/// Sorts the elements of all ranks stably; each rank keeps its count.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy, first, last, compare and projection
/// @par Stability
/// Stable: equivalent elements keep their order, those of a rank of lower number first.
/// @par Scratch
/// As sort.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort throws | as sort |
template <class Communicator, class Policy, class Iterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, Iterator> = 0>
void stable_sort(Communicator& communicator, const Policy& policy, Iterator first, Iterator last,
                 Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::stable_sort");
  detail::distributed::sort_columns(
      communicator, policy, true,
      [&] { return detail::order_of_sorted<Iterator>(compare, projection); }, first, last);
}

/// Sorts the keys of all ranks, and ranges of values in the same way; each rank keeps its count.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy
/// @param keys_first  the beginning of the keys of this rank
/// @param keys_last  their end
/// @param arguments  the beginnings of one or more ranges of values; a comparator of keys may
/// follow, and then a projection
/// @pre The ranges do not overlap.
/// @par Stability
/// Not stable.
/// @par Scratch
/// All ranges once more; samples, see the top of this file.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort throws | as sort |
/// | std::invalid_argument | ranges of a rank overlap; on every rank |
template <class Communicator, class Policy, class KeyIterator, class... Arguments,
          detail::enable_sort<Policy, KeyIterator> = 0>
void sort_by_key(Communicator& communicator, const Policy& policy, KeyIterator keys_first,
                 KeyIterator keys_last, Arguments... arguments) {
  const detail::public_call name("distributed::sort_by_key");
  detail::distributed::sort_by_key(communicator, policy, false, keys_first, keys_last,
                                   std::tuple<const Arguments&...>(arguments...),
                                   detail::leading_iterators<Arguments...>());
}

/// Sorts keys and values as sort_by_key, stably.
///
/// @param communicator  as in sort_by_key, like policy, keys_first, keys_last and arguments
/// @par Stability
/// Stable: values of equivalent keys keep their order, those of a rank of lower number first.
/// @par Scratch
/// As sort_by_key.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort_by_key throws | as sort_by_key |
template <class Communicator, class Policy, class KeyIterator, class... Arguments,
          detail::enable_sort<Policy, KeyIterator> = 0>
void stable_sort_by_key(Communicator& communicator, const Policy& policy, KeyIterator keys_first,
                        KeyIterator keys_last, Arguments... arguments) {
  const detail::public_call name("distributed::stable_sort_by_key");
  detail::distributed::sort_by_key(communicator, policy, true, keys_first, keys_last,
                                   std::tuple<const Arguments&...>(arguments...),
                                   detail::leading_iterators<Arguments...>());
}

/// Sorts the elements of all ranks stably, and gives each an equal share: n / size() elements of
/// all n, one more to the first n % size() ranks.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy, compare and projection
/// @param part  the elements of this rank, which become its share; of a type with a default
/// constructor, or one that is trivially copyable
/// @return how many elements are in the shares of the ranks before
/// @par Stability
/// Stable.
/// @par Scratch
/// As many elements as the share; the vector grows to the greater of its size and the share.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort throws | as sort; `part` then has its own elements |
template <class Communicator, class Policy, class T, class Allocator, class Compare = less,
          class Projection = detail::identity,
          std::enable_if_t<detail::is_policy<Policy>::value, int> = 0>
std::uint64_t sort_balanced(Communicator& communicator, const Policy& policy,
                            std::vector<T, Allocator>& part, Compare compare = {},
                            Projection projection = {}) {
  const detail::public_call name("distributed::sort_balanced");
  using detail::distributed::shares;
  std::uint64_t offset = 0;
  detail::distributed::call_on_vector(
      communicator,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::distributed::order_of_vectors<T>(compare, projection); },
          detail::distributed::sorting(true, shares::balanced),
          [&](const auto& state) { offset = state.offset(); }},
      part);
  return offset;
}

/// Tells whether the elements of all ranks are in order, those of a rank after those of the ranks
/// before it.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy, first, last, compare and projection
/// @return the same on every rank
/// @par Scratch
/// Two elements of each rank.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort throws | as sort |
template <class Communicator, class Policy, class Iterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, Iterator> = 0>
bool is_sorted(Communicator& communicator, const Policy& policy, Iterator first, Iterator last,
               Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::is_sorted");
  bool result = true;
  detail::distributed::call_on_rank(
      communicator,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::distributed::order_of_read<Iterator>(compare, projection); },
          detail::distributed::asking_for_order(),
          [&](const auto& state) { result = state.result(); }},
      first, last);
  return result;
}

/// Gives the elements that have these ranks in the sorted sequence of the elements of all ranks,
/// such as quantiles. Sorts the range of each rank; nothing but samples is sent.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy, first, last, compare and projection
/// @param ranks  the same on every rank, in any order, each less than the number of all elements
/// @return an element for each of them, the same on every rank
/// @par Stability
/// Equivalent elements are ranked by rank and position in the sorted range.
/// @par Scratch
/// What a sort of the range takes; in host memory samples, see the top of this file, and for each
/// of `ranks` the element and 8 bytes. Many are found in batches, of up to 256 or as many as there
/// are ranks of the communicator, one after the other.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | on every rank, where a rank is too great |
/// | all that sort throws | as sort |
/// @par Source
/// Paper 003, section 4.
template <class Communicator, class Policy, class Iterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, Iterator> = 0>
std::vector<detail::value_t<Iterator>> select(Communicator& communicator, const Policy& policy,
                                              Iterator first, Iterator last,
                                              const std::vector<std::uint64_t>& ranks,
                                              Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::select");
  std::vector<detail::value_t<Iterator>> result;
  detail::distributed::call_on_rank(
      communicator,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::order_of_sorted<Iterator>(compare, projection); },
          detail::distributed::selecting(ranks),
          [&](auto& state) { result = std::move(state.result()); }},
      first, last);
  return result;
}

// For those who move the elements themselves.

/// Gives every rank the same sample: `count` elements of each rank, at equal distances in its
/// range, or all of them where there are fewer.
///
/// Common: see the top of this file. Makes no comparison.
///
/// @param communicator  as in sort, like policy, first and last; the range need not be sorted
/// @param count  the same on every rank
/// @return the elements, rank by rank
/// @par Scratch
/// In host memory, twice: of each rank `count` elements, or as many as the one has that has most.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument, gpusort::out_of_memory, gpusort::cuda_error | as sort |
template <class Communicator, class Policy, class Iterator,
          detail::enable_sort<Policy, Iterator> = 0>
std::vector<detail::value_t<Iterator>> sample(Communicator& communicator, const Policy& policy,
                                              Iterator first, Iterator last, std::size_t count) {
  const detail::public_call name("distributed::sample");
  detail::require_sortable<Iterator>();
  std::vector<detail::value_t<Iterator>> result;
  detail::distributed::call_on_rank(
      communicator,
      detail::distributed::request{detail::distributed::plain_call_of(policy),
                                   [] { return detail::distributed::no_order(); },
                                   detail::distributed::sampling(count),
                                   [&](auto& state) { result = std::move(state.result()); }},
      first, last);
  return result;
}

/// Offsets, in elements, of what a rank sends to each rank and receives from each, size() + 1 of
/// either.
struct exchange_offsets {
  std::vector<std::uint64_t> send;     // in the sorted range
  std::vector<std::uint64_t> receive;  // one rank's elements after the other's
};

/// Sorts the range of each rank stably, and tells where it is cut exactly: the first step of sort,
/// for those who do the exchange, after which merging what arrived completes a stable sort.
///
/// Common: see the top of this file.
///
/// @param communicator  as in sort, like policy, first, last, compare and projection
/// @return offsets such that every rank receives as many elements as it has
/// @par Stability
/// Stable, if the merge is, in the order of ranks.
/// @par Scratch
/// What a sort of the range takes; samples, see the top of this file.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | all that sort throws | as sort |
template <class Communicator, class Policy, class Iterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, Iterator> = 0>
exchange_offsets select_splitters(Communicator& communicator, const Policy& policy, Iterator first,
                                  Iterator last, Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::select_splitters");
  using detail::distributed::shares;
  exchange_offsets result;
  detail::distributed::call_on_rank(
      communicator,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::order_of_sorted<Iterator>(compare, projection); },
          detail::distributed::sorting(true, shares::kept, false),
          [&](auto& state) {
            result.send = std::move(state.send_offsets());
            result.receive = std::move(state.receive_offsets());
          }},
      first, last);
  return result;
}

/// Sorts a range of one rank stably, and tells where given splitters divide it. Not collective.
///
/// @param policy  as in sort, like first, last, compare and projection
/// @param splitters  keys that do not descend, such as every k-th of a sorted sample
/// @return k + 2 offsets for k splitters: before offset j + 1 are the elements that are before
/// splitter j, after it the others, equivalent ones among them
/// @par Stability
/// Stable.
/// @par Scratch
/// What a sort of the range takes, and 64 elements for each splitter.
/// @par Synchronization
/// Waits for its result under any policy.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory, gpusort::cuda_error | as gpusort::stable_sort |
/// | a comparator's exception | it throws on the CPU |
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
std::vector<std::uint64_t> partition(const Policy& policy, Iterator first, Iterator last,
                                     const std::vector<detail::value_t<Iterator>>& splitters,
                                     Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::partition");
  std::vector<std::uint64_t> result;
  detail::distributed::with_local<Iterator>(
      detail::distributed::plain_call_of(policy),
      detail::order_of_sorted<Iterator>(compare, projection), [&](const auto& make_local) {
        const std::uint64_t n = detail::length_of(first, last);
        const auto local = make_local(n, first);
        local->sort(true);
        result = detail::distributed::divide(*local, splitters);
        local->finish(n);
      });
  return result;
}

/// Stands for what a sort is expected to send.
using detail::distributed::traffic;

/// Predicts what each of p ranks sends in a sort of n elements each, that are distributed alike and
/// at random.
///
/// @param ranks  p
/// @param n  elements of each rank
/// @param key_bytes  bytes of a key
/// @param value_bytes  bytes of its values
/// @return bytes and rounds; of data that is more in order, fewer bytes of elements are sent
inline traffic predict(std::size_t ranks, std::uint64_t n, std::size_t key_bytes,
                       std::size_t value_bytes = 0) {
  return detail::distributed::predicted_traffic(ranks, n, key_bytes, value_bytes);
}

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort
