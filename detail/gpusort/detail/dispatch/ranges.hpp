// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/iterators.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Iterator>
std::uint64_t length_of(Iterator first, Iterator last) {
  const auto n = last - first;
  if (n < 0) refuse("last is before first; pass the beginning of a range and then its end");
  return static_cast<std::uint64_t>(n);
}

inline void reject_overlap(const void* a, std::uint64_t a_bytes, const void* b,
                           std::uint64_t b_bytes, const char* what) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  if (x < y + b_bytes && y < x + a_bytes) refuse(what);
}

/// Bytes in memory; none for a range whose iterator does not show where it is.
struct memory_extent {
  const void* begin = nullptr;
  std::uint64_t bytes = 0;
};

template <class Iterator>
memory_extent extent_of([[maybe_unused]] Iterator first, std::uint64_t n) {
  if (n == 0) return {};
  [[maybe_unused]] const std::uint64_t bytes = n * sizeof(value_t<Iterator>);
#if GPUSORT_CUDA
  if constexpr (is_contiguous_v<Iterator>) {
    return {address_of(first), bytes};
  } else if constexpr (is_reverse<Iterator>::value) {
    return {address_of(first.base() - static_cast<std::ptrdiff_t>(n)), bytes};
  }
#else
  if constexpr (std::is_pointer_v<decltype(host_iterator(first))>) {
    return {host_iterator(first), bytes};
  }
#endif
  return {};
}

/// Whether two ranges of n > 0 elements are one and the same, in the same direction, as far as
/// their iterators show.
template <class First, class Second>
bool is_same_range(const First& first, const Second& second, std::uint64_t n) {
  const auto is_same = [&](std::uint64_t count) {
    const void* const begin = extent_of(first, count).begin;
    return begin != nullptr && begin == extent_of(second, count).begin;
  };
  return is_same(1) && is_same(n);
}

/// Every pair of ranges of n elements must be disjoint, as far as their iterators show where they
/// are.
template <class First, class... Rest>
void reject_overlaps(std::uint64_t n, const First& first, const Rest&... rest) {
  const memory_extent one = extent_of(first, n);
  const auto reject = [&](const memory_extent& other) {
    reject_overlap(one.begin, one.bytes, other.begin, other.bytes,
                   "two of its ranges overlap; pass ranges that share no memory");
  };
  (reject(extent_of(rest, n)), ...);
  if constexpr (sizeof...(Rest) > 1) reject_overlaps(n, rest...);
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
  if constexpr (!Call::requires_device && is_any_device_typed_v<Iterators...>) {
    throw_no_device("a range is in device memory; copy it to the host");
  } else {
    on_host<Call>(body, compare);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
