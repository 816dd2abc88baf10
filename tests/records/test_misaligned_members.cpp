// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled so that a misaligned read ends the program (tests/CMakeLists.txt).
#include "misaligned_members.hpp"

#include <gpusort/merge.hpp>
#include <gpusort/segmented_sort.hpp>
#include <stdexcept>

namespace kit {
namespace {

using gpusort::asc, gpusort::desc, gpusort::order_by, gpusort::par_gpu;

TEST(misaligned_members, of_orders) {
  for (std::size_t n : {1, 2, 100, 3000}) orders_of_misaligned_members(par_gpu, n);
}
TEST(misaligned_members, of_projections) {
  for (std::size_t n : {1, 2, 100, 3000}) projections_to_misaligned_members(par_gpu, n);
  expect_stable_order(par_gpu, 3000, gpusort::greater{}, &unpadded::d,
                      by_copied([](unpadded x) { return -x.d; }));
}

TEST(misaligned_members, of_more_than_128_bits) {
  const auto order =
      order_by(desc(&unpadded::d), asc(&unpadded::name), asc<&unpadded::a>(), &unpadded::b);
  expect_stable_order(par_gpu, 3000, order, gpusort::detail::identity{}, by_copied([](unpadded x) {
                        return std::tuple<double, int, int, int>(-x.d, x.name[1], +x.a, +x.b);
                      }));
}

TEST(misaligned_members, of_every_other_call) {
  const std::size_t n = 1000;
  const auto in = unpadded_records(n);
  const auto by_d = by_copied([](unpadded x) { return +x.d; });
  auto keys = in, expected = in;
  std::stable_sort(expected.begin(), expected.end(), by_d);
  std::vector<int> values(n);
  gpusort::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin(), gpusort::less{},
                              &unpadded::d);
  EXPECT_TRUE(are_same(keys, expected));
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, keys.begin(), keys.end(), {}, &unpadded::d));
  gpusort::argsort(par_gpu, in.begin(), in.end(), values.begin(), order_by(&unpadded::d));
  for (std::size_t i = 0; i < n; ++i) keys[i] = in[static_cast<std::size_t>(values[i])];
  EXPECT_TRUE(are_same(keys, expected));
  const int offsets[] = {0, 400, 1000};
  keys = in;
  gpusort::stable_segmented_sort(par_gpu, keys.begin(), keys.end(), offsets, offsets + 3,
                                 gpusort::less{}, &unpadded::d);
  auto merged = in;
  gpusort::merge(par_gpu, keys.begin(), keys.begin() + 400, keys.begin() + 400, keys.end(),
                 merged.begin(), order_by(&unpadded::d));
  EXPECT_TRUE(are_same(merged, expected));
  gpusort::inplace_merge(par_gpu.with(gpusort::verify), keys.begin(), keys.begin() + 400,
                         keys.end(), {}, &unpadded::d);
  EXPECT_TRUE(are_same(keys, expected));
}

/// A value that cannot be read after its end.
struct perishable {
  std::int32_t value;
  explicit perishable(std::int32_t x) : value(x) {}
  perishable(const perishable&) = default;
  ~perishable() { *const_cast<volatile std::int32_t*>(&value) = 0; }
};

TEST(misaligned_members, of_values_that_functions_return) {
  const auto part_of = [](const unpadded& x) { return perishable(x.a); };
  expect_stable_order(par_gpu, 3000, order_by(desc(part_of, &perishable::value)),
                      gpusort::detail::identity{}, by_copied([](unpadded x) { return -x.a; }));
}

struct __attribute__((packed, aligned(8))) aligned_itself {
  std::uint8_t tag;
  double x;
};
struct one_packed_member {
  std::uint8_t tag;
  std::int32_t x __attribute__((packed));
  double aligned;
};

template <class T, class Order>
void expect_refusal(Order order) {
  std::vector<T> v(3);
  EXPECT_THROW(gpusort::sort(par_gpu, v.begin(), v.end(), order), std::invalid_argument);
}

TEST(misaligned_members, that_types_do_not_tell_are_refused) {
  expect_refusal<aligned_itself>(order_by(&aligned_itself::x));
  expect_refusal<aligned_itself>(order_by(&aligned_itself::tag, desc<&aligned_itself::x>()));
  expect_refusal<one_packed_member>(order_by(
      asc(&one_packed_member::x).nulls_last([](const one_packed_member&) { return true; })));
  std::vector<one_packed_member> v(3);
  EXPECT_THROW(gpusort::argsort(par_gpu, v.begin(), v.end(), std::vector<int>(3).begin(), {},
                                &one_packed_member::x),
               std::invalid_argument);
  gpusort::sort(par_gpu, v.begin(), v.end(), {}, &one_packed_member::aligned);
}

}  // namespace
}  // namespace kit
