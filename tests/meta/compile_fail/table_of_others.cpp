// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <deque>
#include <gpusort/table.hpp>
#include <vector>

std::vector<double> prices();

// expect: calls on tables take pointers, or iterators of contiguous ranges
void indices(const gpusort::table_order& order, std::deque<int>& to) {
  gpusort::argsort_table(gpusort::par_gpu, order, 9, to.begin());
}

// expect: calls on tables take pointers, or iterators of contiguous ranges
void whole(const gpusort::table_order& order, std::vector<int>& to) {
  gpusort::argsort_table(gpusort::par_gpu, order, 9, to);
}

// expect: calls on tables take pointers, or iterators of contiguous ranges
gpusort::column bits(gpusort::column keys, std::vector<bool>& valid) {
  return keys.with_validity(valid);
}

// expect: a column refers to its elements
gpusort::column temporary() { return gpusort::column::of(prices()); }
