// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/external/in_pieces.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Sorts n elements in host memory that are more than the devices hold together: in pieces, over
/// the links of all of them. Waits.
template <bool Stable, class Call, class Compare, class Iterator>
void sort_in_pieces_on_devices(const Call& call, const std::vector<int>& devices, Iterator first,
                               std::uint64_t n, const Compare& compare) {
  using key = value_t<Iterator>;
  using problem = problem_of<Call, Stable, false, Compare, key>;
  device_links links(devices);
  links.begin_after(call.stream);
  std::vector<external_device> lanes;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    lanes.push_back({devices[i], links.stream(i), call.memory});
  }
  const auto sort = [&](key* data, pointer_kind kind) {
    sort_in_pieces_on<problem>(lanes, unlimited_bytes, {}, data, kind, n, compare);
  };
  if constexpr (is_contiguous_v<Iterator>) {
    sort(address_of(first), kind_of_range(first));
  } else if constexpr (!is_device_typed_v<Iterator>) {
    const host_elements<key> copy(n);
    copy.read(first);
    sort(copy.data(), pointer_kind{});
    copy.write(first);
  }
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
