// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/sort.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(verify, "verify_kernel") {
  const std::vector<std::uint32_t> values = random_values(5003);
  const device_array<std::uint32_t> data(values);
  gpusort::sort(gpusort::par_gpu.with(gpusort::verify), data.data(), data.end(), opaque{});
  expect(data.read() == sorted(values), "not sorted");
}

}  // namespace
}  // namespace sanitize
