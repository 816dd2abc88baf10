// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that links gpusort's library: its sorts compile no kernel that depends on nothing of
// its own (symbols.py). Where there is no device it sorts on the CPU.
#include <algorithm>
#include <cstdio>
#include <gpusort/gpusort.hpp>
#include <vector>

struct record {
  unsigned key;
  char rest[28];
};

int main() {
  std::vector<unsigned> keys{3, 1, 2, 5, 4};
  gpusort::sort(gpusort::par_gpu, keys.begin(), keys.end());
  std::vector<record> records{{3, {}}, {1, {}}, {2, {}}};
  gpusort::stable_sort(gpusort::par_gpu, records.begin(), records.end(),
                       gpusort::order_by(gpusort::desc(&record::key)));
  const bool is_right =
      std::is_sorted(keys.begin(), keys.end()) && records[0].key == 3 && records[2].key == 1;
  std::printf("linked with gpusort %d.%d: %s\n", gpusort::version.major, gpusort::version.minor,
              is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
