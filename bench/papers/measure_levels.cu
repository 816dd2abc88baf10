// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 004's quicksort on today's hardware, by who launches the levels.
//
//   measure_levels [--json FILE] [--seconds N] [--log2n N]
//
// It begins no case after N seconds (90). Inputs have up to 2^24 keys, or 2^N. After a wrong result
// the exit status is 1. Compiled with -rdc=true, and linked with cudadevrt, which may cost kernels
// that launch none (CUDA's programming guide); so other sorts are measured in other programs.
#include <cstdlib>
#include <exception>
#include <optional>

#include "distributions_004.hpp"
#include "tnl_quicksort_dynamic.hpp"
#include "tnl_quicksort_graph.hpp"
#include "tnl_quicksort_sorter.hpp"

namespace {

using bench::check;
using bench::key_sorter;
using key = std::uint32_t;
using order = gpusort::less;

key_sorter sorter_by_parts() {
  using sort = papers::tnl_quicksort_by_parts<key, order>;
  key_sorter sorter = bench::tnl_sorter<sort>("launched_by_parts");
  const auto most = std::make_shared<std::size_t>(0);
  return {sorter.name, [=](key* data, std::size_t n) {
            if (n > *most) sort::make_room_for_launches(*most = n);
            sorter.sort(data, n);
          }};
}

/// A sort by a graph, and what it was made for.
struct graph_of_array {
  using sort = papers::tnl_quicksort_by_graph<key, order>;
  bench::buffer scratch;
  std::optional<sort> by_graph;
  key* data = nullptr;
  std::size_t n = 0;

  void run(key* new_data, std::size_t new_n) {
    if (new_data != data || new_n != n) {
      by_graph.reset();
      by_graph.emplace(new_data, new_n, order{}, scratch.reserve(sort::scratch_bytes(new_n)));
      data = new_data;
      n = new_n;
    }
    by_graph->run();
  }
};

key_sorter sorter_by_graph() {
  const auto graph = std::make_shared<graph_of_array>();
  return {"launched_by_graph", [=](key* data, std::size_t n) { graph->run(data, n); }};
}

std::vector<key_sorter> level_sorters() {
  return {bench::tnl_sorter<papers::tnl_quicksort<key, order>>("launched_by_host"),
          bench::tnl_sorter<papers::tnl_quicksort_by_tail_launch<key, order>>("launched_by_tail"),
          sorter_by_parts(), sorter_by_graph()};
}

void measure_levels(bench::paper_run& run) {
  const std::vector<key_sorter> sorters = level_sorters();
  for (int log2n = 16; log2n <= run.most_log2n(); ++log2n) {
    for (const papers::input_distribution& distribution : papers::distributions_of_004()) {
      if (!run.has_time()) return;
      bench::key_input input(distribution, log2n);
      bench::add_sorters(run, "levels", input, sorters);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::paper_run run(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  measure_levels(run);
  return run.table().is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_levels: %s\n", e.what());
  return EXIT_FAILURE;
}
