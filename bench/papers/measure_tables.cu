// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 004's tables 5.2 and 5.3 on today's hardware: sorts of random and of staggered keys.
//
//   measure_tables [--json FILE] [--seconds N] [--log2n N] [table_5_2] [table_5_3]
//
// It begins no case after N seconds (90). Inputs have up to 2^24 keys, or 2^N. The tables that are
// named are measured, or both. After a wrong result the exit status is 1.
#include <cstdlib>
#include <exception>

#include "bitonic_network.hpp"
#include "gpu_quicksort_sorter.hpp"
#include "library_sorters.hpp"
#include "tnl_quicksort.hpp"
#include "tnl_quicksort_sorter.hpp"

namespace {

using bench::key_sorter;

/// Lists the sorts of the tables that are implemented here, and those of gpusort and Thrust.
std::vector<key_sorter> table_sorters() {
  return {{"bitonic_network",
           [](std::uint32_t* data, std::size_t n) {
             papers::bitonic_network_sort(nullptr, data, n, gpusort::less{});
             bench::check(cudaStreamSynchronize(nullptr), "the bitonic network");
           }},
          bench::gpu_quicksort_sorter("gpu_quicksort", &papers::gpu_quicksort_options::of_8800gtx),
          bench::tnl_sorter<papers::tnl_quicksort<std::uint32_t, gpusort::less>>("quicksort"),
          bench::gpusort_sorter("gpusort", gpusort::par_gpu),
          bench::forced_sorter("gpusort_quicksort", gpusort::algorithm::quicksort),
          bench::forced_sorter("gpusort_bitonic_sort", gpusort::algorithm::bitonic_sort),
          bench::thrust_sorter()};
}

void measure_table(bench::paper_run& run, const std::string& table,
                   const papers::input_distribution& distribution) {
  const std::vector<key_sorter> sorters = table_sorters();
  for (int log2n = 10; log2n <= run.most_log2n(); ++log2n) {
    if (!run.has_time()) return;
    bench::key_input input(distribution, log2n);
    bench::add_all_sorters(run, table, input, sorters);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::paper_run run(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  if (run.wants("table_5_2")) measure_table(run, "table_5_2", {"random", papers::make_uniform});
  if (run.wants("table_5_3")) {
    measure_table(run, "table_5_3", {"staggered", papers::make_staggered});
  }
  return run.table().is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_tables: %s\n", e.what());
  return EXIT_FAILURE;
}
