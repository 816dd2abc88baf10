// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    bench::add_record_sorts<16>(p, bench::weight::few);
    bench::add_record_sorts<32>(p, bench::weight::few);
    bench::add_record_sorts<64>(p, bench::weight::few);
    bench::add_record_sorts<128>(p, bench::weight::few);
  });
}
