// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/narrow_windows.hpp>
#include <gpusort/detail/distributed/selection_plan.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <memory>
#include <new>
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
/// position.
///
/// All memory is had by the constructor, since a rank that cannot take part in a collective makes
/// the others wait.
class selection {
 public:
  /// counts: elements of each rank; targets do not decrease, none is beyond their sum.
  selection(std::size_t rank, std::size_t key_bytes, const std::vector<std::uint64_t>& counts,
            std::vector<std::uint64_t> targets)
      : p_(counts.size()),
        rank_(rank),
        key_bytes_(key_bytes),
        plan_(p_, key_bytes),
        targets_(std::move(targets)),
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
    const std::uint64_t most_samples = plan_.samples_of(counts[rank], 1) * targets_.size();
    const std::uint64_t most_received = std::min<std::uint64_t>(plan_.samples(), n);
    sent_.take(most_samples * key_bytes);
    received_.take(most_received * owned_by(rank) * key_bytes);
    if (owned_by(rank) > 1) gathered_.take(most_received * key_bytes);
    if (owned_by(rank) > 0) {
      order_.resize(most_received);
      rank_of_.resize(most_received);
    }
  }

  bool is_done() const {
    return std::all_of(strides_.begin(), strides_.end(), [](auto s) { return s == 0; });
  }

  /// Where target j cuts the range of this rank, once all is done.
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
    for (std::size_t j = 0; j < owned_by(rank_); ++j) {
      if (owned_strides_[j] == 0) continue;
      window* const windows = owned_.data() + j * p_;
      const std::uint64_t target = targets_[first_owned() + j];
      std::size_t count = 0;
      for (std::size_t i = 0; i < p_; ++i) {
        std::fill_n(rank_of_.begin() + static_cast<std::ptrdiff_t>(count), windows[i].count,
                    static_cast<std::uint32_t>(i));
        count += windows[i].count;
      }
      order(samples_of_target(windows), count, order_.data());
      narrowing(windows, p_, target, order_.data(), rank_of_.data(), count).run();
      std::uint64_t left = 0;
      for (std::size_t i = 0; i < p_; ++i) left += windows[i].high - windows[i].low;
      owned_strides_[j] = left == 0 ? 0 : plan_.stride_of(left);
    }
  }

  /// The windows of the targets that this rank owns, to the ranks, and whether it has failed.
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

  void take_room_for_results() { results_.take(p_ * owned_by(rank_) * key_bytes_); }

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
    for (std::size_t j = 0; j < owned_by(rank_); ++j) {
      const window* const windows = owned_.data() + j * p_;
      std::size_t count = 0;
      for (std::size_t i = 0; i < p_; ++i) count += windows[i].count;
      const auto* const keys = static_cast<const unsigned char*>(samples_of_target(windows));
      order(keys, count, order_.data());
      for (std::size_t i = 0; i < p_; ++i) {
        std::memcpy(results_.data() + (i * owned_by(rank_) + j) * key_bytes_,
                    keys + order_[0] * key_bytes_, key_bytes_);
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

  /// Memory for keys, or an exception.
  class key_memory {
   public:
    void take(std::uint64_t bytes) {
      bytes_ = std::make_unique<host::scratch>(bytes, 1, 64);
      if (bytes != 0 && !*bytes_) throw std::bad_alloc();
    }
    unsigned char* data() const { return bytes_ ? bytes_->as<unsigned char>() : nullptr; }

   private:
    std::unique_ptr<host::scratch> bytes_;
  };

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

  /// The samples of a target one rank after the other, which with several targets they are not.
  const void* samples_of_target(const window* windows) {
    if (owned_by(rank_) == 1) return received_.data();
    unsigned char* to = gathered_.data();
    for (std::size_t i = 0; i < p_; ++i) {
      if (windows[i].count == 0) continue;
      std::memcpy(to, received_.data() + windows[i].first * key_bytes_,
                  windows[i].count * key_bytes_);
      to += windows[i].count * key_bytes_;
    }
    return gathered_.data();
  }

  std::size_t p_;
  std::size_t rank_;
  std::size_t key_bytes_;
  selection_plan plan_;
  std::vector<std::uint64_t> targets_;
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
  key_memory gathered_;
  key_memory results_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> rank_of_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
