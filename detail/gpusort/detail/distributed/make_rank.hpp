// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/is_sorted_rank.hpp>
#include <gpusort/detail/distributed/sample_rank.hpp>
#include <gpusort/detail/distributed/select_rank.hpp>
#include <gpusort/detail/distributed/sort_rank.hpp>
#include <gpusort/detail/support/config.hpp>
#include <memory>
#include <type_traits>
#include <vector>

// What makes the state of a rank for each call, once the type of its local object is known.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Makes a function that makes a rank, from the arguments that follow own elements and order.
template <template <class> class Rank, class... Arguments>
auto making(const Arguments&... arguments) {
  return [=](std::size_t rank, std::size_t p, auto& local, const header& own) {
    using state = Rank<std::decay_t<decltype(local)>>;
    return std::make_unique<state>(rank, p, local, own, arguments...);
  };
}

inline auto sorting(bool is_stable, shares how, bool exchanges = true) {
  return making<sort_rank>(is_stable, how, exchanges);
}
inline auto asking_for_order() { return making<is_sorted_rank>(); }
/// Refers to `ranks`, of which the state has a copy.
inline auto selecting(const std::vector<std::uint64_t>& ranks) {
  return making<select_rank>(std::cref(ranks));
}
inline auto sampling(std::size_t count) { return making<sample_rank>(count); }

/// The order of a call that compares nothing.
struct no_order {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T&, const T&) const {
    return false;
  }
};

/// Stands for the result of calls without one.
struct no_result {
  template <class... State>
  void operator()(const State&...) const {}
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
