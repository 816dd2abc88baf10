// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/pieces.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A counter for each key, in order, then one for each segment of them.
struct short_totals {
  static constexpr int values = 1 << 16;
  static constexpr int values_per_segment = 512;  // so that one warp scans the segments
  static constexpr int segments = values / values_per_segment;
  static constexpr int count = values + segments;

  static GPUSORT_DEVICE unsigned long long* of_segment(unsigned long long* totals, unsigned value) {
    return totals + values + value / values_per_segment;
  }
};

/// Decodes the two numbers of a word.
template <bool AreFloats>
GPUSORT_DEVICE std::uint32_t decode_both(bit_order<std::uint16_t, AreFloats> by,
                                         std::uint32_t held) {
  const std::uint32_t bits = held ^ by.flipped * 0x10001u;
  return AreFloats ? bits ^ (bits >> 15 & 0x10001u) * 0x7fffu : bits;
}

/// Finds the key of each destination in a sorted range, from the number of elements of each key.
/// All threads of the block call.
template <bool AreFloats, int ThreadsPerBlock>
class short_destinations {
 public:
  using key = std::uint16_t;
  using order = bit_order<key, AreFloats>;
  static constexpr int threads_per_block = ThreadsPerBlock;

  /// Writes destinations [begin, end) to `keys`. After a barrier.
  GPUSORT_DEVICE void fill(order by, key* keys, std::uint64_t begin, std::uint64_t end,
                           const unsigned long long* totals) {
    if (warp_id() == 0) find_segment_starts(totals);
    __syncthreads();
    while (begin < end) {
      const int segment = last_by<segments>(segment_starts_, begin);
      const int last_segment = min_of(segment + window / values_per_segment, int{segments});
      const std::uint64_t window_end = min_of(end, segment_starts_[last_segment]);
      find_starts(segment, totals);
      __syncthreads();
      write(by, keys, begin, window_end, segment * values_per_segment);
      __syncthreads();
      begin = window_end;
    }
  }

 private:
  static constexpr int values = short_totals::values, segments = short_totals::segments;
  static constexpr int values_per_segment = short_totals::values_per_segment;
  static constexpr int warps = ThreadsPerBlock / warp_size;
  static constexpr int per_thread = 4;
  static constexpr int window =
      per_thread * ThreadsPerBlock;  // values with starts in shared memory
  static_assert(segments == per_thread * warp_size, "one warp scans the segments");
  static_assert(window % values_per_segment == 0 && warps <= warp_size);

  /// Scans four counts of each lane: exclusive prefix sums over the lanes.
  static GPUSORT_DEVICE unsigned long long scan_fours(const unsigned long long* from,
                                                      unsigned long long (&total)[per_thread],
                                                      unsigned long long& sum) {
    unsigned long long mine = 0;
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
      total[i] = __ldcg(from + i);
      mine += total[i];
    }
    const unsigned long long end = warp_prefix(mine);
    sum = __shfl_sync(full_warp, end, warp_size - 1);
    return end - mine;
  }

  /// Finds the starts of segments, by one warp.
  GPUSORT_DEVICE void find_segment_starts(const unsigned long long* totals) {
    const int first = per_thread * lane_id();
    unsigned long long total[per_thread], sum;
    unsigned long long start = scan_fours(totals + values + first, total, sum);
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
      segment_starts_[first + i] = start;
      start += total[i];
    }
    if (lane_id() == 0) segment_starts_[segments] = sum;
  }

  /// Finds where each value of a window begins. Values past the last one start at or after the end.
  /// Block-wide.
  GPUSORT_DEVICE void find_starts(int first_segment, const unsigned long long* totals) {
    const int first = per_thread * static_cast<int>(threadIdx.x);
    const int first_value = min_of(first_segment * values_per_segment + first, values - per_thread);
    unsigned long long total[per_thread], sum;
    unsigned long long start = scan_fours(totals + first_value, total, sum);
    if (lane_id() == 0) warp_sums_[warp_id()] = sum;
    __syncthreads();
    const unsigned long long own = lane_id() < warps ? warp_sums_[lane_id()] : 0;
    const unsigned long long before = warp_prefix(own) - own;
    start += segment_starts_[first_segment] + __shfl_sync(full_warp, before, warp_id());
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
      starts_[first + i] = start;
      start += total[i];
    }
  }

  /// Writes destinations that are all of the window's values, from `first_value` on.
  GPUSORT_DEVICE void write(order by, key* keys, std::uint64_t begin, std::uint64_t end,
                            int first_value) const {
    const auto write_keys = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t destination = first + threadIdx.x; destination < last;
           destination += ThreadsPerBlock) {
        keys[destination] = by.decode(first_value + last_by<window>(starts_, destination));
      }
    };
    // Few keys are found sooner one by one, each by its own thread.
    if (end - begin <= 2 * ThreadsPerBlock) return write_keys(begin, end);
    const pieces<uint4, key> parts(keys + begin, end - begin);
    write_keys(begin, begin + parts.head);
    write_keys(end - parts.tail, end);
    int value = 0;
    for (std::uint64_t i = threadIdx.x; i < parts.count; i += ThreadsPerBlock) {
      const std::uint64_t destination = begin + parts.head + 8 * i;
      value = value_from(value, destination);
      parts.first[i] = piece_at(by, destination, value, first_value);
    }
  }

  /// Returns the keys of eight destinations, the first of which has this value.
  GPUSORT_DEVICE uint4 piece_at(order by, std::uint64_t destination, int value,
                                int first_value) const {
    if (!begins_by(value + 1, destination + 7)) {
      const std::uint32_t word = decode_both(by, (first_value + value) * 0x10001u);
      return uint4{word, word, word, word};
    }
    std::uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      value = value_from(value, destination + i);
      const std::uint32_t held = first_value + value;
      word[i / 2] = i % 2 ? decode_both(by, word[i / 2] | held << 16) : held;
    }
    return uint4{word[0], word[1], word[2], word[3]};
  }

  /// Returns the last value that begins at or before a destination, looked for from one that does:
  /// in steps that double, then halve.
  GPUSORT_DEVICE int value_from(int value, std::uint64_t destination) const {
    int step = 1;
    while (begins_by(value + step, destination)) {
      value += step;
      step *= 2;
    }
    for (step /= 2; step > 0; step /= 2) {
      if (begins_by(value + step, destination)) value += step;
    }
    return value;
  }
  GPUSORT_DEVICE bool begins_by(int value, std::uint64_t destination) const {
    return value < window && starts_[value] <= destination;
  }

  /// Returns the last of Count ascending starts, a power of two, that is at or before a
  /// destination; the first one is.
  template <int Count>
  static GPUSORT_DEVICE int last_by(const unsigned long long* starts, std::uint64_t destination) {
    int last = 0;
#pragma unroll
    for (int step = Count / 2; step > 0; step /= 2) {
      if (starts[last + step] <= destination) last += step;
    }
    return last;
  }

  unsigned long long segment_starts_[segments + 1];
  unsigned long long starts_[window];
  unsigned long long warp_sums_[warps];
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
