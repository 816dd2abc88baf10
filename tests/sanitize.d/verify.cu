// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/sort.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

template <class T>
void expect_verified(std::size_t skipped) {
  const std::vector<T> values = random_values<T>(5003);
  const device_array<T> data(values);
  gpusort::sort(gpusort::par_gpu.with(gpusort::verify), data.data() + skipped, data.end(),
                opaque{});
  auto wanted = values;
  std::sort(wanted.begin() + static_cast<std::ptrdiff_t>(skipped), wanted.end());
  expect(data.read() == wanted, "not sorted");
}

SANITIZE_CASE(verify, "verify_kernel") { expect_verified<std::uint64_t>(0); }
SANITIZE_CASE(verify_vectors, "verify_vectors_kernel") { expect_verified<std::uint32_t>(1); }

}  // namespace
}  // namespace sanitize
