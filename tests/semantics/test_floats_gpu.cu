// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under less and greater floats have one order, IEEE total order with -0 equal to +0, on every
// route, on the host, and wherever NaNs are.
#include <cmath>
#include <limits>

#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class float_order : public gpu_test {};

using subjects = ::testing::Types<subject<float, gpusort::less>, subject<float, gpusort::greater>,
                                  subject<double, gpusort::less>, subject<double, gpusort::greater>,
                                  subject<__half, gpusort::less>, subject<__half, gpusort::greater>,
                                  subject<__nv_bfloat16, gpusort::less>>;
TYPED_TEST_SUITE(float_order, subjects);

TYPED_TEST(float_order, of_the_functor_is_the_reference) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  const auto expected = reference<compare>::of(compare{});
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto a = value_at<value>(distribution::special, i, 20000, seed());
    const auto b = value_at<value>(distribution::special, i * 7 % 20000, 20000, seed() + 1);
    ASSERT_EQ(compare{}(a, b), expected(a, b)) << i;
  }
}

TYPED_TEST(float_order, is_the_same_bits_on_every_route) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  const auto order = reference<compare>::of(compare{});
  for (std::size_t n : route_sizes()) {
    const sort_case c = make_case(distribution::special, n);
    column<value> expected = generate<value>(c.data, n, seed());
    std::stable_sort(expected.begin(), expected.end(), order);
    for (const call& how : every_route<value, compare>(n)) {
      const auto range = make_input<TypeParam>(c);
      TypeParam::run(how, range.begin(), range.end(), compare{});
      const findings f = examine_output<TypeParam>(c, range, compare{}, promise::order);
      ASSERT_TRUE(f.ok()) << how << " of " << c << ": " << f;
      const auto output = range.read();
      for (std::size_t i = 0; i < n; ++i) {
        const bool may_differ = !how.stable && rank_of(output[i]) == rank_of(value(0.0f));
        ASSERT_TRUE(may_differ || same_bytes(output[i], expected[i])) << how << " at " << i;
      }
    }
  }
}

// The values spelled out, against a mistake shared with the kit's reference.
TEST_F(gpu_test, floats_in_their_documented_order) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const column<float> expected{
      std::copysign(nan, -1.0f), -inf, -1.0f, -1e-45f, 0.0f, 1e-45f, 1.0f, inf, nan};
  column<float> shuffled(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    shuffled[i] = expected[i * 4 % expected.size()];
  }
  for (const call& how : every_route<float, gpusort::less>(expected.size())) {
    const buffer<float> range(shuffled, 1);
    subject<float, gpusort::less>::run(how, range.begin(), range.end(), {});
    const auto output = range.read();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(same_bytes(output[i], expected[i])) << how << " at " << i;
    }
  }
}

// Equal is not identical: both zeros come out as often as they went in, in their order when stable.
TEST_F(gpu_test, zeros_keep_their_signs) {
  for (std::size_t n : route_sizes()) {
    column<double> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = random_at(seed(), i) % 2 ? 0.0 : -0.0;
    for (const call& how : every_route<double, gpusort::less>(n)) {
      const buffer<double> range(input, 1);
      subject<double, gpusort::less>::run(how, range.begin(), range.end(), {});
      const findings f =
          examine(input, range.read(), reference_less{},
                  how.stable ? promise::stability : promise::order, std::size_t{1} << 20);
      ASSERT_TRUE(f.ok()) << how << ", n = " << n << ": " << f;
    }
  }
}

}  // namespace
}  // namespace kit
