// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// apply_permutation and its inverse where there is no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

template <class Index>
std::vector<Index> shuffled(std::size_t n) {
  std::vector<Index> p(n);
  std::iota(p.begin(), p.end(), Index{0});
  for (std::size_t i = n; i > 1; --i) std::swap(p[i - 1], p[random_at(seed(), i) % i]);
  return p;
}

template <class Index>
class host_permutation : public ::testing::Test {};
using index_types = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(host_permutation, index_types);

TYPED_TEST(host_permutation, moves_all_ranges_there_and_back) {
  for (int cores : {1, 3}) {
    for (std::size_t n : {0, 1, 2, 3, 100, 1023, 1024, 5000, 70001}) {
      const auto order = shuffled<TypeParam>(n);
      const auto in = generate<record<100, 1>>(distribution::uniform, n, seed());
      const guarded<record<100, 1>> data(in, 1);
      std::deque<int> values(n);
      std::iota(values.begin(), values.end(), 0);
      with_cores(cores, [&] {
        gpusort::apply_permutation(par_gpu, data.begin(), data.end(), order.begin(),
                                   values.begin());
      });
      const auto out = data.read();
      for (std::size_t i = 0; i < n; ++i) {
        const auto from = static_cast<std::size_t>(order[i]);
        ASSERT_TRUE(same_bytes(out[i], in[from])) << i << " of " << n;
        ASSERT_EQ(values[i], static_cast<int>(from));
      }
      with_cores(cores, [&] {
        gpusort::apply_inverse_permutation(par_gpu, data.begin(), data.end(), order.begin(),
                                           values.begin());
      });
      const auto back = data.read();
      EXPECT_TRUE(std::equal(in.begin(), in.end(), back.begin(), same_bytes<record<100, 1>>));
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
      EXPECT_TRUE(data.intact());
    }
  }
}

TYPED_TEST(host_permutation, refuses_indices_that_are_none) {
  for (std::size_t n : {1, 2, 33, 5000}) {
    for (std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      for (const auto wrong : {static_cast<TypeParam>(n), static_cast<TypeParam>(-1),
                               static_cast<TypeParam>(n + 31)}) {
        auto order = shuffled<TypeParam>(n);
        order[at] = wrong;
        const auto in = shuffled<std::uint16_t>(n);
        auto data = in;
        const auto first = data.begin(), last = data.end();
        EXPECT_THROW(gpusort::apply_permutation(par_gpu, first, last, order.begin()),
                     std::invalid_argument);
        EXPECT_THROW(gpusort::apply_inverse_permutation(par_gpu, first, last, order.begin()),
                     std::invalid_argument);
        EXPECT_EQ(data, in);
      }
    }
  }
  std::vector<TypeParam> doubled{0, 1, 2, 2, 4};
  std::vector<char> letters{'a', 'b', 'c', 'd', 'e'};
  const auto in = letters;
  EXPECT_THROW(gpusort::apply_permutation(par_gpu, letters.begin(), letters.end(), doubled.begin()),
               std::invalid_argument);
  EXPECT_THROW(
      gpusort::apply_inverse_permutation(par_gpu, letters.begin(), letters.end(), doubled.begin()),
      std::invalid_argument);
  EXPECT_EQ(letters, in);
}

TEST(host_permutations, refuse_ranges_that_overlap_or_run_backwards) {
  std::vector<std::uint32_t> both{3, 2, 1, 0};
  EXPECT_THROW(gpusort::apply_permutation(par_gpu, both.begin(), both.end(), both.begin()),
               std::invalid_argument);
  EXPECT_THROW(gpusort::apply_permutation(par_gpu, both.end(), both.begin(), both.begin()),
               std::invalid_argument);
  int* const nothing = nullptr;
  gpusort::apply_permutation(par_gpu, nothing, nothing, nothing);
}

TEST(host_permutations, sort_by_what_argsort_says) {
  for (const bool verified : {false, true}) {
    const auto in = generate<std::uint16_t>(distribution::few_distinct, 3000, seed());
    const guarded<std::uint16_t> data(in, 1);
    std::vector<std::uint64_t> order(in.size());
    gpusort::argsort(par_gpu, data.begin(), data.end(), order.begin());
    const auto apply = [&](const auto& policy) {
      gpusort::apply_permutation(policy, data.begin(), data.end(), order.begin());
      EXPECT_TRUE(gpusort::is_sorted(par_gpu, data.begin(), data.end()));
      gpusort::apply_inverse_permutation(policy, data.begin(), data.end(), order.begin());
    };
    if (verified) {
      apply(par_gpu.with(gpusort::verify, gpusort::keep_input));
    } else {
      apply(par_gpu.with(gpusort::in_place));
    }
    const auto back = data.read();
    EXPECT_TRUE(std::equal(in.begin(), in.end(), back.begin()));
  }
}

}  // namespace
}  // namespace kit
