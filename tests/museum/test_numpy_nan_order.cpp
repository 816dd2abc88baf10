// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jax-ml/jax#6443, cupy/cupy#3324: NumPy has all NaNs last, whatever their sign, also where it
// sorts in descending order. less has them where IEEE 754 total order puts them: those with the
// sign bit first. NumPy's order is that of a field with nan_last().
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <vector>

namespace {

using gpusort::asc, gpusort::desc, gpusort::order_by, gpusort::par_gpu;

const std::vector<double> values = {-NAN, NAN, -INFINITY, 1, INFINITY, -1, NAN, 0.0, -NAN, -0.0};

struct itself {
  template <class T>
  const T& operator()(const T& x) const {
    return x;
  }
};

/// Writes values as text, which tells the signs of zeros and NaNs apart.
template <class T>
std::vector<std::string> written(const std::vector<T>& v) {
  std::vector<std::string> all;
  for (const T& x : v) {
    const std::string sign = std::signbit(x) ? "-" : "";
    all.push_back(std::isnan(x)   ? sign + "nan"
                  : std::isinf(x) ? sign + "inf"
                                  : sign + std::to_string(static_cast<int>(std::fabs(x))));
  }
  return all;
}

template <class T, class Order>
std::vector<std::string> sorted_by(Order order) {
  std::vector<T> v(values.begin(), values.end());
  gpusort::stable_sort(par_gpu, v.begin(), v.end(), order);
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, v.begin(), v.end(), order));
  return written(v);
}

using text = std::vector<std::string>;

template <class T>
void expect_orders() {
  EXPECT_EQ(sorted_by<T>(gpusort::less{}),
            (text{"-nan", "-nan", "-inf", "-1", "0", "-0", "1", "inf", "nan", "nan"}));
  EXPECT_EQ(sorted_by<T>(order_by(asc(itself{}).nan_last())),
            (text{"-inf", "-1", "0", "-0", "1", "inf", "-nan", "nan", "nan", "-nan"}));
  EXPECT_EQ(sorted_by<T>(order_by(desc(itself{}).nan_last())),
            (text{"inf", "1", "0", "-0", "-1", "-inf", "-nan", "nan", "nan", "-nan"}));
}

TEST(museum, numpy_nan_order) {
  expect_orders<float>();
  expect_orders<double>();
  expect_orders<long double>();
}

TEST(museum, numpy_nan_order_of_indices) {
  std::vector<int> indices(values.size());
  gpusort::argsort(par_gpu, values.begin(), values.end(), indices.begin(),
                   order_by(asc(itself{}).nan_last()));
  EXPECT_EQ(indices, (std::vector<int>{2, 5, 7, 9, 3, 4, 0, 1, 6, 8}));
}

TEST(museum, numpy_nan_order_of_tables) {
  std::vector<std::uint32_t> rows(values.size());
  gpusort::table_order order;
  order.asc(gpusort::column::of(values.data()), gpusort::nulls::last, gpusort::nans::last);
  gpusort::argsort_table(par_gpu, order, values.size(), rows.data());
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{2, 5, 7, 9, 3, 4, 0, 1, 6, 8}));
}

}  // namespace
