// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/reflections.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block applies a permutation of up to ThreadsPerBlock * ItemsPerThread slots by swaps: slot i
/// gets what is at slots[i] when it begins. A cycle of L slots takes L - 1 swaps, in two rounds
/// in each of which no slot is in two swaps; see reflections.hpp.
///
/// Where in its cycle each slot is comes from pointer jumping: after round k each slot knows the
/// least slot within 2^k steps, and its distance. The least slot of a cycle leads it.
template <int ThreadsPerBlock, int ItemsPerThread>
class swap_cycles {
 public:
  static constexpr int max_slots = ThreadsPerBlock * ItemsPerThread;
  using slot = std::uint16_t;
  static_assert(max_slots <= 1 << 15, "a slot, and a cycle's length, in 16 bits");

  struct alignas(8) jump {
    slot next;      // 2^k steps away; of a leader, in the end, where its cycle begins in `slots`
    slot leader;    // the least slot on the way
    slot distance;  // of that; of a leader, in the end, its cycle's length
  };
  struct storage {
    jump jumps[max_slots];
    int used;
  };

  /// Applies destinations; all threads call it, with a barrier between the writing of slots[0,
  /// count) and the call; it uses them up. swap(i, j) is called for i != j.
  template <class Swap>
  static GPUSORT_DEVICE void apply(storage& shared, slot* slots, int count, Swap swap) {
    jump own[ItemsPerThread];
    if (threadIdx.x == 0) shared.used = 0;
    for_each_own(count, [&](int k, int i) {
      own[k] = {slots[i], static_cast<slot>(i), 0};
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
          own[k].distance = static_cast<slot>(steps + ahead.distance);
          has_changed = true;
        }
        own[k].next = ahead.next;
      });
      has_changed = __syncthreads_or(has_changed);
      for_each_own(count, [&](int k, int i) { shared.jumps[i] = own[k]; });
      __syncthreads();
    }
    number_cycles(shared, slots, count, own);
    for (int round = 0; round < 2; ++round) {
      for_each_own(count, [&](int k, int i) {
        const jump leader = shared.jumps[own[k].leader];
        const int length = leader.distance;
        if (length == 1) return;
        const int rank = rank_of(own[k], length), partner = swap_partner(round, rank, length);
        if (rank < partner) swap(i, static_cast<int>(slots[leader.next + partner]));
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

  /// Writes the slots of each cycle one after the other, from the leader on, where there were the
  /// slots to get from.
  static GPUSORT_DEVICE void number_cycles(storage& shared, slot* slots, int count,
                                           const jump (&own)[ItemsPerThread]) {
    for_each_own(count, [&](int k, int i) {
      if (own[k].leader != i) return;
      const int next = slots[i];
      const int length = next == i ? 1 : shared.jumps[next].distance + 1;
      const int begin = length == 1 ? 0 : atomicAdd(&shared.used, length);
      shared.jumps[i].next = static_cast<slot>(begin);
      shared.jumps[i].distance = static_cast<slot>(length);
    });
    __syncthreads();
    for_each_own(count, [&](int k, int i) {
      const jump leader = shared.jumps[own[k].leader];
      if (leader.distance == 1) return;
      slots[leader.next + rank_of(own[k], leader.distance)] = static_cast<slot>(i);
    });
    __syncthreads();
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
