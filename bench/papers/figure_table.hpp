// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Prints rows as they are measured, writes a line of JSON for each to the file that `--json`
/// names, and remembers whether a result was wrong.
class figure_table {
 public:
  figure_table(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--json") != 0) {
        arguments_.push_back(argv[i]);
      } else if (++i == argc || (json_ = std::fopen(argv[i], "a")) == nullptr) {
        throw std::runtime_error("--json needs the name of a file that can be written");
      }
    }
  }
  figure_table(const figure_table&) = delete;
  figure_table& operator=(const figure_table&) = delete;
  ~figure_table() {
    if (json_ != nullptr) std::fclose(json_);
  }

  /// Returns the other arguments.
  const std::vector<std::string>& arguments() const { return arguments_; }

  /// Adds a row; `input` and `name`: what was sorted, and by whom, or in which phase.
  void add(const std::string& figure, const std::string& input, const std::string& name,
           std::size_t n, double seconds) {
    std::printf("%-10s %-22s %-26s %9zu %10.3f ms %9.1f million/s\n", figure.c_str(), input.c_str(),
                name.c_str(), n, 1e3 * seconds, 1e-6 * static_cast<double>(n) / seconds);
    std::fflush(stdout);
    if (json_ == nullptr) return;
    std::fprintf(json_,
                 "{\"figure\": \"%s\", \"input\": \"%s\", \"name\": \"%s\", \"n\": %zu, "
                 "\"ms\": %.4f}\n",
                 figure.c_str(), input.c_str(), name.c_str(), n, 1e3 * seconds);
    std::fflush(json_);  // a program that is stopped keeps its rows
  }

  /// Calls f. Where it throws, because a result is wrong or a call failed, prints a line that
  /// begins with BAD.
  template <class F>
  void attempt(const std::string& what, F f) {
    try {
      f();
    } catch (const std::exception& e) {
      std::printf("BAD %s: %s\n", what.c_str(), e.what());
      std::fflush(stdout);
      is_right_ = false;
    }
  }

  /// Adds what `measure` returns, in seconds, and returns it too. Where it throws, there is no row,
  /// and nothing is returned.
  template <class Measure>
  std::optional<double> measure(const std::string& figure, const std::string& input,
                                const std::string& name, std::size_t n, Measure measure) {
    std::optional<double> seconds;
    attempt(figure + " " + input + " " + name, [&] { seconds = measure(); });
    if (seconds) add(figure, input, name, n, *seconds);
    return seconds;
  }

  bool is_right() const { return is_right_; }

 private:
  std::vector<std::string> arguments_;
  std::FILE* json_ = nullptr;
  bool is_right_ = true;
};

}  // namespace bench
