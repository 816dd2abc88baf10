// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts that the suite links from gpusort's library: numbers, and words that other orders are
// encoded in. Without the library, the same sorts are compiled here.
#include <algorithm>
#include <cstdint>
#include <gpusort/sort.hpp>
#include <numeric>
#include <vector>

#include "../kit/call.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using gpusort::greater;
using gpusort::less;

template <class Key, class Order, class... Values>
inline constexpr bool comes_linked =
    detail::is_linked<detail::problem_type<false, false, false, gpusort::route::nothing, Order,
                                           detail::representative_key_t<Order, Key>,
                                           detail::representative_value_t<Values>...>>;
#if GPUSORT_HAS_LIBRARY
static_assert(comes_linked<int, less> && comes_linked<long, greater> &&
              comes_linked<double, greater>);
static_assert(comes_linked<wchar_t, less, float> && comes_linked<int, less, void*>);
#endif
static_assert(!comes_linked<int, less, short> && !comes_linked<int, less, int, int>);
static_assert(!comes_linked<bool, less> && !comes_linked<record<16>, less>);

class library : public gpu_test {};

template <class Value>
buffer<Value> indices_as(std::size_t n) {
  column<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<Value>(i);
  return buffer<Value>(values, 1);
}

/// Sorts keys, and keys with values that are their indices; a stable sort keeps the order of these.
template <class Key, class Value, class Order>
void sort_linked(Order order) {
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{700}, std::size_t{5000},
                        std::size_t{100003}, (std::size_t{1} << 20) + 1}) {
    for (distribution d : {distribution::uniform, distribution::few_distinct}) {
      SCOPED_TRACE(::testing::Message() << name_of(d) << ", n = " << n);
      const column<Key> input = generate<Key>(d, n, seed());
      std::vector<std::size_t> expected(n);
      std::iota(expected.begin(), expected.end(), std::size_t{0});
      std::stable_sort(expected.begin(), expected.end(),
                       [&](std::size_t a, std::size_t b) { return order(input[a], input[b]); });
      const buffer<Key> alone(input, 1), keys(input, 1);
      const buffer<Value> values = indices_as<Value>(n);
      gpusort::sort(gpusort::par_gpu, alone.begin(), alone.end(), order);
      gpusort::stable_sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(),
                                  order);
      const auto sorted = alone.read(), sorted_keys = keys.read();
      const auto moved = values.read();
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(sorted[i], input[expected[i]]) << i;
        ASSERT_EQ(sorted_keys[i], input[expected[i]]) << i;
        ASSERT_EQ(moved[i], static_cast<Value>(expected[i])) << i;
      }
      ASSERT_TRUE(alone.intact() && keys.intact() && values.intact());
    }
  }
}

TEST_F(library, int_with_values_of_4_bytes) { sort_linked<int, float>(less{}); }
TEST_F(library, double_with_values_of_8_bytes) { sort_linked<double, long long>(greater{}); }

TEST_F(library, unstable_by_key_and_without_waiting) {
  const std::size_t n = 300007;
  const column<int> input = generate<int>(distribution::uniform, n, seed());
  const buffer<int> keys(input, 1);
  const buffer<std::uint32_t> values = indices_as<std::uint32_t>(n);
  const stream s;
  gpusort::sort_by_key(gpusort::par_gpu_nosync.on(s), keys.begin(), keys.end(), values.begin());
  s.synchronize();
  const auto after = keys.read();
  const auto moved = values.read();
  EXPECT_TRUE(std::is_sorted(after.begin(), after.end()));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(after[i], input[moved[i]]) << i;
  EXPECT_GT(gpusort::explain(gpusort::par_gpu, keys.begin(), keys.end()).scratch_bytes, n);
}

}  // namespace
}  // namespace kit
