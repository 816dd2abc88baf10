// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/part.hpp>
#include <gpusort/detail/distributed/selecting_rank.hpp>
#include <gpusort/detail/support/config.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Names how many elements each rank ends with.
enum class shares { kept, balanced };

inline std::uint64_t share_of(shares how, const std::vector<std::uint64_t>& counts, std::uint64_t n,
                              std::size_t rank) {
  if (how == shares::kept) return counts[rank];
  return part_of(n, rank, counts.size()).n;
}

/// Whether a local object may reach what the ranks have sorted.
template <class Local, class = void>
inline constexpr bool may_reach_all = false;
template <class Local>
inline constexpr bool may_reach_all<Local, std::enable_if_t<Local::may_reach_all>> = true;

/// One rank of a sort: sorts its range, finds where it is cut for each rank, exchanges, and merges
/// what has arrived. The order of all elements is by key, rank and position, so that cuts are exact
/// and the sort is stable where that of the range is.
///
/// Where every rank reaches what all have sorted, each finds where its part begins in the ranges of
/// all, in place of rounds of samples.
///
/// With `exchanges` false it ends before the exchange, with offsets for those who do it themselves.
///
/// Nothing that can fail lies between the exchange and the merge; where a merge fails all the same,
/// everything is sent back.
template <class Local>
class sort_rank : public selecting_rank<sort_rank<Local>, Local> {
  using base = selecting_rank<sort_rank, Local>;
  friend base;

 public:
  /// Begins the sort of a rank. own: what this rank tells of its elements and its order.
  sort_rank(std::size_t rank, std::size_t p, Local& local, header own, bool is_stable, shares how,
            bool exchanges = true)
      : base(rank, p, local, is_stable), own_(own), how_(how), exchanges_(exchanges) {
    own_.call =
        static_cast<std::uint32_t>(exchanges ? call_kind::sort : call_kind::select_splitters);
    own_.n = local.n();
    own_.is_stable = is_stable;
    own_.is_balanced = how == shares::balanced;
  }

  collective begin() { return this->gather_headers(own_, &sort_rank::compare_headers); }

  void end() {
    selection_.reset();
    this->conclude([&] { local_.finish(is_done_ && exchanges_ ? share_ : local_.n()); });
  }

  /// Returns the result: how many elements this rank has, and how many are before them.
  std::uint64_t share() const { return share_; }
  std::uint64_t offset() const { return offset_; }
  /// Returns, in elements, what goes to each rank, in the sorted range, and what comes from each.
  std::vector<std::uint64_t>& send_offsets() { return cuts_; }
  std::vector<std::uint64_t>& receive_offsets() { return runs_; }

 private:
  using base::local_;
  using base::selection_;

  collective compare_headers() {
    collective ended;
    return this->accept_headers(ended) ? this->sort_range() : ended;
  }

