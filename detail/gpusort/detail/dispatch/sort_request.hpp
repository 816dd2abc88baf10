// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <tuple>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Holds what is sorted, in memory that the current device reaches: n keys of `in` into `keys`,
/// which may be the same array, and their values.
template <class Key, class Compare, class... Values>
struct sort_request {
  const Key* in;
  Key* keys;
  std::uint64_t n;
  Compare compare;
  std::tuple<Values*...> values;
  call_stream stream;  // without a completion where the call does not wait, or does more than sort
  bool is_aligned;     // to wide_alignment of each type, where layout_of() is elements
  kernel::sortedness known = {};  // what a key inference has found of the order, if there was one
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
