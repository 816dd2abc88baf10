// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_sweep.hpp"

int main(int argc, char** argv) {
  tune::merge_sweep<std::uint64_t> s;
  using now = decltype(s)::current;
  s.add<now>("none");
  s.add<tune::with_few_tile<now, 256, 11, 0>>("few: 256 x 11");
  s.add<tune::with_few_tile<now, 256, 15, 3>>("few: 256 x 15, 3 load ahead");
  s.add<tune::with_few_tile<now, 256, 11, 4>>("few: 256 x 11, 4 load ahead");
  s.add<tune::with_few_tile<now, 128, 15, 6>>("few: 128 x 15, 6 load ahead");
  s.add<tune::with_few_tile<now, 512, 11, 2>>("few: 512 x 11, 2 load ahead");
  s.add<tune::with_many_tile<now, 512, 11, 2>>("many: 512 x 11, 2 load ahead");
  s.add<tune::with_many_tile<now, 512, 23, 1>>("many: 512 x 23, 1 loads ahead");
  s.add<tune::with_many_tile<now, 1024, 11, 1>>("many: 1024 x 11, 1 loads ahead");
  s.add<now>("none, again");
  return s.run("u64", argc, argv);
}
