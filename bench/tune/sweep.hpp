// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <string>
#include <vector>

#include "../kit/measure.hpp"
#include "../kit/problem.hpp"
#include "numbers.hpp"
#include "table.hpp"

namespace tune {

/// Sizes of inputs: between powers of two buckets are smaller than their target.
inline constexpr std::uint64_t sizes[] = {1 << 24, 3 << 24, 1 << 26};

/// Times sample sort of T, under a comparator that it cannot see through, with several sets of
/// numbers: the kernels alone, on uniform keys, the output verified.
template <class T>
class sweep {
 public:
  using current = gpusort::detail::tuning::sample_sort<sizeof(T)>;

  /// Adds one set of numbers, and what is different in it.
  template <class Tuning>
  void add(const std::string& change) {
    using sort = gpusort::detail::sample_sort<array, order, Tuning>;
    candidates_.push_back(
        {{change, {}}, sort::scratch_bytes, [](T* keys, std::uint64_t n, void* scratch) {
           const array a{reinterpret_cast<stored*>(keys)};
           sort::run(cudaStream_t{}, a, a, n, {}, scratch);
         }});
  }

  /// Measures all and reports. The exit status of the program.
  int run(const char* type, int argc, char** argv) {
    std::vector<std::string> columns;
    for (std::uint64_t n : sizes) {
      columns.push_back(std::to_string(n >> 20) + " Mi");
      for (candidate& c : candidates_) c.seconds.push_back(measure(c, n));
    }
    report(type, columns, {candidates_.begin(), candidates_.end()}, argc, argv);
    return is_correct_ ? 0 : 1;
  }

 private:
  // As a call of gpusort::sort has them.
  using stored = gpusort::detail::wide_stored_t<T>;
  using array = gpusort::detail::key_array<stored>;
  using order = gpusort::detail::by_stored_value<bench::opaque_less>;

  struct candidate : figures {
    std::size_t (*scratch_bytes)(std::uint64_t);
    void (*sort)(T* keys, std::uint64_t n, void* scratch);
  };

  double measure(const candidate& c, std::uint64_t n) {
    const auto problem = memory_.template make<T, bench::no_value>(kit::distribution::uniform, n);
    void* const scratch = memory_.scratch(c.scratch_bytes(n));
    const bench::timing t = bench::measure(
        0.05, [&] { memory_.restore(problem); },
        [&] {
          c.sort(problem.keys, n, scratch);
          bench::check(cudaStreamSynchronize(nullptr), "sorting");
        });
    const std::string fault =
        memory_.fault_in(bench::sorted_output<T>{problem.keys, problem.values}, problem.n, false);
    if (!fault.empty()) std::fprintf(stderr, "%s: %s\n", c.change.c_str(), fault.c_str());
    is_correct_ = is_correct_ && fault.empty();
    return t.device_median;
  }

  bench::workspace memory_;
  std::vector<candidate> candidates_;
  bool is_correct_ = true;
};

/// Adds what is tried for every type. First and last stand equal numbers: their difference is
/// noise.
template <class T>
void add_common(sweep<T>& s) {
  using now = typename sweep<T>::current;
  constexpr int tile = now::buckets::items_per_tile;
  s.template add<now>("none");
  s.template add<with_target_bucket<now, tile / 4>>("target_bucket: a quarter of a tile");
  s.template add<with_target_bucket<now, tile * 5 / 8>>("target_bucket: 5/8 of a tile");
  s.template add<with_target_bucket<now, tile * 3 / 4>>("target_bucket: 3/4 of a tile");
  s.template add<with_log_oversample<now, 2>>("log_oversample: 2");
  s.template add<with_log_oversample<now, 3>>("log_oversample: 3");
  s.template add<with_log_oversample<now, 5>>("log_oversample: 5");
  s.template add<with_tiles_per_chunk<now, 2>>("tiles_per_chunk: 2");
  s.template add<with_tiles_per_chunk<now, 8>>("tiles_per_chunk: 8");
}

}  // namespace tune
