// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <gpusort/detail/distributed/device_driver.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/distributed/device_local.hpp>
#include <gpusort/detail/distributed/device_merge.hpp>
#include <gpusort/detail/distributed/device_threads.hpp>
#include <gpusort/detail/distributed/part.hpp>
#include <gpusort/detail/distributed/reject_capture.hpp>
#include <gpusort/detail/distributed/sort_rank.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <memory>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// The ranks of a call on devices of this process, with streams of their own, which begin after
/// what is on the call's.
class device_ranks {
 public:
  /// Makes the ranks; nothing has happened where this throws.
  device_ranks(const std::vector<int>& device_of_rank, cudaStream_t stream,
               bool always_through_host = false)
      : links_((reject_capture(stream), device_of_rank), always_through_host),
        threads_(device_of_rank) {
    links_.begin_after(stream);
  }

  std::size_t size() const { return links_.ranks(); }

  /// Returns what ranks have locally, as make(rank, call) returns it, each made on its device. The
  /// call is `like`, on the rank's stream, and waits for nothing.
  template <bool Stable, class Call, class Make>
  auto make_locals(const Call& like, const Make& make) {
    using waitless = sorting_call<detail::call<false, Call::in_place, Call::deterministic,
                                               Call::requires_device, Call::forced>,
                                  Stable>;
    using local = decltype(make(std::size_t{}, std::declval<const waitless&>()));
    is_memory_own_ = like.memory.allocate == pool_memory().allocate;
    std::vector<local> locals(size());
    threads_.for_each_rank([&](std::size_t r) {
      locals[r] = make(r, waitless{{links_.stream(r), like.memory}});
    });
    return locals;
  }

  /// Lets all ranks sort keys into peer memory, where devices reach each other and have enough of
  /// it, and one pass merges all. Scratch is the library's own.
  template <class Locals>
  void choose_peer_memory(const Locals& locals) {
    using local = std::decay_t<decltype(*locals[0])>;
    if (local::columns != 1 || !is_memory_own_ || size() < 2 || size() > most_merged_at_once ||
        !links_.are_all_reachable()) {
      return;
    }
    std::vector<char> have_chosen(size());
    threads_.for_each_rank(
        [&](std::size_t r) { have_chosen[r] = locals[r]->choose_peer_memory(); });
    use_peer_memory_ =
        std::all_of(have_chosen.begin(), have_chosen.end(), [](char has) { return has != 0; });
    if (use_peer_memory_) {
      std::vector<const typename local::key_type*> sorted;
      for (const auto& own : locals) {
        sorted.push_back(static_cast<const typename local::key_type*>(own->data(0)));
      }
      for (const auto& own : locals) own->set_sorted_of_all(sorted);
      return;
    }
    threads_.for_each_rank([&](std::size_t r) { locals[r]->choose_range(); });
  }

  /// Runs ranks to their end, and waits for the devices. make(rank, local) returns a rank.
  template <class Rank, class Locals, class Make>
  std::vector<std::unique_ptr<Rank>> run(const Locals& locals, const Make& make) {
    std::vector<std::unique_ptr<Rank>> ranks;
    std::vector<Rank*> pointers;
    for (std::size_t r = 0; r < size(); ++r) {
      ranks.push_back(make(r, *locals[r]));
      pointers.push_back(ranks.back().get());
    }
    using local = std::decay_t<decltype(*locals[0])>;
    std::vector<local*> in_peer_memory;
    if (use_peer_memory_) {
      for (const auto& own : locals) in_peer_memory.push_back(own.get());
    }
    try {
      run_on_devices(pointers, device_exchange<local>(links_, in_peer_memory), threads_);
    } catch (...) {
      links_.drain();  // copies may still use what the ranks give back now
      throw;
    }
    links_.wait();
    return ranks;
  }

 private:
  device_links links_;
  device_threads threads_;
  bool is_memory_own_ = false;  // the library's, not the caller's
  bool use_peer_memory_ = false;
};

/// Sorts a range in host memory, n elements, on devices that have memory for all of it together:
/// each sorts its part, and then has its part of the result. Where it throws out_of_memory, the
/// range is a permutation of what it was.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_on_ranks(const Call& call, const std::vector<int>& device_of_rank, KeyIterator first,
                   std::uint64_t n, const Compare& compare, ValueIterators... values) {
  device_ranks ranks(device_of_rank, call.stream);
  const auto at = [](auto iterator, std::uint64_t i) { return end_of(iterator, i); };
  const auto locals = ranks.make_locals<Stable>(call, [&](std::size_t r, const auto& own) {
    using local =
        device_local<std::decay_t<decltype(own)>, Compare, KeyIterator, ValueIterators...>;
    const part mine = part_of(n, r, ranks.size());
    return std::make_unique<local>(own, compare, at(first, mine.begin), mine.n,
                                   at(values, mine.begin)...);
  });
  ranks.choose_peer_memory(locals);
  using local = std::decay_t<decltype(*locals[0])>;
  using rank = sort_rank<local>;
  ranks.run<rank>(locals, [&](std::size_t r, local& own) {
    return std::make_unique<rank>(r, ranks.size(), own, header{}, Stable, shares::kept);
  });
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
