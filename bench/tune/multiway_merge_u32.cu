// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint32_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 256, 23>>("few: 256 x 23");
  s.add<tune::with_few_tile<now, 128, 31>>("few: 128 x 31");
  s.add<tune::with_few_tile<now, 512, 25>>("few: 512 x 25");
  s.add<tune::with_few_tile<now, 384, 31>>("few: 384 x 31");
  s.add<tune::with_few_tile<now, 256, 27>>("few: 256 x 27");
  s.add<tune::with_many_tile<now, 512, 25>>("many: 512 x 25");
  s.add<tune::with_many_tile<now, 384, 31>>("many: 384 x 31");
  s.add<tune::with_many_tile<now, 768, 25>>("many: 768 x 25");
  s.add<tune::with_many_tile<now, 512, 27>>("many: 512 x 27");
  s.add<now>("none, again");
  return s.run("u32", argc, argv);
}
