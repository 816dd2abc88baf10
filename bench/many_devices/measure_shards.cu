// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting what lies on several devices: 2^28 elements (--log2n) on each of 1, 2, 4, ..., by plan A
// (stable_sort) and plan B, against one device in the same run. Then skewed inputs against uniform
// ones. On one device, also as 4 and 8 shards of it, which says nothing of links.
//
//   measure_shards [--rows FILE] [--devices N] [--log2n N] [--seconds S]
#include "measure_shards.hpp"

int main(int argc, char** argv) try {
  using namespace many_devices;
  const options given(argc, argv);
  rows out(given.text("--rows"));
  const deadline end(given.number("--seconds", 180));
  const int devices =
      std::min<int>(count_devices(), static_cast<int>(given.number("--devices", 8)));
  if (devices == 0) {
    std::puts("no CUDA device: nothing is measured");
    return EXIT_SUCCESS;
  }
  session all(out, end, devices, static_cast<int>(given.number("--log2n", 28)));
  bool has_failed = false;
  const auto go_on = [&](const auto& measure) {  // whatever one measurement throws
    try {
      measure();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "measure_shards: %s\n", e.what());
      has_failed = true;
    }
  };
  go_on([&] { all.measure_scaling(subject<std::uint32_t, gpusort::less>{"u32", false, {}}); });
  go_on([&] { all.measure_timelines(); });
  go_on([&] { all.measure_skew(); });
  go_on([&] { all.measure_easy_inputs(); });
  if (devices == 1) go_on([&] { all.measure_shards_of_one_device(); });
  go_on([&] { measure_u64(all); });
  go_on([&] { measure_pairs(all); });
  go_on([&] { measure_records(all); });
  return has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_shards: %s\n", e.what());
  return EXIT_FAILURE;
}
