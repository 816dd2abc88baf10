// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/bucket_sorter.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The tuning of sample sort by what is compared.
template <class Element, class Compare, tuning::architecture Arch = tuning::architecture::every>
using sample_sort_tuning = std::conditional_t<
    follows_indices<Compare>, tuning::sample_sort_of_indices<sizeof(Element), Arch>,
    std::conditional_t<tile::may_order_words<Element, Compare>,
                       tuning::sample_sort_of_words<sizeof(Element), Arch>,
                       std::conditional_t<tile::may_be_numbers<Element, Compare>,
                                          tuning::sample_sort_of_numbers<sizeof(Element), Arch>,
                                          tuning::sample_sort<sizeof(Element), Arch>>>>;

/// The tuning for fewer than Tuning::least_n elements, where it is another one.
template <class Tuning, class = void>
inline constexpr bool has_tuning_below_least_n = false;
template <class Tuning>
inline constexpr bool
    has_tuning_below_least_n<Tuning, std::void_t<typename Tuning::below_least_n>> = true;

template <class Tuning, class = void>
struct tuning_below_least_n_impl {
  using type = Tuning;
};
template <class Tuning>
struct tuning_below_least_n_impl<Tuning, std::void_t<typename Tuning::below_least_n>> {
  using type = typename Tuning::below_least_n;
};
template <class Tuning>
using tuning_below_least_n = typename tuning_below_least_n_impl<Tuning>::type;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
