// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort in a program that is compiled separably: ptxas refuses kernels that call functions of more
// registers than their launch bounds leave.
#include <gpusort/gpusort.hpp>

__device__ int digit_of(int x);  // of the other unit

namespace {

struct by_last_digit {
  __device__ bool operator()(int a, int b) const { return digit_of(a) < digit_of(b); }
};

}  // namespace

void sort_by_last_digit(int* first, int* last) {
  gpusort::sort(gpusort::par_gpu, first, last, by_last_digit{});
}
