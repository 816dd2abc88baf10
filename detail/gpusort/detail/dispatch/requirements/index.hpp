// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/requirements/order.hpp>
#include <gpusort/detail/support/config.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Index, class Swap>
constexpr auto require_swap() {
  require_function<Swap>();
  static_assert(sizeof(Index) <= 8, "gpusort: indices of more than 64 bits are not supported");
  static_assert(std::is_invocable_v<Swap&, Index, Index>,
                "gpusort: swap must be callable as swap(i, j) with two indices");
  require_device_call<Swap, Index, Index>();
}

template <class Index, class Compare, class Swap>
constexpr auto require_index_functions() {
  require_function<Compare>();
  static_assert(answers<Compare, Index, Index>::value || !answers<Swap, Index, Index>::value,
                "gpusort: compare comes before swap, as in sort(policy, first, last, compare, "
                "swap); swap the two arguments");
  static_assert(answers<Compare, Index, Index>::value || answers<Swap, Index, Index>::value,
                "gpusort: without a fetch, the comparator must be callable as compare(i, j) with "
                "two indices, and its result convertible to bool");
  require_device_call<Compare, Index, Index>();
  require_swap<Index, Swap>();
}

template <class Index, class Fetch>
constexpr auto require_fetch() {
  require_function<Fetch>();
#if GPUSORT_CUDA && defined(__CUDACC_EXTENDED_LAMBDA__)
  static_assert(!__nv_is_extended_device_lambda_closure_type(Fetch) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(Fetch),
                "gpusort: what a __device__ lambda returns is unknown on the host; give fetch a "
                "trailing return type, or make it __host__ __device__");
#endif
  static_assert(
      std::is_invocable_v<Fetch&, Index>,
      "gpusort: fetch must be callable as fetch(i) with an index; the arguments are fetch, "
      "compare and swap, in this order");
  static_assert(!std::is_void_v<std::invoke_result_t<Fetch&, Index>>,
                "gpusort: fetch must return the key at an index");
  require_device_call<Fetch, Index>();
}

/// Stands for what fetch returns, by value.
template <class Fetch, class Index>
using fetched_t = std::decay_t<std::invoke_result_t<Fetch&, Index>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
