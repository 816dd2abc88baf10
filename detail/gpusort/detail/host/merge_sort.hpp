// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <gpusort/detail/host/merge.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Elements that one leaf of the recursion sorts: enough that its calls cost nothing, few enough
/// for the straight-line code of sort_block.
inline constexpr std::size_t block_size = 32;

/// Tasks below this size would cost more than they gain.
inline constexpr std::size_t sort_task_size = std::size_t{1} << 12;

/// Sorts a few elements in place. Each is compared before it moves.
template <class T, class Compare>
void insertion_sort(T* first, std::size_t n, Compare& comp) {
  for (std::size_t i = 1; i < n; ++i) {
    std::size_t destination = i;
    while (destination > 0 && comp(first[i], first[destination - 1])) --destination;
    if (destination != i) move_down(first + destination, first + i);
  }
}

/// Sorts stably; `out` may be `in`. A permutation for any five answers.
template <class T, class Compare>
void sort_four(const T* in, T* out, Compare& comp) {
  const bool first_swapped = static_cast<bool>(comp(in[1], in[0]));
  const bool second_swapped = static_cast<bool>(comp(in[3], in[2]));
  const T* a = in + first_swapped;  // a, b and c, d are ordered pairs
  const T* b = in + !first_swapped;
  const T* c = in + 2 + second_swapped;
  const T* d = in + 3 - second_swapped;
  const std::uintptr_t c_least = mask_of(comp(*c, *a));
  const std::uintptr_t b_greatest = mask_of(comp(*d, *b));
  const T* least = select(c_least, c, a);
  const T* greatest = select(b_greatest, b, d);
  const T* e = select(c_least, a, select(b_greatest, c, b));  // the two that remain
  const T* f = select(b_greatest, d, select(c_least, b, c));
  const std::uintptr_t f_less = mask_of(comp(*f, *e));
  slot<T> held[4];
  std::memcpy(&held[0], least, sizeof(T));
  std::memcpy(&held[1], select(f_less, f, e), sizeof(T));
  std::memcpy(&held[2], select(f_less, e, f), sizeof(T));
  std::memcpy(&held[3], greatest, sizeof(T));
  std::memcpy(static_cast<void*>(out), held, sizeof(held));
}

template <std::size_t Width, class T, class Compare>
void merge_block_runs(const T* in, T* out, std::size_t n, Compare& comp) {
  std::size_t i = 0;
  for (; i + 2 * Width <= n; i += 2 * Width) {
    merge_job<T> job{in + i, Width, in + i + Width, Width, out + i};
    if (!merge_both_ends(job, Width, comp)) merge(job, comp);
  }
  const std::size_t rest = n - i;
  if (rest > Width) {
    merge(merge_job<T>{in + i, Width, in + i + Width, rest - Width, out + i}, comp);
  } else {
    relocate_n(out + i, in + i, rest);
  }
}

/// Elements that are in `scratch` go back to `home` when an exception passes.
template <class T>
struct homing_guard {
  T* home;
  const T* scratch;
  std::size_t left_size;
  std::size_t right_size;
  bool left_away = false;
  bool right_away = false;

  homing_guard(T* h, const T* s, std::size_t left, std::size_t right)
      : home(h), scratch(s), left_size(left), right_size(right) {}
  homing_guard(const homing_guard&) = delete;
  homing_guard& operator=(const homing_guard&) = delete;
  ~homing_guard() {
    if (left_away) relocate_n(home, scratch, left_size);
    if (right_away) relocate_n(home + left_size, scratch + left_size, right_size);
  }
  void dismiss() { left_away = right_away = false; }
};

/// Sorts at most block_size elements of home, into scratch or back home. Each pass only reads what
/// it merges.
template <class T, class Compare>
void sort_block(T* home, T* scratch, std::size_t n, bool into_scratch, Compare& comp) {
  T* const out = into_scratch ? scratch : home;
  T* const other = into_scratch ? home : scratch;
  homing_guard<T> guard(home, scratch, n, 0);
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) sort_four(home + i, other + i, comp);
  if (!into_scratch) relocate_n(other + i, home + i, n - i);
  insertion_sort(other + i, n - i, comp);
  guard.left_away = !into_scratch;
  merge_block_runs<4>(other, out, n, comp);
  guard.left_away = into_scratch;
  merge_block_runs<8>(out, other, n, comp);
  guard.left_away = !into_scratch;
  merge_block_runs<16>(other, out, n, comp);
  guard.dismiss();
}

/// Tells what is known of the beginning of a range: that it is one run, and how long. Exact where
/// the run ends inside the range; 0 where nothing is known.
struct known_run {
  std::size_t length = 0;
  bool descending = false;  // strictly, so that reversing it is stable

  known_run left(std::size_t size) const { return {length < size ? length : size, descending}; }
  known_run right(std::size_t left_size) const {
    return {length > left_size ? length - left_size : 0, descending};
  }
};

template <class T, class Compare>
known_run find_run(const T* first, std::size_t n, Compare& comp) {
  known_run run{2, static_cast<bool>(comp(first[1], first[0]))};
  while (run.length < n &&
         static_cast<bool>(comp(first[run.length], first[run.length - 1])) == run.descending) {
    ++run.length;
  }
  return run;
}

template <class T>
void reverse(T* first, std::size_t n) {
  for_each_index(n / 2, [=](std::size_t i) { swap_bytes(first[i], first[n - 1 - i]); });
}

/// Sorts the n elements of `home`, n > 0, and leaves them there or in `scratch`. Ranges above
/// `grain` are divided into tasks. After an exception they are all back home.
///
/// Ranges that are one run are not sorted. A run found is handed down to the parts it covers, so no
/// element is looked at twice for this.
template <class T, class Compare>
void merge_sort(T* home, T* scratch, std::size_t n, bool into_scratch, std::size_t grain,
                Compare& comp, known_run run = {}) {
  const bool divide = n > grain;
  if (!divide && run.length == 0 && n > 1) run = find_run(home, n, comp);
  if (run.length == n) {
    if (run.descending) reverse(home, n);
    if (into_scratch) relocate_n(scratch, home, n);
    return;
  }
  if (n <= block_size) return sort_block(home, scratch, n, into_scratch, comp);

  // all leaves but the last are whole blocks
  const std::size_t left_size = (n / 2 + block_size - 1) / block_size * block_size;
  const std::size_t right_size = n - left_size;
  homing_guard<T> guard(home, scratch, left_size, right_size);
  const auto sort_left = [&] {
    merge_sort(home, scratch, left_size, !into_scratch, grain, comp, run.left(left_size));
    guard.left_away = !into_scratch;
  };
  const auto sort_right = [&] {
    merge_sort(home + left_size, scratch + left_size, right_size, !into_scratch, grain, comp,
               run.right(left_size));
    guard.right_away = !into_scratch;
  };
  if (divide) {
    fork_join(sort_left, sort_right);
  } else {
    sort_left();
    sort_right();
  }
  const T* const from = into_scratch ? home : scratch;
  T* const out = into_scratch ? scratch : home;
  merge_runs(merge_job<T>{from, left_size, from + left_size, right_size, out}, grain, comp);
  guard.dismiss();
}

/// Whether test(first[i], first[i + 1]) holds for all neighbours.
template <class It, class Test>
bool all_neighbours(It first, std::size_t n, const Test& test) {
  if (n < 2) return true;
  std::atomic<bool> all{true};
  for_each_piece(n - 1, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t step = 256;  // after which a piece asks whether another has failed
    while (begin < end && all.load(std::memory_order_relaxed)) {
      const std::size_t stop = end - begin < step ? end : begin + step;
      for (; begin < stop; ++begin) {
        if (!test(element(first, begin), element(first, begin + 1))) {
          all.store(false, std::memory_order_relaxed);
          return;
        }
      }
    }
  });
  return all.load(std::memory_order_relaxed);
}

/// Whether the range was one run, and is sorted now.
template <class T, class Compare>
bool finish_single_run(T* first, std::size_t n, Compare& comp) {
  // most ranges show here that they are no run, and start no task
  const std::size_t sample = n < block_size ? n : block_size;
  const known_run start = find_run(static_cast<const T*>(first), sample, comp);
  if (start.length < sample) return false;
  if (!all_neighbours(first, n, [&](const T& a, const T& b) {
        return static_cast<bool>(comp(b, a)) == start.descending;
      })) {
    return false;
  }
  if (start.descending) reverse(first, n);
  return true;
}

/// Sorts stably. False, and nothing done, where n elements of scratch cannot be allocated.
template <class T, class Compare>
bool merge_sort(T* first, std::size_t n, Compare& comp) {
  if (n <= block_size) {
    slot<T> memory[block_size];
    merge_sort(first, memory[0].get(), n, false, n, comp);
    return true;
  }
  if (finish_single_run(first, n, comp)) return true;
  const scratch memory = scratch::of<T>(n);
  if (!memory) return false;
  const std::size_t grain = grain_of(n, sort_task_size);
  isolated_above(grain, n, [&] { merge_sort(first, memory.as<T>(), n, false, grain, comp); });
  return true;
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
