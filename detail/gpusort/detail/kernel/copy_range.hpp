// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/device_reference.h>
#include <cstdint>

#include <cuda/std/tuple>
#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Whether both are references to an element itself.
template <class To, class From>
inline constexpr bool are_elements_v =
    std::is_lvalue_reference_v<To>&& std::is_lvalue_reference_v<From>&& std::is_same_v<
        std::remove_reference_t<To>, std::remove_cv_t<std::remove_reference_t<From>>>;

template <class Reference>
inline constexpr bool is_device_reference_v = false;
template <class T>
inline constexpr bool is_device_reference_v<thrust::device_reference<T>> = true;

/// Returns what a reference refers to, where it is Thrust's.
template <class Reference>
GPUSORT_DEVICE decltype(auto) as_element(Reference&& x) {
  if constexpr (is_device_reference_v<std::remove_cv_t<std::remove_reference_t<Reference>>>) {
    return *(&x).get();
  } else {
    return static_cast<Reference&&>(x);
  }
}

template <class Tuple, class To, class From, std::size_t... Is>
GPUSORT_DEVICE void copy_columns(To& to, const From& from, std::index_sequence<Is...>);

/// Copies an element by way of an Element; elements themselves, and bools of a zip's tuples, as the
/// bytes that they have.
template <class Element, class To, class From>
GPUSORT_DEVICE void copy_element(To&& to, From&& from) {
  if constexpr (are_elements_v<To&&, From&&>) {
    copy_as_stored(to, from);
  } else if constexpr (holds_bool_v<Element>) {
    copy_columns<Element>(to, from,
                          std::make_index_sequence<cuda::std::tuple_size<Element>::value>{});
  } else {
    to = static_cast<Element>(from);
  }
}

template <class Tuple, class To, class From, std::size_t... Is>
GPUSORT_DEVICE void copy_columns(To& to, const From& from, std::index_sequence<Is...>) {
  (copy_element<cuda::std::tuple_element_t<Is, Tuple>>(as_element(cuda::std::get<Is>(to)),
                                                       as_element(cuda::std::get<Is>(from))),
   ...);
}

/// Copies out[i] = in[i] for i < n: from a range to a contiguous copy of it, or back.
template <class T, class In, class Out>
GPUSORT_KERNEL void __launch_bounds__(256) copy_range_kernel(In in, Out out, std::uint64_t n) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{256} + threadIdx.x;
  if (i < n) copy_element<T>(as_element(out[i]), as_element(in[i]));
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
