// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/inferred_number_sort.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The numbers of sample sort by what is compared.
template <class Element, class Compare>
using sample_sort_numbers =
    std::conditional_t<follows_indices<Compare>, tuning::sample_sort_of_indices<sizeof(Element)>,
                       std::conditional_t<tile::may_be_numbers<Element, Compare>,
                                          tuning::sample_sort_of_numbers<sizeof(Element)>,
                                          tuning::sample_sort<sizeof(Element)>>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
