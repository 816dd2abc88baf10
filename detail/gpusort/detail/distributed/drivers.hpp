// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <gpusort/detail/distributed/collective.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <new>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Runs one rank of a communicator. What the communicator throws is not known to the others, who
/// may wait for this rank: it aborts them.
template <class Communicator, class Rank>
void run(Communicator& communicator, Rank& rank) {
  for (;;) {
    const collective c = rank.step();  // never throws
    if (c.kind == collective_kind::none) break;
    try {
      if (c.kind == collective_kind::allgather) {
        communicator.allgather(c.send, c.receive, c.bytes);
      } else {
        communicator.alltoallv(c.send, c.send_offsets, c.receive, c.receive_offsets,
                               c.is_data && Rank::is_on_device);
      }
    } catch (...) {
      communicator.abort();
      throw;
    }
  }
  rank.rethrow();
}

/// Runs all ranks one after the other, in one thread. `Transfer` moves what one rank sends to
/// another: copy(from_rank, from, to_rank, to, bytes, is_data); done(collective) ends the
/// collective.
template <class Rank, class Transfer>
void run_all(const std::vector<Rank*>& ranks, Transfer& transfer) {
  const std::size_t p = ranks.size();
  std::vector<collective> wanted(p);
  for (;;) {
    for (std::size_t i = 0; i < p; ++i) wanted[i] = ranks[i]->step();
    const collective_kind kind = wanted[0].kind;
    if (kind == collective_kind::none) break;
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j < p; ++j) {
        const auto* const from = static_cast<const unsigned char*>(wanted[i].send);
        auto* const to = static_cast<unsigned char*>(wanted[j].receive);
        if (kind == collective_kind::allgather) {
          transfer.copy(i, from, j, to + i * wanted[i].bytes, wanted[i].bytes, false);
        } else {
          const std::uint64_t begin = wanted[i].send_offsets[j];
          const std::uint64_t bytes = wanted[i].send_offsets[j + 1] - begin;
          if (bytes == 0) continue;
          transfer.copy(i, from + begin, j, to + wanted[j].receive_offsets[i], bytes,
                        wanted[i].is_data);
        }
      }
    }
    transfer.done(wanted[0]);
  }
}

/// Throws what ranks of one call in this process have ended with, as what one of them has thrown:
/// who calls knows of no ranks.
template <class Rank>
void rethrow_as_one(const std::vector<Rank*>& ranks) {
  for (const Rank* rank : ranks) {
    if (!rank->thrown()) continue;
    try {
      std::rethrow_exception(rank->thrown());
    } catch (const out_of_memory&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw out_of_memory();
    }
  }
  for (const Rank* rank : ranks) rank->rethrow();
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
