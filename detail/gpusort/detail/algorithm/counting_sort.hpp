// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/kernel/counting_sort.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/tuning/counting_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Counting sort of numbers of one or two bytes, by their bits: equal keys are the same, or zeros
/// of either sign, or bools of other bytes, so the output is written from the counts alone.
///
/// Order: ascending or descending, known when it runs. Reads and writes every key once. Scratch:
/// 2 KB for one byte, none up to 2^14 keys; 513 KB for two. Launches: 1 up to 2^18 keys of one
/// byte, or 512 keys of two bytes for each multiprocessor but one; beyond, 2, which need no
/// multiprocessor for themselves, and a memset. No synchronization; capturable.
template <class Key>
class counting_sort {
  static constexpr bool is_byte = sizeof(Key) == 1, are_floats = is_float_key_v<Key>;
  // Bools may have any byte; such an order of bytes is one of bools.
  using bits = unsigned_of_size_t<sizeof(Key)>;
  using order = bit_order_for<Key>;
  using tuning = detail::tuning::counting_sort<sizeof(Key)>;
  using counts = std::conditional_t<is_byte, tile::byte_counts<tuning>,
                                    tile::short_counts<tuning, are_floats>>;
  using destinations =
      std::conditional_t<is_byte, counts,
                         tile::short_destinations<are_floats, tuning::threads_per_block>>;

 public:
  /// Whether the current device has the shared memory for the counters.
  static bool fits() {
    return current_device_properties().max_shared_memory_per_block >= bytes_for_few;
  }

  static std::size_t scratch_bytes(std::uint64_t n) {
    return n <= tuning::max_one_block_n ? 0 : counts::total_count * sizeof(unsigned long long);
  }

  /// Sorts the n > 0 keys of `in` into `out`, which may be the same array.
  static void run(const call_stream& stream, order by, const Key* keys_in, Key* keys_out,
                  std::uint64_t n, void* scratch) {
    auto* const in = reinterpret_cast<const bits*>(keys_in);
    auto* const out = reinterpret_cast<bits*>(keys_out);
    auto* const totals = static_cast<unsigned long long*>(scratch);
    if (n <= tuning::max_one_block_n) return sort_few(stream, by, in, out, n, n, nullptr);
    const std::uint64_t few_blocks =
        most_cooperating_blocks(tuning::threads_for_few, bytes_for_few, tuning::blocks_resident);
    if (few_blocks > 0 && n <= tuning::max_one_launch_n) {
      const std::uint64_t few = share_of(n, few_blocks);
      if (few <= tuning::max_few_per_block) return sort_few(stream, by, in, out, n, few, totals);
    }
    constexpr int threads = tuning::threads_per_block;
    const std::uint64_t share =
        share_of(n, most_resident_blocks(threads, sizeof(counts), tuning::blocks_resident));
    const std::uint64_t blocks = ceil_div(n, share);
    check(cudaMemsetAsync(totals, 0, scratch_bytes(n), stream), "clearing counters");
    launch(kernel::count_keys_kernel<counts>, blocks, threads, sizeof(counts), stream, by, in, n,
           share, totals);
    launch(kernel::fill_by_counts_kernel<destinations>, blocks, threads, sizeof(destinations),
           stream, by, out, n, share, totals);
  }

 private:
  using few_shorts = tile::short_destinations<are_floats, tuning::threads_for_few>;
  static constexpr std::size_t bytes_for_few =
      is_byte ? sizeof(counts) : sizeof(kernel::few_shorts_storage<few_shorts>);
  static_assert(bytes_for_few >= sizeof(counts));

  static std::uint64_t share_of(std::uint64_t n, std::uint64_t most_blocks) {
    return (std::max)(round_up<std::uint64_t>(ceil_div(n, most_blocks), 128),
                      tuning::min_keys_per_block);
  }

  static void sort_few(const call_stream& stream, order by, const bits* in, bits* out,
                       std::uint64_t n, std::uint64_t share, unsigned long long* totals) {
    constexpr int threads = tuning::threads_for_few;
    const std::uint64_t blocks = ceil_div(n, share);
    if constexpr (is_byte) {
      const auto sort = kernel::sort_bytes_kernel<counts>;
      std::uint32_t* const told = totals == nullptr ? stream.completion_words(1) : nullptr;
      if (totals == nullptr) {
        launch(sort, blocks, threads, bytes_for_few, stream, by, in, out, n, share, totals, told);
      } else {
        launch_cooperatively(sort, blocks, threads, bytes_for_few, stream, by, in, out, n, share,
                             totals, told);
      }
    } else {
      launch_cooperatively(kernel::sort_few_shorts_kernel<few_shorts>, blocks, threads,
                           bytes_for_few, stream, by, in, out, n, share, totals);
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
