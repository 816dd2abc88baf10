// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>

// Merging from one place to another. The sources are only read, so an exception loses nothing; and
// whatever the comparator answers, nothing outside the bounds is read and the output is a
// permutation of the input.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// condition ? yes : no, never by a branch: which of two heads is less cannot be predicted, and a
/// wrong guess costs ten times the merge step. The compilers' own choice varies with the type.
template <class T>
const T* select(bool condition, const T* yes, const T* no) {
  std::uintptr_t mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(condition);
#if defined(__GNUC__)
  asm("" : "+r"(mask));  // hides that it is all or nothing, from which a branch would be made
#endif
  const auto a = reinterpret_cast<std::uintptr_t>(yes);
  const auto b = reinterpret_cast<std::uintptr_t>(no);
  return reinterpret_cast<const T*>(b ^ ((a ^ b) & mask));
}

template <class T>
struct merge_job {
  const T* left;
  std::size_t left_size;
  const T* right;
  std::size_t right_size;
  T* out;

  std::size_t size() const { return left_size + right_size; }
};

/// Merges the least m and the greatest m, m at most the shorter side, and takes them off the job.
/// The two ends depend on nothing of each other, so a processor works on both at once. Bounds: an
/// end has taken fewer than m from either side when it compares. When the ends have crossed, the
/// comparator has contradicted itself: returns false and the job is as before.
template <class T, class Compare>
bool merge_both_ends(merge_job<T>& job, std::size_t m, Compare& comp) {
  const T* left_front = job.left;
  const T* left_back = job.left + job.left_size;
  const T* right_front = job.right;
  const T* right_back = job.right + job.right_size;
  T* front = job.out;
  T* back = job.out + job.size();
  for (std::size_t k = 0; k < m; ++k) {
    const bool right_less = static_cast<bool>(comp(*right_front, *left_front));
    relocate(front++, select(right_less, right_front, left_front));
    right_front += right_less;
    left_front += !right_less;

    const bool left_greater = static_cast<bool>(comp(right_back[-1], left_back[-1]));
    relocate(--back, select(left_greater, left_back, right_back) - 1);
    left_back -= left_greater;
    right_back -= !left_greater;
  }
  if (left_front > left_back || right_front > right_back) return false;
  job = {left_front, static_cast<std::size_t>(left_back - left_front), right_front,
         static_cast<std::size_t>(right_back - right_front), front};
  return true;
}

template <class T, class Compare>
void merge_from_front(merge_job<T> job, Compare& comp) {
  const T* const left_end = job.left + job.left_size;
  const T* const right_end = job.right + job.right_size;
  while (job.left != left_end && job.right != right_end) {
    const bool right_less = static_cast<bool>(comp(*job.right, *job.left));
    relocate(job.out++, select(right_less, job.right, job.left));
    job.right += right_less;
    job.left += !right_less;
  }
  relocate_n(job.out, job.left, static_cast<std::size_t>(left_end - job.left));
  relocate_n(job.out, job.right, static_cast<std::size_t>(right_end - job.right));
}

/// Stable. The elements of the left side come first among equivalent ones.
template <class T, class Compare>
void merge(merge_job<T> job, Compare& comp) {
  constexpr std::size_t too_short = 8;  // for a round; what is left then is a few elements
  for (;;) {
    const std::size_t m = job.left_size < job.right_size ? job.left_size : job.right_size;
    if (m < too_short || !merge_both_ends(job, m, comp)) break;
  }
  merge_from_front(job, comp);
}

/// Of the first d elements of the merged sequence, how many come from the left side.
template <class T, class Compare>
std::size_t left_share(const merge_job<T>& job, std::size_t d, Compare& comp) {
  std::size_t low = d > job.right_size ? d - job.right_size : 0;
  std::size_t high = d < job.left_size ? d : job.left_size;
  while (low < high) {
    // low <= i < high: i is on the left side, d - i - 1 on the right one
    const std::size_t i = low + (high - low) / 2;
    if (comp(job.right[d - i - 1], job.left[i])) {
      high = i;
    } else {
      low = i + 1;
    }
  }
  return low;
}

template <class T>
void copy_parallel(T* to, const T* from, std::size_t n) {
  for_each_piece(n, [=](std::size_t begin, std::size_t end) {
    relocate_n(to + begin, from + begin, end - begin);
  });
}

/// A cut is found once and both of its sides start from it, so even cuts that make no sense divide
/// the elements and lose none.
template <class T, class Compare>
void merge_parallel(merge_job<T> job, std::size_t grain, Compare& comp) {
  if (job.size() <= grain) return merge(job, comp);
  const std::size_t d = job.size() / 2;
  const std::size_t from_left = left_share(job, d, comp);
  const std::size_t from_right = d - from_left;
  fork_join(
      [&] {
        merge_parallel(merge_job<T>{job.left, from_left, job.right, from_right, job.out}, grain,
                       comp);
      },
      [&] {
        merge_parallel(
            merge_job<T>{job.left + from_left, job.left_size - from_left, job.right + from_right,
                         job.right_size - from_right, job.out + d},
            grain, comp);
      });
}

/// merge, or merge_parallel above `grain`, of two sides that may already follow each other in
/// either order.
template <class T, class Compare>
void merge_runs(const merge_job<T>& job, std::size_t grain, Compare& comp) {
  if (!comp(job.right[0], job.left[job.left_size - 1])) {
    copy_parallel(job.out, job.left, job.left_size);
    copy_parallel(job.out + job.left_size, job.right, job.right_size);
  } else if (comp(job.right[job.right_size - 1], job.left[0])) {
    copy_parallel(job.out, job.right, job.right_size);
    copy_parallel(job.out + job.right_size, job.left, job.left_size);
  } else {
    merge_parallel(job, grain, comp);
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
