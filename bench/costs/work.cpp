// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads lines "strategy element_bytes value_bytes value_ranges key_bits comparison n" and prints
// what each of these sorts is charged for by router/cost.hpp, for bench/costs/fit.
#include <cstdint>
#include <gpusort/detail/router/cost.hpp>
#include <iostream>

int main() {
  using namespace gpusort::detail::router;
  int how = 0, compared = 0;
  std::uint64_t n = 0;
  records r{};
  std::cout.precision(17);
  while (std::cin >> how >> r.bytes >> r.value_bytes >> r.value_ranges >> r.key_bits >> compared >>
         n) {
    r.compared = static_cast<comparison>(compared);
    const work w = work_of(static_cast<strategy>(how), r, n);
    std::cout << w.calls << ' ' << w.doublings << ' ' << w.radix_passes << ' ' << w.streamed_bytes
              << ' ' << w.bucketed_bytes << ' ' << w.compared_bytes << ' ' << w.merged_bytes << ' '
              << w.paired_bytes << ' ' << w.ranked_digits << ' ' << w.called_comparisons << ' '
              << w.random_comparisons << ' ' << microseconds(w) << '\n';
  }
}
