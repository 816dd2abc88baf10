// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every sort of every type has to do. Instantiated over the subjects in
// tests/sorting/test_sort_*.cu and tests/records/test_sort_*.cu.
#pragma once

#include <algorithm>

#include "subject.hpp"

namespace kit {

template <class Subject>
class sort_properties : public gpu_test {
 protected:
  using value = typename Subject::value;
  using compare = typename Subject::compare;

  static bool fits(std::size_t n) { return n * sizeof(value) <= case_bytes; }

  static ::testing::AssertionResult sorted(const sort_case& c, const call& how,
                                           compare comp = compare{}) {
    return sorts<Subject>(c, how, comp);
  }

  static call stable() {
    call c;
    c.stable = true;
    return c;
  }
};
TYPED_TEST_SUITE_P(sort_properties);

TYPED_TEST_P(sort_properties, edge_sizes_of_every_distribution) {
  using value = typename TestFixture::value;
  for (const auto& comp : honest<typename TestFixture::compare>::orders()) {
    for (std::size_t n : edge_sizes()) {
      if (n * sizeof(value) > std::size_t{1} << 22) continue;
      for (auto d : distributions_of<value>()) {
        // Everything at the smallest sizes, a third of the product beyond.
        if (!is_chosen(n, d, n <= 129 ? 1 : 3)) continue;
        ASSERT_TRUE(this->sorted(make_case(d, n), call{}, comp));
        ASSERT_TRUE(this->sorted(make_case(d, n), this->stable(), comp));
      }
    }
  }
}

TYPED_TEST_P(sort_properties, medium_sizes_of_every_distribution) {
  using value = typename TestFixture::value;
  for (const auto& comp : honest<typename TestFixture::compare>::orders()) {
    for (auto d : distributions_of<value>()) {
      for (std::size_t n : medium_sizes()) {
        if (!is_chosen(n, d, 4) || !this->fits(n)) continue;
        ASSERT_TRUE(this->sorted(make_case(d, n), call{}, comp));
        ASSERT_TRUE(this->sorted(make_case(d, n), this->stable(), comp));
      }
    }
  }
}

TYPED_TEST_P(sort_properties, large_sizes_of_some) {
  for (std::size_t n : large_sizes()) {
    if (!this->fits(n)) continue;
    for (auto d :
         some_of({distribution::uniform, distribution::few_distinct, distribution::all_equal,
                  distribution::reverse, distribution::staggered})) {
      ASSERT_TRUE(this->sorted(make_case(d, n), call{}));
    }
    for (auto d : some_of({distribution::randomized_duplicates, distribution::uniform})) {
      ASSERT_TRUE(this->sorted(make_case(d, n), this->stable()));
    }
  }
}

TYPED_TEST_P(sort_properties, all_routes) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : route_sizes()) {
    if (!this->fits(n)) continue;
    for (const call& how : every_route<value, compare>(n)) {
      for (const auto& comp : honest<compare>::orders()) {
        for (auto d :
             some_of({distribution::few_distinct, distribution::uniform, distribution::all_equal,
                      distribution::organ_pipe, distribution::median_of_three_killer})) {
          ASSERT_TRUE(this->sorted(make_case(d, n), how, comp));
        }
      }
    }
  }
}

TYPED_TEST_P(sort_properties, without_synchronization) {
  const stream s;
  for (std::size_t n : route_sizes()) {
    if (!this->fits(n)) continue;
    call how;
    how.nosync = true;
    how.stream = s;
    ASSERT_TRUE(this->sorted(make_case(distribution::gaussian, n), how));
    how.stable = true;
    ASSERT_TRUE(this->sorted(make_case(distribution::g_group, n), how));
  }
}

TYPED_TEST_P(sort_properties, every_kind_of_memory) {
  for (auto kind : every_memory_kind) {
    for (std::size_t n : {0, 1, 2, 1000, 20011}) {
      sort_case c = make_case(distribution::uniform, n);
      c.memory = kind;
      ASSERT_TRUE(this->sorted(c, call{}));
      ASSERT_TRUE(this->sorted(c, this->stable()));
    }
  }
}

TYPED_TEST_P(sort_properties, every_offset) {
  using value = typename TestFixture::value;
  for (std::size_t n : {5, 1000, 5000}) {
    for (std::size_t offset = 0; offset < std::max<std::size_t>(3, 17 / sizeof(value)); ++offset) {
      sort_case c = make_case(distribution::uniform, n);
      c.offset = offset;
      ASSERT_TRUE(this->sorted(c, call{}));
      ASSERT_TRUE(this->sorted(c, this->stable()));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(sort_properties, edge_sizes_of_every_distribution,
                            medium_sizes_of_every_distribution, large_sizes_of_some, all_routes,
                            without_synchronization, every_kind_of_memory, every_offset);

}  // namespace kit
