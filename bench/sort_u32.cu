// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    bench::add_sorts<false, std::uint32_t>(p, "sort", "u32", bench::weight::main);
    bench::add_sorts_by_product<std::uint32_t>(p, "u32");
  });
}
