// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

inline constexpr int byte_values = 256;

/// A range of bytes as aligned words, with less than a word of bytes before and behind them.
struct words_of_bytes {
  int head;
  std::uint64_t words;
  int tail;

  GPUSORT_DEVICE words_of_bytes(const unsigned char* bytes, std::uint64_t count)
      : head(static_cast<int>(
            min_of<std::uint64_t>((4 - reinterpret_cast<std::uintptr_t>(bytes) % 4) % 4, count))),
        words((count - head) / 4),
        tail(static_cast<int>((count - head) % 4)) {}
};

/// How often each byte occurs in a range, and which bytes a range has that is made of so many of
/// each, in order. All threads of the block call; there are at least 256.
class byte_counts {
 public:
  GPUSORT_DEVICE void clear() {
    for (int i = threadIdx.x; i < byte_values * replicas; i += blockDim.x) counters_[i] = 0;
  }

  /// Counts byte ^ flip for `count` bytes. Between barriers.
  GPUSORT_DEVICE void count(const unsigned char* bytes, std::uint64_t count, unsigned flip) {
    const words_of_bytes parts(bytes, count);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(bytes + parts.head);
    const int thread = static_cast<int>(threadIdx.x);
    const unsigned char* const tail = bytes + parts.head + 4 * parts.words;
    if (thread < parts.head) add(bytes[thread] ^ flip);
    if (thread < parts.tail) add(tail[thread] ^ flip);
    const std::uint32_t flips = in_every_byte(flip);
    for (std::uint64_t first = thread; first < parts.words; first += words_in_flight * blockDim.x) {
      std::uint32_t x[words_in_flight];
#pragma unroll
      for (int i = 0; i < words_in_flight; ++i) {
        const std::uint64_t at = first + i * blockDim.x;
        if (at < parts.words) x[i] = words[at];
      }
#pragma unroll
      for (int i = 0; i < words_in_flight; ++i) {
        if (first + i * blockDim.x >= parts.words) break;
        const std::uint32_t flipped = x[i] ^ flips;
#pragma unroll
        for (int b = 0; b < 4; ++b) add(flipped >> 8 * b & 0xff);
      }
    }
  }

  GPUSORT_DEVICE unsigned long long of(int value) const {
    unsigned long long sum = 0;
#pragma unroll
    for (int i = 0; i < replicas; ++i) sum += counters_[value * replicas + i];
    return sum;
  }

  /// Where each byte begins in a range that has `total` of it; thread v gives the total of byte v.
  GPUSORT_DEVICE void set_starts(unsigned long long total) {
    const int value = static_cast<int>(threadIdx.x), lane = lane_id();
    unsigned long long sum = total;  // up to this byte, of its warp's
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const unsigned long long before = __shfl_up_sync(full_warp, sum, distance);
      if (lane >= distance) sum += before;
    }
    if (lane == warp_size - 1 && value < byte_values) warp_sums_[warp_id()] = sum;
    __syncthreads();
    if (value >= byte_values) return;
    for (int warp = 0; warp < warp_id(); ++warp) sum += warp_sums_[warp];
    starts_[value] = sum - total;
    if (value == byte_values - 1) starts_[byte_values] = sum;
  }

  /// Writes the bytes [first, first + count) of that range to `bytes`, each ^ flip. After a
  /// barrier.
  GPUSORT_DEVICE void fill(unsigned char* bytes, std::uint64_t first, std::uint64_t count,
                           unsigned flip) const {
    const words_of_bytes parts(bytes, count);
    auto* const words = reinterpret_cast<std::uint32_t*>(bytes + parts.head);
    const std::uint64_t first_word = first + parts.head, tail = 4 * parts.words + parts.head;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < parts.head) bytes[thread] = value_at(first + thread) ^ flip;
    if (thread < parts.tail) bytes[tail + thread] = value_at(first + tail + thread) ^ flip;
    const std::uint32_t flips = in_every_byte(flip);
    int value = 0;
    for (std::uint64_t i = thread; i < parts.words; i += blockDim.x) {
      const std::uint64_t place = first_word + 4 * i;
      if (starts_[value + 1] <= place) value = value_at(place);
      words[i] = word_at(place, value) ^ flips;
    }
  }

 private:
  // Neighbouring lanes count in different replicas of a counter, so that the lanes of a warp meet
  // in fewer banks.
  static constexpr int replicas = 8;
  // A thread's loads that wait together: 32 KB for a multiprocessor with 1024 threads.
  static constexpr int words_in_flight = 8;

  static GPUSORT_DEVICE std::uint32_t in_every_byte(unsigned x) { return x * 0x01010101u; }

  GPUSORT_DEVICE void add(unsigned value) {
    atomicAdd(counters_ + value * replicas + threadIdx.x % replicas, 1u);
  }

  /// The last byte that begins at or before a place.
  GPUSORT_DEVICE int value_at(std::uint64_t place) const {
    int value = 0;
#pragma unroll
    for (int step = byte_values / 2; step > 0; step /= 2) {
      if (starts_[value + step] <= place) value += step;
    }
    return value;
  }

  /// The bytes of four places, the first of which has this value.
  GPUSORT_DEVICE std::uint32_t word_at(std::uint64_t place, int value) const {
    if (starts_[value + 1] >= place + 4) return in_every_byte(value);
    std::uint32_t word = value;
#pragma unroll
    for (int b = 1; b < 4; ++b) {
      while (starts_[value + 1] <= place + b) ++value;
      word |= static_cast<std::uint32_t>(value) << 8 * b;
    }
    return word;
  }

  std::uint32_t counters_[byte_values * replicas];
  unsigned long long warp_sums_[byte_values / warp_size];
  unsigned long long starts_[byte_values + 1];
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
