// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/requirements/permutation.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/permute.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>
#include <tuple>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_permute.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The order of elements of which none is before another.
struct no_element_before {
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A&, const B&) const {
    return false;
  }
};

/// Moves n > 0 elements of each range as the indices say. Where it `must_report`, throws
/// std::invalid_argument for indices that are no permutation; otherwise that is done where the host
/// has the indices.
template <bool Inverse, class IndexIterator, class... Iterators>
struct permute_operation : operation_traits {
  using index = value_t<IndexIterator>;

  std::uint64_t n;
  bool must_report;
  IndexIterator indices;
  std::tuple<Iterators...> ranges;

  permute_operation(std::uint64_t count, bool reports, IndexIterator order, Iterators... first)
      : n(count), must_report(reports), indices(order), ranges(first...) {}

  void require_disjoint() const {
    std::apply([&](const auto&... first) { reject_overlaps(n, indices, first...); }, ranges);
  }
  const std::tuple<Iterators...>& overwritten() const { return ranges; }
  template <class... Ranges>
  permute_operation<Inverse, IndexIterator, Ranges...> on(Ranges... first) const {
    return {n, must_report, indices, first...};
  }

  auto proof() const {
    return proof_in_place(columns<Iterators...>{ranges, n}, no_offsets{}, no_element_before{});
  }

  template <class Call>
  bool has_work() const {
    if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<index>::max)())) {
      refuse("the index type is too small for the range; pass indices of 8 bytes");
    }
    require_disjoint();
    return true;
  }

#if GPUSORT_CUDA

  template <class Call>
  void with_device(const Call& call) const {
    const pointer_kind kind = kind_of_range(indices);
    const bool reports = must_report || kind.on_host();
    const auto move = [&](completion*, const auto& order, const auto&... moved) {
      using bits = unsigned_of_size_t<sizeof(index)>;
      permute_on_device<Inverse>(call, reinterpret_cast<const bits*>(order.data()), n, reports,
                                 moved.data()...);
    };
    std::apply(
        [&](const auto&... first) {
          with_device_ranges(call, {}, move, use<access::read>(indices, n, kind),
                             use<access::update>(first, n)...);
        },
        ranges);
  }

#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, IndexIterator, Iterators...>(no_element_before{}, [&](auto) {
      const bool is_permutation = std::apply(
          [&](const auto&... first) {
            return host::apply_permutation<Inverse>(host_iterator(indices), n,
                                                    host_iterator(first)...);
          },
          ranges);
      if (!is_permutation) refuse_indices();
    });
  }
};

/// Moves n elements of each range as the indices say.
template <bool Inverse, class Call, class IndexIterator, class... Iterators>
void permute_ranges(const Call& call, std::uint64_t n, IndexIterator indices, Iterators... first) {
  if (n == 0) return;
  run_call(call, permute_operation<Inverse, IndexIterator, Iterators...>(n, Call::is_verified,
                                                                         indices, first...));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
