// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/distributed/host_local.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/contiguous.hpp>
#include <memory>
#include <type_traits>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/device_local.hpp>
#include <gpusort/detail/distributed/device_vector_local.hpp>
#include <gpusort/detail/distributed/reject_capture.hpp>
#include <gpusort/detail/support/device.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Refuses iterators that are not contiguous, where ranges may be on the host, which has to find
/// their elements.
template <class... Iterators>
constexpr auto require_contiguous() {
  static_assert(is_any_device_typed_v<Iterators...> || (is_host_contiguous<Iterators>() && ...),
                "gpusort: ranges of a distributed call must be contiguous: pointers, or iterators "
                "of std::vector");
}

/// Returns the first of n elements, which calls on constant ranges do not write to.
template <class Iterator>
value_t<Iterator>* host_address(Iterator first, std::uint64_t n) {
  return n == 0 ? nullptr : const_cast<value_t<Iterator>*>(address_of(first));
}

#if GPUSORT_CUDA

/// Makes the local object of a rank on a device. Here and below no lambda has a pack: nvcc loses
/// those within lambdas that are templates.
template <class Call, class Compare, class KeyIterator, class... ValueIterators>
struct device_local_maker {
  Call call;
  Compare compare;

  using local = device_local<Call, Compare, KeyIterator, ValueIterators...>;
  std::unique_ptr<local> operator()(std::uint64_t n, KeyIterator keys,
                                    ValueIterators... values) const {
    return std::make_unique<local>(call, compare, keys, n, values...);
  }
};

#endif

/// Makes the local object of a rank on the CPU.
template <class Compare, class KeyIterator, class... ValueIterators>
struct host_local_maker {
  Compare compare;

  using local = host_local<Compare, value_t<KeyIterator>, value_t<ValueIterators>...>;
  std::unique_ptr<local> operator()(std::uint64_t n, KeyIterator keys,
                                    ValueIterators... values) const {
    return std::make_unique<local>(compare, n, host_address(keys, n), host_address(values, n)...);
  }
};

#if GPUSORT_CUDA

/// Calls body(call) with a stream that is the same one on every thread, as local work is done on
/// another one where the caller has left an error pending.
template <class Call, class Body>
void with_call_on_device(const Call& call, const Body& body) {
  reject_capture(call.stream);
  const substitute_stream stream(call.stream);
  Call own = call;
  own.stream = stream.get();
  body(own);
}

#endif

/// Runs body(make), where make(n, keys, values...) gives a unique_ptr to the local object of a
/// rank, on a device or, without one, on the CPU.
template <class KeyIterator, class... ValueIterators, class Call, class Compare, class Body>
void with_local([[maybe_unused]] const Call& call, const Compare& compare, const Body& body) {
  require_contiguous<KeyIterator, ValueIterators...>();
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return with_call_on_device(call, [&](const Call& own) {
      body(device_local_maker<Call, Compare, KeyIterator, ValueIterators...>{own, compare});
    });
  }
#endif
  run_on_host<Call, KeyIterator, ValueIterators...>(compare, [&](auto callable) {
    body(host_local_maker<decltype(callable), KeyIterator, ValueIterators...>{callable});
  });
}

/// Runs body(make), where make(vector) gives one for the elements of a vector of host memory, which
/// the call may resize.
template <class Vector, class Call, class Compare, class Body>
void with_vector_local([[maybe_unused]] const Call& call, const Compare& compare,
                       const Body& body) {
#if GPUSORT_CUDA
  if (device_count() > 0) {
    using local = device_vector_local<Call, Compare, Vector>;
    return with_call_on_device(call, [&](const Call& own) {
      body([&](Vector& vector) { return std::make_unique<local>(own, compare, vector); });
    });
  }
#endif
  run_on_host<Call, typename Vector::iterator>(compare, [&](auto callable) {
    using local = host_vector_local<decltype(callable), Vector>;
    body([&](Vector& vector) { return std::make_unique<local>(callable, vector); });
  });
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
