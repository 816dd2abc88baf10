// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace papers {

// Both phases of GPU-Quicksort part keys in two passes: one counts the keys on each side of the
// pivot, and after a prefix sum the other one moves them to the other buffer. Source: paper 000,
// section 3.1.1.

/// The sequence to sort, and the auxiliary buffer: d and d^ in the paper.
struct key_buffers {
  std::uint32_t* primary;
  std::uint32_t* auxiliary;

  GPUSORT_DEVICE std::uint32_t* at(bool is_in_auxiliary) const {
    return is_in_auxiliary ? auxiliary : primary;
  }
};

struct key_sequence {
  std::uint32_t begin, end;
  bool is_in_auxiliary;

  GPUSORT_HOST_DEVICE std::uint32_t length() const { return end - begin; }
};

GPUSORT_HOST_DEVICE inline std::uint32_t median_of(std::uint32_t a, std::uint32_t b,
                                                   std::uint32_t c) {
  const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}

/// Returns the median of the first, the middle and the last key. The paper's last one has the index
/// of the end.
GPUSORT_DEVICE std::uint32_t median_of(const std::uint32_t* keys, std::uint32_t begin,
                                       std::uint32_t end) {
  return median_of(keys[begin], keys[begin + (end - begin) / 2], keys[end - 1]);
}

/// Counts the keys below the pivot, and those above it: one prefix sum adds up both.
struct side_counts {
  std::uint64_t both;

  GPUSORT_DEVICE side_counts(std::uint32_t below, std::uint32_t above)
      : both(below | std::uint64_t{above} << 32) {}
  GPUSORT_DEVICE explicit side_counts(std::uint64_t sums) : both(sums) {}
  GPUSORT_DEVICE std::uint32_t below() const { return static_cast<std::uint32_t>(both); }
  GPUSORT_DEVICE std::uint32_t above() const { return static_cast<std::uint32_t>(both >> 32); }
};

/// Moves keys from one buffer to the two sides of a pivot in the other one, in two passes.
template <int Threads>
struct keys_to_part {
  const std::uint32_t* from;
  std::uint32_t* to;
  std::uint32_t begin, end;
  std::uint32_t pivot;

  /// Calls see(key) for each key of the thread. Neighbours have consecutive keys.
  template <class See>
  GPUSORT_DEVICE void for_each(See see) const {
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += Threads) see(from[i]);
  }

  GPUSORT_DEVICE side_counts count() const {
    std::uint32_t below = 0, above = 0;
    for_each([&](std::uint32_t key) {
      below += key < pivot;
      above += key > pivot;
    });
    return {below, above};
  }

  /// Counts, and finds the keys next to the pivot.
  GPUSORT_DEVICE side_counts count(std::uint32_t& left_high, std::uint32_t& right_low) const {
    std::uint32_t below = 0, above = 0;
    for_each([&](std::uint32_t key) {
      if (key < pivot) {
        ++below;
        left_high = key > left_high ? key : left_high;
      } else if (key > pivot) {
        ++above;
        right_low = key < right_low ? key : right_low;
      }
    });
    return {below, above};
  }

  /// Moves keys to these places, which are the thread's own.
  GPUSORT_DEVICE void move(std::uint32_t left, std::uint32_t right) const {
    for_each([&](std::uint32_t key) {
      if (key < pivot) to[left++] = key;
      if (key > pivot) to[right++] = key;
    });
  }
};

template <int Threads>
GPUSORT_DEVICE void fill_by_block(std::uint32_t* keys, std::uint32_t begin, std::uint32_t end,
                                  std::uint32_t key) {
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += Threads) keys[i] = key;
}

}  // namespace papers
