// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/support/order_of_indices.hpp>

#if GPUSORT_CUDA
#include <thrust/iterator/counting_iterator.h>

#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#else
#include <numeric>
#include <vector>
#endif

// Calls that move no elements, under orders whose nulls are told by the elements' indices: what is
// sorted or tested are the indices themselves.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// Contiguous columns, read as rows.
template <class... Columns>
struct column_pointers {
  cuda::std::tuple<const Columns*...> columns;

  GPUSORT_HOST_DEVICE cuda::std::tuple<const Columns&...> operator[](std::ptrdiff_t i) const {
    return cuda::std::apply(
        [i](const Columns*... c) { return cuda::std::tuple<const Columns&...>(c[i]...); }, columns);
  }
};

/// Returns how the elements of a range that is not empty are read where they are.
template <class Iterator>
const value_t<Iterator>* readable(const Iterator& first) {
  static_assert(is_contiguous_v<Iterator>,
                "gpusort: where nulls are told by the elements' indices, the range is contiguous, "
                "or a zip of contiguous ones; copy it into one");
  return address_of(first);
}
template <class... Columns>
column_pointers<value_t<Columns>...> readable(
    const thrust::zip_iterator<thrust::tuple<Columns...>>& first) {
  return cuda::std::apply(
      [](const Columns&... columns) {
        return column_pointers<value_t<Columns>...>{{readable(columns)...}};
      },
      first.get_iterator_tuple());
}

#endif

/// Calls f(call, first, last, order) with the indices of n > 0 elements in their place, and the
/// order of these.
template <class Call, class Iterator, class... Fields, class F>
void with_indices(const Call& call, Iterator first, std::uint64_t n,
                  const ordered_by<Fields...>& order, const F& f) {
#if GPUSORT_CUDA
  const thrust::counting_iterator<std::uint64_t> begin(0), end(n);
  const auto work = [&](const Call& own) {
    f(own, begin, end, order_of_indices(readable(first), order));
  };
  if (device_count() == 0) return work(call);
  run_on_device(call, [&](const Call& own) {
    const pointer_kind kind = kind_of_range(first);
    const auto require_accessible = [](pointer_kind of) {
      if (of.device_accessible()) return;
      refuse(
          "nulls are told by the elements' indices, and the range or what tells them is in host "
          "memory; copy both to the device");
    };
    require_accessible(kind);
    for_each_validity(order.fields, [&](const auto& validity) {
      if (validity.data == nullptr) return;
      const pointer_kind of_validity = classify_pointer(validity.data);
      require_accessible(of_validity);
      reject_other_device(kind, of_validity);
    });
    const device_guard guard(kind, own);
    work(own);
  });
#else
  std::vector<std::uint64_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::uint64_t{0});
  f(call, indices.data(), indices.data() + n, order_of_indices(host_iterator(first), order));
#endif
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
