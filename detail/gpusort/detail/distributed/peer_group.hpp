// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <gpusort/detail/distributed/peer_member.hpp>
#include <gpusort/detail/distributed/peer_regions.hpp>
#include <gpusort/detail/distributed/peer_scratch.hpp>
#include <gpusort/detail/distributed/peer_shard.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <memory>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Holds the shards of a call of the sample sort of several devices, and their memory; moves what
/// shards have gathered for others.
template <class Array, class Compare>
class peer_group {
 public:
  using sort = sample_sort<Array, Compare>;
  using element = typename sort::element;
  using key = typename peers_of<Array>::key;
  using bucket_table = kernel::bucket_table<element>;
  using size = kernel::global_size;
  using tables = peer_tables<Array>;
  using member = peer_member<Array, sort>;
  using shard = peer_shard<Array>;

  /// Makes the device of a shard current, with its stream's part of it known; errors name it.
  class on_device {
   public:
    on_device(const peer_group& group, const shard& s) : guard_(s.device), part_(s.stream, false) {
      group.device_ = s.device;
    }

   private:
    device_guard guard_;
    device_part part_;
  };

  /// Keeps `device` the one that is worked for.
  peer_group(const std::vector<shard>& shards, std::uint64_t total, int log_k, int groups,
             int& device)
      : device_(device),
        total_(total),
        log_k_(log_k),
        log_samples_(log_k + sort::log_oversample_of(false, log_k)),
        groups_(groups) {
    std::uint64_t before = 0;
    for (const shard& s : shards) {
      const on_device here(*this, s);
      members_.push_back(std::make_unique<member>(s, before));
      before += s.n;
    }
  }
  /// Waits where the call has thrown: devices may still write to each other's scratch.
  ~peer_group() {
    int former = 0;
    cudaGetDevice(&former);
    for (auto& m : members_) {
      if (is_done_) break;
      cudaSetDevice(m->data.device);
      if (m->arrivals) cudaStreamSynchronize(m->arrivals->stream.get());
      if (m->side_stream) cudaStreamSynchronize(m->side_stream->get());
      cudaStreamSynchronize(m->data.stream);
    }
    for (; !members_.empty(); members_.pop_back()) cudaSetDevice(members_.back()->data.device);
    cudaSetDevice(former);
  }
  peer_group(const peer_group&) = delete;
  peer_group& operator=(const peer_group&) = delete;

  std::uint64_t total() const { return total_; }
  int log_k() const { return log_k_; }
  std::size_t k() const { return std::size_t{1} << log_k_; }
  int log_samples() const { return log_samples_; }
  /// Returns how many groups of buckets are copied one after the other; 0: kernels scatter to other
  /// shards.
  int groups() const { return groups_; }

  const std::vector<std::unique_ptr<member>>& members() const { return members_; }
  std::size_t shards() const { return members_.size(); }
  member& at(std::size_t i) const { return *members_[i]; }
  /// Returns the shard whose device sorts the sample, and has the counts of all.
  member& owner() const { return *members_.front(); }

  template <class Observe>
  void notify(const Observe& observe, peer_sort_phase phase) const {
    for (const auto& m : members_) {
      const on_device here(*this, m->data);
      observe(m->data, phase);
    }
  }

  /// Takes the shards' tables. False where there is no memory for them, as of what follows.
  bool take_tables(bool keeps_ids) {
    for (auto& m : members_) {
      const on_device here(*this, m->data);
      for (const auto& other : members_) open_pool_to(other->data.device);
      const std::size_t shards = m == members_.front() ? members_.size() : 0;
      const auto made = [&](void* memory) {
        return tables(m->data.n, log_k_, log_samples_, shards, keeps_ids, memory);
      };
      m->table_memory = scratch_buffer(peer_memory(), made(nullptr).bytes, m->data.stream);
      if (!m->table_memory) return false;
      m->tables = std::make_unique<tables>(made(m->table_memory.data()));
      // They are copied whole, with what no kernel writes.
      check(cudaMemsetAsync(m->tables->splitters, 0, m->tables->splitter_bytes, m->data.stream),
            "clearing splitters");
      m->ready.record(m->data.stream);
    }
    return true;
  }

