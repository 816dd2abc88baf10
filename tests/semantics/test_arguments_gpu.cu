// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparator is only ever called on elements of the range: not on padding, not on what lies
// before or after, not on what scratch memory held.
#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class arguments : public gpu_test {};

using subjects = ::testing::Types<subject<record<12>, opaque>, subject<record<16>, opaque>,
                                  subject<record<32>, opaque>, subject<record<64>, opaque>,
                                  subject<record<128>, opaque>>;
TYPED_TEST_SUITE(arguments, subjects);

TYPED_TEST(arguments, are_elements_on_every_route) {
  const shared_counter foreign;
  const opaque comp(behavior::inspecting, seed(), foreign.get());
  for (std::size_t n : route_sizes()) {
    for (const call& how : every_route<typename TypeParam::value, opaque>(n)) {
      const sort_case c = make_case(distribution::uniform, n);
      ASSERT_TRUE(sorts<TypeParam>(c, how, comp));
      ASSERT_EQ(*foreign.get(), 0u) << how << " of " << c;
    }
  }
}

TYPED_TEST(arguments, are_elements_at_the_edges) {
  const shared_counter foreign;
  const opaque comp(behavior::inspecting, seed(), foreign.get());
  for (std::size_t n : edge_sizes()) {
    for (bool stable : {false, true}) {
      call how;
      how.stable = stable;
      const sort_case c = make_case(distribution::uniform, n);
      ASSERT_TRUE(sorts<TypeParam>(c, how, comp));
      ASSERT_EQ(*foreign.get(), 0u) << how << " of " << c;
    }
  }
}

// The allocator's memory is full of rubbish, which would be seen.
TYPED_TEST(arguments, are_elements_whatever_scratch_holds) {
  const shared_counter foreign;
  const opaque comp(behavior::inspecting, seed(), foreign.get());
  counting_allocator allocator;
  for (std::size_t n : route_sizes()) {
    for (call how : every_route<typename TypeParam::value, opaque>(n)) {
      how.allocator = &allocator;
      const sort_case c = make_case(distribution::uniform, n);
      ASSERT_TRUE(sorts<TypeParam>(c, how, comp));
      ASSERT_EQ(*foreign.get(), 0u) << how << " of " << c;
    }
  }
  EXPECT_TRUE(allocator.clean());
}

}  // namespace
}  // namespace kit
