// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What refused calls of all public functions say.
#include <gtest/gtest.h>

#include <cstddef>
#include <gpusort/gpusort.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../kit/refusal.hpp"

namespace kit {
namespace {

struct no_swap {
  void operator()(unsigned, unsigned) const {}
};
struct no_order {
  bool operator()(unsigned, unsigned) const { return false; }
};

TEST(refusals, name_the_call_and_what_to_do) {
  using namespace gpusort;
  std::vector<int> values{7, 6, 5, 4, 3, 2, 1, 0};
  const auto untouched = values;
  int *const a = values.data(), *const z = a + values.size();
  const std::string reversed = "last is before first", overlap = "two of its ranges overlap";
  std::vector<std::size_t> at(values.size());
  using run = std::pair<int*, int*>;
  const std::vector<run> backwards{{z, a}}, whole{{a, a + 4}};
  const std::vector<int*> beginnings{a};
  std::vector<int> other(2 * values.size()), more(2 * values.size());
  int *const out = other.data(), *const out2 = more.data();
  const std::vector<int> offsets{0, 4}, negative{-1, 3}, decreasing{0, 3, 2}, behind{0, 9};

  expect_refusal("sort", reversed, [&] { sort(par_gpu, z, a); });
  expect_refusal("stable_sort", reversed, [&] { stable_sort(par_gpu, z, a); });
  expect_refusal("sort_copy", reversed, [&] { sort_copy(par_gpu, z, a, out); });
  expect_refusal("sort_copy", overlap, [&] { sort_copy(par_gpu, a, a + 4, a + 2); });
  expect_refusal("sort_by_key", reversed, [&] { sort_by_key(par_gpu, z, a, out); });
  expect_refusal("sort_by_key", overlap, [&] { sort_by_key(par_gpu, a, a + 4, a + 3); });
  expect_refusal("stable_sort_by_key", reversed, [&] { stable_sort_by_key(par_gpu, z, a, out); });
  expect_refusal("stable_sort_by_key", overlap,
                 [&] { stable_sort_by_key(par_gpu, a, a + 4, a + 3); });
  expect_refusal("is_sorted", reversed, [&] { is_sorted(par_gpu, z, a); });
  expect_refusal("argsort", reversed, [&] { argsort(par_gpu, z, a, at.begin()); });
  expect_refusal("argsort", overlap, [&] { argsort(par_gpu, a, a + 4, a); });
  expect_refusal("scratch_bytes", reversed, [&] { scratch_bytes(par_gpu, z, a); });
  expect_refusal("explain", reversed, [&] { explain(par_gpu, z, a); });

  expect_refusal("merge", reversed, [&] { merge(par_gpu, a, z, z, a, out); });
  expect_refusal("merge", "its output overlaps an input",
                 [&] { merge(par_gpu, a, a + 4, a + 4, z, a + 1); });
  expect_refusal("merge_by_key", reversed,
                 [&] { merge_by_key(par_gpu, a, z, z, a, a, a, out, out2); });
  expect_refusal("merge_by_key", "its outputs of keys and of values overlap",
                 [&] { merge_by_key(par_gpu, a, a + 4, a + 4, z, a, a, out, out + 7); });
  expect_refusal("inplace_merge", reversed, [&] { inplace_merge(par_gpu, z, a, a); });
  for (int* const middle : {a + 1, a + 7}) {
    expect_refusal("inplace_merge", "middle is not between first and last",
                   [&] { inplace_merge(par_gpu, a + 2, middle, a + 6); });
  }
  expect_refusal("multiway_merge", reversed,
                 [&] { multiway_merge(par_gpu, backwards.begin(), backwards.end(), out); });
  expect_refusal("multiway_merge", "the offsets of the runs decrease",
                 [&] { multiway_merge(par_gpu, a, decreasing.begin(), decreasing.end(), out); });
  expect_refusal("multiway_merge", "an offset of the runs is negative",
                 [&] { multiway_merge(par_gpu, a, negative.begin(), negative.end(), out); });
  expect_refusal("multiway_merge_by_key", reversed, [&] {
    multiway_merge_by_key(par_gpu, backwards.begin(), backwards.end(), beginnings.begin(), out,
                          out2);
  });
  expect_refusal("multiway_merge_by_key", "the offsets of the runs decrease", [&] {
    multiway_merge_by_key(par_gpu, a, decreasing.begin(), decreasing.end(), a, out, out2);
  });
  expect_refusal("multiway_select", reversed, [&] {
    multiway_select(par_gpu, backwards.begin(), backwards.end(), 1, at.begin());
  });
  expect_refusal("multiway_select", "the rank is beyond the last element",
                 [&] { multiway_select(par_gpu, whole.begin(), whole.end(), 5, at.begin()); });
  expect_refusal("multiway_select", "the rank is beyond the last element", [&] {
    multiway_select(par_gpu, a, offsets.begin(), offsets.end(), 5, at.begin());
  });
  const std::vector<int> long_run(200);
  std::vector<signed char> narrow(1);
  const std::vector<int> all{0, 200};
  expect_refusal("multiway_select", "the type of the positions is too small for the rank", [&] {
    multiway_select(par_gpu, long_run.begin(), all.begin(), all.end(), 150, narrow.begin());
  });

  expect_refusal("segmented_sort", "an offset of the segments is negative",
                 [&] { segmented_sort(par_gpu, a, z, negative.begin(), negative.end()); });
  expect_refusal("stable_segmented_sort", "the offsets of the segments decrease", [&] {
    stable_segmented_sort(par_gpu, a, z, decreasing.begin(), decreasing.end());
  });
  expect_refusal("segmented_sort_by_key", "an offset of the segments is after the range",
                 [&] { segmented_sort_by_key(par_gpu, a, z, out, behind.begin(), behind.end()); });
  expect_refusal("stable_segmented_sort_by_key", overlap, [&] {
    stable_segmented_sort_by_key(par_gpu, a, z, a + 1, offsets.begin(), offsets.end());
  });

  expect_refusal("sort", reversed, [&] { sort(par_gpu, 3u, 2u, no_order{}, no_swap{}); });
  expect_refusal("stable_sort",
                 "a bound is negative, and the common type of the bounds is unsigned",
                 [&] { stable_sort(par_gpu, -1, 2u, no_order{}, no_swap{}); });
  expect_refusal("stable_sort", "no route is both stable and in place",
                 [&] { stable_sort(par_gpu.with(in_place), 0u, 2u, no_order{}, no_swap{}); });
  EXPECT_EQ(values, untouched);
}

}  // namespace
}  // namespace kit
