// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint64_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 256, 11>>("few: 256 x 11");
  s.add<tune::with_few_tile<now, 128, 15>>("few: 128 x 15");
  s.add<tune::with_few_tile<now, 512, 11>>("few: 512 x 11");
  s.add<tune::with_few_tile<now, 384, 15>>("few: 384 x 15");
  s.add<tune::with_few_tile<now, 256, 13>>("few: 256 x 13");
  s.add<tune::with_many_tile<now, 512, 11>>("many: 512 x 11");
  s.add<tune::with_many_tile<now, 384, 15>>("many: 384 x 15");
  s.add<tune::with_many_tile<now, 768, 11>>("many: 768 x 11");
  s.add<tune::with_many_tile<now, 512, 13>>("many: 512 x 13");
  s.add<now>("none, again");
  return s.run("u64", argc, argv);
}
