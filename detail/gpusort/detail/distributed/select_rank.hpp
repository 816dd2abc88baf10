// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/key_memory.hpp>
#include <gpusort/detail/distributed/selecting_rank.hpp>
#include <gpusort/detail/distributed/selection_plan.hpp>
#include <gpusort/detail/support/config.hpp>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// One rank of a selection of elements by their ranks in the sorted sequence: where each cuts the
/// sorted ranges, the least of the elements that follow is the one. Many are found in batches, so
/// that memory does not grow with their number.
template <class Local>
class select_rank : public selecting_rank<select_rank<Local>, Local> {
  using base = selecting_rank<select_rank, Local>;
  using key = typename Local::key_type;
  friend base;

 public:
  select_rank(std::size_t rank, std::size_t p, Local& local, header own,
              std::vector<std::uint64_t> targets)
      : base(rank, p, local, false), own_(own), targets_(std::move(targets)) {
    own_.call = static_cast<std::uint32_t>(call_kind::select);
    own_.n = local.n();
    own_.parameters = hash_bytes(targets_.data(), targets_.size() * sizeof(std::uint64_t));
  }

  collective begin() { return this->gather_headers(own_, &select_rank::compare_headers); }
  void end() {
    this->selection_.reset();
    this->conclude([&] { local_.finish(local_.n()); });
  }

  std::vector<key>& result() { return elements_; }

 private:
  using base::local_;
  using base::selection_;

  collective compare_headers() {
    collective ended;
    if (!this->accept_headers(ended)) return ended;
    for (const std::uint64_t target : targets_) {
      if (target >= this->total()) {
        return this->end_refused("a rank is not less than the number of elements of all ranks");
      }
    }
    return this->sort_range();
  }

  void plan() {
    elements_.reserve(targets_.size());
    plan_batch();
  }

  void plan_batch() {
    batch_ =
        (std::min)(targets_.size() - found_, selection_plan::most_targets(this->p_, sizeof(key)));
    const auto begin = targets_.begin() + static_cast<std::ptrdiff_t>(found_);
    this->select_from({begin, begin + static_cast<std::ptrdiff_t>(batch_)});
    selection_->take_room_for_results();
    chosen_.take(batch_, sizeof(key));
  }

  collective selected() {
    this->next(&select_rank::choose);
    return selection_->send_candidates(this->counts_,
                                       [&](const window* w, std::size_t k, void* to) {
                                         this->attempt([&] { local_.sample(w, k, to); });
                                       });
  }

  collective choose() {
    this->attempt([&] {
      selection_->choose([&](const void* samples, std::size_t count, std::uint32_t* indices) {
        local_.order(samples, count, indices);
      });
    });
    return this->gather_words(0, &select_rank::share_results);
  }

  collective share_results() {
    const std::size_t failed = this->failed_by_words();
    if (failed < this->p_) return this->report(failed);
    this->next(&select_rank::take_results);
    return selection_->send_results(chosen_.data());
  }

  collective take_results() {
    this->attempt([&] { chosen_.append_to(elements_, 0, batch_); });
    found_ += batch_;
    if (found_ == targets_.size()) return this->finish();
    this->attempt([&] { plan_batch(); });
    return this->begin_when_all_can();
  }

  header own_;
  std::vector<std::uint64_t> targets_;
  std::size_t found_ = 0;  // targets of the batches before
  std::size_t batch_ = 0;  // targets of the one under way
  key_memory chosen_;      // and their elements
  std::vector<key> elements_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
