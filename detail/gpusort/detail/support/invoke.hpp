// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/member.hpp>
#include <gpusort/detail/support/order.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// A function of the host cannot be called on the device. nvcc warns of it, or says nothing, and
// leaves the call out; here it is an error, in device code, which names this class. In host code a
// function of the device is accepted, as it is not called there. nvcc prints errors in members of
// classes before those in functions, in the order in which classes are instantiated.
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014
#endif
template <class F>
struct gpusort_needs_host_device_before_the_operator_of {
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#pragma nv_exec_check_disable
#endif
  template <class... Ts>
  static GPUSORT_HOST_DEVICE decltype(auto) call(F& f, Ts&&... xs) {
    return f(static_cast<Ts&&>(xs)...);
  }
};
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#pragma nv_exec_check_disable
#endif
template <class Answer>
GPUSORT_HOST_DEVICE bool gpusort_needs_a_host_device_conversion_to_bool(Answer&& answer) {
  return static_cast<bool>(static_cast<Answer&&>(answer));
}
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
#pragma nv_diagnostic pop
#endif

/// Whether what is read of a record, or returned for it, is true.
template <class Answer>
GPUSORT_HOST_DEVICE bool is_true(const Answer& answer) {
  if constexpr (is_bool_v<Answer>) {
    return truth_of(answer);
  } else {
    return gpusort_needs_a_host_device_conversion_to_bool(answer);
  }
}

/// Calls f(xs...) on the host and the device.
template <class F, class... Ts>
GPUSORT_HOST_DEVICE decltype(auto) call_function(F& f, Ts&&... xs) {
  return gpusort_needs_host_device_before_the_operator_of<F>::call(f, static_cast<Ts&&>(xs)...);
}

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
    using part = decltype(call_function(projection, truth));
    return static_cast<std::decay_t<part>>(call_function(projection, truth));
  } else {
    return call_function(projection, x);
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
    return gpusort_needs_a_host_device_conversion_to_bool(
        call_function(compare, project(projection, a), project(projection, b)));
  }
};

/// A comparator of bools, which gets true or false, whatever their bytes.
template <class Compare>
struct of_truths {
  Compare compare;

  GPUSORT_HOST_DEVICE bool operator()(const bool& a, const bool& b) {
    return gpusort_needs_a_host_device_conversion_to_bool(
        call_function(compare, truth_of(a), truth_of(b)));
  }
};

/// Returns the comparator of elements of type T that an order makes.
template <class T, class Order>
GPUSORT_HOST_DEVICE auto order_of_elements(const Order& order) {
  if constexpr (is_bool_v<T> && !is_less_or_greater_v<Order>) {
    return of_truths<Order>{order};
  } else {
    return order;
  }
}

/// A comparator for a range that is walked backwards.
template <class Compare>
struct reversed {
  Compare compare;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) {
    return gpusort_needs_a_host_device_conversion_to_bool(call_function(compare, b, a));
  }
};

/// Returns the canonical comparator of a range walked backwards.
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

/// is_host_lambda for functions of the device, which cannot call it.
template <class F>
inline constexpr bool is_host_lambda_v = is_host_lambda<F>();

/// Whether F is a pointer to a function, which in a kernel would be an address of the host.
template <class F>
inline constexpr bool is_host_function_v =
    GPUSORT_CUDA&& std::is_pointer_v<F>&& std::is_function_v<std::remove_pointer_t<F>>;

/// Whether kernels can be given a copy of F.
template <class F>
inline constexpr bool is_for_kernels_v =
    !is_host_lambda_v<F> && !is_host_function_v<F> && std::is_copy_constructible_v<F>;

template <class F>
GPUSORT_HOST_DEVICE constexpr auto require_function() {
  static_assert(!is_host_lambda_v<F>,
                "gpusort: a lambda of the host cannot be called on the device; write __device__ or "
                "__host__ __device__ after its [], and compile with --extended-lambda");
  static_assert(
      !is_host_function_v<F>,
      "gpusort: a pointer to a function is an address on the host, which the device "
      "cannot call; pass a __host__ __device__ lambda or functor that calls the function");
  static_assert(std::is_copy_constructible_v<F>,
                "gpusort: comparators and other functions are copied, and this one cannot be; let "
                "it hold pointers to what cannot be copied");
}

/// Stands in the place of a comparator that has been refused, so that nothing else is said of it.
struct refused_order {
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A&, const B&) const {
    return false;
  }
};

/// Has nvcc compile f(xs...) for the device where a public function is called, so that its first
/// error for a function of the host is the one that names what to write.
template <class F, class... Ts>
auto require_device_call() {
#if defined(__CUDA_ARCH__)
  if constexpr (is_for_kernels_v<F> && std::is_invocable_v<F&, Ts...>) {
    using function = gpusort_needs_host_device_before_the_operator_of<F>;
    static_cast<void>(&function::template call<Ts...>);
  }
#endif
}

template <class T, class Compare>
auto canonical(const Compare& compare) {
  if constexpr (!is_for_kernels_v<Compare> || !std::is_invocable_v<Compare&, const T&, const T&>) {
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
