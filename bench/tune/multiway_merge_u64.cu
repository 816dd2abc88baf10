// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint64_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 256, 15>>("few: 256 x 15");
  s.add<tune::with_few_tile<now, 128, 23>>("few: 128 x 23");
  s.add<tune::with_few_tile<now, 192, 23>>("few: 192 x 23");
  s.add<tune::with_few_tile<now, 128, 31>>("few: 128 x 31");
  s.add<tune::with_few_tile<now, 256, 27>>("few: 256 x 27");
  s.add<tune::with_many_tile<now, 512, 15>>("many: 512 x 15");
  s.add<tune::with_many_tile<now, 448, 23>>("many: 448 x 23");
  s.add<tune::with_many_tile<now, 384, 27>>("many: 384 x 27");
  s.add<tune::with_many_tile<now, 384, 19>>("many: 384 x 19");
  s.add<now>("none, again");
  return s.run("u64", argc, argv);
}
