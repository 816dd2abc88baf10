// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/kernel/counting_sort.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Counting sort of integers of one byte: equal keys are the same bits, so the output is written
/// from the counts alone.
///
/// Order: ascending, or descending, as less and greater. Reads and writes every key once, the same
/// for any input. Scratch: 2 KB, none up to 2^14 keys. Launches: 1; beyond 2^18 keys 2, which need
/// no multiprocessor for themselves, and a memset. No synchronization; capturable.
template <class Key, bool Descending>
class counting_sort {
  static_assert(sizeof(Key) == 1 && is_integer_key_v<Key>, "equal keys must be the same bits");

 public:
  static std::size_t scratch_bytes(std::uint64_t n) {
    return n <= max_one_block_n ? 0 : tile::byte_values * sizeof(unsigned long long);
  }

  /// Sorts the n > 0 keys of `in` into `out`, which may be the same array.
  static void run(cudaStream_t stream, const Key* in, Key* out, std::uint64_t n, void* scratch) {
    const auto* const from = reinterpret_cast<const unsigned char*>(in);
    auto* const to = reinterpret_cast<unsigned char*>(out);
    auto* const totals = static_cast<unsigned long long*>(scratch);
    const auto sort = kernel::counting_sort_kernel<threads_per_block>;
    using step = kernel::counting_step;
    if (n <= max_one_block_n) {
      return launch(sort, 1, threads_per_block, 0, stream, from, to, n, n, flip, totals, step::all);
    }
    const std::uint64_t share =
        std::max(round_up<std::uint64_t>(ceil_div(n, most_blocks()), 128), min_bytes_per_block);
    const std::uint64_t blocks = ceil_div(n, share);
    if (n <= max_one_launch_n) {
      return launch_cooperatively(sort, blocks, threads_per_block, 0, stream, from, to, n, share,
                                  flip, totals, step::all);
    }
    check(cudaMemsetAsync(totals, 0, scratch_bytes(n), stream), "clearing counters");
    launch(sort, blocks, threads_per_block, 0, stream, from, to, n, share, flip, totals,
           step::count);
    launch(sort, blocks, threads_per_block, 0, stream, from, to, n, share, flip, totals,
           step::fill);
  }

 private:
  static constexpr int threads_per_block = 512;
  // Below, what several blocks save in counting they lose in waiting for each other.
  static constexpr std::uint64_t max_one_block_n = std::uint64_t{1} << 14;
  // Below, one launch less saves more than the blocks lose by waiting to be resident together.
  static constexpr std::uint64_t max_one_launch_n = std::uint64_t{1} << 18;
  static constexpr std::uint64_t min_bytes_per_block = 4096;

  /// Resident at once: the kernel's launch bounds see to it.
  static std::uint64_t most_blocks() {
    const device_properties& device = current_device_properties();
    return static_cast<std::uint64_t>(device.multiprocessors) *
           std::min(2, device.max_threads_per_multiprocessor / threads_per_block);
  }

  static constexpr unsigned flip = (is_signed_key_v<Key> ? 0x80u : 0u) ^ (Descending ? 0xffu : 0u);
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
