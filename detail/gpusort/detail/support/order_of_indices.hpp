// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/order_by.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Reads what a field reads of the element of an index.
template <class First, class Access>
struct at_index {
  First first;
  Access access;

  GPUSORT_HOST_DEVICE decltype(auto) operator()(std::uint64_t i) const {
    return read_again(access, first[static_cast<std::ptrdiff_t>(i)]);
  }
};

template <class First, class Access>
struct runs_on_host<at_index<First, Access>> : runs_on_host<Access> {};

template <class First, class Access, bool Descending, nan_order Nan, class Valid, bool NullsFirst>
auto field_of_indices(const First& first,
                      const order_field<Access, Descending, Nan, Valid, NullsFirst>& field) {
  using at = at_index<First, Access>;
  if constexpr (is_by_index_v<Valid> || std::is_same_v<Valid, never_null>) {
    return order_field<at, Descending, Nan, Valid, NullsFirst>{{first, field.access}, field.valid};
  } else {
    return order_field<at, Descending, Nan, at_index<First, Valid>, NullsFirst>{
        {first, field.access}, {first, field.valid}};
  }
}

template <class First, class... Fields>
using fields_of_indices_t =
    field_list<decltype(field_of_indices(std::declval<First>(), std::declval<Fields>()))...>;

template <class First, class Field, class... Rest>
fields_of_indices_t<First, Field, Rest...> fields_of_indices(
    const First& first, const field_list<Field, Rest...>& fields) {
  if constexpr (sizeof...(Rest) == 0) {
    return {field_of_indices(first, fields.first)};
  } else {
    return {field_of_indices(first, fields.first), fields_of_indices(first, fields.rest)};
  }
}

/// Returns the order of the indices of a range: that of its elements, which `first` reads.
template <class First, class... Fields>
auto order_of_indices(const First& first, const ordered_by<Fields...>& order) {
  return ordered_by<decltype(field_of_indices(first, std::declval<Fields>()))...>{
      fields_of_indices(first, order.fields)};
}

/// Calls f(validity) for each field whose nulls are told by indices.
template <class F, class Field, class... Rest>
void for_each_validity(const field_list<Field, Rest...>& fields, const F& f) {
  if constexpr (tells_nulls_by_index_v<Field>) f(fields.first.valid);
  if constexpr (sizeof...(Rest) > 0) for_each_validity(fields.rest, f);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
