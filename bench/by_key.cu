// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    using std::uint32_t;
    using std::uint64_t;
    using bench::weight;
    bench::add_sorts<false, uint32_t, uint32_t>(p, "sort_by_key", "u32_u32", weight::few);
    bench::add_sorts<false, uint64_t, uint64_t>(p, "sort_by_key", "u64_u64", weight::few);
  });
}
