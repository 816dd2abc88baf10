// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint32_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 256, 23, 0>>("few: 256 x 23");
  s.add<tune::with_few_tile<now, 256, 31, 3>>("few: 256 x 31, 3 load ahead");
  s.add<tune::with_few_tile<now, 256, 23, 4>>("few: 256 x 23, 4 load ahead");
  s.add<tune::with_few_tile<now, 256, 15, 6>>("few: 256 x 15, 6 load ahead");
  s.add<tune::with_few_tile<now, 128, 31, 6>>("few: 128 x 31, 6 load ahead");
  s.add<tune::with_few_tile<now, 512, 25, 2>>("few: 512 x 25, 2 load ahead");
  s.add<tune::with_many_tile<now, 512, 25, 0>>("many: 512 x 25");
  s.add<tune::with_many_tile<now, 512, 25, 2>>("many: 512 x 25, 2 load ahead");
  s.add<tune::with_many_tile<now, 512, 15, 3>>("many: 512 x 15, 3 load ahead");
  s.add<tune::with_many_tile<now, 768, 33, 1>>("many: 768 x 33, 1 loads ahead");
  s.add<tune::with_many_tile<now, 1024, 25, 1>>("many: 1024 x 25, 1 loads ahead");
  s.add<now>("none, again");
  return s.run("u32", argc, argv);
}
