// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/distributed/device_threads.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Carries out what ranks on the devices of this process want: small things by the host, elements
/// by copies between the devices.
class device_exchange {
 public:
  explicit device_exchange(device_links& links) : links_(links) {}

  void operator()(const std::vector<collective>& wanted) {
    const std::size_t p = wanted.size();
    if (wanted[0].is_data) links_.begin_copies();
    // Each rank reads from another one at a time.
    for (std::size_t shift = 0; shift < p; ++shift) {
      for (std::size_t to = 0; to < p; ++to) move(wanted, (to + shift) % p, to);
    }
    if (wanted[0].is_data) links_.end_copies();
  }

 private:
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
};

/// Runs ranks on the devices of this process to their end. Throws what copies between them throw,
/// and what the ranks have agreed on.
template <class Rank>
void run_on_devices(const std::vector<Rank*>& ranks, device_links& links, device_threads& threads) {
  device_exchange exchange(links);
  std::vector<collective> wanted(ranks.size());
  for (;;) {
    threads.for_each_rank([&](std::size_t r) { wanted[r] = ranks[r]->step(); });
    if (wanted[0].kind == collective_kind::none) break;
    exchange(wanted);
  }
  ranks[0]->rethrow();
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
