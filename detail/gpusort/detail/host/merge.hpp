// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <type_traits>
#include <utility>

// Merging from one range to another. The sources are only read, so an exception loses nothing; and
// whatever the comparator answers, nothing outside the bounds is read and the output is a
// permutation of the input.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Returns a condition as a mask of all or no bits. Which of two heads is less cannot be predicted,
/// and a wrong guess costs ten times the merge step, so what follows from it is computed, never
/// branched on; left to themselves compilers do either, depending on the type.
template <class Condition>
std::uintptr_t mask_of(const Condition& condition) {
  std::uintptr_t mask =
      std::uintptr_t{0} - static_cast<std::uintptr_t>(static_cast<bool>(condition));
#if defined(__GNUC__)
  asm("" : "+r"(mask));  // hides that it has only two values, from which a branch would be made
#endif
  return mask;
}

template <class T>
const T* select(std::uintptr_t mask, const T* yes, const T* no) {
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

/// Whether the comparator goes through its arguments to something far away, and tells where by a
/// member looked_up(element). The merge then asks for it ahead of time.
template <class Compare, class T, class = void>
struct looks_up : std::false_type {};
template <class Compare, class T>
struct looks_up<Compare, T,
                std::void_t<decltype(std::declval<Compare&>().looked_up(std::declval<const T&>()))>>
    : std::true_type {};

#if defined(__GNUC__)
// Inlined at once, because GCC 12 takes a function that only prefetches for one without effect.
template <class T, class Compare>
[[gnu::always_inline]] inline void prefetch_ahead(const T* front, const T* back, Compare& comp) {
  constexpr std::ptrdiff_t distance = 6;  // steps, which take about as long as a memory access
  if (back - front <= distance) return;
  __builtin_prefetch(comp.looked_up(front[distance]));
  __builtin_prefetch(comp.looked_up(back[-1 - distance]));
}
#else
template <class T, class Compare>
void prefetch_ahead(const T*, const T*, Compare&) {}
#endif

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
    const std::uintptr_t right_less = mask_of(comp(*right_front, *left_front));
    relocate(front++, select(right_less, right_front, left_front));
    right_front -= static_cast<std::ptrdiff_t>(right_less);
    left_front += static_cast<std::ptrdiff_t>(right_less + 1);

    const std::uintptr_t left_greater = mask_of(comp(right_back[-1], left_back[-1]));
    relocate(--back, select(left_greater, left_back, right_back) - 1);
    left_back += static_cast<std::ptrdiff_t>(left_greater);
    right_back -= static_cast<std::ptrdiff_t>(left_greater + 1);

    if constexpr (looks_up<Compare, T>::value) {
      prefetch_ahead(left_front, left_back, comp);
      prefetch_ahead(right_front, right_back, comp);
    }
  }
  if (left_front > left_back || right_front > right_back) return false;
  job = {left_front, static_cast<std::size_t>(left_back - left_front), right_front,
         static_cast<std::size_t>(right_back - right_front), front};
  return true;
}

/// Makes at most `steps` of the merge, fewer when a side ends; takes them off the job.
template <class T, class Compare>
void merge_front(merge_job<T>& job, std::size_t steps, Compare& comp) {
  for (; steps != 0 && job.left_size != 0 && job.right_size != 0; --steps) {
    const std::uintptr_t right_less = mask_of(comp(*job.right, *job.left));
    relocate(job.out++, select(right_less, job.right, job.left));
    job.right -= static_cast<std::ptrdiff_t>(right_less);
    job.right_size += right_less;
    job.left += static_cast<std::ptrdiff_t>(right_less + 1);
    job.left_size -= right_less + 1;
  }
}

template <class T>
void copy_front(const T*& side, std::size_t& side_size, T*& out, std::size_t n) {
  relocate_n(out, side, n);
  side += n;
  side_size -= n;
  out += n;
}

/// Merges stably. The elements of the left side come first among equivalent ones. Stretches of one
/// side are copied whole where there are any, as in input that is nearly sorted or repeats few
/// keys; on other input looking for them costs two comparisons in 64.
template <class T, class Compare>
void merge(merge_job<T> job, Compare& comp) {
  constexpr std::size_t stretch = 32;
  constexpr std::size_t too_short = 8;  // for the overhead of working from both ends
  while (job.left_size != 0 && job.right_size != 0) {
    if (job.left_size >= stretch && !comp(job.right[0], job.left[stretch - 1])) {
      copy_front(job.left, job.left_size, job.out, stretch);
      continue;
    }
    if (job.right_size >= stretch && comp(job.right[stretch - 1], job.left[0])) {
      copy_front(job.right, job.right_size, job.out, stretch);
      continue;
    }
    const std::size_t shorter = job.left_size < job.right_size ? job.left_size : job.right_size;
    const std::size_t m = shorter < stretch ? shorter : stretch;
    if (m < too_short || !merge_both_ends(job, m, comp)) merge_front(job, stretch, comp);
  }
  copy_front(job.left, job.left_size, job.out, job.left_size);
  copy_front(job.right, job.right_size, job.out, job.right_size);
}

/// Returns how many of the first d elements of the merged sequence come from the left side.
template <class T, class Compare>
std::size_t left_share(const merge_job<T>& job, std::size_t d, Compare& comp) {
  const std::size_t low = d > job.right_size ? d - job.right_size : 0;
  const std::size_t high = d < job.left_size ? d : job.left_size;
  // low <= i < high: i is on the left side, d - i - 1 on the right one
  return first_failing(low, high, [&](std::size_t i) {
    return !static_cast<bool>(comp(job.right[d - i - 1], job.left[i]));
  });
}

inline void copy_bytes_parallel(unsigned char* to, const unsigned char* from, std::size_t bytes) {
  for_each_piece(bytes, [=](std::size_t begin, std::size_t end) {
    relocate_n(to + begin, from + begin, end - begin);
  });
}

template <class T>
void copy_parallel(T* to, const T* from, std::size_t n) {
  copy_bytes_parallel(reinterpret_cast<unsigned char*>(to),
                      reinterpret_cast<const unsigned char*>(from), n * sizeof(T));
}

/// Merges in parallel: a cut is found once and both of its sides start from it, so even cuts that
/// make no sense divide the elements and lose none.
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

/// Merges, by merge_parallel above `grain`, two sides that may already follow each other in either
/// order.
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
