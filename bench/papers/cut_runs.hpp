// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace papers {

/// Runs that a multiway selection has cut into parts, each of which one block merges.
/// positions[part * Runs + run] is where the part begins in the run; there is one row more than
/// there are parts. The merged parts lie one after the other.
template <class Array, int Runs>
struct cut_runs {
  Array runs[Runs];
  const std::uint64_t* positions;

  struct piece {
    Array array;
    std::uint64_t count;
  };

  GPUSORT_DEVICE piece of(std::uint64_t part, int run) const {
    const std::uint64_t begin = positions[part * Runs + run];
    return {runs[run] + begin, positions[(part + 1) * Runs + run] - begin};
  }

  GPUSORT_DEVICE std::uint64_t merged_begin(std::uint64_t part) const {
    std::uint64_t before = 0;
    for (int run = 0; run < Runs; ++run) before += positions[part * Runs + run];
    return before;
  }
};

}  // namespace papers
