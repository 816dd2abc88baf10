// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <thrust/iterator/discard_iterator.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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
      reject_overlap(to.begin, to.bytes, from.begin, from.bytes,
                     "its output overlaps an input; merge into memory of its own, or neighbours by "
                     "inplace_merge");
    }
  }
}

template <class Keys, class Values>
void reject_output_overlap_of(const columns<Keys, Values>& out) {
  const auto extents = extents_of(out);
  reject_overlap(extents[0].begin, extents[0].bytes, extents[1].begin, extents[1].bytes,
                 "its outputs of keys and of values overlap; pass ranges that share no memory");
}
template <class Keys>
void reject_output_overlap_of(const columns<Keys>&) {}

template <class Iterator>
Iterator end_of(Iterator first, std::uint64_t n) {
  return first + static_cast<typename std::iterator_traits<Iterator>::difference_type>(n);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
