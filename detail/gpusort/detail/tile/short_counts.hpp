// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/pieces.hpp>
#include <gpusort/detail/tile/short_destinations.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Counts keys of two bytes as byte_counts does; short_destinations writes them. A block's 2^16
/// counters have 16 bits each; what they cannot hold goes to the totals at once.
template <class Tuning, bool AreFloats>
class short_counts {
 public:
  using key = std::uint16_t;
  using order = bit_order<key, AreFloats>;
  using tuning = Tuning;
  static constexpr int total_count = short_totals::count;

  GPUSORT_DEVICE void clear() {
    auto* const wide = reinterpret_cast<uint4*>(counters_);
    for (int i = threadIdx.x; i < words / 4; i += threads) wide[i] = uint4{0, 0, 0, 0};
  }

  /// Counts, between barriers.
  GPUSORT_DEVICE void count(order by, const key* keys, std::uint64_t count,
                            unsigned long long* totals) {
    const pieces<uint4, const key> parts(keys, count);
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < parts.head) add(by, keys[thread], 1, totals);
    if (thread < parts.tail) add(by, keys[parts.tail_begin() + thread], 1, totals);
    for_each_piece<Tuning::pieces_in_flight>(parts, [&](const uint4& piece) {
      // Neighbours that are equal are counted at once: such are the inputs whose counters collide.
      const std::uint32_t word[] = {piece.x, piece.y, piece.z, piece.w};
      unsigned run_value = word[0] & 0xffff, run = 1;
#pragma unroll
      for (int i = 1; i < 8; ++i) {
        const unsigned value = word[i / 2] >> i % 2 * 16 & 0xffff;
        if (value == run_value) {
          ++run;
        } else {
          add(by, run_value, run, totals);
          run_value = value;
          run = 1;
        }
      }
      add(by, run_value, run, totals);
    });
  }

  GPUSORT_DEVICE void add_to(order by, unsigned long long* totals) const {
    constexpr int values_per_segment = short_totals::values_per_segment;
    constexpr int words_per_segment = values_per_segment / 2;
    for (int segment = warp_id(); segment < short_totals::segments;
         segment += threads / warp_size) {
      unsigned sum = 0;
#pragma unroll
      for (int step = 0; step < words_per_segment / (4 * warp_size); ++step) {
        const int first = segment * words_per_segment + 4 * (step * warp_size + lane_id());
        const uint4 piece = *reinterpret_cast<const uint4*>(counters_ + first);
        if ((piece.x | piece.y | piece.z | piece.w) == 0) continue;
        const std::uint32_t word[] = {piece.x, piece.y, piece.z, piece.w};
        // The next seven have the same bits flipped.
        const unsigned encoded = by.encode(static_cast<key>(2 * first));
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const unsigned counted = word[i / 2] >> i % 2 * 16 & 0xffff;
          if (counted > 0) atomicAdd(totals + (encoded ^ i), counted);
          sum += counted;
        }
      }
      for (int mask = warp_size / 2; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
      if (lane_id() == 0 && sum > 0) {
        const auto first = static_cast<key>(segment * values_per_segment);
        atomicAdd(short_totals::of_segment(totals, by.encode(first)), sum);
      }
    }
  }

 private:
  static constexpr int threads = Tuning::threads_per_block;
  static constexpr int words = short_totals::values / 2;

  GPUSORT_DEVICE void add(order by, unsigned value, unsigned times, unsigned long long* totals) {
    const unsigned shift = value % 2 * 16;
    const std::uint32_t before = atomicAdd(counters_ + value / 2, times << shift);
    if ((before >> shift & 0xffff) + times > 0xffff) carry(by, value, before, totals);
  }

  /// Carries, where a counter went round. Its carry, if it is the lower one of a word, is taken
  /// from the upper one, which may go round, forwards or backwards, on that account.
  GPUSORT_DEVICE void carry(order by, unsigned value, std::uint32_t before,
                            unsigned long long* totals) {
    constexpr long long round = 1 << 16;
    const unsigned encoded = by.encode(static_cast<key>(value)), other = encoded ^ 1;
    add_to_totals(encoded, round, totals);
    if (value % 2 != 0) return;
    if (before >> 16 == 0xffff) add_to_totals(other, round, totals);
    const std::uint32_t with_carry = atomicSub(counters_ + value / 2, 1u << 16);
    if (with_carry >> 16 == 0) add_to_totals(other, -round, totals);
  }
  static GPUSORT_DEVICE void add_to_totals(unsigned encoded, long long count,
                                           unsigned long long* totals) {
    const auto added = static_cast<unsigned long long>(count);
    atomicAdd(totals + encoded, added);
    atomicAdd(short_totals::of_segment(totals, encoded), added);
  }

  alignas(16) std::uint32_t counters_[words];
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
