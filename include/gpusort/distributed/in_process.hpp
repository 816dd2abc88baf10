// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Ranks that share a thread: gpusort::distributed::in_process, for tests of programs and for
/// counting what a number of ranks would send. The calls are those of <gpusort/distributed.hpp>,
/// with the ranges of all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/copies.hpp>
#include <gpusort/distributed.hpp>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace distributed {

/// A number of ranks in this process, one after the other on the calling thread: the same input
/// gives the same result and the same counts.
class in_process {
 public:
  /// Holds what has been sent since the counters were reset.
  struct counters {
    std::vector<std::uint64_t> element_bytes;  // of each rank, to others
    std::vector<std::uint64_t> other_bytes;    // the same, of samples, counts and words of errors
    std::size_t collectives = 0;
    std::size_t rounds = 0;  // of selections
  };

  /// @param ranks  1 to 1024
  /// @throws std::invalid_argument  for more
  explicit in_process(std::size_t ranks) : size_(ranks) {
    if (ranks > 1024) detail::refuse("in_process has up to 1024 ranks");
    reset_counters();
  }

  /// @return the number of ranks
  std::size_t size() const { return size_; }

  /// @return what has been sent
  const counters& sent() const { return counters_; }

  /// Starts to count anew.
  void reset_counters() {
    counters_ = {};
    counters_.element_bytes.resize(size_);
    counters_.other_bytes.resize(size_);
  }

  /// Runs the states of all ranks; for the library.
  template <class Rank>
  void run(const std::vector<Rank*>& ranks) {
    transfer<Rank> moves{*this, {}, {}};
    detail::distributed::run_all(ranks, moves);
    counters_.rounds += ranks[0]->rounds();
  }

 private:
  template <class Rank>
  struct transfer {
    in_process& world;
    detail::distributed::copies<Rank::is_on_device> copy_data;
    detail::distributed::copies<false> copy_words;

    void copy(std::size_t from_rank, const void* from, std::size_t to_rank, void* to,
              std::size_t bytes, bool is_data) {
      if (from_rank != to_rank) {
        auto& sent = is_data ? world.counters_.element_bytes : world.counters_.other_bytes;
        sent[from_rank] += bytes;
      }
      if (is_data) {
        copy_data(to, from, bytes);
      } else {
        copy_words(to, from, bytes);
      }
    }
    void done(const detail::distributed::collective&) { ++world.counters_.collectives; }
  };

  std::size_t size_;
  counters counters_;
};

/// The range of a rank.
template <class Iterator>
using rank_range = std::pair<Iterator, Iterator>;

}  // namespace distributed

namespace detail {
namespace distributed {

template <class Policy, class Compare, class Projection, class Iterator, class... ValueIterators>
void sort_world(gpusort::distributed::in_process& world, const Policy& policy, bool is_stable,
                const Compare& compare, const Projection& projection,
                const std::vector<gpusort::distributed::rank_range<Iterator>>& ranges,
                const std::vector<ValueIterators>&... values) {
  (require_writable<ValueIterators>(), ...);
  call_on_all(
      world,
      request{plain_call_of(policy), [&] { return order_of_sorted<Iterator>(compare, projection); },
              sorting(is_stable, shares::kept), no_result()},
      ranges, values...);
}

}  // namespace distributed
}  // namespace detail

namespace distributed {

/// Sorts the ranges of all ranks as distributed::sort would.
///
/// @param world  the ranks
/// @param policy  as in distributed::sort, like compare and projection
/// @param ranges  a range for each rank
/// @throws std::invalid_argument  where there are not as many ranges as ranks, or none
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as distributed::sort; each range is then a permutation of its input
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
void sort(in_process& world, const Policy& policy, const std::vector<rank_range<Iterator>>& ranges,
          Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::sort");
  detail::distributed::sort_world(world, policy, false, compare, projection, ranges);
}

/// Sorts stably, as distributed::stable_sort would.
///
/// @param world  as in sort, like policy, ranges, compare and projection
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as sort
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
void stable_sort(in_process& world, const Policy& policy,
                 const std::vector<rank_range<Iterator>>& ranges, Compare compare = {},
                 Projection projection = {}) {
  const detail::public_call name("distributed::stable_sort");
  detail::distributed::sort_world(world, policy, true, compare, projection, ranges);
}

/// Sorts keys and one range of values, as distributed::stable_sort_by_key would.
///
/// @param world  as in sort, like policy, compare and projection
/// @param keys  the keys of each rank
/// @param values  the beginning of the values of each rank
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as sort
template <class Policy, class KeyIterator, class ValueIterator, class Compare = less,
          class Projection = detail::identity, detail::enable_sort<Policy, KeyIterator> = 0>
void stable_sort_by_key(in_process& world, const Policy& policy,
                        const std::vector<rank_range<KeyIterator>>& keys,
                        const std::vector<ValueIterator>& values, Compare compare = {},
                        Projection projection = {}) {
  const detail::public_call name("distributed::stable_sort_by_key");
  detail::distributed::sort_world(world, policy, true, compare, projection, keys, values);
}

/// Sorts as distributed::sort_balanced would.
///
/// @param world  as in sort, like policy, compare and projection
/// @param parts  the elements of each rank
/// @return for each rank, how many elements are in the shares before
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as sort
template <class Policy, class T, class Allocator, class Compare = less,
          class Projection = detail::identity,
          std::enable_if_t<detail::is_policy<Policy>::value, int> = 0>
std::vector<std::uint64_t> sort_balanced(in_process& world, const Policy& policy,
                                         std::vector<std::vector<T, Allocator>>& parts,
                                         Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::sort_balanced");
  using detail::distributed::shares;
  std::vector<std::uint64_t> offsets(parts.size());
  detail::distributed::call_on_all_vectors(
      world,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::distributed::order_of_vectors<T>(compare, projection); },
          detail::distributed::sorting(true, shares::balanced),
          [&](std::size_t rank, const auto& state) { offsets[rank] = state.offset(); }},
      parts);
  return offsets;
}

