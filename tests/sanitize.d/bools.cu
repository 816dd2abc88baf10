// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/radix_sort.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(bools, "count_first_bools_kernel", "partition_bools_kernel") {
  using sort = gpusort::detail::radix_sort<bool, std::uint32_t>;
  const std::size_t n = 20011;
  const std::vector<unsigned char> keys = random_values<unsigned char>(n);
  const std::vector<std::uint32_t> values = random_values(n);
  const device_array<unsigned char> data(keys);
  const device_array<std::uint32_t> beside(values);
  const scratch memory(sort::scratch_bytes(n, true));
  auto* const bools = reinterpret_cast<bool*>(data.data());
  sort::run(nullptr, bools, beside.data(), bools, beside.data(), n, memory.data());
  std::vector<unsigned char> expected = keys;
  std::stable_partition(expected.begin(), expected.end(), [](unsigned char x) { return x == 0; });
  expect(data.read() == expected, "not partitioned");
  const std::size_t falses = static_cast<std::size_t>(std::count(keys.begin(), keys.end(), 0));
  const std::vector<std::uint32_t> moved = beside.read();
  expect(sorted(moved) == sorted(values) && falses < n, "values were lost");
}

}  // namespace
}  // namespace sanitize
