// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What argument-dependent lookup brings to calls that are not meant for gpusort: they stay what
// they were, though gpusort's names are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <vector>

namespace {

struct wrapped {
  int value;
};

/// An element whose template argument makes gpusort's functions known to every call with it.
template <class Tag>
struct tagged {
  int value;
  friend bool operator<(const tagged& a, const tagged& b) { return a.value < b.value; }
  friend bool operator==(const tagged& a, const tagged& b) { return a.value == b.value; }
};
using known = tagged<gpusort::less>;

TEST(doors, calls_of_the_standard_library_stay_what_they_are) {
  using std::inplace_merge;
  using std::is_sorted;
  using std::merge;
  using std::sort;
  using std::stable_sort;
  int numbers[] = {3, 1, 2, 5, 4};
  sort(numbers, numbers + 3, gpusort::less{});
  stable_sort(std::begin(numbers), std::end(numbers), gpusort::greater{});
  EXPECT_TRUE(is_sorted(numbers, numbers + 5, gpusort::greater{}));
  std::vector<known> v = {{3}, {1}, {2}};
  sort(v.begin(), v.end());
  EXPECT_TRUE(is_sorted(v.begin(), v.end()));
  sort(v.data(), v.data() + 3, std::less<known>{});
  std::vector<known> out(6);
  merge(v.begin(), v.end(), v.begin(), v.end(), out.begin());
  inplace_merge(out.begin(), out.begin() + 3, out.end());
  EXPECT_TRUE(is_sorted(out.begin(), out.end()));
}

template <class, class... Arguments>
struct sorts : std::false_type {};
template <class... Arguments>
struct sorts<std::void_t<decltype(gpusort::sort(std::declval<Arguments>()...))>, Arguments...>
    : std::true_type {};

// What cannot be meant for a policy is nobody's business here. Another library's policy, before two
// iterators, is refused (meta/compile_fail/policies_of_others.cpp).
TEST(doors, other_first_arguments_are_left_to_others) {
  EXPECT_FALSE((sorts<void, double, int*, int*>::value));
  EXPECT_FALSE((sorts<void, wrapped, int*>::value));
  EXPECT_FALSE((sorts<void, wrapped, int, wrapped>::value));
  EXPECT_TRUE((sorts<void, decltype(gpusort::par_gpu), int*, int*>::value));
}

namespace theirs {
template <class Range>
bool is_sorted(Range&&) {
  return true;
}
template <class... Arguments>
int merge(const Arguments&...) {
  return 1;
}

struct policy {};
struct parallel_policy : policy {};
template <class Iterator>
int sort(const policy&, Iterator, Iterator) {
  return 2;
}
}  // namespace theirs

// A function of somebody else's that takes a range is called, not refused.
TEST(doors, ranges_are_left_to_those_who_take_them) {
  using namespace gpusort;
  using namespace theirs;
  const std::vector<int> constant{1, 2};
  std::vector<int> variable{1, 2};
  EXPECT_TRUE(is_sorted(constant) && is_sorted(variable) && is_sorted(std::vector<int>{}));
  EXPECT_EQ(merge(constant, variable), 1);
}

// So is one that takes its own policy, as a base of the argument too.
TEST(doors, policies_are_left_to_those_who_take_them) {
  using namespace gpusort;
  using namespace theirs;
  int numbers[] = {2, 1};
  EXPECT_EQ(sort(parallel_policy{}, numbers, numbers + 2), 2);
  parallel_policy named;
  EXPECT_EQ(sort(named, numbers, numbers + 2), 2);
}

}  // namespace
