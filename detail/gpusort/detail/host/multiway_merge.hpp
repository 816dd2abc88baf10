// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/merge.hpp>
#include <gpusort/detail/host/merge_sort.hpp>
#include <gpusort/detail/host/merged.hpp>
#include <gpusort/detail/host/multiway_select.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>

// Merging k runs. The output is cut into parts and these into tiles by multisequence selection,
// each cut within its neighbours', so even cuts that make no sense divide the elements and lose
// none. A tile stays in the cache while it is merged, two runs at a time: log k passes, each as
// fast as branch-free merging is, where a tournament waits for a chain of log k comparisons.
//
// The runs are only read. Where there is no memory their elements are put into the output one run
// after the other and merged there by rotation, so no call fails for want of it.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Merges what the runs have in one tile.
template <class Merged>
class tile_merger {
 public:
  using held = typename Merged::held;
  using order = typename Merged::order;

  tile_merger(const Merged& merged, const tile_piece* pieces, std::size_t grain)
      : merged_(merged), pieces_(pieces), order_(merged.order_of(pieces)), grain_(grain) {}

  /// Merges pieces first .. last - 1, none of them empty, and returns where they are: in `out`, or
  /// where they were. Parts of about equal size are merged first, so a piece of a share p of the
  /// tile is moved log 1/p + O(1) times, however unequal the pieces are.
  const held* merge_pieces(std::size_t first, std::size_t last, held* out, held* other) {
    if (last - first == 1) return load(first, out);
    const std::size_t middle = halving(first, last);
    const std::size_t left_size = pieces_[middle].start - pieces_[first].start;
    const std::size_t right_size = pieces_[last].start - pieces_[middle].start;
    const held* left = nullptr;
    const held* right = nullptr;
    const auto merge_left = [&] { left = merge_pieces(first, middle, other, out); };
    const auto merge_right = [&] {
      right = merge_pieces(middle, last, other + left_size, out + left_size);
    };
    if (left_size + right_size > grain_) {
      fork_join(merge_left, merge_right);
      merge_runs(merge_job<held>{left, left_size, right, right_size, out}, grain_, order_);
    } else {
      merge_left();
      merge_right();
      merge(merge_job<held>{left, left_size, right, right_size, out}, order_);
    }
    return out;
  }

 private:
  const held* load(std::size_t i, held* out) const {
    if constexpr (Merged::held_in_runs) {
      return merged_.in_run(pieces_[i]);
    } else {
      merged_.load(pieces_[i], i, pieces_[i + 1].start - pieces_[i].start, out);
      return out;
    }
  }

  /// Returns the piece at whose start the elements of first .. last - 1 are divided most equally.
  std::size_t halving(std::size_t first, std::size_t last) const {
    const std::size_t before = pieces_[first].start;
    const std::size_t after = pieces_[last].start;
    const auto is_in_left_half = [&](std::size_t i) {
      return pieces_[i].start - before < after - pieces_[i].start;
    };
    const std::size_t i = first_failing(first + 1, last - 1, is_in_left_half);
    if (i == first + 1) return i;
    const std::size_t left_of_this = pieces_[i].start - before;
    const std::size_t right_of_previous = after - pieces_[i - 1].start;
    return left_of_this < right_of_previous ? i : i - 1;
  }

  const Merged& merged_;
  const tile_piece* pieces_;
  order order_;
  std::size_t grain_;
};

template <class Merged>
class multiway_merger {
 public:
  /// Selects; count_of(i) is the number of elements of run i, n the sum of all.
  template <class CountOf>
  static void run(const Merged& merged, std::size_t k, std::size_t n, const CountOf& count_of) {
    if (n == 0) return;
    if (multiway_merger(merged, k, n).run_parts(count_of)) return;
    const auto all_of = [&](std::size_t i) { return window{0, count_of(i)}; };
    isolated([&] { rotate_together(merged, k, all_of, 0, n); });
  }

 private:
  using held = typename Merged::held;

  struct window {
    std::size_t begin;
    std::size_t end;
  };

  /// Bytes of the elements of a tile: they and as many of the passes between stay in a cache. The
  /// longer the tile, the fewer and longer the pieces; measured, 2^17 takes 12% longer for 64 runs
  /// of 4-byte elements, and 2^22 as long.
  static constexpr std::size_t tile_bytes = std::size_t{1} << 20;

  /// Elements of a tile, and of a part, for each run, at least: finding where it is cut costs as
  /// much as moving some tens of elements for each run. With a quarter of it 4096 runs take 15%
  /// longer.
  static constexpr std::size_t tile_share = 256;

  multiway_merger(const Merged& merged, std::size_t k, std::size_t n)
      : merged_(merged), k_(k), n_(n) {
    constexpr std::size_t most = std::size_t{1} << 31;  // indices in a tile are numbers of 32 bits
    constexpr std::size_t usual = tile_bytes / sizeof(held);
    const std::size_t for_runs = k < most / tile_share ? k * tile_share : most;
    tile_ = usual < for_runs ? for_runs : usual;
    const std::size_t grain = grain_of(n, sort_task_size < for_runs ? for_runs : sort_task_size);
    parts_ = (n - 1) / grain + 1;
  }

  std::size_t start_of(std::size_t part) const {
    const std::size_t longer = n_ % parts_;
    return n_ / parts_ * part + (part < longer ? part : longer);
  }

  std::size_t* cut(std::size_t part) const { return cuts_ + part * k_; }

  /// Returns what finding a cut takes: the upper ends, and the words of the selection.
  std::size_t* words(std::size_t part) const {
    return cut(parts_ + 1) + part * k_ * (1 + selection_words);
  }

