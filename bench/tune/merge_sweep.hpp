// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <gpusort/detail/algorithm/multiway_merge.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <string>
#include <vector>

#include "../kit/merging.hpp"
#include "table.hpp"

namespace tune {

/// Tuning of multiway merging with the shape of one of the two kinds of blocks replaced. They
/// nest.
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread>
struct with_few_tile : Tuning {
  static constexpr int threads_per_block_of_few = ThreadsPerBlock;
  static constexpr int items_per_thread_of_few = ItemsPerThread;
};
template <class Tuning, int ThreadsPerBlock, int ItemsPerThread>
struct with_many_tile : Tuning {
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_thread = ItemsPerThread;
};

inline constexpr int run_counts[] = {4, 16, 64};

/// Times multiway merging of runs of 2^28 u32, or as many bytes, as long as each other, under less,
/// with several sets of numbers: the kernels alone, on uniform keys, the output verified.
template <class T>
class merge_sweep {
 public:
  using current = gpusort::detail::tuning::multiway_merge<sizeof(T)>;

  /// Adds one set of numbers, and what is different in it.
  template <class Tuning>
  void add(const std::string& change) {
    using merge = gpusort::detail::multiway_merge<array, array, array, order, Tuning>;
    candidates_.push_back({{change, {}}, merge::scratch_bytes, merge::run});
  }

  /// Measures all and reports. The exit status of the program.
  int run(const char* type, int argc, char** argv) {
    std::vector<std::string> columns;
    for (int k : run_counts) {
      columns.push_back(std::to_string(k) + " runs");
      for (candidate& c : candidates_) c.seconds.push_back(measure(c, k));
    }
    report(type, columns, {candidates_.begin(), candidates_.end()}, argc, argv);
    return is_correct_ ? 0 : 1;
  }

 private:
  using array = gpusort::detail::key_array<T>;
  using order = gpusort::detail::by_stored_value<gpusort::less>;
  using sorted_run = gpusort::detail::sorted_run<array>;

  struct candidate : figures {
    std::size_t (*scratch_bytes)(const sorted_run* runs, std::size_t k);
    void (*merge)(cudaStream_t, const sorted_run* runs, std::size_t k, array out, order, void*);
  };

  double measure(const candidate& c, int k) {
    const int log2n = sizeof(T) <= 4 ? 28 : 27;
    const auto problem = memory_.template make<T, bench::no_value>(
        {kit::distribution::uniform, bench::run_lengths::even, k, log2n});
    memory_.clear(problem);
    std::vector<sorted_run> runs;
    for (std::size_t i = 0; i < problem.runs(); ++i) {
      runs.push_back(
          {array{problem.keys + problem.begins[i]}, problem.begins[i + 1] - problem.begins[i]});
    }
    const auto bytes = c.scratch_bytes(runs.data(), runs.size());
    void* const scratch = scratch_.template reserve_for<unsigned char>(bytes);
    const bench::timing t = bench::measure(
        0.05, [] {},
        [&] {
          c.merge(nullptr, runs.data(), runs.size(), array{problem.out_keys}, {}, scratch);
          bench::check(cudaStreamSynchronize(nullptr), "merging");
        });
    const std::string fault = memory_.fault_in(problem, true);
    if (!fault.empty()) std::fprintf(stderr, "%s: %s\n", c.change.c_str(), fault.c_str());
    is_correct_ = is_correct_ && fault.empty();
    return t.device_median;
  }

  bench::merge_workspace memory_;
  bench::buffer scratch_;
  std::vector<candidate> candidates_;
  bool is_correct_ = true;
};

}  // namespace tune
