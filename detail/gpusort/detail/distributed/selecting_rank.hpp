// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/rank.hpp>
#include <gpusort/detail/distributed/selection.hpp>
#include <gpusort/detail/support/config.hpp>
#include <numeric>
#include <optional>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// A rank of a call that sorts its range and then selects: after the headers Derived::plan() makes
/// selection_, which may fail, and Derived::selected() goes on when all targets are found. What
/// finds them otherwise has a select() of its own.
template <class Derived, class Local>
class selecting_rank : public rank_base<Derived> {
  using base = rank_base<Derived>;
  using stage = typename base::stage;

 public:
  static constexpr bool is_on_device = Local::is_on_device;

  std::size_t rounds() const { return rounds_; }

 protected:
  selecting_rank(std::size_t rank, std::size_t p, Local& local, bool is_stable)
      : base(rank, p), local_(local), is_stable_(is_stable) {}

  std::uint64_t total() const {
    return std::accumulate(this->counts_.begin(), this->counts_.end(), std::uint64_t{0});
  }

  collective sort_range() {
    this->attempt([&] {
      local_.sort(is_stable_);
      static_cast<Derived*>(this)->plan();
    });
    return begin_when_all_can();
  }

  /// Begins the selection that has been made once every rank has made one.
  collective begin_when_all_can() {
    return this->gather_words(0, static_cast<stage>(&selecting_rank::begin_selection));
  }

  void select_from(std::vector<std::uint64_t> targets) {
    selection_.emplace(this->rank_, sizeof(typename Local::key_type), this->counts_,
                       std::move(targets));
  }

  /// Makes a round of the selection, or what follows the last one.
  collective select() {
    if (selection_->is_done()) return static_cast<Derived*>(this)->selected();
    ++rounds_;
    this->next(static_cast<stage>(&selecting_rank::narrow));
    return selection_->send_samples([&](const window* windows, std::size_t k, void* to) {
      this->attempt([&] { local_.sample(windows, k, to); });
    });
  }

  Local& local_;
  std::optional<selection> selection_;

 private:
  collective begin_selection() {
    const std::size_t failed = this->failed_by_words();
    return failed < this->p_ ? this->report(failed) : static_cast<Derived*>(this)->select();
  }

  collective narrow() {
    this->attempt([&] {
      selection_->narrow([&](const void* samples, std::size_t count, std::uint32_t* indices) {
        local_.order(samples, count, indices);
      });
    });
    this->next(static_cast<stage>(&selecting_rank::end_round));
    return selection_->send_windows(this->has_failed());
  }

  collective end_round() {
    const std::size_t failed = selection_->take_windows();
    return failed < this->p_ ? this->report(failed) : select();
  }

  bool is_stable_;
  std::size_t rounds_ = 0;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
