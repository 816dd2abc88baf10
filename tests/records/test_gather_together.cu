// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns that are put into an order together, packed into rows.
#include <gtest/gtest.h>

#include <gpusort/detail/algorithm/gather_together.hpp>
#include <gpusort/gpusort.hpp>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/permutation.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using u32 = std::uint32_t;

class gather_together : public gpu_test {};

template <class Index, class T>
void expect_gathered(const buffer<T>& found, const column<T>& before, const column<Index>& order) {
  const column<T> after = found.read();
  for (std::size_t i = 0; i < order.size(); ++i) {
    ASSERT_TRUE(same_bytes(after[i], before[order[i]])) << i << " of " << order.size();
  }
  EXPECT_TRUE(found.intact());
}

template <class T>
std::unique_ptr<buffer<T>> copied(const column<T>& values) {
  return std::make_unique<buffer<T>>(values, 1);
}

template <class Columns, class Before, class Index, std::size_t... I>
void expect_all_gathered(const Columns& columns, const Before& before, const column<Index>& order,
                         std::index_sequence<I...>) {
  (expect_gathered(*std::get<I>(columns), std::get<I>(before), order), ...);
}

template <class Index, class... Fields>
void expect_columns_gathered() {
  using algorithm = detail::gather_together<Index, Fields...>;
  static_assert(algorithm::is_possible());
  for (std::size_t n : {0, 1, 2, 255, 1023, 1024, 1025, 20011}) {
    const auto order = permutation<Index>(n);
    const buffer<Index> indices(order, 0);
    const std::tuple<column<Fields>...> before(
        generate<Fields>(distribution::uniform, n, seed() + sizeof(Fields))...);
    const buffer<unsigned char> scratch(algorithm::scratch_bytes(n));
    const auto columns =
        std::apply([](const auto&... in) { return std::make_tuple(copied(in)...); }, before);
    std::apply(
        [&](const auto&... c) {
          algorithm::run(nullptr, indices.data(), n, scratch.data(), c->data()...);
        },
        columns);
    expect_all_gathered(columns, before, order, std::index_sequence_for<Fields...>{});
    EXPECT_TRUE(scratch.intact());
  }
}

TEST_F(gather_together, columns_of_any_widths) {
  expect_columns_gathered<u32, u32, u32, u32, u32>();
  expect_columns_gathered<std::uint64_t, u32, u32>();
  expect_columns_gathered<u32, std::uint8_t, u32, std::uint16_t>();
  expect_columns_gathered<u32, std::uint64_t, std::uint8_t, std::uint64_t>();
  expect_columns_gathered<u32, record<3, 1>, std::uint8_t>();
  expect_columns_gathered<u32, record<12>, record<16, 16>>();
}

TEST_F(gather_together, rows_that_are_long_are_left_to_columns) {
  EXPECT_FALSE((detail::gather_together<u32, u32>::is_possible()));
  EXPECT_FALSE((detail::gather_together<u32, u32, record<64>>::is_possible()));
}

/// So many that their values move together, and half of them; also where there is no memory for
/// that.
TEST_F(gather_together, values_of_long_columns) {
  if (small_sizes_only()) GTEST_SKIP() << "sizes of millions";
  using values = detail::gather_together<u32, u32, u32, u32, u32>;
  std::size_t least = 1;
  while (!values::serves(least)) least *= 2;
  for (std::size_t n : {least + 3, least / 2}) {
    const auto keys = generate<u32>(distribution::few_distinct, n, seed());
    for (const auto& [is_stable, is_short] :
         {std::pair(false, false), {true, false}, {true, true}}) {
      counting_allocator allocator;
      if (is_short && !values::serves(n)) continue;
      if (is_short) allocator.fail(0, 1);
      const buffer<u32> sorted(keys, 0);
      std::vector<buffer<u32>> columns;
      for (u32 c = 0; c < 4; ++c) {
        column<u32> numbers(n);
        for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<u32>(i) ^ (c << 28);
        columns.emplace_back(numbers, c);
      }
      const auto sort = [&](auto call) {
        call(gpusort::par_gpu(allocator), sorted.begin(), sorted.end(), columns[0].begin(),
             columns[1].begin(), columns[2].begin(), columns[3].begin());
      };
      if (is_stable) {
        sort([](const auto&... a) { gpusort::stable_sort_by_key(a...); });
      } else {
        sort([](const auto&... a) { gpusort::sort_by_key(a...); });
      }
      const auto found = sorted.read(), order = columns[0].read();
      std::vector<bool> seen(n);
      bool is_right = true;
      for (std::size_t i = 0; i < n; ++i) {
        is_right = is_right && order[i] < n && !seen[order[i]] && keys[order[i]] == found[i] &&
                   (i == 0 || found[i - 1] < found[i] ||
                    (found[i - 1] == found[i] && (!is_stable || order[i - 1] < order[i])));
        if (!is_right) break;
        seen[order[i]] = true;
      }
      EXPECT_TRUE(is_right);
      for (u32 c = 1; c < 4; ++c) {
        const auto other = columns[c].read();
        for (std::size_t i = 0; i < n && is_right; ++i) {
          is_right = other[i] == (order[i] ^ (c << 28));
        }
        EXPECT_TRUE(is_right && columns[c].intact()) << c;
      }
    }
  }
}

}  // namespace
}  // namespace kit
