// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kit/block_on_cpu.hpp"

namespace cub {

/// Has what the library calls of CUB's.
template <class T, int Threads>
class BlockScan {
 public:
  struct TempStorage {
    T sums[Threads];
  };

  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  void ExclusiveSum(T in, T& out) {
    T all;
    ExclusiveSum(in, out, all);
  }
  void ExclusiveSum(T in, T& out, T& all) {
    storage_.sums[threadIdx.x] = in;
    __syncthreads();
    out = sum_of_first(static_cast<int>(threadIdx.x));
    all = sum_of_first(Threads);
  }
  template <int Items>
  void ExclusiveSum(T (&in)[Items], T (&out)[Items]) {
    T all;
    ExclusiveSum(in, out, all);
  }
  template <int Items>
  void ExclusiveSum(T (&in)[Items], T (&out)[Items], T& all) {
    T sum = 0, before;
    for (const T& x : in) sum += x;
    ExclusiveSum(sum, before, all);
    for (int i = 0; i < Items; ++i) {
      const T mine = in[i];
      out[i] = before;
      before += mine;
    }
  }

 private:
  T sum_of_first(int n) const {
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += storage_.sums[i];
    return sum;
  }

  TempStorage& storage_;
};

}  // namespace cub
