// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 000's figures 4, 5 and 9 to 11 and its table II on today's hardware: GPU-Quicksort against
// other sorts of 32-bit keys, and its parameters.
//
//   measure_quicksort [--json FILE] [--seconds N] [--log2n N] [figure_4] [production] [sweep]
//
// It begins no case after N seconds (90). Inputs have up to 2^24 keys, or 2^N. The parts that are
// named are measured, or all: `sweep` is figures 9 to 11 and table II, for which 90 seconds are
// short; it begins with the paper's 8 million keys. After a wrong result the exit status is 1.
#include <cstdlib>
#include <exception>
#include <gpusort/detail/algorithm/quicksort.hpp>

#include "library_sorters.hpp"
#include "quicksort_sweep.hpp"

namespace {

using bench::check;
using bench::key_sorter;

key_sorter published_sorter(papers::pivot_rule rule) {
  return bench::gpu_quicksort_sorter(std::string("gpu_quicksort_") + bench::name_of(rule),
                                     [=](std::size_t n) {
                                       auto options = papers::gpu_quicksort_options::of_8800gtx(n);
                                       options.rule = rule;
                                       return options;
                                     });
}

std::vector<key_sorter> all_sorters() {
  return {published_sorter(papers::pivot_rule::average),
          published_sorter(papers::pivot_rule::median),
          bench::forced_sorter("gpusort_quicksort", gpusort::algorithm::quicksort),
          bench::gpusort_sorter("gpusort", gpusort::par_gpu),
          bench::forced_sorter("gpusort_sample_sort", gpusort::algorithm::sample_sort,
                               bench::opaque_less{}),
          bench::thrust_sorter()};
}

/// Measures figure 4; figures 4 and 5 differ by the GPU.
void measure_figure_4(bench::paper_run& run) {
  const std::vector<key_sorter> sorters = all_sorters();
  for (int log2n = 18; log2n <= run.most_log2n(); ++log2n) {
    for (const papers::input_distribution& distribution : papers::input_distributions()) {
      if (!run.has_time()) return;
      bench::key_input input(distribution, log2n);
      bench::add_all_sorters(run, "figure_4", input, sorters);
    }
  }
}

using tuned = gpusort::detail::tuning::quicksort<sizeof(std::uint32_t)>;

/// Pivots that are medians of 96 samples, not of 288.
struct fewer_samples : tuned {
  static constexpr int samples_per_thread = 3;
};

struct shorter_tiles : tuned {
  static constexpr int items_per_thread = 16;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;
};

template <class Tuning>
key_sorter production_sorter(const char* name) {
  const auto scratch = std::make_shared<bench::buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            using array = gpusort::detail::key_array<std::uint32_t>;
            using sort = gpusort::detail::quicksort<array, gpusort::less, Tuning>;
            sort::run(nullptr, array{data}, array{data}, n, gpusort::less{},
                      scratch->reserve(sort::scratch_bytes(n)));
            check(cudaStreamSynchronize(nullptr), "quicksort");
          }};
}

/// Varies the production quicksort's numbers.
void measure_production(bench::paper_run& run) {
  const std::vector<key_sorter> sorters{production_sorter<tuned>("tuned"),
                                        production_sorter<fewer_samples>("96_samples"),
                                        production_sorter<shorter_tiles>("tiles_of_4096")};
  for (int log2n = 20; log2n <= run.most_log2n(); log2n += 2) {
    for (const papers::input_distribution& distribution : papers::input_distributions()) {
      if (!run.has_time()) return;
      bench::key_input input(distribution, log2n);
      bench::add_sorters(run, "production", input, sorters);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::paper_run run(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  if (run.wants("figure_4")) measure_figure_4(run);
  if (run.wants("production")) measure_production(run);
  if (run.wants("sweep")) bench::measure_parameters(run);
  return run.table().is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_quicksort: %s\n", e.what());
  return EXIT_FAILURE;
}
