// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 003's figures 11, 12, 14, 16, 18 and 19 on today's hardware: its sample sorts and its merge
// sort, their parts, and other sorts of the same keys. Figure 17 is a drawing of the search tree.
//
// For figure 11 it merges once by each method and once by none; ncu counts their instructions
// (bench/papers/run).
//
//   measure_sample_sort [--json FILE] [--seconds N] [--log2n N] [figure_12] [figure_16] ...
//
// It begins no case after N seconds (90). Inputs have up to 2^24 keys, or 2^N. The figures that are
// named are measured, or all. After a wrong result the exit status is 1.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <type_traits>

#include "block_wise_merge.hpp"
#include "distributions_003.hpp"
#include "key_mergers.hpp"
#include "odd_even_merge.hpp"
#include "rank_merge.hpp"

namespace {

using bench::check;

std::string power_of_two(int log2n) { return "2^" + std::to_string(log2n); }

std::vector<std::uint32_t> uniform_keys(std::size_t n) {
  return papers::of_003::make_uniform(n, papers::of_003::parameters(1));
}

/// Measures by distribution and size: also figure 14, which leaves the revised version out.
void measure_figure_19(bench::paper_run& run) {
  const std::vector<bench::key_sorter> sorters = bench::sorters_of_any_size();
  for (int log2n = 16; log2n <= run.most_log2n(); log2n += 2) {
    for (const papers::input_distribution& d : papers::of_003::input_distributions()) {
      if (!run.has_time()) return;
      bench::key_input input(d, log2n, papers::of_003::parameters(1));
      bench::add_all_sorters(run, "figure_19", input, sorters);
    }
  }
}

/// Measures numbers of counters, by distribution.
void measure_figure_18(bench::paper_run& run) {
  const std::vector<bench::key_sorter> sorters = bench::sorters_by_counters();
  for (const papers::input_distribution& d : papers::of_003::input_distributions()) {
    if (!run.has_time()) return;
    bench::key_input input(d, 22, papers::of_003::parameters(1));
    bench::add_sorters(run, "figure_18", input, sorters);
  }
}

/// Measures one block, by size and entropy: keys as they are drawn, or 4 of them and-ed together.
void measure_figure_16(bench::paper_run& run) {
  const std::vector<bench::key_sorter> sorters = bench::sorters_of_one_block();
  for (int log2n = 12; log2n <= 18; ++log2n) {
    for (std::size_t combined : {1, 4}) {
      if (!run.has_time()) return;
      const std::size_t n = std::size_t{1} << log2n;
      const std::vector<std::uint32_t> drawn = uniform_keys(n * combined);
      std::vector<std::uint32_t> keys(n, ~0u);
      for (std::size_t i = 0; i < drawn.size(); ++i) keys[i % n] &= drawn[i];
      bench::key_input input(power_of_two(log2n) + (combined == 1 ? " uniform" : " 4_combined"),
                             std::move(keys));
      bench::add_sorters(run, "figure_16", input, sorters);
    }
  }
}

/// Leaves its window as it is, so that what a block does besides merging can be counted.
template <class T, int Width>
struct skeleton {
  static constexpr bool is_stable = false;

