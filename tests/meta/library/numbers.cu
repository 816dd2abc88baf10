// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort that the library has, in a unit that is compiled in other ways than the library is: by
// separable compilation, for a debugger, or in a shared object whose symbols are hidden.
#include <algorithm>
#include <cstdio>
#include <gpusort/sort.hpp>
#include <vector>

struct by_last_digit {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a % 10 < b % 10; }
};

/// Whether the program's own kernels, which the library launches, sort.
static bool sorts_by_its_own() {
  std::vector<unsigned> keys(20000);
  for (unsigned i = 0; i < keys.size(); ++i) keys[i] = i * 2654435761u;
  gpusort::sort(gpusort::par_gpu, keys.begin(), keys.end(), by_last_digit{});
  return std::is_sorted(keys.begin(), keys.end(), by_last_digit{});
}

/// Returns 0 where numbers are sorted, on a device by the library's kernels.
extern "C" __attribute__((visibility("default"))) int sort_numbers() {
  std::vector<unsigned> keys(100000);
  for (unsigned i = 0; i < keys.size(); ++i) keys[i] = i * 2654435761u;
  gpusort::sort(gpusort::par_gpu, keys.begin(), keys.end());
  const gpusort::plan plan = gpusort::explain(gpusort::par_gpu, keys.begin(), keys.end());
  const bool is_sorted = std::is_sorted(keys.begin(), keys.end()) && sorts_by_its_own();
  const bool is_of_library = plan.algorithm == gpusort::route::host_sort ||
                             plan.compiled_in == gpusort::code_origin::library;
  std::printf("%s, by %s kernels\n", is_sorted ? "right" : "wrong",
              is_of_library ? "the library's or no" : "the program's");
  return is_sorted && is_of_library ? 0 : 1;
}