  void plan() {
    const auto& counts = this->counts_;
    const std::uint64_t n = this->total();
    std::vector<std::uint64_t> starts(this->p_);
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < this->p_; ++i) {
      starts[i] = start;
      start += share_of(how_, counts, n, i);
    }
    share_ = share_of(how_, counts, n, this->rank_);
    offset_ = starts[this->rank_];
    cuts_.resize(this->p_ + 1);
    words_.resize(this->p_);
    send_offsets_.resize(this->p_ + 1);
    receive_offsets_.resize(this->p_ + 1);
    runs_.resize(this->p_ + 1);
    if constexpr (may_reach_all<Local>) {
      if (local_.reaches_all()) return local_.settle();  // others read what it has sorted
    }
    this->select_from(std::move(starts));
  }

  collective select() {
    if constexpr (may_reach_all<Local>) {
      if (local_.reaches_all()) {
        this->attempt([&] { local_.cut_all(this->counts_, offset_, words_.data()); });
        return this->exchange_words(words_, &sort_rank::take_cuts);
      }
    }
    return base::select();
  }

  collective take_cuts() {
    const std::size_t failed = this->failed_by_words();
    if (failed < this->p_) return this->report(failed);
    std::copy(this->received_words().begin(), this->received_words().end(), cuts_.begin());
    return tell_cuts();
  }

  collective selected() {
    for (std::size_t j = 0; j < this->p_; ++j) cuts_[j] = selection_->cut(j);
    selection_.reset();
    return tell_cuts();
  }

  collective tell_cuts() {
    cuts_[this->p_] = local_.n();
    if (exchanges_ && this->p_ > 1) this->attempt([&] { local_.prepare(share_); });
    std::uint64_t flags = 0;
    for (std::size_t j = 0; j < this->p_; ++j) {
      if (cuts_[j] > cuts_[j + 1]) flags |= crossed_bit;  // for want of an order
    }
    const std::size_t r = this->rank_;
    if (cuts_[r] != 0 || cuts_[r + 1] != local_.n() || share_ != local_.n()) flags |= moves_bit;
    for (std::size_t j = 0; j < this->p_; ++j) {
      words_[j] = flags | (flags & crossed_bit ? 0 : cuts_[j + 1] - cuts_[j]);
    }
    return this->exchange_words(words_, &sort_rank::plan_exchange);
  }

  collective plan_exchange() {
    const std::size_t failed = this->failed_by_words();
    if (failed < this->p_) return this->report(failed);
    std::uint64_t flags = 0;
    for (const std::uint64_t word : this->received_words()) {
      flags |= word & (crossed_bit | moves_bit);
    }
    if (flags & crossed_bit) {
      cut_as_they_are();
    } else {
      runs_[0] = 0;
      for (std::size_t i = 0; i < this->p_; ++i) {
        runs_[i + 1] = runs_[i] + (this->received_words()[i] & count_mask);
      }
    }
    is_done_ = true;
    if (!exchanges_) return this->finish();
    if ((flags & moves_bit) == 0 || (flags & crossed_bit && how_ == shares::kept)) {
      return this->finish();
    }
    column_ = 0;
    return exchange_column();
  }

  /// Cuts of the ranks' elements one after the other, where those that were found cross.
  void cut_as_they_are() {
    const auto& counts = this->counts_;
    const std::uint64_t n = this->total();
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < this->rank_; ++i) before += counts[i];
    const std::uint64_t after = before + local_.n();
    std::uint64_t start = 0;
    for (std::size_t j = 0; j < this->p_; ++j) {
      cuts_[j] = std::clamp(start, before, after) - before;
      start += share_of(how_, counts, n, j);
    }
    cuts_[this->p_] = local_.n();
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < this->p_; ++i) {
      runs_[i] = std::clamp(first, offset_, offset_ + share_) - offset_;
      first += counts[i];
    }
    runs_[this->p_] = share_;
  }

  void set_offsets(std::size_t bytes) {
    for (std::size_t i = 0; i <= this->p_; ++i) {
      send_offsets_[i] = cuts_[i] * bytes;
      receive_offsets_[i] = runs_[i] * bytes;
    }
  }

  collective exchange_column() {
    if (column_ == Local::columns) return merge();
    set_offsets(Local::element_bytes(column_));
    this->next(&sort_rank::exchange_column);
    const std::size_t column = column_++;
    return alltoallv(local_.data(column), send_offsets_.data(), local_.receive_buffer(column),
                     receive_offsets_.data(), true);
  }

  collective merge() {
    this->attempt([&] { local_.merge(runs_.data(), this->p_); });
    return this->gather_words(0, &sort_rank::end_merge);
  }

  collective end_merge() {
    failed_merge_ = this->failed_by_words();
    if (failed_merge_ == this->p_) return this->finish();
    is_done_ = false;
    column_ = 0;
    this->conclude([&] { local_.settle(); });
    return this->meet(&sort_rank::send_back_column);
  }

  collective send_back_column() {
    if (column_ == Local::columns) return this->report(failed_merge_);
    set_offsets(Local::element_bytes(column_));
    this->next(&sort_rank::send_back_column);
    const std::size_t column = column_++;
    return alltoallv(local_.receive_buffer(column), receive_offsets_.data(), local_.data(column),
                     send_offsets_.data(), true);
  }

  static constexpr std::uint64_t crossed_bit = std::uint64_t{1} << 62;
  static constexpr std::uint64_t moves_bit = std::uint64_t{1} << 61;
  static constexpr std::uint64_t count_mask = moves_bit - 1;

  header own_;
  shares how_;
  bool exchanges_;
  std::uint64_t share_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<std::uint64_t> cuts_;  // elements: what goes to rank j begins at cuts_[j]
  std::vector<std::uint64_t> runs_;  // and what came from it at runs_[j]
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> send_offsets_;  // the same in bytes of a column
  std::vector<std::uint64_t> receive_offsets_;
  std::size_t column_ = 0;
  std::size_t failed_merge_ = 0;
  bool is_done_ = false;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