  /// Waits for an array of all shards' tables, and returns it, shard by shard.
  std::vector<size> all_of(bucket_table tables::*level, size* bucket_table::*array,
                           std::size_t count) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const member& m = *members_[i];
      const on_device here(*this, m.data);
      copy(owner().tables->all_counts + i * count, (*m.tables).*level.*array, count * sizeof(size),
           m.data.stream);
      members_[i]->ready.record(m.data.stream);
    }
    const on_device here(*this, owner().data);
    const cudaStream_t stream = owner().data.stream;
    wait_for_all(stream, &member::ready);
    std::vector<size> all(members_.size() * count);
    copy(all.data(), owner().tables->all_counts, all.size() * sizeof(size), stream);
    if (equal_.empty()) {
      equal_.resize(k());
      copy(equal_.data(), owner().tables->level.equal, equal_.size(), stream);
    }
    check(cudaStreamSynchronize(stream), "waiting for the counts of all shards");
    return all;
  }
  const std::vector<std::uint8_t>& equal_marks() const { return equal_; }

  std::vector<std::uint64_t> sizes() const {
    std::vector<std::uint64_t> all;
    for (const auto& m : members_) all.push_back(m->data.n);
    return all;
  }

  /// Takes room for what is received: for regions, or as many elements as the shard has.
  bool take_received(const peer_regions* regions) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      member& m = *members_[i];
      const on_device here(*this, m.data);
      std::uint64_t n = m.data.n;
      if (regions != nullptr) n = (std::max)(n, regions->room(i));
      if (n > room::most_received(m.data.n)) return false;
      m.received_memory = {};
      m.received_memory = scratch_buffer(peer_memory(), room::bytes(n), m.data.stream);
      if (!m.received_memory) return false;
      m.received = room::at(m.received_memory.data(), n);
      m.ready.record(m.data.stream);
    }
    return true;
  }

  /// Lets shards gather what they have for others, where each has room for it, and copies are
  /// wanted.
  void choose_gathering(const peer_regions& regions) {
    is_gathered_ = groups_ > 0 && take_outgoing(regions);
    if (!is_gathered_) release_gathered();
  }
  bool is_gathered() const { return is_gathered_; }

  /// Begins to copy what shards have for others, one group of buckets after the other.
  void begin_to_bring(const peer_regions& regions) {
    for (auto& m : members_) {
      const on_device here(*this, m->data);
      m->arrivals = std::make_unique<peer_arrivals>(groups_);
      wait_for_all(m->arrivals->stream.get(), &member::exchanged);
    }
    bring_group(regions);
  }

  /// Copies the next group.
  void bring_group(const peer_regions& regions) {
    for (const auto& part : regions.parts()) {
      if (part.group != brought_ || part.from == part.to) continue;
      const member &from = *members_[part.from], &to = *members_[part.to];
      const on_device here(*this, to.data);
      copy(to.received.keys + part.begin, from.outgoing.keys + part.outgoing,
           (part.end - part.begin) * sizeof(key), to.arrivals->stream.get());
    }
    for (auto& m : members_) {
      const on_device here(*this, m->data);
      m->arrivals->arrived[brought_]->record(m->arrivals->stream.get());
    }
    ++brought_;
  }

  bool is_more_to_bring() const { return is_gathered_ && brought_ < groups_; }

  /// Lets all streams wait until nothing is being brought any more: what it was brought from may
  /// go.
  void await_arrivals() {
    if (brought_ == 0) return;
    for (const auto& waits : members_) {
      const on_device here(*this, waits->data);
      for (const auto& m : members_) {
        m->arrivals->arrived[brought_ - 1]->hold_back(waits->data.stream);
      }
    }
  }

  void release_gathered() {
    await_arrivals();
    is_gathered_ = false;
    brought_ = 0;
    for (auto& m : members_) {
      const on_device here(*this, m->data);
      m->outgoing_memory = {};
      m->arrivals = {};
    }
  }

  bool has_room_for_cuts(const peer_exchange_plan& plan) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (plan.of(i).cut.elements > room::most_cut(members_[i]->data.n)) return false;
    }
    return true;
  }

  /// Takes scratch for the sorts of the shards' buckets.
  bool take_share_scratch(const peer_exchange_plan& plan) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      member& m = *members_[i];
      const on_device here(*this, m.data);
      const auto& share = plan.of(i);
      const std::size_t bytes = share_scratch(share, nullptr).bytes;
      m.share_memory = {};
      m.share_memory = scratch_buffer(peer_memory(), bytes, m.data.stream);
      if (!m.share_memory) return false;
      m.share = std::make_unique<share_scratch>(share, m.share_memory.data());
      std::vector<unsigned char> memory(peer_share_tables(share, nullptr).bytes + alignof(size));
      void* const of_host = aligned(memory.data());
      const peer_share_tables host_tables(share, of_host);
      host_tables.fill(share);
      copy(m.share->tables, of_host, host_tables.bytes, m.data.stream);
      m.ready.record(m.data.stream);
    }
    return true;
  }

  /// Makes the streams of the cut buckets, while the exchange is under way.
  void make_side_streams() {
    for (auto& m : members_) {
      const on_device here(*this, m->data);
      const bool is_part = current_device_properties().must_ask_for_room;
      if (!is_part && !m->side_stream) m->side_stream = std::make_unique<own_stream>();
    }
  }

  void wait_for_all(cudaStream_t stream, event member::*what) const {
    for (const auto& m : members_) (*m.*what).hold_back(stream);
  }

  static void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying between shards");
  }

  /// Says that all is on the streams: nothing has to be waited for when the scratch goes.
  void set_done() { is_done_ = true; }

 private:
  using room = peer_room<Array>;
  using share_scratch = peer_share_scratch<Array, sort>;

  /// Takes room for what shards have for others. False where one has none.
  bool take_outgoing(const peer_regions& regions) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      member& m = *members_[i];
      const on_device here(*this, m.data);
      const std::uint64_t n = regions.outgoing(i);
      if (n > room::most_received(m.data.n)) return false;
      m.outgoing_memory = scratch_buffer(peer_memory(), room::bytes(n), m.data.stream);
      if (!m.outgoing_memory) return false;
      m.outgoing = room::at(m.outgoing_memory.data(), n);
    }
    return true;
  }

  static void* aligned(unsigned char* p) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return p + (round_up<std::uintptr_t>(address, alignof(size)) - address);
  }

  int& device_;
  std::uint64_t total_;
  int log_k_, log_samples_;  // of buckets, and of the sample
  int groups_;
  std::vector<std::unique_ptr<member>> members_;
  std::vector<std::uint8_t> equal_;  // marks of buckets
  bool is_gathered_ = false;         // what is for others, where it goes there in copies
  int brought_ = 0;                  // groups of it
  bool is_done_ = false;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
