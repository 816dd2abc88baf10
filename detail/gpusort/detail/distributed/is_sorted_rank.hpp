// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/rank.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// One rank of the question whether all elements are in order, rank by rank: each asks it of its
/// own, and whether its first element belongs before the last one of the ranks before it.
template <class Local>
class is_sorted_rank : public rank_base<is_sorted_rank<Local>> {
  using base = rank_base<is_sorted_rank>;
  using key = typename Local::key_type;

 public:
  static constexpr bool is_on_device = Local::is_on_device;

  is_sorted_rank(std::size_t rank, std::size_t p, Local& local, header own)
      : base(rank, p), local_(local), own_(own), ends_(p * 2 * sizeof(key)) {
    own_.call = static_cast<std::uint32_t>(call_kind::is_sorted);
    own_.n = local.n();
  }

  collective begin() { return this->gather_headers(own_, &is_sorted_rank::compare_own); }
  void end() {
    this->conclude([&] { local_.finish(local_.n()); });
  }

  bool result() const { return is_sorted_; }

 private:
  struct pair {
    alignas(key) unsigned char bytes[2 * sizeof(key)];
  };

  collective compare_own() {
    collective ended;
    if (!this->accept_headers(ended)) return ended;
    this->attempt([&] {
      is_sorted_ = local_.is_sorted();
      if (local_.n() == 0) return;
      const window ends[] = {{0, local_.n(), 1, 0}, {local_.n() - 1, local_.n(), 1, 1}};
      local_.sample(ends, 2, own_ends_.bytes);
    });
    this->next(&is_sorted_rank::compare_neighbours);
    return allgather(own_ends_.bytes, ends_.data(), sizeof(own_ends_.bytes));
  }

  collective compare_neighbours() {
    this->attempt([&] {
      std::size_t left = this->rank_;
      while (left > 0 && this->counts_[left - 1] == 0) --left;
      if (left == 0 || local_.n() == 0) return;
      pair both;
      std::memcpy(both.bytes, ends_.data() + (2 * left - 1) * sizeof(key), sizeof(key));
      std::memcpy(both.bytes + sizeof(key), own_ends_.bytes, sizeof(key));
      std::uint32_t order[2] = {0, 1};
      local_.order(both.bytes, 2, order);
      is_sorted_ = is_sorted_ && order[0] == 0;
    });
    return this->gather_words(is_sorted_, &is_sorted_rank::conclude_all);
  }

  collective conclude_all() {
    const std::size_t failed = this->failed_by_words();
    if (failed < this->p_) return this->report(failed);
    for (const std::uint64_t word : this->received_words()) is_sorted_ = is_sorted_ && word != 0;
    return this->finish();
  }

  Local& local_;
  header own_;
  pair own_ends_ = {};
  std::vector<unsigned char> ends_;  // the first and the last key of each rank
  bool is_sorted_ = true;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
