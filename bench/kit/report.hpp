// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace bench {

/// The parts of a benchmark's name: operation/implementation/type/comparator/distribution/log2n.
struct case_name {
  std::string operation, implementation, type, compare, distribution;
  int log2n = 0;

  std::string str() const {
    return operation + '/' + implementation + '/' + type + '/' + compare + '/' + distribution +
           '/' + std::to_string(log2n);
  }

  static case_name parse(const std::string& text) {
    std::array<std::string, 6> parts;
    std::size_t from = 0;
    for (auto& part : parts) {
      const std::size_t to = std::min(text.find('/', from), text.size());
      part = text.substr(from, to - from);
      from = std::min(to + 1, text.size());
    }
    return {parts[0], parts[1], parts[2], parts[3], parts[4], std::stoi(parts[5])};
  }
};

/// Collects the times of all cases and prints, at the end, one short table per type and comparator
/// with the ratios to Thrust.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  explicit table_reporter(bool lists_cases) : lists_cases_(lists_cases) {}

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const case_name name = case_name::parse(run.run_name.function_name);
      if (const std::string* fault = fault_of(run, 0)) {
        failures_.push_back(name.str() + ": " + *fault);
        continue;
      }
      const double us = 1e6 * run.real_accumulated_time / static_cast<double>(run.iterations);
      group& g = group_of(name);
      g.times[{name.distribution, name.log2n}][name.implementation] = us;
      remember(g.implementations, name.implementation);
      remember(g.distributions, name.distribution);
      if (lists_cases_) {
        std::printf("%-64s %10s us  %6.2f Gkeys/s\n", name.str().c_str(), digits(us).c_str(),
                    std::ldexp(1e-3 / us, name.log2n));
        std::fflush(stdout);
      }
    }
  }

  void Finalize() override {
    for (const group& g : groups_) print(g);
    double log_sum = 0, worst = INFINITY;
    int cases = 0;
    std::string worst_name;
    for (const group& g : groups_) {
      for (const auto& [where, unused] : g.times) {
        const double r = ratio(g, where);
        if (std::isnan(r)) continue;
        log_sum += std::log(r);
        ++cases;
        if (r < worst) {
          worst = r;
          worst_name = g.title + '/' + where.first + '/' + std::to_string(where.second);
        }
      }
    }
    if (cases > 0) {
      std::printf("ratio to thrust over %d cases: geometric mean %.2f, worst %.2f (%s)\n", cases,
                  std::exp(log_sum / cases), worst, worst_name.c_str());
    }
    constexpr std::size_t most_listed = 20;  // one bad access fails every case after it
    for (std::size_t i = 0; i < failures_.size() && i < most_listed; ++i) {
      std::printf("FAILED %s\n", failures_[i].c_str());
    }
    if (failed()) std::printf("%zu cases failed\n", failures_.size());
    std::fflush(stdout);
  }

  bool failed() const { return !failures_.empty(); }

 private:
  using place = std::pair<std::string, int>;  // distribution, log2n

  struct group {
    std::string title;      // operation/type/comparator
    std::string reference;  // title of the group whose Thrust times count for this one
    std::map<place, std::map<std::string, double>> times;
    std::vector<std::string> implementations, distributions;  // in order of first appearance
  };

  // Google Benchmark up to 1.7 and from 1.8 on name this differently.
  template <class AnyRun>
  static auto fault_of(const AnyRun& run, int) -> decltype(&run.error_message) {
    return run.error_occurred ? &run.error_message : nullptr;
  }
  template <class AnyRun>
  static auto fault_of(const AnyRun& run, long) -> decltype(&run.skip_message) {
    return run.skipped ? &run.skip_message : nullptr;
  }

  static void remember(std::vector<std::string>& known, const std::string& name) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }

  group& group_of(const case_name& name) {
    const std::string front = name.operation + '/' + name.type + '/';
    const std::string title = front + name.compare;
    for (group& g : groups_) {
      if (g.title == title) return g;
    }
    // Thrust cannot see through an order_by: its sort of the same records with a functor counts.
    groups_.push_back({title, name.compare == "order_by" ? front + "opaque" : title, {}, {}, {}});
    return groups_.back();
  }

  double time(const std::string& title, const place& where, const std::string& who) const {
    for (const group& g : groups_) {
      if (g.title != title) continue;
      const auto found = g.times.find(where);
      if (found == g.times.end()) break;
      const auto one = found->second.find(who);
      if (one != found->second.end()) return one->second;
    }
    return NAN;
  }

  double ratio(const group& g, const place& where) const {
    return time(g.reference, where, "thrust") / time(g.title, where, "gpusort");
  }

  bool has_reference(const group& g) const {
    return std::any_of(g.times.begin(), g.times.end(),
                       [&](const auto& one) { return !std::isnan(ratio(g, one.first)); });
  }

  void print(const group& g) const {
    std::vector<int> sizes, sizes_of_several;
    for (const auto& [where, unused] : g.times) {
      if (where.first == "uniform") {
        sizes.push_back(where.second);
      } else if (std::find(sizes_of_several.begin(), sizes_of_several.end(), where.second) ==
                 sizes_of_several.end()) {
        sizes_of_several.push_back(where.second);
      }
    }
    std::sort(sizes_of_several.begin(), sizes_of_several.end());

    std::printf("\n%s\n", g.title.c_str());
    if (!sizes.empty()) {
      std::printf("  %-15s", "log2 n");
      for (int log2n : sizes) std::printf(" %7d", log2n);
      for (const auto& who : g.implementations) {
        std::printf("\n  %-12s us", who.c_str());
        for (int log2n : sizes) {
          std::printf(" %7s", digits(time(g.title, {"uniform", log2n}, who)).c_str());
        }
      }
      if (has_reference(g)) {
        std::printf("\n  %-15s", "to thrust");
        for (int log2n : sizes) {
          std::printf(" %7s", digits(ratio(g, {"uniform", log2n})).c_str());
        }
      }
      std::printf("\n");
    }
    if (!has_reference(g)) return;
    for (int log2n : sizes_of_several) {
      std::printf("  to thrust, 2^%d:", log2n);
      for (const auto& d : g.distributions) {
        const double r = ratio(g, {d, log2n});
        if (!std::isnan(r)) std::printf(" %s %s", d.c_str(), digits(r).c_str());
      }
      std::printf("\n");
    }
  }

  /// Returns three digits or all that stand before the point.
  static std::string digits(double value) {
    if (std::isnan(value)) return "-";
    char text[32];
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof(text), "%.*f", decimals, value);
    return text;
  }

  bool lists_cases_;
  std::vector<std::string> failures_;
  std::vector<group> groups_;
};

}  // namespace bench
