// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    bench::add_sorts<false, float>(p, "sort", "float", bench::weight::side);
    bench::add_sorts<false, double>(p, "sort", "double", bench::weight::side);
  });
}
