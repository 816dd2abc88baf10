// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda/std/tuple>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/swap_elements.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Keys with several ranges of values, for sorts that only swap elements.
template <class Key, class... Values>
struct columns_array {
  // Larger than any register file would take, so that sorts swap elements where they are.
  struct value_type {
    unsigned char bytes[4096];
  };

  Key* keys;
  cuda::std::tuple<Values*...> values;

  GPUSORT_HOST_DEVICE columns_array operator+(std::uint64_t n) const {
    return {keys + n,
            cuda::std::apply(
                [n](auto*... columns) { return cuda::std::tuple<Values*...>(columns + n...); },
                values)};
  }
};

template <class Key, class... Values, class Compare>
GPUSORT_DEVICE bool is_before(const columns_array<Key, Values...>& array, std::uint64_t i,
                              std::uint64_t j, Compare& compare) {
  return static_cast<bool>(compare(array.keys[i], array.keys[j]));
}

template <class Key, class... Values, class Use>
GPUSORT_DEVICE void for_each_column(const columns_array<Key, Values...>& array, Use use) {
  use(array.keys);
  cuda::std::apply([&](auto*... columns) { (use(columns), ...); }, array.values);
}

/// Returns the handle and the order that sort columns in place: the plainest that can hold them.
template <class Key>
key_array<Key> array_of_columns(Key* keys) {
  return {keys};
}
template <class Key, class Value>
key_value_array<Key, Value> array_of_columns(Key* keys, Value* values) {
  return {keys, values};
}
template <class Key, class... Values>
columns_array<Key, Values...> array_of_columns(Key* keys, Values*... values) {
  return {keys, cuda::std::tuple<Values*...>(values...)};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
