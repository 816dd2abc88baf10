// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint32_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 128, 31>>("few: 128 x 31");
  s.add<tune::with_few_tile<now, 128, 55>>("few: 128 x 55");
  s.add<tune::with_few_tile<now, 160, 47>>("few: 160 x 47");
  s.add<tune::with_few_tile<now, 192, 47>>("few: 192 x 47");
  s.add<tune::with_few_tile<now, 256, 47>>("few: 256 x 47");
  s.add<tune::with_few_tile<now, 384, 31>>("few: 384 x 31");
  s.add<tune::with_many_tile<now, 448, 47>>("many: 448 x 47");
  s.add<tune::with_many_tile<now, 384, 39>>("many: 384 x 39");
  s.add<tune::with_many_tile<now, 512, 31>>("many: 512 x 31");
  s.add<tune::with_many_tile<now, 512, 47>>("many: 512 x 47");
  s.add<now>("none, again");
  return s.run("u32", argc, argv);
}
