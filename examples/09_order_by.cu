// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of orders by region, revenue descending, and id: regions are names of fixed width, some
// orders have no revenue yet, and come last in their region, and some revenues are NaN, which come
// before these. The library reads the order off the bits of the fields.
//
// Then pairs in the order of their second elements, and the permutation that sorts the orders by
// another field, which leaves them where they are.
#include <gpusort/gpusort.hpp>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <random>
#include <vector>

#include "example.hpp"

struct place_of_sale {
  char region[8];
  std::uint16_t store;
};

struct sale {
  place_of_sale where;
  std::uint16_t units;
  bool has_revenue;
  double revenue;
  std::uint32_t id;
};

const auto by_region = gpusort::order_by(
    gpusort::asc(&sale::where, &place_of_sale::region),
    gpusort::desc(&sale::revenue).nulls_last(&sale::has_revenue).nan_last(), &sale::id);

thrust::host_vector<sale> make_sales(std::size_t n) {
  const char* const regions[] = {"north", "east", "south", "west", "overseas"};
  std::mt19937 random(2026);
  std::uniform_real_distribution<double> revenue(-100.0, 10'000.0);
  thrust::host_vector<sale> sales(n);
  for (std::size_t i = 0; i < n; ++i) {
    sale s{};
    const char* const region = regions[random() % 5];
    std::memcpy(s.where.region, region, std::strlen(region));
    s.where.store = static_cast<std::uint16_t>(random() % 100);
    s.units = static_cast<std::uint16_t>(random() % 1000);
    s.has_revenue = random() % 10 != 0;
    s.revenue = random() % 100 == 0 ? std::numeric_limits<double>::quiet_NaN() : revenue(random);
    s.id = static_cast<std::uint32_t>(i);
    sales[i] = s;
  }
  return sales;
}

/// Orders sales as the order above does, written out.
bool is_before(const sale& a, const sale& b) {
  const int region = std::memcmp(a.where.region, b.where.region, sizeof a.where.region);
  if (region != 0) return region < 0;
  if (a.has_revenue != b.has_revenue) return a.has_revenue;
  if (a.has_revenue) {
    const bool is_a_nan = std::isnan(a.revenue), is_b_nan = std::isnan(b.revenue);
    if (is_a_nan != is_b_nan) return is_b_nan;
    if (!is_a_nan && a.revenue != b.revenue) return a.revenue > b.revenue;
  }
  return a.id < b.id;
}

template <template <class...> class Vector>
void sort_sales(std::size_t n) {
  const thrust::host_vector<sale> input = make_sales(n);
  Vector<sale> sales = input;
  const auto restore = [&] { sales = input; };
  std::printf("%zu sales by region, revenue and id\n", n);
  const double time = example::milliseconds(
      restore, [&] { gpusort::sort(gpusort::par_gpu, sales.begin(), sales.end(), by_region); });
  std::printf("  %-40s %9.2f ms\n", "sort", time);
  const thrust::host_vector<sale> sorted = sales;
  std::vector<bool> seen(n);
  for (std::size_t i = 0; i < n; ++i) {
    example::verify(sorted[i].id < n && !seen[sorted[i].id], "every sale is there once");
    seen[sorted[i].id] = true;
    example::verify(i == 0 || is_before(sorted[i - 1], sorted[i]), "sales are in order");
  }

  Vector<std::uint32_t> indices(n);
  gpusort::argsort(gpusort::par_gpu, sales.begin(), sales.end(), indices.begin(),
                   gpusort::order_by(gpusort::desc(&sale::units)));
  const thrust::host_vector<std::uint32_t> most_first = indices;
  for (std::size_t i = 1; i < n; ++i) {
    example::verify(sorted[most_first[i]].units <= sorted[most_first[i - 1]].units,
                    "indices lead from the most units to the least");
  }
}

template <template <class...> class Vector>
void sort_pairs(std::size_t n) {
  using pair = thrust::pair<int, float>;
  std::mt19937 random(7);
  thrust::host_vector<pair> input(n);
  for (pair& p : input) {
    p = {static_cast<int>(random() % 1000), static_cast<float>(random() % 4096)};
  }
  Vector<pair> pairs = input;
  gpusort::sort(gpusort::par_gpu, pairs.begin(), pairs.end(),
                gpusort::order_by(gpusort::desc(gpusort::element<1>), gpusort::element<0>));
  const thrust::host_vector<pair> sorted = pairs;
  example::verify(std::is_sorted(sorted.begin(), sorted.end(),
                                 [](const pair& a, const pair& b) {
                                   return a.second != b.second ? a.second > b.second
                                                               : a.first < b.first;
                                 }),
                  "pairs are in order");
  std::printf("%zu pairs by their second elements, descending, and their first\n", n);
}

int main() try {
  if (example::has_device()) {
    sort_sales<thrust::device_vector>(4'000'000);
    sort_pairs<thrust::device_vector>(4'000'000);
  } else {
    std::puts("No GPU on this machine: on the CPU, and less of everything.");
    sort_sales<thrust::host_vector>(100'000);
    sort_pairs<thrust::host_vector>(100'000);
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "09_order_by: %s\n", e.what());
  return EXIT_FAILURE;
}
