// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>

#include <gpusort/gpusort.hpp>

// expect: its elements are constants
void f(const thrust::device_vector<int>& v) { gpusort::sort(gpusort::par_gpu, v.begin(), v.end()); }

// expect: its elements are constants
void f(thrust::device_ptr<const int> p) { gpusort::stable_sort(gpusort::par_gpu, p, p + 1); }

// expect: its elements are constants
void f(thrust::device_vector<int>& keys, const thrust::device_vector<int>& values) {
  const auto first = thrust::make_zip_iterator(keys.begin(), values.begin());
  gpusort::sort(gpusort::par_gpu, first, first + 1);
}

// expect: its elements are constants
void f(const thrust::device_vector<long>& in, thrust::device_ptr<const unsigned> indices) {
  gpusort::argsort(gpusort::par_gpu, in.begin(), in.end(), indices);
}

// expect: its iterators make objects
void f(thrust::device_vector<int>& keys) {
  const auto first = thrust::make_zip_iterator(thrust::make_counting_iterator(0), keys.begin());
  gpusort::sort(gpusort::par_gpu, first, first + 1);
}
