// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/tile_sorts.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The numbers of sample sort by what is compared.
template <class Element, class Compare>
using sample_sort_numbers = std::conditional_t<
    follows_indices<Compare>, tuning::sample_sort_of_indices<sizeof(Element)>,
    std::conditional_t<tile::may_order_words<Element, Compare>,
                       tuning::sample_sort_of_words<sizeof(Element)>,
                       std::conditional_t<tile::may_be_numbers<Element, Compare>,
                                          tuning::sample_sort_of_numbers<sizeof(Element)>,
                                          tuning::sample_sort<sizeof(Element)>>>>;

/// The numbers for fewer than Numbers::least_n elements, where they are others.
template <class Numbers, class = void>
inline constexpr bool has_numbers_of_few = false;
template <class Numbers>
inline constexpr bool has_numbers_of_few<Numbers, std::void_t<typename Numbers::few_numbers>> =
    true;

template <class Numbers, class = void>
struct numbers_of_few_impl {
  using type = Numbers;
};
template <class Numbers>
struct numbers_of_few_impl<Numbers, std::void_t<typename Numbers::few_numbers>> {
  using type = typename Numbers::few_numbers;
};
template <class Numbers>
using numbers_of_few = typename numbers_of_few_impl<Numbers>::type;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
