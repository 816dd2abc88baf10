// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a comparator answers, the output is a permutation of the input, nothing outside the
// range is touched, and the call returns.
#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class inconsistent_comparators : public gpu_test {};

using subjects = ::testing::Types<subject<std::uint32_t, opaque>, subject<std::uint64_t, opaque>,
                                  subject<float, opaque>, subject<record<3>, opaque>,
                                  subject<record<12>, opaque>, subject<record<16>, opaque>,
                                  subject<record<64>, opaque>, subject<record<128>, opaque>>;
TYPED_TEST_SUITE(inconsistent_comparators, subjects);

TYPED_TEST(inconsistent_comparators, lose_nothing_on_any_route) {
  using value = typename TypeParam::value;
  const shared_counter counter;
  for (auto m : every_inconsistent_comparator) {
    const opaque comp(m, seed(), counter.get());
    for (std::size_t n : route_sizes()) {
      for (const call& how : every_route<value, opaque>(n)) {
        for (auto d :
             some_of({distribution::uniform, distribution::few_distinct, distribution::sorted})) {
          const auto verdict = permutes<TypeParam>(make_case(d, n), how, comp);
          ASSERT_TRUE(verdict) << name_of(m);
        }
      }
    }
  }
}

TYPED_TEST(inconsistent_comparators, lose_nothing_in_a_large_range) {
  using value = typename TypeParam::value;
  const shared_counter counter;
  for (auto m : every_inconsistent_comparator) {
    const opaque comp(m, seed(), counter.get());
    for (std::size_t n : large_sizes()) {
      if (n * sizeof(value) > case_bytes) continue;
      for (bool stable : {false, true}) {
        call how;
        how.stable = stable;
        const auto c = make_case(distribution::uniform, n);
        const auto verdict = permutes<TypeParam>(c, how, comp);
        ASSERT_TRUE(verdict) << name_of(m);
      }
    }
  }
}

TYPED_TEST(inconsistent_comparators, lose_nothing_in_host_memory) {
  for (auto m : {behavior::random, behavior::slips, behavior::clock}) {
    for (auto kind : {memory_kind::managed, memory_kind::pinned, memory_kind::pageable}) {
      sort_case c = make_case(distribution::uniform, 5000);
      c.memory = kind;
      const auto verdict = permutes<TypeParam>(c, call{}, opaque(m, seed()));
      ASSERT_TRUE(verdict) << name_of(m);
    }
  }
}

class nan_under_less_than : public gpu_test {};

// a < b is no strict weak order on data with NaNs; the users who write it have no others.
TEST_F(nan_under_less_than, loses_nothing_on_any_route) {
  for (std::size_t n : route_sizes()) {
    for (const call& how : every_route<float, opaque>(n)) {
      for (std::uint64_t offset : {0, 1, 3}) {
        sort_case c = make_case(distribution::special, n);
        c.offset = offset;
        ASSERT_TRUE((permutes<subject<float, opaque>>(c, how, opaque())));
      }
    }
  }
}

}  // namespace
}  // namespace kit
