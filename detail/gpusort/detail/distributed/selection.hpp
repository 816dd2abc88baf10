// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/key_memory.hpp>
#include <gpusort/detail/distributed/narrow_windows.hpp>
#include <gpusort/detail/distributed/selection_plan.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/config.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Finds where k targets, ranks in the sorted sequence of all elements, cut the sorted ranges of
/// the p ranks: by rounds of two collectives. Each target has an owner. In a round every rank sends
/// the owner samples of its window of the target; the owner orders them, narrows the windows of all
/// ranks, and sends each its own. A round leaves of a window about a fifteenth of what it had, and
/// of few elements the cut itself, whatever the elements are: equal ones are ordered by rank and
/// position. The samples of all targets that a rank owns are ordered together.
///
/// The constructor allocates all memory, since a rank that cannot take part in a collective makes
/// the others wait.
class selection {
 public:
  /// Begins a selection. counts: elements of each rank; no target is beyond their sum, and there
  /// are at most selection_plan::most_targets(), or one for each rank.
  selection(std::size_t rank, std::size_t key_bytes, const std::vector<std::uint64_t>& counts,
            std::vector<std::uint64_t> targets)
      : p_(counts.size()),
        rank_(rank),
        key_bytes_(key_bytes),
        targets_(std::move(targets)),
        plan_(p_, key_bytes, (targets_.size() + p_ - 1) / p_),
        own_(targets_.size()),
        strides_(targets_.size()),
        owned_(p_ * owned_by(rank)),
        owned_strides_(owned_by(rank)),
        window_words_(p_ * words_for(rank)),
        window_words_received_(p_ + 3 * targets_.size()),
        send_offsets_(p_ + 1),
        receive_offsets_(p_ + 1) {
    const std::uint64_t n = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      const bool is_trivial = targets_[j] == 0 || targets_[j] == n;
      strides_[j] = is_trivial ? 0 : plan_.stride_of(n);
      own_[j] = all_of(counts[rank], targets_[j], is_trivial);
      if (j < first_owned() || j >= first_target_of(rank + 1)) continue;
      const std::size_t local = j - first_owned();
      owned_strides_[local] = strides_[j];
      for (std::size_t i = 0; i < p_; ++i) {
        owned_[local * p_ + i] = all_of(counts[i], targets_[j], is_trivial);
      }
    }
    const std::size_t most_received = std::min<std::uint64_t>(plan_.samples(), n) * owned_by(rank);
    sent_.take(plan_.samples_of_rank(counts[rank]) * targets_.size(), key_bytes);
    received_.take(most_received, key_bytes);
    order_.resize(most_received);
    target_of_.resize(most_received);
    rank_of_.resize(most_received);
    ranks_in_order_.resize(most_received);
    ends_.resize(owned_by(rank));
  }

  bool is_done() const {
    return std::all_of(strides_.begin(), strides_.end(), [](auto s) { return s == 0; });
  }

  /// Returns where target j cuts the range of this rank, once all is done.
  std::uint64_t cut(std::size_t j) const { return own_[j].low; }

  /// Samples of this rank's windows, to their owners. `sample(windows, k, to)` writes them.
  template <class Sample>
  collective send_samples(const Sample& sample) {
    std::uint64_t count = 0;
    for (std::size_t o = 0; o < p_; ++o) {
      send_offsets_[o] = count * key_bytes_;
      for (std::size_t j = first_target_of(o); j < first_target_of(o + 1); ++j) {
        set_samples(own_[j], strides_[j], count);
      }
    }
    send_offsets_[p_] = count * key_bytes_;
    std::uint64_t received = 0;
    for (std::size_t i = 0; i < p_; ++i) {
      receive_offsets_[i] = received * key_bytes_;
      for (std::size_t j = 0; j < owned_by(rank_); ++j) {
        set_samples(owned_[j * p_ + i], owned_strides_[j], received);
      }
    }
    receive_offsets_[p_] = received * key_bytes_;
    if (count != 0) sample(own_.data(), own_.size(), sent_.data());
    return alltoallv(sent_.data(), send_offsets_.data(), received_.data(), receive_offsets_.data(),
                     false);
  }

  /// Narrows the windows of the targets that this rank owns. `order(samples, count, indices)`
  /// orders keys.
  template <class Order>
  void narrow(const Order& order) {
    order_received(order);
    const std::uint32_t* samples = ranks_in_order_.data();
    for (std::size_t j = 0; j < owned_by(rank_); ++j) {
      const std::uint32_t* const end = ranks_in_order_.data() + ends_[j];
      if (owned_strides_[j] != 0) {
        window* const windows = owned_.data() + j * p_;
        narrowing(windows, p_, targets_[first_owned() + j], samples,
                  static_cast<std::size_t>(end - samples))
            .run();
        std::uint64_t left = 0;
        for (std::size_t i = 0; i < p_; ++i) left += windows[i].high - windows[i].low;
        owned_strides_[j] = left == 0 ? 0 : plan_.stride_of(left);
      }
      samples = end;
    }
  }

  /// Sends the windows of the targets that this rank owns to the ranks, and whether it has failed.
  collective send_windows(bool has_failed) {
    std::uint64_t* word = window_words_.data();
    for (std::size_t i = 0; i < p_; ++i) {
      send_offsets_[i] = i * words_for(rank_) * sizeof(std::uint64_t);
      *word++ = has_failed;
      for (std::size_t j = 0; j < owned_by(rank_); ++j) {
        *word++ = owned_[j * p_ + i].low;
        *word++ = owned_[j * p_ + i].high;
        *word++ = owned_strides_[j];
      }
    }
    send_offsets_[p_] = p_ * words_for(rank_) * sizeof(std::uint64_t);
    receive_offsets_[0] = 0;
    for (std::size_t o = 0; o < p_; ++o) {
      receive_offsets_[o + 1] = receive_offsets_[o] + words_for(o) * sizeof(std::uint64_t);
    }
    return alltoallv(window_words_.data(), send_offsets_.data(), window_words_received_.data(),
                     receive_offsets_.data(), false);
  }

  /// Takes the windows that were received. Returns the least rank that has failed, or p.
  std::size_t take_windows() {
    const std::uint64_t* word = window_words_received_.data();
    std::size_t failed = p_;
    for (std::size_t o = 0; o < p_; ++o) {
      if (*word++ != 0 && failed == p_) failed = o;
      for (std::size_t j = first_target_of(o); j < first_target_of(o + 1); ++j) {
        own_[j].low = *word++;
        own_[j].high = *word++;
        strides_[j] = *word++;
      }
    }
    return failed;
  }

  // The elements at the cuts, each the least of those that the ranks have there.

  void take_room_for_results() { results_.take(p_ * owned_by(rank_), key_bytes_); }

  template <class Sample>
  collective send_candidates(const std::vector<std::uint64_t>& counts, const Sample& sample) {
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      leave_next(own_[j], counts[rank_]);
      strides_[j] = 1;
    }
    for (std::size_t j = 0; j < owned_by(rank_); ++j) {
      for (std::size_t i = 0; i < p_; ++i) leave_next(owned_[j * p_ + i], counts[i]);
      owned_strides_[j] = 1;
    }
    return send_samples(sample);
  }

  template <class Order>
  void choose(const Order& order) {
    const std::size_t count = order_received(order);
    for (std::size_t s = count; s-- > 0;) {  // the first of each target is written last
      const std::uint32_t least = order_[s];
      for (std::size_t i = 0; i < p_; ++i) {
        std::memcpy(results_.data() + (i * owned_by(rank_) + target_of_[least]) * key_bytes_,
                    received_.data() + least * key_bytes_, key_bytes_);
      }
    }
  }

  collective send_results(void* elements) {
    for (std::size_t i = 0; i <= p_; ++i) {
      send_offsets_[i] = i * owned_by(rank_) * key_bytes_;
      receive_offsets_[i] = first_target_of(i) * key_bytes_;
    }
    return alltoallv(results_.data(), send_offsets_.data(), elements, receive_offsets_.data(),
                     false);
  }

 private:
  static void leave_next(window& w, std::uint64_t n) { w.high = w.low + (w.low < n ? 1 : 0); }

  static window all_of(std::uint64_t n, std::uint64_t target, bool is_trivial) {
    const std::uint64_t cut = target == 0 ? 0 : n;
    return is_trivial ? window{cut, cut, 0, 0} : window{0, n, 0, 0};
  }

  std::size_t first_target_of(std::size_t owner) const { return targets_.size() * owner / p_; }
  std::size_t owned_by(std::size_t owner) const {
    return first_target_of(owner + 1) - first_target_of(owner);
  }
  std::size_t first_owned() const { return first_target_of(rank_); }
  std::size_t words_for(std::size_t owner) const { return 1 + 3 * owned_by(owner); }

  void set_samples(window& w, std::uint64_t stride, std::uint64_t& count) const {
    w.count = stride == 0 ? 0 : plan_.samples_of(w.high - w.low, stride);
    w.first = count;
    count += w.count;
  }

  /// Orders the samples that were received, of all targets, and has the ranks of each target's in
  /// its order, one target's after the other's. Gives how many there are.
  template <class Order>
  std::size_t order_received(const Order& order) {
    const std::size_t owned = owned_by(rank_);
    std::size_t count = 0;
    std::fill(ends_.begin(), ends_.end(), 0);
    for (std::size_t i = 0; i < p_; ++i) {
      for (std::size_t j = 0; j < owned; ++j) {
        const std::uint64_t samples = owned_[j * p_ + i].count;
        std::fill_n(target_of_.begin() + static_cast<std::ptrdiff_t>(count), samples,
                    static_cast<std::uint32_t>(j));
        std::fill_n(rank_of_.begin() + static_cast<std::ptrdiff_t>(count), samples,
                    static_cast<std::uint32_t>(i));
        ends_[j] += samples;
        count += samples;
      }
    }
    order(received_.data(), count, order_.data());
    std::size_t begin = 0;
    for (std::size_t& end : ends_) begin += std::exchange(end, begin);
    for (std::size_t s = 0; s < count; ++s) {
      ranks_in_order_[ends_[target_of_[order_[s]]]++] = rank_of_[order_[s]];
    }
    return count;
  }

  std::size_t p_;
  std::size_t rank_;
  std::size_t key_bytes_;
  std::vector<std::uint64_t> targets_;
  selection_plan plan_;
  std::vector<window> own_;             // of each target
  std::vector<std::uint64_t> strides_;  // 0 where a target is done
  std::vector<window> owned_;           // of each target that this rank owns, of each rank
  std::vector<std::uint64_t> owned_strides_;
  std::vector<std::uint64_t> window_words_;
  std::vector<std::uint64_t> window_words_received_;
  std::vector<std::uint64_t> send_offsets_;
  std::vector<std::uint64_t> receive_offsets_;
  key_memory sent_;
  key_memory received_;
  key_memory results_;
  std::vector<std::uint32_t> order_;           // of the samples received, of which each has
  std::vector<std::uint32_t> target_of_;       // a target among those that this rank owns,
  std::vector<std::uint32_t> rank_of_;         // and a rank
  std::vector<std::uint32_t> ranks_in_order_;  // by target
  std::vector<std::size_t> ends_;              // where those of each target end
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
