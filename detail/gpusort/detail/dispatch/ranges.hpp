// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/contiguous.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>

#if GPUSORT_CUDA
#include <thrust/iterator/discard_iterator.h>
#include <cuda/std/tuple>
#include <gpusort/detail/dispatch/iterators.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the pointer that an iterator of a contiguous range on the host stands for, where the
/// range is not empty; any other iterator as it is.
template <class Iterator>
auto host_iterator(Iterator first) {
  if constexpr (is_host_contiguous<Iterator>()) {
    return address_of(first);
  } else {
    return first;
  }
}

/// Returns host_iterator(first) for a range that may be empty.
template <class Iterator>
auto host_iterator(Iterator first, std::uint64_t n) {
  using result = decltype(host_iterator(first));
  if constexpr (std::is_pointer_v<result>) {
    return n == 0 ? result{} : host_iterator(first);
  } else {
    return first;
  }
}

[[noreturn]] inline void throw_no_device(const char* why) {
  constexpr int no_device = 100;  // cudaErrorNoDevice
  throw cuda_error(no_device, error_text(std::string("there is no CUDA device, and ") + why));
}

/// Runs body(functions...) where all of them can be called on the CPU, and throws where they
/// cannot.
template <class Call, class Body, class... Functions>
void on_host([[maybe_unused]] Body body, [[maybe_unused]] const Functions&... functions) {
  if constexpr (Call::requires_device) {
    throw_no_device("the policy requires one; leave out require_device");
  } else if constexpr ((runs_on_host<Functions>::value && ...)) {
    body(host_callable<Functions>{functions}...);
  } else {
    throw_no_device("a __device__ lambda cannot run on the CPU; make it __host__ __device__");
  }
}

template <class Iterator>
std::uint64_t length_of(Iterator first, Iterator last) {
  const auto n = last - first;
  if (n < 0) refuse("last is before first; pass the beginning of a range and then its end");
  return static_cast<std::uint64_t>(n);
}

/// Bytes in memory; none for a range whose iterator does not show where it is.
struct memory_extent {
  const void* begin = nullptr;
  std::uint64_t bytes = 0;
};

inline void reject_overlap(const memory_extent& a, const memory_extent& b, const char* what) {
  const auto x = reinterpret_cast<std::uintptr_t>(a.begin),
             y = reinterpret_cast<std::uintptr_t>(b.begin);
  if (x < y + b.bytes && y < x + a.bytes) refuse(what);
}

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
template <class... Columns>
std::array<memory_extent, sizeof...(Columns)> extents_of(
    const thrust::zip_iterator<thrust::tuple<Columns...>>& first, std::uint64_t n) {
  return cuda::std::apply(
      [n](const Columns&... column) {
        return std::array<memory_extent, sizeof...(Columns)>{extent_of(column, n)...};
      },
      first.get_iterator_tuple());
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
        reject_overlap(one, *other, "two of its ranges overlap; pass ranges that share no memory");
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
      reject_overlap(from, to, "two of its ranges overlap; pass ranges that share no memory");
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

/// n elements of a range of keys and, by key, of one of values.
template <class... Iterators>
struct columns {
  std::tuple<Iterators...> first;
  std::uint64_t n;
};

/// Whether an output takes whatever is written to it: it has no elements to convert to.
template <class Iterator>
inline constexpr bool takes_anything_v =
#if GPUSORT_CUDA
    std::is_same_v<value_t<Iterator>, value_t<thrust::discard_iterator<>>> ||
#endif
    std::is_void_v<value_t<Iterator>>;

/// Stands for what elements are converted to on their way from In to Out, and compared as.
template <class Out, class In>
using merged_t = std::conditional_t<takes_anything_v<Out>, value_t<In>, value_t<Out>>;

template <class... Iterators>
std::array<memory_extent, sizeof...(Iterators)> extents_of(const columns<Iterators...>& range) {
  return std::apply(
      [&](const auto&... first) {
        return std::array<memory_extent, sizeof...(Iterators)>{extent_of(first, range.n)...};
      },
      range.first);
}

/// Refuses columns of `out` that overlap one of `in`.
template <class Out, class In>
void reject_output_overlap(const Out& out, const In& in) {
  for (const memory_extent& to : extents_of(out)) {
    for (const memory_extent& from : extents_of(in)) {
      reject_overlap(to, from,
                     "its output overlaps an input; merge into memory of its own, or neighbours by "
                     "inplace_merge");
    }
  }
}

template <class Keys, class Values>
void reject_output_overlap_of(const columns<Keys, Values>& out) {
  const auto extents = extents_of(out);
  reject_overlap(extents[0], extents[1],
                 "its outputs of keys and of values overlap; pass ranges that share no memory");
}
template <class Keys>
void reject_output_overlap_of(const columns<Keys>&) {}

template <class Iterator>
Iterator end_of(Iterator first, std::uint64_t n) {
  return first + static_cast<typename std::iterator_traits<Iterator>::difference_type>(n);
}

/// k segments of a range: between neighbours of k + 1 offsets, of which `ends` is the second; or
/// from each of k offsets to the one with the same number.
template <bool AreNeighbours, class Begins, class Ends>
struct segment_bounds {
  using begin_iterator = Begins;
  using end_iterator = Ends;
  using offset = value_t<Begins>;
  static constexpr bool are_neighbours = AreNeighbours;

  Begins begins;
  Ends ends;
  std::uint64_t k;
};

/// Throws std::invalid_argument where offsets on the host bound no k > 0 segments of n elements.
template <class Bounds>
void require_offsets_within(const Bounds& bounds, std::uint64_t n) {
  using offset = typename Bounds::offset;
  offset before{};
  for (std::uint64_t i = 0; i < bounds.k; ++i) {
    const offset first = host::element(bounds.begins, i), last = host::element(bounds.ends, i);
    if (i == 0 && first < before) {
      refuse(
          "an offset of the segments is negative; offsets count from the beginning of the range");
    }
    if (last < first || first < before) {
      refuse(Bounds::are_neighbours
                 ? "the offsets of the segments decrease; pass k + 1, none less than the one before"
                 : "a segment ends before it begins, or after the next one begins; pass segments "
                   "in their order that do not overlap");
    }
    before = last;
  }
  if (static_cast<std::uint64_t>(before) > n) {
    refuse(
        "an offset of the segments is after the range; the last is at most the number of "
        "elements");
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
