// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/small_radix_sort.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/tuning/small_radix_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One block sorts keys of two bytes by their digits, with CUB: one launch, no scratch. `Array`
/// holds keys as integers that order as they do.
template <class Array, bool Descending>
class small_radix_sort {
 public:
  static constexpr std::uint64_t max_n = tuning::large_radix_tile::items_per_tile;

  /// Sorts the n <= max_n elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n) {
    if (n <= tuning::small_radix_tile::items_per_tile) {
      run_in<tuning::small_radix_tile>(stream, in, out, static_cast<int>(n));
    } else {
      run_in<tuning::large_radix_tile>(stream, in, out, static_cast<int>(n));
    }
  }

 private:
  template <class Tuning, class In>
  static void run_in(const call_stream& stream, In in, Array out, int n) {
    launch(kernel::small_radix_sort_kernel<Tuning, Descending, In, Array>, 1,
           Tuning::threads_per_block, 0, stream, in, out, n, stream.completion_words(1));
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
