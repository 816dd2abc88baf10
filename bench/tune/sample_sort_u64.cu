// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep.hpp"

int main(int argc, char** argv) {
  tune::sweep<std::uint64_t> s;
  using now = decltype(s)::current;
  add_common(s);
  s.add<tune::without_pages<now>>("without pages");
  s.add<tune::with_paging_tile<now, 384, 8, 2>>("tile of pages: 384 x 8");
  s.add<tune::with_items_per_thread<now, 6>>("items_per_thread: 6");
  s.add<tune::with_items_per_thread<now, 12>>("items_per_thread: 12");
  s.add<tune::with_items_per_thread<now, 16>>("items_per_thread: 16");
  s.add<tune::with_tile<now, 512, 8, 3>>("tile: 512 x 8, 3 resident");
  s.add<tune::with_tile<now, 1024, 6, 1>>("tile: 1024 x 6, 1 resident");
  s.add<tune::with_bucket_tile<now, 64, 16>>("bucket_tile: 64 x 16");
  s.add<tune::with_bucket_tile<now, 128, 8>>("bucket_tile: 128 x 8");
  s.add<tune::with_bucket_tile<now, 128, 16>>("bucket_tile: 128 x 16");
  s.add<tune::with_bucket_tile<now, 256, 4>>("bucket_tile: 256 x 4");
  s.add<tune::with_bucket_tile<now, 384, 8>>("bucket_tile: 384 x 8");
  s.add<tune::with_lane_runs<now, 128, 8, 1>>("bucket_sorter: 128 x 8, runs of 1");
  s.add<tune::with_lane_runs<now, 128, 8, 8>>("bucket_sorter: 128 x 8, runs of 8");
  s.add<tune::with_lane_runs<now, 128, 8, 32>>("bucket_sorter: 128 x 8, runs of 32");
  s.add<tune::with_lane_runs<now, 128, 16, 8>>("bucket_sorter: 128 x 16, runs of 8");
  s.add<tune::with_lane_runs<now, 256, 8, 8>>("bucket_sorter: 256 x 8, runs of 8");
  s.add<now>("none, again");
  return s.run("u64", argc, argv);
}
