// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain functions, as std::sort takes them (NVIDIA/thrust#1585). nvcc refuses them
// (meta/compile_fail/host_functions.cu).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <gpusort/gpusort.hpp>
#include <utility>
#include <vector>

#include "../kit/environment.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

struct particle {
  int cell;
  float x;
};

bool is_before(const particle a, const particle b) { return a.cell > b.cell; }
int cell_of(const particle& p) { return p.cell; }

std::vector<particle> particles(std::size_t n) {
  std::vector<particle> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    made[i] = {static_cast<int>(i * 7919 % 5003), static_cast<float>(i)};
  }
  return made;
}

// The functions of an index sort know no container.
std::vector<particle>* indexed;
int key_at(std::size_t i) { return (*indexed)[i].cell; }
bool compare_at(std::size_t i, std::size_t j) { return key_at(i) < key_at(j); }
void swap_at(std::size_t i, std::size_t j) { std::swap((*indexed)[i], (*indexed)[j]); }

TEST(plain_function, compares) {
  for (std::size_t n : {0, 5, 1000, 40000}) {
    auto by_name = particles(n), by_address = by_name;
    gpusort::sort(par_gpu, by_name.begin(), by_name.end(), is_before);
    gpusort::sort(par_gpu, by_address.begin(), by_address.end(), &is_before);
    EXPECT_TRUE(std::is_sorted(by_name.begin(), by_name.end(), is_before));
    EXPECT_TRUE(gpusort::is_sorted(par_gpu, by_address.begin(), by_address.end(), is_before));
  }
}

TEST(plain_function, is_a_projection_and_a_field) {
  auto by_projection = particles(1000), by_field = by_projection;
  gpusort::sort(par_gpu, by_projection.begin(), by_projection.end(), {}, cell_of);
  gpusort::sort(par_gpu, by_field.begin(), by_field.end(),
                gpusort::order_by(gpusort::asc(cell_of)));
  const auto by_cell = [](const particle& a, const particle& b) { return a.cell < b.cell; };
  EXPECT_TRUE(std::is_sorted(by_projection.begin(), by_projection.end(), by_cell));
  EXPECT_TRUE(std::is_sorted(by_field.begin(), by_field.end(), by_cell));
}

TEST(plain_function, sorts_indices) {
  auto compared = particles(1000), fetched = compared;
  indexed = &compared;
  gpusort::sort(par_gpu, std::size_t{0}, compared.size(), compare_at, swap_at);
  indexed = &fetched;
  gpusort::sort(par_gpu, std::size_t{0}, fetched.size(), key_at, gpusort::less(), swap_at);
  const auto by_cell = [](const particle& a, const particle& b) { return a.cell < b.cell; };
  EXPECT_TRUE(std::is_sorted(compared.begin(), compared.end(), by_cell));
  EXPECT_TRUE(std::is_sorted(fetched.begin(), fetched.end(), by_cell));
}

}  // namespace
}  // namespace kit
