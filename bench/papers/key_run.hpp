// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of 32-bit keys, sorters of them, and the run that measures them for the figures.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../kit/measure.hpp"
#include "distributions.hpp"
#include "figure_table.hpp"

namespace bench {

struct key_sorter {
  std::string name;
  std::function<void(std::uint32_t*, std::size_t)> sort;  // returns when the result is ready
};

/// Reads the options and keeps the time.
class paper_run {
 public:
  paper_run(int argc, char** argv) : table_(argc, argv) {
    const std::vector<std::string>& arguments = table_.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] != "--seconds" && arguments[i] != "--log2n") {
        parts_.push_back(arguments[i]);
      } else if (i + 1 == arguments.size()) {
        throw std::runtime_error(arguments[i] + " needs a number");
      } else {
        const int number = std::stoi(arguments[i + 1]);
        (arguments[i] == "--seconds" ? seconds_ : most_log2n_) = number;
        ++i;
      }
    }
  }

  figure_table& table() { return table_; }
  int most_log2n() const { return most_log2n_; }

  /// Whether there is time left for another case; says once that there is none.
  bool has_time() {
    const bool has = std::chrono::steady_clock::now() - begin_ < std::chrono::seconds(seconds_);
    if (!has && !has_ended_) std::printf("%d seconds are over: cases are left out\n", seconds_);
    has_ended_ = !has;
    return has;
  }

  /// Whether this part is wanted: all are where none is named.
  bool wants(const std::string& part) const {
    return parts_.empty() || std::find(parts_.begin(), parts_.end(), part) != parts_.end();
  }

 private:
  figure_table table_;
  std::vector<std::string> parts_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int seconds_ = 90;
  int most_log2n_ = 24;
  bool has_ended_ = false;
};

/// Throws where the keys differ.
inline void expect_keys(const std::vector<std::uint32_t>& found,
                        const std::vector<std::uint32_t>& expected) {
  if (found != expected) throw std::runtime_error("the result is wrong");
}

/// Keys of one distribution, on the device and on the host.
class key_input {
 public:
  key_input(const papers::input_distribution& distribution, int log2n,
            const papers::distribution_parameters& parameters = {})
      : key_input("2^" + std::to_string(log2n) + " " + distribution.name,
                  distribution.make(std::size_t{1} << log2n, parameters)) {}

  key_input(std::string name, std::vector<std::uint32_t> values)
      : name_(std::move(name)), values_(std::move(values)) {
    host_seconds_ = sort_on_host(sorted_);
    check(cudaMemcpy(input_.reserve(bytes()), values_.data(), bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    work_.reserve(bytes());
  }

  const std::string& name() const { return name_; }
  std::size_t n() const { return values_.size(); }
  std::uint32_t* data() { return work_.reserve_for<std::uint32_t>(n()); }

  void restore() {
    check(cudaMemcpyAsync(data(), input_.reserve(bytes()), bytes(), cudaMemcpyDeviceToDevice),
          "restoring the input");
  }

  /// Returns seconds: a median of 7. Throws where the result is wrong.
  double on_device(const key_sorter& sorter) {
    const timing t = measure(
        0, [&] { restore(); }, [&] { sorter.sort(data(), n()); });
    std::vector<std::uint32_t> found(n());
    check(cudaMemcpy(found.data(), data(), bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    expect_keys(found, sorted_);
    return t.median;
  }

  /// Returns the seconds of std::sort: a median of 7, but of more than 2^20 keys one measurement.
  double on_host() const {
    if (n() > std::size_t{1} << 20) return host_seconds_;
    std::vector<double> seconds{host_seconds_};
    std::vector<std::uint32_t> work;
    while (seconds.size() < 7) seconds.push_back(sort_on_host(work));
    return median_of(seconds);
  }

 private:
  std::size_t bytes() const { return n() * sizeof(std::uint32_t); }

  double sort_on_host(std::vector<std::uint32_t>& work) const {
    using clock = std::chrono::steady_clock;
    work = values_;
    const auto begin = clock::now();
    std::sort(work.begin(), work.end());
    return std::chrono::duration<double>(clock::now() - begin).count();
  }

  std::string name_;
  std::vector<std::uint32_t> values_, sorted_;
  double host_seconds_ = 0;
  buffer input_, work_;
};

/// Measures an input by each sorter, as long as there is time.
inline void add_sorters(paper_run& run, const std::string& figure, key_input& input,
                        const std::vector<key_sorter>& sorters) {
  for (const key_sorter& sorter : sorters) {
    if (!run.has_time()) return;
    run.table().measure(figure, input.name(), sorter.name, input.n(),
                        [&] { return input.on_device(sorter); });
  }
}

/// Measures an input by each sorter, and by std::sort.
inline void add_all_sorters(paper_run& run, const std::string& figure, key_input& input,
                            const std::vector<key_sorter>& sorters) {
  add_sorters(run, figure, input, sorters);
  run.table().add(figure, input.name(), "std_sort", input.n(), input.on_host());
}

}  // namespace bench