  template <class Compare>
  __device__ static void merge(T*, int, int, Compare) {}
};

/// Sequences that are merged, and what they become.
class sequences {
 public:
  sequences(std::size_t count, std::size_t length) : keys_(uniform_keys(count * length)) {
    sorted_ = keys_;
    std::sort(sorted_.begin(), sorted_.end());
    for (auto first = keys_.begin(); first != keys_.end();) {
      const auto last = first + static_cast<std::ptrdiff_t>(length);
      std::sort(first, last);
      first = last;
    }
    check(cudaMemcpy(memory_.reserve(bytes()), keys_.data(), bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }

  template <class Merge, int Runs>
  void measure(bench::paper_run& run, const std::string& input, const std::string& name,
               std::size_t parts) {
    if (!run.has_time()) return;
    bench::key_merger<Merge, Runs> merger;
    merger.prepare(memory_.reserve_for<std::uint32_t>(keys_.size()), keys_.size(), parts);
    run.table().measure("figure_12", input, name, keys_.size(), [&] {
      const bench::timing t = bench::measure(
          0, [] {}, [&] { merger.run(); });
      verify(merger.merged());
      return t.median;
    });
  }

  /// Merges two sequences, by a block of Width threads for each multiprocessor.
  template <int Width, template <class, int> class Method>
  void merge_once() {
    bench::key_merger<papers::block_wise_merge<Width, Method>, 2> merger;
    merger.prepare(memory_.reserve_for<std::uint32_t>(keys_.size()), keys_.size(),
                   bench::multiprocessors());
    merger.run();
    if constexpr (!std::is_same_v<Method<int, Width>, skeleton<int, Width>>) {
      verify(merger.merged());
    }
  }

 private:
  std::size_t bytes() const { return keys_.size() * sizeof(std::uint32_t); }

  void verify(const std::uint32_t* merged) const {
    std::vector<std::uint32_t> found(keys_.size());
    check(cudaMemcpy(found.data(), merged, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    bench::expect_keys(found, sorted_);
  }

  std::vector<std::uint32_t> keys_, sorted_;
  bench::buffer memory_;
};

template <int Width>
void merge_by_each_method(sequences& two) {
  two.merge_once<Width, skeleton>();
  two.merge_once<Width, papers::odd_even_merge>();
  two.merge_once<Width, papers::bitonic_merge>();
  two.merge_once<Width, papers::rank_merge>();
}

/// Merges 2^20 keys by each method, as bench/paper_figures.py expects.
void merge_for_figure_11() {
  sequences two(2, std::size_t{1} << 19);
  merge_by_each_method<32>(two);
  merge_by_each_method<64>(two);
  merge_by_each_method<128>(two);
  merge_by_each_method<256>(two);
}

/// Measures blocks of `Width` threads: as many for each multiprocessor as the input says. A block
/// that merges bitonically takes `Width` elements in one window, so their number is given.
template <int Width>
void measure_merges(bench::paper_run& run, sequences& two, sequences& four, int log2_length) {
  using two_way = papers::block_wise_merge<Width, papers::bitonic_merge>;
  using four_way = papers::four_way_merge<Width, papers::bitonic_merge>;
  using bitonic = papers::window_merge<Width, papers::bitonic_merge>;
  const std::string threads = "_" + std::to_string(Width);
  const std::string length = power_of_two(log2_length);
  for (std::size_t blocks : {1, 2, 4, 8, 16}) {
    const std::size_t parts = blocks * bench::multiprocessors();
    const std::string input = length + " " + std::to_string(blocks) + "_blocks";
    two.measure<two_way, 2>(run, input, "two_way" + threads, parts);
    four.measure<four_way, 4>(run, input, "four_way" + threads, parts);
  }
  two.measure<bitonic, 2>(run, length + " windows", "bitonic" + threads,
                          (std::size_t{2} << log2_length) / Width);
}

void measure_figure_12(bench::paper_run& run) {
  for (int log2_length = 12; log2_length <= 20; log2_length += 4) {
    if (!run.has_time()) return;
    const std::size_t length = std::size_t{1} << log2_length;
    sequences two(2, length), four(4, length);
    measure_merges<32>(run, two, four, log2_length);
    measure_merges<64>(run, two, four, log2_length);
    measure_merges<128>(run, two, four, log2_length);
    measure_merges<256>(run, two, four, log2_length);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::paper_run run(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  if (run.wants("figure_11")) run.table().attempt("figure_11", merge_for_figure_11);
  if (run.wants("figure_12")) measure_figure_12(run);
  if (run.wants("figure_16")) measure_figure_16(run);
  if (run.wants("figure_18")) measure_figure_18(run);
  if (run.wants("figure_19")) measure_figure_19(run);
  return run.table().is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_sample_sort: %s\n", e.what());
  return EXIT_FAILURE;
}
