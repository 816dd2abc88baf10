// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public calls compiled by a plain C++ compiler: they run on the CPU.
#include <gtest/gtest.h>

#include <atomic>
#include <gpusort/gpusort.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/environment.hpp"
#include "../kit/generate.hpp"
#include "../kit/public_api.hpp"
#include "../kit/red_zones.hpp"

namespace kit {
namespace {

template <class T>
class host_public_api : public ::testing::Test {};
using key_types = ::testing::Types<bool, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t,
                                   uint128, float, double>;
TYPED_TEST_SUITE(host_public_api, key_types);

TYPED_TEST(host_public_api, sorts_in_both_orders) {
  for (std::size_t n : public_api_sizes()) {
    for (auto d : every_distribution) {
      EXPECT_TRUE(public_api<TypeParam>(d, n, gpusort::less{}, reference_less{}));
      EXPECT_TRUE(public_api<TypeParam>(d, n, gpusort::greater{}, reference_greater{}));
    }
    EXPECT_TRUE(public_api<TypeParam>(distribution::special, n, gpusort::less{}, reference_less{}));
  }
}

template <class T>
class host_records : public ::testing::Test {};
using record_types = ::testing::Types<record<1>, record<3>, record<12>, record<16>, record<64>,
                                      record<100, 1>, record<4096>>;
TYPED_TEST_SUITE(host_records, record_types);

TYPED_TEST(host_records, sort_by_any_comparator) {
  for (std::size_t n : public_api_sizes()) {
    if (n * sizeof(TypeParam) > 1 << 24) continue;
    for (auto m : {behavior::honest, behavior::descending, behavior::coarse}) {
      EXPECT_TRUE(public_api<TypeParam>(distribution::uniform, n, opaque(m), opaque(m)));
      EXPECT_TRUE(public_api<TypeParam>(distribution::few_distinct, n, opaque(m), opaque(m)));
    }
  }
}

TYPED_TEST(host_records, survive_liars) {
  unsigned long long counter = 0;
  for (std::size_t n : {2, 33, 1000, 5000}) {
    if (n * sizeof(TypeParam) > 1 << 20) continue;
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), &counter);
      EXPECT_TRUE(public_api_permutes<TypeParam>(distribution::uniform, n, comp)) << name_of(m);
      EXPECT_TRUE(public_api_permutes<TypeParam>(distribution::few_distinct, n, comp))
          << name_of(m);
    }
  }
}

TEST(host, sort_by_key_with_several_values) { sort_by_key_public_api(); }
TEST(host, bad_input) { bad_input_public_api(); }
TEST(host, argsort_is_sorted_and_scratch) { queries_public_api(); }
TEST(host, orders) { orders_public_api(); }
TEST(host, iterators) { iterators_public_api(); }
TEST(host, options) { options_public_api(); }

TEST(host, throwing_comparators_leave_a_permutation) {
  for (std::size_t n : {100, 5000, 200000}) {
    for (long long throw_at : {0, 1, 50, 1000, 100000}) {
      const auto in = generate<record<16>>(distribution::uniform, n, seed());
      guarded<record<16>> range(in, 1);
      std::atomic<long long> calls{0};
      bool thrown = false;
      try {
        gpusort::sort(gpusort::par_gpu, range.begin(), range.end(),
                      [&](const record<16>& a, const record<16>& b) {
                        if (calls++ == throw_at) throw std::runtime_error("enough");
                        return key_of(a) < key_of(b);
                      });
      } catch (const std::runtime_error& e) {
        thrown = std::string(e.what()) == "enough";
      }
      EXPECT_EQ(thrown, calls > throw_at);
      EXPECT_TRUE(same_multiset(in, range.read()));
      EXPECT_TRUE(range.intact());
    }
  }
}

TEST(host, a_device_can_be_required) {
  std::vector<int> values{3, 1, 2};
  EXPECT_THROW(
      gpusort::sort(gpusort::par_gpu.with(gpusort::require_device), values.begin(), values.end()),
      gpusort::cuda_error);
  EXPECT_EQ(values, (std::vector<int>{3, 1, 2}));
}

}  // namespace
}  // namespace kit
