// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/distributed/device_threads.hpp>
#include <gpusort/detail/distributed/drivers.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Carries out what ranks on the devices of this process want: small things by the host, elements
/// by copies between the devices; or, where all local objects have them in memory that every device
/// reaches, not at all: they are told where their runs are.
template <class Local>
class device_exchange {
 public:
  /// Makes the exchange; `in_peer_memory`: the local objects of all ranks where they sort into peer
  /// memory, else nothing.
  device_exchange(device_links& links, std::vector<Local*> in_peer_memory)
      : links_(links), in_peer_memory_(std::move(in_peer_memory)) {}

  void operator()(const std::vector<collective>& wanted) {
    if (is_being_read_) links_.join();  // before anybody frees what others read
    is_being_read_ = false;
    if (wanted[0].is_data && !in_peer_memory_.empty()) return pass_runs(wanted);
    const std::size_t p = wanted.size();
    if (wanted[0].is_data) links_.begin_copies();
    // Each rank reads from another one at a time.
    for (std::size_t shift = 0; shift < p; ++shift) {
      for (std::size_t to = 0; to < p; ++to) move(wanted, (to + shift) % p, to);
    }
    if (wanted[0].is_data) links_.end_copies();
  }

 private:
  /// Passes runs once; a second time to take it back.
  void pass_runs(const std::vector<collective>& wanted) {
    if (has_passed_) {
      for (Local* const local : in_peer_memory_) local->unmerge();
      return;
    }
    has_passed_ = true;
    for (std::size_t to = 0; to < wanted.size(); ++to) {
      std::vector<const void*> runs;
      for (const collective& sends : wanted) {
        runs.push_back(static_cast<const unsigned char*>(sends.send) + sends.send_offsets[to]);
      }
      in_peer_memory_[to]->set_runs(std::move(runs));
    }
    links_.join();
    is_being_read_ = true;
  }

  void move(const std::vector<collective>& wanted, std::size_t from, std::size_t to) {
    const collective &sends = wanted[from], &receives = wanted[to];
    const auto* const source = static_cast<const unsigned char*>(sends.send);
    auto* const target = static_cast<unsigned char*>(receives.receive);
    if (sends.kind == collective_kind::allgather) {
      if (sends.bytes != 0) std::memcpy(target + from * sends.bytes, source, sends.bytes);
      return;
    }
    const std::uint64_t begin = sends.send_offsets[to];
    const std::uint64_t bytes = sends.send_offsets[to + 1] - begin;
    if (bytes == 0) return;
    if (sends.is_data) {
      links_.copy(from, source + begin, to, target + receives.receive_offsets[from], bytes);
    } else {
      std::memcpy(target + receives.receive_offsets[from], source + begin, bytes);
    }
  }

  device_links& links_;
  std::vector<Local*> in_peer_memory_;
  bool has_passed_ = false;
  bool is_being_read_ = false;
};

/// Runs ranks on the devices of this process to their end. Throws what copies between them throw,
/// and what the ranks have.
template <class Rank, class Local>
void run_on_devices(const std::vector<Rank*>& ranks, device_exchange<Local> exchange,
                    device_threads& threads) {
  std::vector<collective> wanted(ranks.size());
  for (;;) {
    threads.for_each_rank([&](std::size_t r) { wanted[r] = ranks[r]->step(); });
    if (wanted[0].kind == collective_kind::none) break;
    exchange(wanted);
  }
  rethrow_as_one(ranks);
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
