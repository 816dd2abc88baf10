// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <tuple>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the memory kind of each column, from the driver. An empty column has none and is not
/// asked about.
template <class... Iterators>
std::array<pointer_kind, sizeof...(Iterators)> kinds_of(const columns<Iterators...>& range) {
  if (range.n == 0) {
    std::array<pointer_kind, sizeof...(Iterators)> nowhere;
    nowhere.fill({memory_kind::managed, -1});
    return nowhere;
  }
  return std::apply(
      [](const auto&... first) {
        return std::array<pointer_kind, sizeof...(Iterators)>{kind_of_range(first)...};
      },
      range.first);
}

/// Tells where all the ranges of a call are. Throws std::invalid_argument where they are on several
/// devices.
class memory_location {
 public:
  void add(pointer_kind kind) {
    reject_other_device(owner_, kind);
    if (owner_.device < 0) owner_ = kind;
    is_staged_ = is_staged_ || kind.on_host();
  }
  template <std::size_t Columns>
  void add(const std::array<pointer_kind, Columns>& kinds) {
    for (const pointer_kind& kind : kinds) add(kind);
  }

  /// Returns the kind of a range that a device owns, if there is one.
  pointer_kind owner() const { return owner_; }
  /// Whether some range is copied from or to the host.
  bool is_staged() const { return is_staged_; }

 private:
  pointer_kind owner_{memory_kind::managed, -1};
  bool is_staged_ = false;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
