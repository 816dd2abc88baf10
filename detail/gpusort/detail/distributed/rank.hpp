// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/failure.hpp>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Does what all calls on several ranks begin and end with. Headers are gathered and compared; then
/// the call's stages run, each of which does local work and returns a collective, after which the
/// next is called. Whatever a rank throws, it goes on taking part until the next small collective,
/// which tells everybody; then all gather the failure of the least rank that has one, and throw it.
template <class Derived>
class rank_base {
 public:
  /// Does local work. Never throws.
  collective step() {
    const stage now = next_;
    next_ = nullptr;
    return now == nullptr ? collective{} : (static_cast<Derived*>(this)->*now)();
  }

  /// Returns the rounds of the selection, where there is one.
  std::size_t rounds() const { return 0; }

  /// Throws what the call has ended with, if anything.
  void rethrow() const {
    if (failed_rank_ < p_) throw_failure(failure_, failed_rank_);
    if (!refusal_.empty()) throw std::invalid_argument(refusal_);
    if (has_failed()) throw_failure(failure_, rank_);
  }

  /// Returns what this rank itself has thrown.
  const std::exception_ptr& thrown() const { return thrown_; }

 protected:
  using stage = collective (Derived::*)();

  rank_base(std::size_t rank, std::size_t p)
      : p_(p),
        rank_(rank),
        counts_(p),
        failed_rank_(p),
        headers_(p),
        words_(p),
        word_offsets_(p + 1),
        next_(&Derived::begin) {
    for (std::size_t i = 0; i <= p; ++i) word_offsets_[i] = i * sizeof(std::uint64_t);
  }

  /// Runs something that may throw; not after a failure.
  template <class Body>
  void attempt(const Body& body) noexcept {
    if (has_failed()) return;
    try {
      body();
    } catch (...) {
      fail();
    }
  }

  /// Does the last work of a call; nobody is told of its failure.
  template <class Body>
  void conclude(const Body& body) noexcept {
    try {
      body();
    } catch (...) {
      if (!has_failed()) fail();
    }
  }

  bool has_failed() const { return failure_.kind != failure::none; }

  void next(stage then) { next_ = then; }

  const std::vector<std::uint64_t>& received_words() const { return words_; }

  collective gather_headers(header own, stage then) {
    own.has_failed = has_failed();
    own_header_ = own;
    next_ = then;
    return allgather(&own_header_, headers_.data(), sizeof(header));
  }

  /// Whether the call goes on; where it does not, `ended` is what to do instead.
  bool accept_headers(collective& ended) {
    std::size_t failed = p_;
    for (std::size_t i = p_; i-- > 0;) {
      if (headers_[i].has_failed != 0) failed = i;
    }
    for (std::size_t i = 0; i < p_; ++i) counts_[i] = headers_[i].n;
    if (failed == p_) {
      refusal_ = disagreement(headers_.data(), p_);
      // Without the name of the call, which may be another one on each rank.
      if (!refusal_.empty()) refusal_ = "gpusort: " + refusal_;
    }
    if (failed < p_) {
      ended = report(failed);
    } else if (!refusal_.empty()) {
      ended = finish();
    } else {
      return true;
    }
    return false;
  }

  /// Ends the call with a sentence that every rank has found.
  collective end_refused(const char* what) {
    refusal_ = error_text(what);
    return finish();
  }

  /// Tells everybody one word, of which the highest bit says that this rank has failed.
  collective gather_words(std::uint64_t word, stage then) {
    own_word_ = word | (has_failed() ? failed_bit : 0);
    next_ = then;
    return allgather(&own_word_, words_.data(), sizeof(std::uint64_t));
  }

  /// Waits for the other ranks to come here.
  collective meet(stage then) {
    next_ = then;
    return allgather(&own_word_, words_.data(), sizeof(std::uint64_t));
  }

  /// Exchanges a word with each rank.
  collective exchange_words(std::vector<std::uint64_t>& words, stage then) {
    if (has_failed()) {
      for (std::uint64_t& word : words) word |= failed_bit;
    }
    next_ = then;
    return alltoallv(words.data(), word_offsets_.data(), words_.data(), word_offsets_.data(),
                     false);
  }

  /// Returns the least rank that has failed by the words received, or p.
  std::size_t failed_by_words() const {
    for (std::size_t i = 0; i < p_; ++i) {
      if ((words_[i] & failed_bit) != 0) return i;
    }
    return p_;
  }

  /// Gathers the failure of the rank, in pieces for which there is room, and ends the call.
  collective report(std::size_t failed) {
    failed_rank_ = failed;
    reported_ = 0;
    return gather_report();
  }

  /// Ends the call: end() gives back what it holds.
  collective finish() {
    static_cast<Derived*>(this)->end();
    return {};
  }

  static constexpr std::uint64_t failed_bit = std::uint64_t{1} << 63;

  std::size_t p_;
  std::size_t rank_;
  std::vector<std::uint64_t> counts_;  // elements of each rank

 private:
  void fail() noexcept {
    thrown_ = std::current_exception();
    failure_ = failure::of(thrown_);
  }

  collective gather_report() {
    auto* const gathered = reinterpret_cast<unsigned char*>(headers_.data());
    const auto piece = [](std::size_t begin) {
      return (std::min)(sizeof(header), sizeof(failure) - begin);
    };
    if (reported_ > 0) {
      const std::size_t begin = (reported_ - 1) / sizeof(header) * sizeof(header);
      std::memcpy(reinterpret_cast<unsigned char*>(&received_failure_) + begin,
                  gathered + failed_rank_ * piece(begin), piece(begin));
    }
    if (reported_ == sizeof(failure)) {
      failure_ = received_failure_;
      return finish();
    }
    const auto* const own = reinterpret_cast<const unsigned char*>(&failure_) + reported_;
    const std::size_t bytes = piece(reported_);
    reported_ += bytes;
    next_ = static_cast<stage>(&rank_base::gather_report);
    return allgather(own, gathered, bytes);
  }

  std::size_t failed_rank_;
  std::exception_ptr thrown_;
  failure failure_;
  failure received_failure_;
  std::string refusal_;
  header own_header_;
  std::vector<header> headers_;  // then room for what is told of a failure
  std::uint64_t own_word_ = 0;
  std::vector<std::uint64_t> words_;  // received, one of each rank
  std::vector<std::uint64_t> word_offsets_;
  std::size_t reported_ = 0;  // bytes of a failure
  stage next_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
