// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Loads a thread's items: number i is at index(i), if it exists. All are on their way before the
/// first is encoded.
template <int Items, class In, class T, class Index, class Exists>
GPUSORT_DEVICE void load_items(const In& in, T (&x)[Items], const Index& index,
                               const Exists& exists) {
  if constexpr (is_encoded_v<In>) {
    fetched_element_t<In> fetched[Items];
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (exists(i)) fetched[i] = fetch(in, index(i));
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (exists(i)) x[i] = hold(in, fetched[i]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (exists(i)) x[i] = in.load(index(i));
    }
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
