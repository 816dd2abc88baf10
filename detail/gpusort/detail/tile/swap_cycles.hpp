// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/reflections.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block applies a permutation of up to ThreadsPerBlock * ItemsPerThread places by swaps: place i
/// gets what is at places[i] when it begins. A cycle of L places takes L - 1 swaps, in two rounds
/// in each of which no place is in two swaps; see reflections.hpp.
///
/// Which place of its cycle each place is comes from pointer jumping: of the places met in 2^k
/// steps from a place, each round learns the least and its distance for twice as many steps. The
/// least place of a cycle leads it.
template <int ThreadsPerBlock, int ItemsPerThread>
class swap_cycles {
 public:
  static constexpr int max_places = ThreadsPerBlock * ItemsPerThread;
  using place = std::uint16_t;
  static_assert(max_places <= 1 << 15, "a place, and a cycle's length, in 16 bits");

  struct alignas(8) jump {
    place next;      // 2^k steps away; of a leader, in the end, where its cycle begins in `places`
    place leader;    // the least place on the way
    place distance;  // of that; of a leader, in the end, its cycle's length
  };
  struct storage {
    jump jumps[max_places];
    int used;
  };

  /// All threads call it, with a barrier between the writing of places[0, count) and the call; it
  /// uses them up. swap(i, j) is called for i != j.
  template <class Swap>
  static GPUSORT_DEVICE void apply(storage& shared, place* places, int count, Swap swap) {
    jump own[ItemsPerThread];
    if (threadIdx.x == 0) shared.used = 0;
    for_each_own(count, [&](int k, int i) {
      own[k] = {places[i], static_cast<place>(i), 0};
      shared.jumps[i] = own[k];
    });
    __syncthreads();
    // Where a round finds nothing less anywhere, all cycles have been seen whole.
    bool has_changed = true;
    for (int steps = 1; steps < count && has_changed; steps *= 2) {
      has_changed = false;
      for_each_own(count, [&](int k, int) {
        const jump ahead = shared.jumps[own[k].next];
        if (ahead.leader < own[k].leader) {
          own[k].leader = ahead.leader;
          own[k].distance = static_cast<place>(steps + ahead.distance);
          has_changed = true;
        }
        own[k].next = ahead.next;
      });
      has_changed = __syncthreads_or(has_changed);
      for_each_own(count, [&](int k, int i) { shared.jumps[i] = own[k]; });
      __syncthreads();
    }
    number_cycles(shared, places, count, own);
    for (int round = 0; round < 2; ++round) {
      for_each_own(count, [&](int k, int i) {
        const jump leader = shared.jumps[own[k].leader];
        const int length = leader.distance;
        if (length == 1) return;
        const int rank = rank_of(own[k], length), partner = swap_partner(round, rank, length);
        if (rank < partner) swap(i, static_cast<int>(places[leader.next + partner]));
      });
      __syncthreads();
    }
  }

 private:
  template <class Body>
  static GPUSORT_DEVICE void for_each_own(int count, Body body) {
#pragma unroll
    for (int k = 0; k < ItemsPerThread; ++k) {
      const int i = static_cast<int>(threadIdx.x) + k * ThreadsPerBlock;
      if (i < count) body(k, i);
    }
  }

  static GPUSORT_DEVICE int rank_of(const jump& own, int length) {
    return own.distance == 0 ? 0 : length - own.distance;
  }

  /// Writes the places of each cycle one after the other, from the leader on, where there were the
  /// places to get from.
  static GPUSORT_DEVICE void number_cycles(storage& shared, place* places, int count,
                                           const jump (&own)[ItemsPerThread]) {
    for_each_own(count, [&](int k, int i) {
      if (own[k].leader != i) return;
      const int next = places[i];
      const int length = next == i ? 1 : shared.jumps[next].distance + 1;
      const int begin = length == 1 ? 0 : atomicAdd(&shared.used, length);
      shared.jumps[i].next = static_cast<place>(begin);
      shared.jumps[i].distance = static_cast<place>(length);
    });
    __syncthreads();
    for_each_own(count, [&](int k, int i) {
      const jump leader = shared.jumps[own[k].leader];
      if (leader.distance == 1) return;
      places[leader.next + rank_of(own[k], leader.distance)] = static_cast<place>(i);
    });
    __syncthreads();
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
