// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/memory/keep_input.hpp>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
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
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
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

/// Moves n elements of each range as the indices say. Whoever `must_report` throws
/// std::invalid_argument for indices that are no permutation; otherwise that is done where the host
/// has the indices.
template <bool Inverse, class Call, class IndexIterator, class... Iterators>
void permute_ranges([[maybe_unused]] const Call& call, std::uint64_t n,
                    [[maybe_unused]] bool must_report, IndexIterator indices, Iterators... first) {
  using index = value_t<IndexIterator>;
  if (n == 0) return;
  if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<index>::max)())) {
    refuse("the index type is too small for the range; pass indices of 8 bytes");
  }
  reject_overlaps(n, indices, first...);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      const pointer_kind kind = kind_of_range(indices);
      const bool reports = must_report || kind.on_host();
      with_device_ranges(
          own, {},
          [&](completion*, const auto& order, const auto&... ranges) {
            using bits = unsigned_of_size_t<sizeof(index)>;
            permute_on_device<Inverse>(own, reinterpret_cast<const bits*>(order.data()), n, reports,
                                       ranges.data()...);
          },
          use<access::read>(indices, n, kind), use<access::update>(first, n)...);
    });
  }
#endif
  run_on_host<Call, IndexIterator, Iterators...>(no_element_before{}, [&](auto) {
    if (!host::apply_permutation<Inverse>(host_iterator(indices), n, host_iterator(first)...)) {
      refuse_indices();
    }
  });
}

// Permutations under verify and keep_input.

template <bool Inverse, class Call, class IndexIterator, class... Iterators>
void permute_ranges(const verified_call<Call>& call, std::uint64_t n, bool, IndexIterator indices,
                    Iterators... first) {
  if (n == 0) return;
  const columns<Iterators...> ranges{std::tuple<Iterators...>(first...), n};
  verify_in_place(call, ranges, no_offsets{}, no_element_before{}, [&](const Call& plain) {
    permute_ranges<Inverse>(plain, n, true, indices, first...);
  });
}

template <bool Inverse, class Call, class IndexIterator, class... Iterators>
void permute_ranges(const keeping_call<Call>& call, std::uint64_t n, bool must_report,
                    IndexIterator indices, Iterators... first) {
  if (n == 0) return;
  reject_overlaps(n, indices, first...);
  on_kept_copies(
      n,
      [&](auto... ranges) {
        permute_ranges<Inverse>(without_keeping(call), n, must_report, indices, ranges...);
      },
      first...);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
