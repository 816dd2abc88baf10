// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    bench::add_sorts<false, std::uint8_t>(p, "sort", "u8", bench::weight::side);
    bench::add_sorts<false, std::uint16_t>(p, "sort", "u16", bench::weight::side);
  });
}
