// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kit/matrix.hpp"

namespace {

/// Adds stable sorts; without values, stability can only be seen under a comparator of the user's.
template <class Key>
void add_stable_sorts(bench::program& p, const char* type) {
  for (const bench::input& where : bench::inputs(p, bench::weight::few, sizeof(Key))) {
    bench::add_opaque<true, Key, bench::no_value>(p, {"stable_sort", "", type, "opaque", "", 0},
                                                  where);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    using std::uint32_t;
    using std::uint64_t;
    using bench::weight;
    add_stable_sorts<uint32_t>(p, "u32");
    add_stable_sorts<uint64_t>(p, "u64");
    bench::add_sorts<true, uint32_t, uint32_t>(p, "stable_sort_by_key", "u32_u32", weight::few);
    bench::add_sorts<true, uint64_t, uint64_t>(p, "stable_sort_by_key", "u64_u64", weight::few);
  });
}
