// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU-Quicksort as one who sorts keys, and the names of its options.
#pragma once

#include <memory>

#include "gpu_quicksort.hpp"
#include "key_run.hpp"

namespace bench {

inline const char* name_of(papers::pivot_rule rule) {
  return rule == papers::pivot_rule::average ? "average" : "median";
}

/// Returns the paper's three parameters, in the order of its figure 9.
inline std::string name_of(const papers::gpu_quicksort_options& options) {
  return std::to_string(options.threads) + "/" + std::to_string(options.max_sequences) + "/" +
         std::to_string(options.min_length);
}

/// Sorts by GPU-Quicksort with options(n).
template <class Options>
key_sorter gpu_quicksort_sorter(const std::string& name, Options options) {
  const auto scratch = std::make_shared<buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            using sort = papers::gpu_quicksort;
            const papers::gpu_quicksort_options chosen = options(n);
            sort::run(nullptr, data, n, chosen, scratch->reserve(sort::scratch_bytes(n, chosen)));
            check(cudaStreamSynchronize(nullptr), "GPU-Quicksort");
          }};
}

}  // namespace bench
