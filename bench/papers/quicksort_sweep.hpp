// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 000's figures 9 to 11 and its table II: what the parameters of GPU-Quicksort do.
#pragma once

#include <array>
#include <optional>

#include "gpu_quicksort_sorter.hpp"

namespace bench {

struct swept {
  papers::gpu_quicksort_options options;
  double seconds;
};

/// Measures all combinations, or as many as there is time for. Fastest first.
inline std::vector<swept> sweep(paper_run& run, key_input& input, papers::pivot_rule rule) {
  std::vector<swept> all;
  for (int threads : {32, 64, 128, 256, 512}) {
    for (std::uint32_t sequences = 256; sequences <= 4096; sequences *= 2) {
      for (std::uint32_t min_length = 256; min_length <= 4096; min_length *= 2) {
        if (!run.has_time()) return {};  // a part of them has no best
        const papers::gpu_quicksort_options options{threads, sequences, min_length, rule};
        const key_sorter sorter = gpu_quicksort_sorter(name_of(options) + " " + name_of(rule),
                                                       [=](std::size_t) { return options; });
        const std::optional<double> seconds = run.table().measure(
            "sweep", input.name(), sorter.name, input.n(), [&] { return input.on_device(sorter); });
        if (seconds) all.push_back({options, *seconds});
      }
    }
  }
  std::sort(all.begin(), all.end(),
            [](const swept& a, const swept& b) { return a.seconds < b.seconds; });
  return all;
}

/// Returns medians of 7 for the first phase and for the second one, by events.
inline std::pair<double, double> phase_seconds(key_input& input,
                                               const papers::gpu_quicksort_options& options) {
  using papers::gpu_quicksort_phase;
  buffer memory;
  void* const scratch = memory.reserve(papers::gpu_quicksort::scratch_bytes(input.n(), options));
  stopwatch first, second;
  std::vector<double> first_seconds, second_seconds;
  for (int i = 0; i < 7; ++i) {
    input.restore();
    first.start();
    papers::gpu_quicksort::run(nullptr, input.data(), input.n(), options, scratch,
                               [&](gpu_quicksort_phase phase) {
                                 if (phase == gpu_quicksort_phase::first) {
                                   first.stop();
                                   second.start();
                                 } else {
                                   second.stop();
                                 }
                               });
    first_seconds.push_back(first.seconds());
    second_seconds.push_back(second.seconds());
  }
  return {median_of(first_seconds), median_of(second_seconds)};
}

/// Adds the five best and the five worst combinations, by phases.
inline void add_figure_9(paper_run& run, key_input& input, const std::vector<swept>& sorted) {
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t place = i < 5 ? i : sorted.size() - 10 + i;
    const papers::gpu_quicksort_options& options = sorted[place].options;
    const auto [first, second] = phase_seconds(input, options);
    const std::string where =
        std::string(name_of(options.rule)) + (i < 5 ? " best " : " worst ") + name_of(options);
    run.table().add("figure_9", where, "first_phase", input.n(), first);
    run.table().add("figure_9", where, "second_phase", input.n(), second);
  }
}

/// The paper's parameters, as what table II and figures 10 and 11 are about.
struct swept_parameter {
  const char* name;
  std::uint32_t (*of)(const papers::gpu_quicksort_options&);
};

inline constexpr std::array<swept_parameter, 3> swept_parameters{{
    {"threads",
     [](const papers::gpu_quicksort_options& options) {
       return static_cast<std::uint32_t>(options.threads);
     }},
    {"maxseq", [](const papers::gpu_quicksort_options& options) { return options.max_sequences; }},
    {"sbsize", [](const papers::gpu_quicksort_options& options) { return options.min_length; }},
}};

/// Adds the best, the worst and the average of all combinations with one value of one parameter.
inline void add_figure_10(paper_run& run, key_input& input, const std::vector<swept>& sorted) {
  for (const swept_parameter& parameter : swept_parameters) {
    for (std::uint32_t value = 32; value <= 4096; value *= 2) {
      std::vector<double> seconds;
      double sum = 0;
      for (const swept& s : sorted) {
        if (parameter.of(s.options) != value) continue;
        seconds.push_back(s.seconds);
        sum += s.seconds;
      }
      if (seconds.empty()) continue;
      const std::string where = std::string(name_of(sorted[0].options.rule)) + " " +
                                parameter.name + "=" + std::to_string(value);
      run.table().add("figure_10", where, "best", input.n(), seconds.front());
      run.table().add("figure_10", where, "worst", input.n(), seconds.back());
      run.table().add("figure_10", where, "average", input.n(),
                      sum / static_cast<double>(seconds.size()));
    }
  }
}

/// The best combination for one length.
struct best_swept {
  std::size_t n;
  papers::gpu_quicksort_options options;
};

/// Prints optp's k and m for each parameter: a linear regression over lengths.
inline void print_table_2(const std::vector<best_swept>& best) {
  const double count = static_cast<double>(best.size());
  for (const swept_parameter& parameter : swept_parameters) {
    double sum_n = 0, sum = 0, products = 0, squares = 0;
    for (const best_swept& b : best) {
      sum_n += static_cast<double>(b.n);
      sum += parameter.of(b.options);
    }
    for (const best_swept& b : best) {
      const double distance = static_cast<double>(b.n) - sum_n / count;
      products += distance * parameter.of(b.options);
      squares += distance * distance;
    }
    const double k = products / squares;
    std::printf("table_II   %-22s %-10s optp(s, %.8f, %.0f)\n", name_of(best[0].options.rule),
                parameter.name, k, (sum - k * sum_n) / count);
  }
}

/// Sweeps one length; nothing is returned where there was no time for all combinations.
inline std::optional<best_swept> measure_length(paper_run& run, papers::pivot_rule rule,
                                                int log2n) {
  if (!run.has_time()) return std::nullopt;
  key_input input(papers::input_distributions()[0], log2n);
  const std::vector<swept> sorted = sweep(run, input, rule);
  if (sorted.size() < 10) return std::nullopt;  // as figure 9 draws
  if (log2n == 23) {
    add_figure_9(run, input, sorted);
    add_figure_10(run, input, sorted);
  }
  const papers::gpu_quicksort_options& options = sorted[0].options;
  const std::string where = std::string(name_of(rule)) + " " + std::to_string(log2n) + ": ";
  run.table().add("figure_11", where + name_of(options), "best", input.n(), sorted[0].seconds);
  return best_swept{input.n(), options};
}

/// Sweeps lengths from 2^20 on, the paper's 8 million keys first, by both rules.
inline void measure_parameters(paper_run& run) {
  std::vector<int> lengths{23};
  for (int log2n = 20; log2n <= run.most_log2n(); ++log2n) {
    if (log2n != 23) lengths.push_back(log2n);
  }
  const papers::pivot_rule rules[] = {papers::pivot_rule::average, papers::pivot_rule::median};
  std::vector<best_swept> best[2];
  for (int log2n : lengths) {
    for (int rule = 0; rule < 2 && log2n <= run.most_log2n(); ++rule) {
      const std::optional<best_swept> found = measure_length(run, rules[rule], log2n);
      if (found) best[rule].push_back(*found);
    }
  }
  for (const std::vector<best_swept>& of_rule : best) {
    if (of_rule.size() > 1) print_table_2(of_rule);
  }
}

}  // namespace bench
