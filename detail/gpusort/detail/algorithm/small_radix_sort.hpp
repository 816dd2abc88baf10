// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/small_radix_sort.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/tuning/small_radix_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One block sorts keys of two bytes by their digits, with CUB: one launch, no scratch. Their order
/// is known when it runs.
template <class Key>
class small_radix_sort {
  using bits = std::uint16_t;
  using order = bit_order_for<Key>;

 public:
  static constexpr std::uint64_t max_n = tuning::large_radix_tile::items_per_tile;

  /// Sorts the n <= max_n elements of `in` into `out`, which may be the same array.
  static void run(const call_stream& stream, order by, const Key* keys_in, Key* keys_out,
                  std::uint64_t n) {
    auto* const in = reinterpret_cast<const bits*>(keys_in);
    auto* const out = reinterpret_cast<bits*>(keys_out);
    if (n <= tuning::small_radix_tile::items_per_tile) {
      run_in<tuning::small_radix_tile>(stream, by, in, out, static_cast<int>(n));
    } else {
      run_in<tuning::large_radix_tile>(stream, by, in, out, static_cast<int>(n));
    }
  }

 private:
  template <class Tuning>
  static void run_in(const call_stream& stream, order by, const bits* in, bits* out, int n) {
    launch(kernel::small_radix_sort_kernel<Tuning, is_float_key_v<Key>>, 1,
           Tuning::threads_per_block, 0, stream, by, in, out, n, stream.completion_words(1));
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
