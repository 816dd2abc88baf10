// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/permutation.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether n unsigned indices are a permutation of 0 .. n - 1, as a condition for later kernels:
/// whoever reads or writes through the indices waits for it. n is not 0. Scratch: a bit for each.
/// Launches: 1, and one that sets the bits. No synchronization; capturable.
template <class Index>
class check_permutation {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  static kernel::predicate run(cudaStream_t stream, const Index* indices, std::uint64_t n,
                               void* scratch) {
    const layout parts(n, scratch);
    check(cudaMemsetAsync(scratch, 0xff, parts.bytes, stream), "setting bits");
    launch(kernel::check_permutation_kernel<threads_per_block, items_per_thread, Index>,
           ceil_div<std::uint64_t>(n, threads_per_block * items_per_thread), threads_per_block, 0,
           stream, indices, n, parts.unmet, parts.is_permutation);
    return {parts.is_permutation};
  }

 private:
  static constexpr int threads_per_block = 256;
  // Atomics on random words wait for memory: each thread has several on the way.
  static constexpr int items_per_thread = 4;

  struct layout {
    std::uint32_t* is_permutation;
    std::uint32_t* unmet;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      is_permutation = cursor.take<std::uint32_t>(1);
      unmet = cursor.take<std::uint32_t>(ceil_div<std::uint64_t>(n, 32));
      bytes = cursor.used();
    }
  };
};

/// Inverts a permutation: inverse[order[i]] = i. Launches: 1.
template <class Index>
void invert_permutation(cudaStream_t stream, const Index* order, std::uint64_t n, Index* inverse,
                        kernel::predicate gate) {
  constexpr int threads = 256;
  launch(kernel::invert_permutation_kernel<threads, Index>, ceil_div<std::uint64_t>(n, threads),
         threads, 0, stream, order, n, inverse, gate);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
