// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys that mislead the samples of one seed, at every power of two.
#include "kit/matrix.hpp"

namespace {

constexpr int least_log2n = 10, most_log2n = 26;

using key = std::uint32_t;

/// Adds sorts; `of_thrust` is what Thrust knows `compare` as.
template <bool Stable, class Compare, class OfThrust>
void add_sorts(bench::program& p, const char* order, Compare compare, OfThrust of_thrust) {
  using bench::no_value;
  const bench::case_name name{Stable ? "stable_sort" : "sort", "", "u32", order, "", 0};
  for (int log2n = least_log2n; log2n <= most_log2n; ++log2n) {
    const bench::input where{kit::distribution::uniform, log2n, true};
    p.add<bench::gpusort_sorter, Stable, key, no_value>(name, where, compare);
    p.add<bench::thrust_sorter, Stable, key, no_value>(name, where, of_thrust);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    const bench::opaque_less opaque;
    add_sorts<false>(p, "less", gpusort::less{}, thrust::less<key>{});
    add_sorts<false>(p, "opaque", opaque, opaque);
    add_sorts<true>(p, "opaque", opaque, opaque);
  });
}
