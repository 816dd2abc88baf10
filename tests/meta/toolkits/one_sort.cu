// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/sort.hpp>

void sort(int* first, int* last) { gpusort::sort(gpusort::par_gpu, first, last); }
