// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 004 on today's hardware: its quicksort, by who launches the levels, and its tables 5.2 and
// 5.3.
//
//   measure_levels [--json FILE] [--seconds N] [--log2n N] [levels] [table_5_2] [table_5_3]
//
// It begins no case after N seconds (90). Inputs have up to 2^24 keys, or 2^N. The parts that are
// named are measured, or all. After a wrong result the exit status is 1. Compiled with -rdc=true,
// and linked with cudadevrt.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdlib>
#include <exception>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <optional>

#include "bitonic_network.hpp"
#include "distributions_004.hpp"
#include "gpu_quicksort_sorter.hpp"
#include "tnl_quicksort_dynamic.hpp"
#include "tnl_quicksort_graph.hpp"

namespace {

using bench::check;
using bench::key_sorter;
using key = std::uint32_t;
using order = gpusort::less;

template <class Sort>
key_sorter papers_sorter(const char* name) {
  const auto scratch = std::make_shared<bench::buffer>();
  return {name, [=](key* data, std::size_t n) {
            Sort::run(nullptr, data, n, order{}, scratch->reserve(Sort::scratch_bytes(n)));
            check(cudaStreamSynchronize(nullptr), "the paper's quicksort");
          }};
}

key_sorter sorter_by_parts() {
  using sort = papers::tnl_quicksort_by_parts<key, order>;
  key_sorter sorter = papers_sorter<sort>("launched_by_parts");
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
  return {papers_sorter<papers::tnl_quicksort<key, order>>("launched_by_host"),
          papers_sorter<papers::tnl_quicksort_by_tail_launch<key, order>>("launched_by_tail"),
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

template <class Algorithm>
key_sorter forced_sorter(const char* name, Algorithm algorithm) {
  return {name, [=](key* data, std::size_t n) {
            gpusort::sort(gpusort::par_gpu.with(algorithm), data, data + n);
          }};
}

/// Lists the sorts of the tables that are implemented here, and those of gpusort.
std::vector<key_sorter> table_sorters() {
  return {{"bitonic_network",
           [](key* data, std::size_t n) {
             papers::bitonic_network_sort(nullptr, data, n, order{});
             check(cudaStreamSynchronize(nullptr), "the bitonic network");
           }},
          bench::gpu_quicksort_sorter("gpu_quicksort", &papers::gpu_quicksort_options::of_8800gtx),
          papers_sorter<papers::tnl_quicksort<key, order>>("quicksort"),
          {"gpusort",
           [](key* data, std::size_t n) { gpusort::sort(gpusort::par_gpu, data, data + n); }},
          forced_sorter("gpusort_quicksort", gpusort::algorithm::quicksort),
          forced_sorter("gpusort_bitonic_sort", gpusort::algorithm::bitonic_sort),
          {"thrust",
           [](key* data, std::size_t n) { thrust::sort(thrust::cuda::par, data, data + n); }}};
}

void measure_table(bench::paper_run& run, const std::string& table,
                   const papers::input_distribution& distribution) {
  const std::vector<key_sorter> sorters = table_sorters();
  for (int log2n = 10; log2n <= run.most_log2n(); ++log2n) {
    if (!run.has_time()) return;
    bench::key_input input(distribution, log2n);
    for (const key_sorter& sorter : sorters) {
      run.table().add(table, input.name(), sorter.name, input.n(), input.on_device(run, sorter));
    }
    if (log2n <= 22) {
      run.table().add(table, input.name(), "std_sort", input.n(), input.on_host(run));
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::paper_run run(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  if (run.wants("table_5_2")) measure_table(run, "table_5_2", {"random", papers::make_uniform});
  if (run.wants("table_5_3"))
    measure_table(run, "table_5_3", {"staggered", papers::make_staggered});
  if (run.wants("levels")) measure_levels(run);
  return run.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_levels: %s\n", e.what());
  return EXIT_FAILURE;
}
