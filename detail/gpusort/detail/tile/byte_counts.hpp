// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/pieces.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Counts, in shared memory, how often each key of one byte occurs in a range, and which keys the
/// range has in order, by these counts. Keys are encoded where counts become totals: only there is
/// there an order. All threads of the block call.
template <class Tuning>
class byte_counts {
 public:
  using key = std::uint8_t;
  using order = bit_order<key, false>;
  using tuning = Tuning;
  static constexpr int threads_per_block = Tuning::threads_per_block;
  static constexpr int values = 256;
  static constexpr int total_count = values;

  GPUSORT_DEVICE void clear() {
    for (int i = threadIdx.x; i < values * replicas; i += Tuning::threads_per_block) {
      counters_[i] = 0;
    }
  }

  /// Counts, between barriers.
  GPUSORT_DEVICE void count(order, const key* keys, std::uint64_t count, unsigned long long*) {
    const pieces<std::uint32_t, const key> parts(keys, count);
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < parts.head) add(keys[thread]);
    if (thread < parts.tail) add(keys[parts.tail_begin() + thread]);
    for_each_piece<Tuning::pieces_in_flight>(parts, [&](std::uint32_t word) {
#pragma unroll
      for (int b = 0; b < 4; ++b) add(word >> 8 * b & 0xff);
    });
  }

  GPUSORT_DEVICE void add_to(order by, unsigned long long* totals) const {
    const int value = static_cast<int>(threadIdx.x);
    if (value >= values) return;
    if (const unsigned long long mine = of(by.decode(value))) atomicAdd(totals + value, mine);
  }

  /// Writes destinations [begin, end) of the range that has `totals` of each key, or as many as
  /// this block counted where totals is null. After a barrier.
  GPUSORT_DEVICE void fill(order by, key* keys, std::uint64_t begin, std::uint64_t end,
                           const unsigned long long* totals) {
    const int value = static_cast<int>(threadIdx.x);
    unsigned long long total = 0, start;
    if (value < values) total = totals != nullptr ? __ldcg(totals + value) : of(by.decode(value));
    scan(scan_storage_).ExclusiveSum(total, start);
    if (value < values) starts_[value] = start;
    if (value == values - 1) starts_[values] = start + total;
    __syncthreads();
    write(by, keys, begin, end);
  }

 private:
  using scan = cub::BlockScan<unsigned long long, Tuning::threads_per_block>;
  static_assert(Tuning::threads_per_block >= values, "a thread for each value");

  // Neighbouring lanes count in different replicas of a counter, so that equal keys of a warp do
  // not all wait for each other.
  static constexpr int replicas = 8;

  static GPUSORT_DEVICE std::uint32_t in_every_byte(unsigned x) { return x * 0x01010101u; }

  GPUSORT_DEVICE void add(unsigned value) {
    atomicAdd(counters_ + value * replicas + threadIdx.x % replicas, 1u);
  }

  GPUSORT_DEVICE unsigned long long of(int value) const {
    unsigned long long sum = 0;
#pragma unroll
    for (int i = 0; i < replicas; ++i) sum += counters_[value * replicas + i];
    return sum;
  }

  GPUSORT_DEVICE void write(order by, key* keys, std::uint64_t begin, std::uint64_t end) const {
    const pieces<std::uint32_t, key> parts(keys + begin, end - begin);
    key* const tail = keys + begin + parts.tail_begin();
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < parts.head) keys[begin + thread] = by.decode(value_at(begin + thread));
    if (thread < parts.tail) tail[thread] = by.decode(value_at(end - parts.tail + thread));
    int value = 0;
    for (std::uint64_t i = thread; i < parts.count; i += Tuning::threads_per_block) {
      const std::uint64_t destination = begin + parts.head + 4 * i;
      if (starts_[value + 1] <= destination) value = value_at(destination);
      parts.first[i] = word_at(destination, value) ^ in_every_byte(by.flipped);
    }
  }

  /// Returns the last byte that begins at or before a destination.
  GPUSORT_DEVICE int value_at(std::uint64_t destination) const {
    int value = 0;
#pragma unroll
    for (int step = values / 2; step > 0; step /= 2) {
      if (starts_[value + step] <= destination) value += step;
    }
    return value;
  }

  /// Returns the bytes of four destinations, the first of which has this value.
  GPUSORT_DEVICE std::uint32_t word_at(std::uint64_t destination, int value) const {
    if (starts_[value + 1] >= destination + 4) return in_every_byte(value);
    std::uint32_t word = value;
#pragma unroll
    for (int b = 1; b < 4; ++b) {
      while (starts_[value + 1] <= destination + b) ++value;
      word |= static_cast<std::uint32_t>(value) << 8 * b;
    }
    return word;
  }

  std::uint32_t counters_[values * replicas];
  unsigned long long starts_[values + 1];
  typename scan::TempStorage scan_storage_;
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
