// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of seven types, as each type is refused once.
#include <gpusort/gpusort.hpp>

bool down(int a, int b) { return a > b; }
__host__ __device__ bool down_anywhere(long a, long b) { return a > b; }
int halved(const short& x) { return x / 2; }
int key_at(int i) { return -i; }
bool ascending(unsigned i, unsigned j) { return i < j; }
void exchange(int, int) {}
float third(const double& x) { return static_cast<float>(x / 3); }
struct swap {
  __host__ __device__ void operator()(int, int) const {}
};

// expect: a pointer to a function is an address on the host
// expect: pass a __host__ __device__ lambda or functor that calls the function
void comparator(int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, down); }

// expect: a pointer to a function is an address on the host
void address(long* p) { gpusort::stable_sort(gpusort::par_gpu, p, p + 1, &down_anywhere); }

// expect: a pointer to a function is an address on the host
void projection(short* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, {}, halved); }

// expect: a pointer to a function is an address on the host
void fetch() { gpusort::sort(gpusort::par_gpu, 0, 9, key_at, gpusort::less(), swap()); }

// expect: a pointer to a function is an address on the host
void compare() { gpusort::sort(gpusort::par_gpu, 0u, 9u, &ascending, swap()); }

// expect: a pointer to a function is an address on the host
void swaps() {
  gpusort::sort(
      gpusort::par_gpu, 0, 9, [] __device__(int i, int j) { return i < j; }, exchange);
}

// expect: a pointer to a function is an address on the host
void field(double* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(gpusort::asc(third)));
}
