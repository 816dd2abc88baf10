// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A caller's types that are named as something of gpusort's. The code that nvcc generates for the
// host names template arguments once more, and not always from the global namespace.
#include <cstdint>
#include <gpusort/gpusort.hpp>

using gpusort::asc;
using gpusort::desc;
using gpusort::order_by;
using gpusort::par_gpu;

struct version {
  std::uint64_t key;
  std::uint32_t value, flags;
};
struct route {
  float length;
  int stops[5];
};
struct element {
  std::uint32_t a;
};
struct by_key {
  __host__ __device__ bool operator()(const version& a, const version& b) const {
    return a.key < b.key;
  }
};
struct less {
  __host__ __device__ bool operator()(const route& a, const route& b) const {
    return a.length < b.length;
  }
};

void sorts_by_members(version* first, version* last, std::uint32_t* indices) {
  gpusort::sort(par_gpu, first, last, order_by(asc<&version::key>()));
  gpusort::stable_sort(par_gpu, first, last, order_by(desc<&version::flags>(), &version::value));
  gpusort::argsort(par_gpu, first, last, indices, order_by(asc<&version::value>()));
}

void merges_by_members(const version* first, const std::uint64_t* offsets,
                       const std::uint64_t* offsets_end, version* out) {
  gpusort::multiway_merge(par_gpu, first, offsets, offsets_end, out,
                          order_by(asc<&version::key>()));
}

void sorts_by_functions(version* first, version* last, route* routes, element* elements) {
  gpusort::sort(par_gpu, first, last, by_key{});
  gpusort::stable_sort(par_gpu, routes, routes + (last - first), less{});
  gpusort::sort_by_key(par_gpu, routes, routes + (last - first), elements,
                       order_by(asc<&route::length>()));
  gpusort::sort(par_gpu, elements, elements + (last - first), order_by(asc<&element::a>()));
}