  template <class CountOf>
  bool run_parts(const CountOf& count_of) {
    const std::size_t words_per_run = parts_ + 1 + parts_ * (1 + selection_words);
    const scratch memory(k_, words_per_run * sizeof(std::size_t), alignof(std::size_t));
    if (!memory) return false;
    cuts_ = memory.as<std::size_t>();
    for (std::size_t i = 0; i < k_; ++i) {
      cut(0)[i] = 0;
      cut(parts_)[i] = count_of(i);
    }
    const auto all = [&] { divide(0, parts_); };
    if (n_ > sort_task_size && concurrency() > 1) {
      isolated(all);
    } else {
      all();
    }
    return true;
  }

  void divide(std::size_t first, std::size_t last) const {
    if (last - first == 1) return merge_part(first);
    const std::size_t middle = first + (last - first) / 2;
    std::memcpy(cut(middle), cut(first), k_ * sizeof(std::size_t));
    std::size_t* const upper = words(middle);
    std::memcpy(upper, cut(last), k_ * sizeof(std::size_t));
    select_rank(merged_.source(), k_, cut(middle), upper, start_of(middle) - start_of(first),
                upper + k_, merged_.comp());
    fork_join([&] { divide(first, middle); }, [&] { divide(middle, last); });
  }

  void merge_part(std::size_t part) const {
    std::size_t at = start_of(part);
    std::size_t left = start_of(part + 1) - at;
    const std::size_t room = left < tile_ ? left : tile_;
    const scratch held_memory = scratch::of<held>(Merged::held_in_output ? room : 2 * room);
    const scratch piece_memory = scratch::of<tile_piece>(k_ + 1);
    const scratch cut_memory = scratch::of<std::size_t>(2 * k_);
    if (!held_memory || !piece_memory || !cut_memory) {
      return rotate_together(
          merged_, k_,
          [&](std::size_t i) {
            return window{cut(part)[i], cut(part + 1)[i]};
          },
          at, left);
    }
    // With one part there are tasks inside of it.
    const std::size_t grain = parts_ == 1 ? grain_of(n_, sort_task_size) : left;
    std::size_t* const begin = cut_memory.as<std::size_t>();
    std::size_t* const end = begin + k_;
    std::memcpy(begin, cut(part), k_ * sizeof(std::size_t));
    while (left > tile_) {
      find_tile(begin, cut(part + 1), end, words(part));
      merge_tile(begin, end, tile_, at, grain, held_memory, piece_memory);
      std::memcpy(begin, end, k_ * sizeof(std::size_t));
      at += tile_;
      left -= tile_;
    }
    merge_tile(begin, cut(part + 1), left, at, grain, held_memory, piece_memory);
  }

  void find_tile(const std::size_t* begin, const std::size_t* limit, std::size_t* end,
                 std::size_t* upper) const {
    for (std::size_t i = 0; i < k_; ++i) {
      end[i] = begin[i];
      upper[i] = limit[i] - begin[i] > tile_ ? begin[i] + tile_ : limit[i];
    }
    select_rank(merged_.source(), k_, end, upper, tile_, upper + k_, merged_.comp());
  }

  void merge_tile(const std::size_t* begin, const std::size_t* end, std::size_t n, std::size_t at,
                  std::size_t grain, const scratch& held_memory,
                  const scratch& piece_memory) const {
    tile_piece* const pieces = piece_memory.as<tile_piece>();
    std::size_t count = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < k_; ++i) {
      if (begin[i] == end[i]) continue;
      pieces[count++] = {i, begin[i], start};
      start += end[i] - begin[i];
    }
    pieces[count] = {k_, 0, start};
    held* const other = held_memory.as<held>();
    held* out;
    if constexpr (Merged::held_in_output) {
      out = merged_.in_output(at);
    } else {
      out = other + n;
    }
    const held* const done =
        tile_merger<Merged>(merged_, pieces, grain).merge_pieces(0, count, out, other);
    if (Merged::held_in_output && done == out) return;
    merged_.store(pieces, done, n, at);
  }

  /// Needs no memory. Run i takes part with what is in window_of(i).
  template <class WindowOf>
  static void rotate_together(const Merged& merged, std::size_t k, const WindowOf& window_of,
                              std::size_t at, std::size_t n) {
    const auto less = [&](std::size_t i, std::size_t j) { return merged.less(i, j); };
    const auto swap = [&](std::size_t i, std::size_t j) { merged.swap(i, j); };
    const in_place_sorter<decltype(less), decltype(swap)> sorter(less, swap,
                                                                 grain_of(n, sort_task_size));
    rotate_runs(merged, sorter, 0, k, window_of, at);
  }

  template <class Sorter, class WindowOf>
  static std::size_t rotate_runs(const Merged& merged, const Sorter& sorter, std::size_t first,
                                 std::size_t last, const WindowOf& window_of, std::size_t at) {
    if (last - first == 1) {
      const window w = window_of(first);
      for (std::size_t i = w.begin; i < w.end; ++i) merged.copy(first, i, at + (i - w.begin));
      return w.end - w.begin;
    }
    const std::size_t middle = first + (last - first) / 2;
    const std::size_t left = rotate_runs(merged, sorter, first, middle, window_of, at);
    const std::size_t right = rotate_runs(merged, sorter, middle, last, window_of, at + left);
    sorter.merge(at, at + left, at + left + right);
    return left + right;
  }

  const Merged& merged_;
  std::size_t k_;
  std::size_t n_;
  std::size_t tile_;
  std::size_t parts_;
  std::size_t* cuts_ = nullptr;  // (parts_ + 1) * k_: where each part begins in each run
};

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
