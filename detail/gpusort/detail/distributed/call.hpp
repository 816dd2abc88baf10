// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/distributed/absent_rank.hpp>
#include <gpusort/detail/distributed/drivers.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/local.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

template <class Compare, class... Columns>
header header_of() {
  header h;
  h.element_bytes = (sizeof(Columns) + ...);
  h.types = hash_of_types<Columns...>();
  h.order = hash_of_types<Compare>();
  return h;
}

template <class Communicator, class = void>
struct is_communicator : std::false_type {};
template <class Communicator>
struct is_communicator<
    Communicator,
    std::void_t<
        decltype(static_cast<int>(std::declval<const Communicator&>().rank())),
        decltype(static_cast<int>(std::declval<const Communicator&>().size())),
        decltype(std::declval<Communicator&>().allgather(
            static_cast<const void*>(nullptr), static_cast<void*>(nullptr), std::size_t{0})),
        decltype(std::declval<Communicator&>().alltoallv(
            static_cast<const void*>(nullptr), static_cast<const std::uint64_t*>(nullptr),
            static_cast<void*>(nullptr), static_cast<const std::uint64_t*>(nullptr), false)),
        decltype(std::declval<Communicator&>().abort())>> : std::true_type {};

/// Runs body() for the rank of a communicator: body calls `started` before its first collective,
/// and what it throws until then is told to the other ranks.
template <class Communicator, class Body>
void on_rank(Communicator& communicator, const Body& body) {
  static_assert(
      is_communicator<Communicator>::value,
      "gpusort: a communicator has rank(), size(), allgather(send, receive, bytes), "
      "alltoallv(send, send_offsets, receive, receive_offsets, on_device) and abort(), as "
      "<gpusort/distributed.hpp> says");
  const auto p = static_cast<std::size_t>(communicator.size());
  if (communicator.size() <= 0) refuse("the communicator has no ranks");
  const auto rank = static_cast<std::size_t>(communicator.rank());
  bool has_started = false;
  std::exception_ptr why;
  try {
    body(rank, p, [&] { has_started = true; });
  } catch (...) {
    if (has_started) throw;
    why = std::current_exception();
  }
  if (why == nullptr) return;
  std::unique_ptr<absent_rank> absent;
  try {
    absent = std::make_unique<absent_rank>(rank, p, why);
  } catch (...) {  // not even memory to tell
    communicator.abort();
    throw;
  }
  run(communicator, *absent);
}

/// Describes a call of all ranks. What may throw is a function, to be called where the other ranks
/// are told of it: order() gives the comparator, make_rank(rank, p, local, header) a unique_ptr to
/// the state of a rank. `use` takes the state at the end, when nobody is told of anything any more:
/// it throws nothing.
template <class Call, class Order, class MakeRank, class Use>
struct request {
  Call call;
  Order order;
  MakeRank make_rank;
  Use use;

  using compare = decltype(std::declval<const Order&>()());
};
template <class Call, class Order, class MakeRank, class Use>
request(Call, Order, MakeRank, Use) -> request<Call, Order, MakeRank, Use>;

/// Makes the call on a rank's ranges.
template <class Communicator, class Request, class KeyIterator, class... ValueIterators>
void call_on_rank(Communicator& communicator, const Request& wanted, KeyIterator first,
                  KeyIterator last, ValueIterators... values) {
  on_rank(communicator, [&](std::size_t rank, std::size_t p, const auto& started) {
    const std::uint64_t n = length_of(first, last);
    if constexpr (sizeof...(values) > 0) {
      if (n != 0) reject_overlaps(n, first, values...);
    }
    with_local<KeyIterator, ValueIterators...>(
        wanted.call, wanted.order(), [&](const auto& make_local) {
          using compare = typename Request::compare;
          const auto local = make_local(n, first, values...);
          const auto state = wanted.make_rank(
              rank, p, *local,
              header_of<compare, value_t<KeyIterator>, value_t<ValueIterators>...>());
          started();
          run(communicator, *state);
          wanted.use(*state);
        });
  });
}

/// Runs a call on a rank's vector, which may grow.
template <class Communicator, class Request, class Vector>
void call_on_vector(Communicator& communicator, const Request& wanted, Vector& vector) {
  on_rank(communicator, [&](std::size_t rank, std::size_t p, const auto& started) {
    with_vector_local<Vector>(wanted.call, wanted.order(), [&](const auto& make_local) {
      using compare = typename Request::compare;
      const auto local = make_local(vector);
      const auto state =
          wanted.make_rank(rank, p, *local, header_of<compare, typename Vector::value_type>());
      started();
      run(communicator, *state);
      wanted.use(*state);
    });
  });
}

template <class World>
void check_world(const World& world, std::size_t ranges) {
  if (world.size() == 0) refuse("the communicator has no ranks");
  if (ranges != world.size()) {
    refuse("there are not as many ranges as ranks; pass one for each, which may be empty");
  }
}

/// Runs the states of all ranks over their local objects to the end; use(rank, state).
template <class World, class Local, class Request>
void run_world(World& world, const std::vector<std::unique_ptr<Local>>& locals,
               const Request& wanted, const header& own) {
  const std::size_t p = locals.size();
  std::vector<decltype(wanted.make_rank(std::size_t{0}, p, *locals[0], own))> states;
  std::vector<decltype(states[0].get())> ranks;
  for (std::size_t i = 0; i < p; ++i) {
    states.push_back(wanted.make_rank(i, p, *locals[i], own));
    ranks.push_back(states[i].get());
  }
  world.run(ranks);
  for (std::size_t i = 0; i < p; ++i) ranks[i]->rethrow();
  for (std::size_t i = 0; i < p; ++i) wanted.use(i, *ranks[i]);
}

/// Makes the call on the ranges of all ranks of a world, in one process.
template <class World, class Request, class Iterator, class... ValueIterators>
void call_on_all(World& world, const Request& wanted,
                 const std::vector<std::pair<Iterator, Iterator>>& ranges,
                 const std::vector<ValueIterators>&... values) {
  check_world(world, ranges.size());
  (check_world(world, values.size()), ...);
  const std::size_t p = world.size();
  for (const auto& range : ranges) length_of(range.first, range.second);
  with_local<Iterator, ValueIterators...>(wanted.call, wanted.order(), [&](const auto& make_local) {
    std::vector<decltype(make_local(0, ranges[0].first, values[0]...))> locals;
    for (std::size_t i = 0; i < p; ++i) {
      locals.push_back(
          make_local(length_of(ranges[i].first, ranges[i].second), ranges[i].first, values[i]...));
    }
    using compare = typename Request::compare;
    run_world(world, locals, wanted,
              header_of<compare, value_t<Iterator>, value_t<ValueIterators>...>());
  });
}

/// Runs a call on the vectors of all ranks, which may grow.
template <class World, class Request, class Vector>
void call_on_all_vectors(World& world, const Request& wanted, std::vector<Vector>& vectors) {
  check_world(world, vectors.size());
  with_vector_local<Vector>(wanted.call, wanted.order(), [&](const auto& make_local) {
    std::vector<decltype(make_local(vectors[0]))> locals;
    for (Vector& vector : vectors) locals.push_back(make_local(vector));
    using compare = typename Request::compare;
    run_world(world, locals, wanted, header_of<compare, typename Vector::value_type>());
  });
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
