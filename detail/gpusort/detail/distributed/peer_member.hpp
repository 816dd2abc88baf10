// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/distributed/peer_scratch.hpp>
#include <gpusort/detail/distributed/peer_shard.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/stream.hpp>
#include <memory>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Holds what comes to a shard from others in copies: a stream for them, and an event after each
/// group.
struct peer_arrivals {
  explicit peer_arrivals(int groups) {
    for (int g = 0; g < groups; ++g) arrived.push_back(std::make_unique<event>());
  }

  own_stream stream;
  std::vector<std::unique_ptr<event>> arrived;
};

/// A shard's part of a call of `Sort`. On its device it is made, and let go.
template <class Array, class Sort>
struct peer_member {
  using shard = peer_shard<Array>;
  using bucket_table = kernel::bucket_table<typename Array::value_type>;

  shard data;
  std::uint64_t before;
  scratch_buffer table_memory, received_memory, outgoing_memory, share_memory;
  std::unique_ptr<peer_tables<Array>> tables;
  Array received, outgoing;
  std::unique_ptr<peer_share_scratch<Array, Sort>> share;
  event sampled, ready, exchanged, gathered, cut_sorted, taken;
  std::unique_ptr<peer_arrivals> arrivals;  // where others have gathered what is for this one
  std::unique_ptr<own_stream> beside;  // null where the shard's stream has but a part of the device

  peer_member(const shard& s, std::uint64_t elements_before) : data(s), before(elements_before) {}

  kernel::segment_table as_segment(std::uint64_t n) const {
    kernel::segment_table table{};
    table.starts = tables->counters.start;
    table.segments = 1;
    table.n = n;
    table.probe = unordered();
    return table;
  }
  kernel::sortedness unordered() const { return {nullptr, 0, tables->counters.violations}; }
  bucket_table level_of(std::uint64_t items_per_chunk) const {
    bucket_table level = tables->level;
    level.items_per_chunk = items_per_chunk;
    return level;
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
