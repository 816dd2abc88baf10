// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep.hpp"

int main(int argc, char** argv) {
  tune::sweep<bench::record<32>> s;
  using now = decltype(s)::current;
  add_common(s);
  s.add<tune::with_items_per_thread<now, 2>>("items_per_thread: 2");
  s.add<tune::with_items_per_thread<now, 4>>("items_per_thread: 4");
  s.add<tune::with_items_per_thread<now, 6>>("items_per_thread: 6");
  s.add<tune::with_tile<now, 512, 2, 3>>("tile: 512 x 2, 3 resident");
  s.add<tune::with_tile<now, 1024, 2, 1>>("tile: 1024 x 2, 1 resident");
  s.add<tune::with_bucket_tile<now, 64, 4>>("bucket_tile: 64 x 4");
  s.add<tune::with_bucket_tile<now, 128, 2>>("bucket_tile: 128 x 2");
  s.add<tune::with_bucket_tile<now, 128, 4>>("bucket_tile: 128 x 4");
  s.add<tune::with_bucket_tile<now, 256, 4>>("bucket_tile: 256 x 4");
  s.add<tune::with_bucket_tile<now, 512, 2>>("bucket_tile: 512 x 2");
  s.add<now>("none, again");
  return s.run("record32", argc, argv);
}
