// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <tuple>
#include <utility>

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

/// Returns the bytes in memory of each column of a zip; of another range one extent.
template <class Iterator>
std::array<memory_extent, 1> extents_of(const Iterator& first, std::uint64_t n) {
  return {extent_of(first, n)};
}
#if GPUSORT_CUDA
template <class Columns, std::size_t... Is>
std::array<memory_extent, sizeof...(Is)> extents_of_columns(const Columns& first, std::uint64_t n,
                                                            std::index_sequence<Is...>) {
  return {extent_of(thrust::get<Is>(first), n)...};
}
template <class... Columns>
std::array<memory_extent, sizeof...(Columns)> extents_of(
    const thrust::zip_iterator<thrust::tuple<Columns...>>& first, std::uint64_t n) {
  return extents_of_columns(first.get_iterator_tuple(), n, std::index_sequence_for<Columns...>{});
}
#endif

/// Whether two ranges of n > 0 elements are one and the same, in the same direction, as far as
/// their iterators show.
template <class First, class Second>
bool is_same_range(const First& first, const Second& second, std::uint64_t n) {
  const auto is_same = [&](std::uint64_t count) {
    const auto a = extents_of(first, count);
    const auto b = extents_of(second, count);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const memory_extent& x, const memory_extent& y) {
                        return x.begin != nullptr && x.begin == y.begin;
                      });
  };
  return is_same(1) && is_same(n);
}

/// Refuses ranges of n elements that are not disjoint, and columns of each, as far as their
/// iterators show where they are.
template <class... Iterators>
void reject_overlaps(std::uint64_t n, const Iterators&... ranges) {
  std::array<memory_extent, (0 + ... + std::tuple_size_v<decltype(extents_of(ranges, n))>)> all;
  auto end = all.begin();
  const auto append = [&](const auto& extents) {
    for (const memory_extent& one : extents) {
      for (auto other = all.begin(); other != end; ++other) {
        reject_overlap(one.begin, one.bytes, other->begin, other->bytes,
                       "two of its ranges overlap; pass ranges that share no memory");
      }
      *end++ = one;
    }
  };
  (append(extents_of(ranges, n)), ...);
}

/// Refuses a range that is written and overlaps itself, or one that is read and may be any.
template <class In, class Out>
void reject_overlap_of_output(std::uint64_t n, const In& in, const Out& out) {
  reject_overlaps(n, out);
  for (const memory_extent& from : extents_of(in, n)) {
    for (const memory_extent& to : extents_of(out, n)) {
      reject_overlap(from.begin, from.bytes, to.begin, to.bytes,
                     "two of its ranges overlap; pass ranges that share no memory");
    }
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
  if constexpr (!Call::requires_device && is_any_device_typed_v<Iterators...>) {
    throw_no_device("a range is in device memory; copy it to the host");
  } else {
    on_host<Call>(body, compare);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