/// Tells what distributed::is_sorted would.
///
/// @param world  as in sort, like policy, ranges, compare and projection
/// @return whether all are in order, rank after rank
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as sort
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
bool is_sorted(in_process& world, const Policy& policy,
               const std::vector<rank_range<Iterator>>& ranges, Compare compare = {},
               Projection projection = {}) {
  const detail::public_call name("distributed::is_sorted");
  bool result = true;
  detail::distributed::call_on_all(
      world,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::distributed::order_of_read<Iterator>(compare, projection); },
          detail::distributed::asking_for_order(),
          [&](std::size_t, const auto& state) { result = result && state.result(); }},
      ranges);
  return result;
}

/// Gives the elements that distributed::select would.
///
/// @param world  as in sort, like policy, ranges, compare and projection
/// @param ranks  as of distributed::select
/// @return an element for each of `ranks`
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as distributed::select
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
std::vector<detail::value_t<Iterator>> select(in_process& world, const Policy& policy,
                                              const std::vector<rank_range<Iterator>>& ranges,
                                              const std::vector<std::uint64_t>& ranks,
                                              Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::select");
  std::vector<detail::value_t<Iterator>> result;
  detail::distributed::call_on_all(
      world,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::order_of_sorted<Iterator>(compare, projection); },
          detail::distributed::selecting(ranks),
          [&](std::size_t, auto& state) { result = std::move(state.result()); }},
      ranges);
  return result;
}

/// Gives the sample that distributed::sample would.
///
/// @param world  as in sort, like policy and ranges
/// @param count  as of distributed::sample
/// @return the elements, rank by rank
/// @throws std::invalid_argument, gpusort::out_of_memory, gpusort::cuda_error  as sort
template <class Policy, class Iterator, detail::enable_sort<Policy, Iterator> = 0>
std::vector<detail::value_t<Iterator>> sample(in_process& world, const Policy& policy,
                                              const std::vector<rank_range<Iterator>>& ranges,
                                              std::size_t count) {
  const detail::public_call name("distributed::sample");
  detail::require_sortable<Iterator>();
  std::vector<detail::value_t<Iterator>> result;
  detail::distributed::call_on_all(
      world,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [] { return detail::distributed::no_order(); }, detail::distributed::sampling(count),
          [&](std::size_t, auto& state) { result = std::move(state.result()); }},
      ranges);
  return result;
}

/// Sorts and cuts as distributed::select_splitters would.
///
/// @param world  as in sort, like policy, ranges, compare and projection
/// @return the offsets of each rank
/// @throws std::invalid_argument, gpusort::rank_error, gpusort::out_of_memory, gpusort::cuda_error
/// as sort
template <class Policy, class Iterator, class Compare = less, class Projection = detail::identity,
          detail::enable_sort<Policy, Iterator> = 0>
std::vector<exchange_offsets> select_splitters(in_process& world, const Policy& policy,
                                               const std::vector<rank_range<Iterator>>& ranges,
                                               Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("distributed::select_splitters");
  using detail::distributed::shares;
  std::vector<exchange_offsets> result(ranges.size());
  detail::distributed::call_on_all(
      world,
      detail::distributed::request{
          detail::distributed::plain_call_of(policy),
          [&] { return detail::order_of_sorted<Iterator>(compare, projection); },
          detail::distributed::sorting(true, shares::kept, false),
          [&](std::size_t rank, auto& state) {
            result[rank].send = std::move(state.send_offsets());
            result[rank].receive = std::move(state.receive_offsets());
          }},
      ranges);
  return result;
}

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort
