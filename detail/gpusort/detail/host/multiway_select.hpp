// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/runs.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>

// Multisequence selection: how many elements of each of k sorted runs are among the first `rank` of
// the merged order, in which equivalent elements follow the order of their runs. That order is
// total, so selections of different ranks contain one another.
//
// Both algorithms narrow windows: lower[i] elements of run i are known to be selected, those from
// upper[i] on known not to be. Whatever the comparator answers, a window shrinks in every step and
// is never left, and the lower ends never sum up to more than the rank, the upper ones never to
// less; so the algorithms end, and then the positions sum up to the rank. `rank` is counted from
// the lower ends that are given, and is at most the sum of the windows. `lower` becomes the
// positions.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Paper 003, Algorithm 1: the element in the middle of each window is its sample. At most as many
/// elements precede the least sample as precede all samples in their windows: when these are fewer
/// than the rank, it is selected. Otherwise the greatest sample, which at least as many precede, is
/// not. The paper starts from the first elements; from the middle, increasing and decreasing are
/// mirror images and every step halves a window: k log m steps, of log k comparisons each to put
/// the next sample in order, for windows of m elements.
template <class Elements, class Compare>
class sample_selection {
 public:
  sample_selection(const Elements& elements, std::size_t* lower, std::size_t* upper, Compare& comp)
      : elements_(elements), lower_(lower), upper_(upper), comp_(comp) {}

  void run(std::size_t k, std::uint64_t rank, std::size_t* by_sample) {
    std::size_t first = 0;  // the runs with a window, in the order of their samples
    std::size_t last = 0;
    std::uint64_t before_samples = 0;
    for (std::size_t i = 0; i < k; ++i) {
      if (lower_[i] == upper_[i]) continue;
      before_samples += sample_index(i) - lower_[i];
      insert(by_sample, last, position_of(by_sample, last, i), i);
      ++last;
    }
    while (first != last) {
      const bool is_selected = before_samples < rank;
      const std::size_t i = is_selected ? by_sample[first] : by_sample[last - 1];
      const std::size_t sample = sample_index(i);
      if (is_selected) {
        lower_[i] = sample + 1;
        ++first;
      } else {
        upper_[i] = sample;
        --last;
      }
      before_samples += sample_index(i) - sample;
      if (lower_[i] == upper_[i]) continue;
      // back in where the next sample belongs, into the room it left at its end
      std::size_t* const others = by_sample + first;
      const std::size_t before = position_of(others, last - first, i);
      if (is_selected) {
        std::memmove(others - 1, others, before * sizeof(*others));
        *(others - 1 + before) = i;
        --first;
      } else {
        insert(others, last - first, before, i);
        ++last;
      }
    }
  }

 private:
  std::size_t sample_index(std::size_t i) const { return lower_[i] + (upper_[i] - lower_[i]) / 2; }

  bool precedes(std::size_t i, std::size_t j) {
    decltype(auto) a = elements_.at(i, sample_index(i));
    decltype(auto) b = elements_.at(j, sample_index(j));
    return i < j ? !static_cast<bool>(comp_(b, a)) : static_cast<bool>(comp_(a, b));
  }

  std::size_t position_of(const std::size_t* order, std::size_t n, std::size_t i) {
    return first_failing(0, n, [&](std::size_t at) { return precedes(order[at], i); });
  }

  static void insert(std::size_t* order, std::size_t n, std::size_t at, std::size_t i) {
    std::memmove(order + at + 1, order + at, (n - at) * sizeof(*order));
    order[at] = i;
  }

  const Elements& elements_;
  std::size_t* lower_;
  std::size_t* upper_;
  Compare& comp_;
};

/// Paper 003, Algorithm 3: quick select. A pivot is ranked in all windows, from below and from
/// above; which side of it the rank is on tells which windows remain, until it lies among the
/// elements equivalent to the pivot, which are then shared out in the order of the runs.
///
/// Pivots are drawn from all that is undecided, every other one interpolated in its window, which
/// is close where the runs are alike. The numbers drawn are always the same. O(log n) rounds are
/// expected for any input, of k binary searches each.
template <class Elements, class Compare>
class pivot_selection {
 public:
  pivot_selection(const Elements& elements, std::size_t* lower, std::size_t* upper, Compare& comp)
      : elements_(elements), lower_(lower), upper_(upper), comp_(comp) {}

  void run(std::size_t k, std::uint64_t rank, std::size_t* words) {
    std::size_t* const below = words;        // the end of what is less than the pivot
    std::size_t* const through = words + k;  // and of what is less or equivalent
    std::uint64_t undecided = 0;
    for (std::size_t i = 0; i < k; ++i) undecided += upper_[i] - lower_[i];
    for (std::uint64_t round = 0; rank != 0 && rank != undecided; ++round) {
      const index_in_run pivot = draw(rank, undecided, round);
      std::uint64_t less = 0;
      std::uint64_t not_greater = 0;
      rank_pivot(k, pivot, below, through, less, not_greater);
      if (rank < less) {
        std::memcpy(upper_, below, k * sizeof(*below));
        undecided = less;
      } else if (rank > not_greater) {
        std::memcpy(lower_, through, k * sizeof(*through));
        undecided -= not_greater;
        rank -= not_greater;
      } else {
        return share_out(k, rank - less, below, through);
      }
    }
    if (rank != 0) std::memcpy(lower_, upper_, k * sizeof(*upper_));
  }

 private:
  struct index_in_run {
    std::size_t run;
    std::size_t at;
  };

  /// Draws an index; 0 < rank < undecided.
  index_in_run draw(std::uint64_t rank, std::uint64_t undecided, std::uint64_t round) const {
    std::uint64_t number = (round + 1) * 0x9E3779B97F4A7C15ull;
    number = (number ^ (number >> 32)) * 0xD6E8FEB86659FD93ull;
    std::uint64_t left = (number ^ (number >> 32)) % undecided;
    std::size_t i = 0;
    for (; left >= upper_[i] - lower_[i]; ++i) left -= upper_[i] - lower_[i];
    if (round % 2 == 0) {
      const std::size_t size = upper_[i] - lower_[i];
      const double share = static_cast<double>(rank) / static_cast<double>(undecided);
      const auto guess = static_cast<std::size_t>(share * static_cast<double>(size));
      left = guess < size ? guess : size - 1;
    }
    return {i, lower_[i] + left};
  }

  /// Ranks a pivot, which is on neither side, so its window shrinks.
  void rank_pivot(std::size_t k, index_in_run pivot, std::size_t* below, std::size_t* through,
                  std::uint64_t& less, std::uint64_t& not_greater) {
    decltype(auto) value = elements_.at(pivot.run, pivot.at);
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t end = i == pivot.run ? pivot.at : upper_[i];
      below[i] = first_failing(lower_[i], end, [&](std::size_t at) {
        return static_cast<bool>(comp_(elements_.at(i, at), value));
      });
      const auto is_through = [&](std::size_t at) {
        return !static_cast<bool>(comp_(value, elements_.at(i, at)));
      };
      std::size_t start = i == pivot.run ? pivot.at + 1 : below[i];
      // most often there is nothing equivalent, which one comparison tells
      if (start != upper_[i] && is_through(start)) {
        start = first_failing(start + 1, upper_[i], is_through);
      }
      through[i] = start;
      less += below[i] - lower_[i];
      not_greater += through[i] - lower_[i];
    }
  }

  void share_out(std::size_t k, std::uint64_t rest, const std::size_t* below,
                 const std::size_t* through) {
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t equivalent = through[i] - below[i];
      const std::size_t taken = rest < equivalent ? rest : equivalent;
      lower_[i] = below[i] + taken;
      rest -= taken;
    }
  }

  const Elements& elements_;
  std::size_t* lower_;
  std::size_t* upper_;
  Compare& comp_;
};

/// Most long runs for which samples are faster than pivots, up to 4 times for two or four runs of
/// 2^23 elements; from 16 on pivots are, 4 times for a thousand.
inline constexpr std::size_t sample_selection_runs = 8;

/// Words of scratch that select_rank takes for each run: samples need one, pivots two.
inline constexpr std::size_t selection_words = 2;

template <class Elements, class Compare>
void select_rank(const Elements& elements, std::size_t k, std::size_t* lower, std::size_t* upper,
                 std::uint64_t rank, std::size_t* words, Compare& comp) {
  if (k <= sample_selection_runs) {
    sample_selection<Elements, Compare>(elements, lower, upper, comp).run(k, rank, words);
  } else {
    pivot_selection<Elements, Compare>(elements, lower, upper, comp).run(k, rank, words);
  }
}

/// Writes positions[i], how many elements of run i are among the first `rank`, which is at most the
/// number of all. Throws out_of_memory where three words for each of many runs cannot be allocated.
template <class It, class Compare>
void multiway_select(const run<It>* runs, std::size_t k, std::uint64_t rank, std::size_t* positions,
                     Compare comp) {
  constexpr std::size_t few = 64;
  std::size_t here[few * (1 + selection_words)];
  const scratch memory = scratch::of<std::size_t>(k <= few ? 0 : k * (1 + selection_words));
  if (k > few && !memory) throw out_of_memory();
  std::size_t* const upper = k <= few ? here : memory.as<std::size_t>();
  for (std::size_t i = 0; i < k; ++i) {
    positions[i] = 0;
    upper[i] = runs[i].count;
  }
  const elements_of_runs<value_t<It>, It> elements{runs};
  select_rank(elements, k, positions, upper, rank, upper + k, comp);
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
