// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visibility ordering (figure 9 of paper 001, figure 7 of paper 000): the vertices of models by
// their distance from the eye. Distances alone, as in the papers; then with the vertices' numbers,
// as one needs them to draw. Each model in the order of its file, and shuffled.
//
//   measure_visibility [--json FILE] [MODEL.ply...]
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "../papers/figure_table.hpp"
#include "../papers/float_sorters.hpp"
#include "models.hpp"
#include "sight_sorters.hpp"

namespace {

void measure(bench::figure_table& table, const std::string& name,
             const visibility::model_vertices& model) {
  const std::vector<float> distances = visibility::distances_of(model);
  bench::float_input alone(distances);
  for (const bench::float_sorter& sorter : bench::device_sorters()) {
    table.measure("distances", name, sorter.name, alone.n(),
                  [&] { return alone.on_device(sorter); });
  }
  const bench::float_sorter on_host = bench::host_sorters().front();
  table.measure("distances", name, on_host.name, alone.n(), [&] { return alone.on_host(on_host); });

  visibility::sight_input sights(distances);
  for (const auto& sorter : visibility::as_records::sorters()) {
    table.measure("records", name, sorter.name, sights.n(), [&] { return sights.time(sorter); });
  }
  for (const auto& sorter : visibility::as_keys_and_values::sorters()) {
    table.measure("by_key", name, sorter.name, sights.n(), [&] { return sights.time(sorter); });
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::figure_table table(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  const auto measure_both = [&](const std::string& name, visibility::model_vertices model) {
    measure(table, name, model);
    visibility::shuffle(model);
    measure(table, name + "_shuffled", model);
  };
  measure_both("dense", visibility::dense_model(5000000));
  measure_both("clustered", visibility::clustered_model(3850, 400));
  measure_both("ordered", visibility::ordered_model(2000, 1000));
  measure_both("torus_knot", torus_knot(4096, 1024));
  for (const std::string& file : table.arguments()) measure_both(file, ply::read_vertices(file));
  return table.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_visibility: %s\n", e.what());
  return EXIT_FAILURE;
}
