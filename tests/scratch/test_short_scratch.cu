// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts with a buffer that holds little more than the range.
#include <gpusort/gpusort.hpp>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"

namespace kit {
namespace {

class short_scratch : public gpu_test {};

/// The bitonic network makes more comparisons than the test allows.
TEST_F(short_scratch, a_copy_of_the_range_is_enough_to_merge) {
  const std::size_t n = small_sizes_only() ? 30011 : 3000017;
  const auto input = generate<std::uint64_t>(distribution::uniform, n, seed());
  const buffer<std::uint64_t> range(input, 1);
  const buffer<unsigned char> scratch(n * sizeof(std::uint64_t) * 103 / 100);
  const auto policy = gpusort::par_gpu.with(gpusort::scratch(scratch.data(), scratch.size()));
  const shared_counter counter;
  const opaque compare(behavior::counting, 0, counter.get());
  gpusort::sort(policy, range.data(), range.data() + n, compare);
  const auto found = examine(input, range.read(), opaque{}, promise::order);
  EXPECT_TRUE(found.ok() && range.intact() && scratch.intact()) << found;
  EXPECT_LT(static_cast<double>(*counter.get()), 40.0 * static_cast<double>(n));
}

}  // namespace
}  // namespace kit
