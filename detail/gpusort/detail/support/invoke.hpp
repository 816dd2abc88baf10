// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/member.hpp>
#include <gpusort/detail/support/order.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// What is the host's alone cannot be called on the device, where nvcc would warn, or say nothing,
// and leave the call out: where device code is made, that is an error, which names this function.
// Where host code is made, what is the device's alone is let pass, as it is not called there.
#if defined(__NVCC__)
#if defined(__CUDA_ARCH__)
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014
#else
#pragma nv_exec_check_disable
#endif
#endif
template <class F, class... Ts>
GPUSORT_HOST_DEVICE decltype(auto) gpusort_needs_a_host_device_comparator_or_projection(
    F& f, Ts&&... xs) {
  return f(static_cast<Ts&&>(xs)...);  // gpusort: its operator() must be __host__ __device__
}
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
#pragma nv_diagnostic pop
#endif

// std::invoke is a host function, so members are applied by hand.

template <class Projection, class T>
GPUSORT_HOST_DEVICE auto project(const Projection& projection, const T& x) -> decltype(auto) {
  if constexpr (std::is_member_object_pointer_v<Projection>) {
    return read_member(x, projection);
  } else if constexpr (std::is_member_function_pointer_v<Projection>) {
#if defined(__NVCC__)
    static_assert(!std::is_member_function_pointer_v<Projection>,
                  "gpusort: a pointer to a member function is of the host alone; pass a __host__ "
                  "__device__ functor or lambda that calls it");
#endif
    return (x.*projection)();
  } else if constexpr (is_bool_v<T>) {
    const bool truth = truth_of(x);
    using part = decltype(gpusort_needs_a_host_device_comparator_or_projection(projection, truth));
    return static_cast<std::decay_t<part>>(
        gpusort_needs_a_host_device_comparator_or_projection(projection, truth));
  } else {
    return gpusort_needs_a_host_device_comparator_or_projection(projection, x);
  }
}

/// The user's functor where the host calls it. Were the functor `__device__` only, a host function
/// that calls it would not compile; this one does, and never runs, or, for a functor that no trait
/// can tell apart, runs into what the documentation warns of.
template <class F>
struct host_callable {
  F f;

#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
  template <class... Ts>
  GPUSORT_HOST_DEVICE decltype(auto) operator()(Ts&&... xs) {
    return f(static_cast<Ts&&>(xs)...);
  }
};

/// A comparator of what a projection makes of the elements.
template <class Compare, class Projection>
struct projected {
  Compare compare;
  Projection projection;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) {
    return static_cast<bool>(gpusort_needs_a_host_device_comparator_or_projection(
        compare, project(projection, a), project(projection, b)));
  }
};

/// A comparator of bools, which gets true or false, whatever their bytes.
template <class Compare>
struct of_truths {
  Compare compare;

  GPUSORT_HOST_DEVICE bool operator()(const bool& a, const bool& b) {
    return static_cast<bool>(
        gpusort_needs_a_host_device_comparator_or_projection(compare, truth_of(a), truth_of(b)));
  }
};

/// The comparator of elements of type T that an order makes.
template <class T, class Order>
GPUSORT_HOST_DEVICE auto order_of_elements(const Order& order) {
  if constexpr (is_bool_v<T> && !is_less_or_greater_v<Order>) {
    return of_truths<Order>{order};
  } else {
    return order;
  }
}

/// The same comparator for a range that is walked backwards.
template <class Compare>
struct reversed {
  Compare compare;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) {
    return static_cast<bool>(gpusort_needs_a_host_device_comparator_or_projection(compare, b, a));
  }
};

/// The canonical comparator of a range walked backwards.
inline greater backwards(const less&) { return {}; }
inline less backwards(const greater&) { return {}; }
template <class Compare>
reversed<Compare> backwards(const Compare& compare) {
  return {compare};
}

/// Whether F is a lambda of the host alone, of which nvcc compiles no kernel, whatever is in it.
/// Only the name that its front end gives to such types shows them; extended lambdas have it too.
template <class F>
constexpr bool is_host_lambda() {
#if defined(__NVCC__)
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  if (__nv_is_extended_device_lambda_closure_type(F) ||
      __nv_is_extended_host_device_lambda_closure_type(F)) {
    return false;
  }
#endif
  constexpr char sought[] = "[with F = lambda [";
  const char* const name = __PRETTY_FUNCTION__;
  for (int i = 0; name[i] != '\0'; ++i) {
    int length = 0;
    while (sought[length] != '\0' && name[i + length] == sought[length]) ++length;
    if (sought[length] == '\0') return true;
  }
#endif
  return false;
}

/// The same, for functions of the device, which cannot call it.
template <class F>
inline constexpr bool is_host_lambda_v = is_host_lambda<F>();

/// In the place of a comparator that has been refused, so that nothing else is said of it.
struct refused_order {
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A&, const B&) const {
    return false;
  }
};

template <class T, class Compare>
auto canonical(const Compare& compare) {
  if constexpr (is_host_lambda<Compare>()) {
    return refused_order{};
  } else {
    return order_of_elements<T>(canonical_order<T, Compare>::make(compare));
  }
}

/// False for a lambda that nvcc compiled for the device only: called on the host it would crash.
template <class F>
struct runs_on_host
#if GPUSORT_CUDA && defined(__CUDACC_EXTENDED_LAMBDA__)
    : std::bool_constant<!__nv_is_extended_device_lambda_closure_type(F)> {
};
#else
    : std::true_type {
};
#endif
template <class Compare, class Projection>
struct runs_on_host<projected<Compare, Projection>>
    : std::conjunction<runs_on_host<Compare>, runs_on_host<Projection>> {};
template <class Compare>
struct runs_on_host<reversed<Compare>> : runs_on_host<Compare> {};
template <class Compare>
struct runs_on_host<of_truths<Compare>> : runs_on_host<Compare> {};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
