// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/key_memory.hpp>
#include <gpusort/detail/distributed/rank.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// One rank of a sample: `count` elements of each rank, at equal distances, or all where there are
/// fewer; every rank gets those of all.
template <class Local>
class sample_rank : public rank_base<sample_rank<Local>> {
  using base = rank_base<sample_rank>;
  using key = typename Local::key_type;

 public:
  static constexpr bool is_on_device = Local::is_on_device;

  sample_rank(std::size_t rank, std::size_t p, Local& local, header own, std::size_t count)
      : base(rank, p), local_(local), own_(own), count_(count) {
    own_.call = static_cast<std::uint32_t>(call_kind::sample);
    own_.n = local.n();
    own_.parameters = count;
  }

  collective begin() { return this->gather_headers(own_, &sample_rank::sample_own); }
  void end() {
    this->conclude([&] { local_.finish(local_.n()); });
  }

  std::vector<key>& result() { return all_; }

 private:
  collective sample_own() {
    collective ended;
    if (!this->accept_headers(ended)) return ended;
    std::uint64_t most = 0, total = 0;
    for (const std::uint64_t n : this->counts_) {
      most = (std::max)(most, samples_of(n));
      total += samples_of(n);
    }
    each_ = most;
    this->attempt([&] {
      samples_.take(each_, sizeof(key));
      gathered_.take(this->p_ * each_, sizeof(key));
      all_.reserve(total);
      const window all{0, local_.n(), samples_of(local_.n()), 0};
      if (all.count != 0) local_.sample(&all, 1, samples_.data());
    });
    return this->gather_words(0, &sample_rank::gather_samples);
  }

  collective gather_samples() {
    const std::size_t failed = this->failed_by_words();
    if (failed < this->p_) return this->report(failed);
    this->next(&sample_rank::join);
    return allgather(samples_.data(), gathered_.data(), each_ * sizeof(key));
  }

  collective join() {
    this->attempt([&] {
      for (std::size_t i = 0; i < this->p_; ++i) {
        gathered_.append_to(all_, i * each_,
                            static_cast<std::size_t>(samples_of(this->counts_[i])));
      }
    });
    return this->finish();
  }

  std::uint64_t samples_of(std::uint64_t n) const { return std::min<std::uint64_t>(count_, n); }

  Local& local_;
  header own_;
  std::size_t count_;
  std::size_t each_ = 0;  // samples of the rank that has most
  key_memory samples_;
  key_memory gathered_;
  std::vector<key> all_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
