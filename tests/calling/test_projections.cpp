// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call with a projection, and with {} in the place of the comparator, on the CPU.
#include <functional>

#include "../kit/projected_calls.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

template <class Policy, class Projection>
void every_call(const Policy& policy, Projection projection) {
  for (std::size_t n : {0, 1, 2, 100, 5000}) {
    const trades in = random_trades(n);
    projected_sorts(policy, in, projection);
    projected_merges(policy, in, projection);
    projected_segments(policy, in, projection);
  }
}

TEST(projections, to_a_member) { every_call(par_gpu, &trade::volume); }
TEST(projections, by_a_functor) { every_call(par_gpu.with(gpusort::deterministic), volume_of{}); }
TEST(projections, under_verify) {
  every_call(par_gpu.with(gpusort::verify, gpusort::keep_input), &trade::volume);
}
TEST(projections, are_left_out) { default_orders(par_gpu); }

TEST(projections, of_another_order) {
  trades a = random_trades(100);
  numbers values(a.size());
  gpusort::sort_by_key(
      par_gpu, a.begin(), a.end(), values.begin(), [](int x, int y) { return x > y; },
      [](const trade& t) { return t.volume; });
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, a.begin(), a.end(), std::greater<>{}, volume_of{}));
}

TEST(projections, to_the_elements) {
  std::vector<int> a{3, 1, 2};
  gpusort::sort(par_gpu, a.begin(), a.end(), gpusort::greater{}, {});
  EXPECT_EQ(a, (std::vector<int>{3, 2, 1}));
#if __cplusplus >= 202002L
  gpusort::sort(par_gpu, a.begin(), a.end(), {}, std::identity{});
  EXPECT_EQ(a, (std::vector<int>{1, 2, 3}));
#endif
}

}  // namespace
}  // namespace kit
