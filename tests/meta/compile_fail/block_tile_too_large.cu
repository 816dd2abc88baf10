// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: block::sort_storage
// expect: larger than the shared memory
#include <gpusort/block.hpp>

struct page {
  int words[64];
};

__global__ void f(page* first, page* last) {
  using storage = gpusort::block::sort_storage<page, 256, 8>;
  extern __shared__ __align__(16) unsigned char raw[];
  const auto before = [](const page& a, const page& b) { return a.words[0] < b.words[0]; };
  gpusort::block::sort(*reinterpret_cast<storage*>(raw), first, last, before);
}
