// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/algorithm/is_sorted.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/memory_source.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether an array on the current device is in order. Waits.
template <class Call, class Array, class Compare>
bool is_sorted_on_device(const Call& call, Array array, std::uint64_t n, const Compare& compare) {
  using test = is_sorted<Array, Compare>;
  const auto scratch = scratch_buffer::or_throw(call.memory, test::scratch_bytes(), call.stream);
  test::run(call.stream, array, n, compare, scratch.template as<int>());
  int is_unsorted = 0;
  check(cudaMemcpyAsync(&is_unsorted, scratch.data(), sizeof(int), cudaMemcpyDeviceToHost,
                        call.stream),
        "reading a result");
  check(cudaStreamSynchronize(call.stream), "waiting for a result");
  return is_unsorted == 0;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
