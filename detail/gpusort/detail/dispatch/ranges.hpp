// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/on_host.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <stdexcept>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/iterators.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Iterator>
std::uint64_t length_of(Iterator first, Iterator last) {
  const auto n = last - first;
  if (n < 0) throw std::invalid_argument("gpusort: last is before first");
  return static_cast<std::uint64_t>(n);
}

inline void reject_overlap(const void* a, std::uint64_t a_bytes, const void* b,
                           std::uint64_t b_bytes, const char* what) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  if (x < y + b_bytes && y < x + a_bytes) throw std::invalid_argument(what);
}

/// Every pair of ranges, keys first, must be disjoint.
template <class First, class... Rest>
void reject_overlaps(std::uint64_t n, const First* first, const Rest*... rest) {
  (reject_overlap(first, n * sizeof(First), rest, n * sizeof(Rest),
                  "gpusort: the ranges of keys and values overlap"),
   ...);
  if constexpr (sizeof...(Rest) > 1) reject_overlaps(n, rest...);
}

/// The same for ranges on the host; what is not contiguous is not checked.
template <class KeyIterator, class... ValueIterators>
void reject_host_overlaps(std::uint64_t n, KeyIterator keys, ValueIterators... values) {
  if constexpr ((std::is_pointer_v<KeyIterator> && ... && std::is_pointer_v<ValueIterators>)) {
    reject_overlaps(n, keys, values...);
  }
}

/// Whether some iterator's type says that its range is in device memory, and there only.
#if GPUSORT_CUDA
template <class... Iterators>
inline constexpr bool is_any_device_typed_v =
    ((is_device_typed_v<Iterators> && !is_host_typed_v<Iterators>) || ...);
#else
template <class... Iterators>
inline constexpr bool is_any_device_typed_v = false;
#endif

/// Runs body(comparator) for a call on ranges with these iterators where there is no device.
template <class Call, class... Iterators, class Compare, class Body>
void run_on_host([[maybe_unused]] const Compare& compare, [[maybe_unused]] Body body) {
  if constexpr (Call::requires_device) {
    throw_no_device("the policy requires one");
  } else if constexpr (is_any_device_typed_v<Iterators...>) {
    throw_no_device("a range is in device memory");
  } else {
    on_host(compare, body);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
