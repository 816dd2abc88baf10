// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Elements of a range that ranks share.
struct part {
  std::uint64_t begin;
  std::uint64_t n;
};

/// Returns equally many elements for each rank, or one more for the first ones.
inline part part_of(std::uint64_t n, std::size_t rank, std::size_t p) {
  const std::uint64_t each = n / p, more = n % p;
  return {each * rank + (rank < more ? rank : more), each + (rank < more ? 1 : 0)};
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
