// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merging primitive of paper 003's figures 11 and 12: a sequential selection cuts two or four
// sequences into parts, and a block merges each of them.
#pragma once

#include <gpusort/detail/support/device.hpp>

#include "four_way_merge.hpp"
#include "key_sorters.hpp"
#include "window_merge.hpp"

namespace bench {

/// Merges `Runs` sequences of equal length that lie one after the other.
template <class Merge, int Runs>
class key_merger {
 public:
  using array = gpusort::detail::key_array<std::uint32_t>;

  /// Makes room for the result and tells the device what is cut.
  void prepare(std::uint32_t* data, std::size_t n, std::size_t parts) {
    const std::size_t items = n / Runs;
    std::vector<gpusort::detail::sorted_run<array>> runs;
    std::vector<std::uint64_t> ranks;
    for (int run = 0; run < Runs; ++run) {
      from_.runs[run] = array{data} + items * run;
      runs.push_back({from_.runs[run], items});
    }
    for (std::size_t p = 0; p <= parts; ++p) ranks.push_back(n * p / parts);
    auto* const positions = positions_.template reserve_for<std::uint64_t>(ranks.size() * Runs);
    from_.positions = positions;
    task_ = {upload(runs_, runs), Runs, upload(ranks_, ranks), positions};
    count_ = ranks.size();
    out_ = merged_.template reserve_for<std::uint32_t>(n);
  }

  void run() {
    papers::sequential_selection::run(nullptr, task_, count_, opaque_less{});
    Merge::run(nullptr, from_, count_ - 1, array{out_}, opaque_less{});
    check(cudaStreamSynchronize(nullptr), "merging");
  }

  /// Returns the merged lists, on the device.
  const std::uint32_t* merged() const { return out_; }

 private:
  template <class T>
  static T* upload(buffer& to, const std::vector<T>& from) {
    T* const device = to.reserve_for<T>(from.size());
    check(cudaMemcpy(device, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    return device;
  }

  std::size_t count_ = 0;  // of ranks
  buffer runs_, ranks_, positions_, merged_;
  papers::cut_runs<array, Runs> from_{};
  papers::selection_task<array> task_{};
  std::uint32_t* out_ = nullptr;
};

}  // namespace bench
