// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/gpusort.hpp>

// nvcc prints the error of a functor once.
template <int>
struct before {
  bool operator()(int a, int b) const { return a < b; }
};
struct exchange {
  void operator()(int, int) const {}
};
struct swap {
  __host__ __device__ void operator()(int, int) const {}
};

// expect: gpusort_needs_host_device_before_the_operator_of
void sort(int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, before<0>()); }

// expect: gpusort_needs_host_device_before_the_operator_of
void merge(const int* p, int* out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, p + 1, p + 2, out, before<1>());
}

// expect: gpusort_needs_host_device_before_the_operator_of
bool is_sorted(int* p) { return gpusort::is_sorted(gpusort::par_gpu, p, p + 1, before<2>()); }

// expect: gpusort_needs_host_device_before_the_operator_of
void by_key(int* p, int* q) { gpusort::sort_by_key(gpusort::par_gpu, p, p + 1, q, before<3>()); }

// expect: gpusort_needs_host_device_before_the_operator_of
void compare() { gpusort::sort(gpusort::par_gpu, 0, 9, before<4>(), swap()); }

// expect: gpusort_needs_host_device_before_the_operator_of
void swaps() {
  gpusort::sort(
      gpusort::par_gpu, 0, 9, [] __device__(int i, int j) { return i < j; }, exchange());
}
