// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace papers {

// Merge sort on vectors of four floats: a thread sorts a vector, or merges two lists of sorted
// vectors. Source: paper 001, section 4.

/// Exchanges by one comparison that decides about both, so that no bits are lost: by two, as the
/// paper prints it, one of -0.0 and +0.0 would be there twice.
GPUSORT_DEVICE void exchange(float& lower, float& upper) {
  const float x = lower, y = upper;
  const bool is_out_of_order = y < x;
  lower = is_out_of_order ? y : x;
  upper = is_out_of_order ? x : y;
}

GPUSORT_DEVICE void sort_vector(float4& v) {
  exchange(v.x, v.y);
  exchange(v.z, v.w);
  exchange(v.x, v.z);
  exchange(v.y, v.w);
  exchange(v.y, v.z);
}

/// Merges two sorted vectors: the four lowest floats, sorted, and the four highest, sorted.
GPUSORT_DEVICE void merge_two_vectors(float4& lower, float4& upper) {
  exchange(lower.x, upper.w);
  exchange(lower.y, upper.z);
  exchange(lower.z, upper.y);
  exchange(lower.w, upper.x);
  sort_vector(lower);
  sort_vector(upper);
}

/// A list of sorted vectors, the first of which is at hand.
class vector_list {
 public:
  GPUSORT_DEVICE vector_list(const float4* first, std::uint32_t count)
      : next_(first), end_(first + count) {
    if (next_ < end_) head_ = *next_;
  }

  GPUSORT_DEVICE bool is_empty() const { return next_ == end_; }
  GPUSORT_DEVICE float lowest() const { return head_.x; }

  GPUSORT_DEVICE float4 take() {
    const float4 taken = head_;
    ++next_;
    if (next_ < end_) head_ = *next_;
    return taken;
  }

 private:
  const float4* next_;
  const float4* end_;
  float4 head_{};
};

/// Merges neighbouring lists of a_count > 0 and b_count vectors. What is carried from step to step
/// is merged with the next vector until both lists are empty: the paper appends the rest of the
/// longer list as it is, which is wrong where the carry ends above it ([1 2 3 9] and [4 5 6 7]
/// [8 8 8 8]).
GPUSORT_DEVICE void merge_vector_lists(const float4* from, std::uint32_t a_count,
                                       std::uint32_t b_count, float4* out) {
  vector_list a(from, a_count), b(from + a_count, b_count);
  float4 carry = a.take();
  while (!a.is_empty() || !b.is_empty()) {
    const bool takes_a = b.is_empty() || (!a.is_empty() && a.lowest() < b.lowest());
    float4 next = takes_a ? a.take() : b.take();
    merge_two_vectors(carry, next);
    *out = carry;
    ++out;
    carry = next;
  }
  *out = carry;
}

}  // namespace papers
