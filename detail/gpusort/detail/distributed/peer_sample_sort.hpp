// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <gpusort/detail/kernel/sample_shard.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/peer_array.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <gpusort/detail/support/sample_seed.hpp>
#include <gpusort/detail/tuning/peer_sample_sort.hpp>
#include <memory>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A range on a device, and the stream for its work. Several may be on one device.
template <class Array>
struct peer_shard {
  int device;
  cudaStream_t stream;
  Array data;
  std::uint64_t n;
};

/// What may be chosen.
struct peer_sort_options {
  int log_buckets = 0;  // of the exchange; 0: by the number of elements
};

/// What each shard's stream has done when an observer is called.
enum class peer_sort_phase { begun, counted, exchanged, sorted };

struct unobserved {
  template <class Shard>
  void operator()(const Shard&, peer_sort_phase) const {}
};

/// Sorts shards on devices that reach each other's memory as one range: the first level of sample
/// sort is the exchange. Every shard keeps its size.
///
/// A sample of all shards gives the buckets; each shard counts its elements in them; from all
/// counts the host computes where each shard's part of each bucket goes, and the tiles are
/// scattered straight into the scratch of the devices that will have them. Each sorts its buckets
/// into its range. A bucket that a boundary of shards cuts is sorted as a whole by one of them.
///
/// Not stable. A permutation for any comparator: an element's bucket is found once (or by an order
/// of the library's own twice), so what is counted is what comes. Scratch of a shard: n elements
/// and 2 bytes for each, o(n) for tables, and the buckets that are cut, an eighth of n at most. The
/// host waits once, for the counts. Each device sends what is not its own: n (1 - 1/p) elements of
/// a uniform input. Source: paper 003, section 6, for its first level; the exchange is ours.
template <class Array, class Compare>
class peer_sample_sort : private sample_sort<Array, Compare> {
  using base = sample_sort<Array, Compare>;
  using element = typename base::element;
  using key = typename peers_of<Array>::key;
  using peers = typename peers_of<Array>::type;
  using bucket_table = kernel::bucket_table<element>;
  using size = kernel::global_size;
  using numbers = tuning::peer_sample_sort<sizeof(key)>;

 public:
  using shard = peer_shard<Array>;

  static constexpr int max_shards = peers::max_peers;

  /// Whether `run` may be called; it pays if each shard has `least_shard()` elements on average.
  static bool is_possible(const std::vector<shard>& shards) {
    if (shards.empty() || shards.size() > std::size_t{max_shards}) return false;
    for (const shard& s : shards) {
      if (is_capturing(s.stream)) return false;
      for (const shard& other : shards) {
        if (!can_reach(s.device, other.device)) return false;
      }
    }
    return true;
  }
  static constexpr std::uint64_t least_shard() { return numbers::least_bytes / sizeof(key); }

  /// Bytes that leave a device with n of `total` elements, where these are like those of the
  /// others. Over the rate of its link that is how long the exchange takes at least.
  static double bytes_out(std::uint64_t n, std::uint64_t total) {
    if (total == 0) return 0;
    const auto own = static_cast<double>(n);
    return own * (1 - own / static_cast<double>(total)) * sizeof(key);
  }

  /// Puts the sort on the shards' streams. False, and nothing has been moved, where scratch is
  /// short, or would be for what is in buckets that are cut: then another sort is to be taken.
  template <class Observe = unobserved>
  static bool run(const std::vector<shard>& shards, Compare compare,
                  const peer_sort_options& options = {}, const Observe& observe = {}) {
    std::uint64_t total = 0;
    for (const shard& s : shards) total += s.n;
    if (total == 0) return true;
    call work(shards, total, log_buckets_for(total, options), compare);
    return work.run(observe);
  }

 private:
  // Links are slower than memory, so that finding buckets again costs less than keeping them.
  static constexpr bucket_ids kept =
      kernel::may_classify_twice<element, Compare> ? bucket_ids::recomputed : bucket_ids::stored;
  static_assert(kept == bucket_ids::stored ||
                base::tree_bytes(base::max_k) + sizeof(typename base::scatter_storage) <=
                    shared_memory_per_block());

  static int log_buckets_for(std::uint64_t total, const peer_sort_options& options) {
    constexpr int most = base::distribution::max_log_buckets;
    if (options.log_buckets > 0) return min_of(options.log_buckets, most);
    const int by_size = ceil_log2(total >> numbers::log_least_bucket);
    return std::max(1, std::min({by_size, numbers::log_buckets, most}));
  }

  /// n slots whose first one is at a multiple of their size (peer_array).
  static Array take_slots(scratch_cursor& cursor, std::uint64_t n) {
    auto* const p = cursor.take<unsigned char>(bytes_of<key>(n + 1));
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return {reinterpret_cast<key*>(p + (round_up<std::uintptr_t>(address, sizeof(key)) - address))};
  }

  /// A device's scratch until the counts are known.
  struct first_scratch {
    Array received;
    std::uint16_t* bucket_ids;  // of the shard's elements, then of those received
    bucket_table level{};
    unsigned char* splitters;  // what all shards have the same of `level`, and their bytes
    std::size_t splitter_bytes;
    kernel::shard_counters counters;
    Array samples;     // of all shards, as the next two of the first one
    size* all_counts;  // of each shard, k
    std::size_t bytes;

    first_scratch(std::uint64_t n, int log_k, int log_samples, std::size_t shards, void* scratch) {
      scratch_cursor cursor(scratch);
      const std::size_t k = std::size_t{1} << log_k;
      received = take_slots(cursor, n);
      bucket_ids = cursor.take<std::uint16_t>(n);
      splitter_bytes = take_splitters(k, nullptr);
      splitters = cursor.take<unsigned char>(splitter_bytes);
      take_splitters(k, splitters);
      level.counts = cursor.take<size>(k);
      level.starts = cursor.take<size>(k);
      level.arrivals = cursor.take<std::uint32_t>(1);
      level.log_k = log_k;
      level.items_per_chunk = n > 0 ? base::items_per_chunk(n) : 1;
      level.bucket_ids = kept == bucket_ids::stored ? bucket_ids : nullptr;
      counters = {level.counts, level.arrivals, cursor.take<size>(1),
                  cursor.take<std::uint32_t>(1)};
      level.bucket_cursors = cursor.take<size>(k);
      if (shards > 0) {
        samples = Array::in_scratch(cursor, std::uint64_t{1} << log_samples);
        all_counts = cursor.take<size>(shards * k);
      }
      bytes = cursor.used();
    }

   private:
    std::size_t take_splitters(std::size_t k, void* p) {
      scratch_cursor cursor(p);
      level.trees = cursor.take<element>(k);
      level.tree_levels = cursor.take<int>(1);
      level.maps = cursor.take<tile::linear_map>(1);
      level.equal = cursor.take<std::uint8_t>(k);
      return cursor.used();
    }
  };

  /// What the host tells a device, in memory of either.
  struct orders {
    size* cursors;
    size* buckets;
    size* cut_buckets;
    std::uint8_t* are_equal;
    std::size_t bytes;

    orders(std::size_t k, const peer_exchange_plan::share& share, void* memory) {
      scratch_cursor cursor(memory);
      cursors = cursor.take<size>(k);
      buckets = cursor.take<size>(share.buckets.size());
      cut_buckets = cursor.take<size>(share.cut_buckets.size());
      are_equal = cursor.take<std::uint8_t>(share.buckets.size());
      bytes = cursor.used();
    }
  };

  /// A device's scratch from then on.
  struct second_scratch {
    void* orders_begin;
    void* sort_scratch;
    Array cut, sorted_cut;
    std::uint16_t* cut_ids;
    void* cut_scratch;
    std::size_t bytes;

    second_scratch(std::size_t k, const peer_exchange_plan::share& share, void* scratch) {
      scratch_cursor cursor(scratch);
      orders_begin = cursor.take<unsigned char>(orders(k, share, nullptr).bytes);
      sort_scratch = cursor.take<unsigned char>(scratch_for(share.count, share.buckets.size()));
      cut = take_slots(cursor, share.cut_count);
      sorted_cut = take_slots(cursor, share.cut_count);
      cut_ids = cursor.take<std::uint16_t>(share.cut_count);
      cut_scratch =
          cursor.take<unsigned char>(scratch_for(share.cut_count, share.cut_buckets.size()));
      bytes = cursor.used();
    }

   private:
    static std::size_t scratch_for(std::uint64_t n, std::size_t buckets) {
      if (n == 0) return 0;
      return base::scratch_bytes_of_buckets(n, static_cast<std::uint32_t>(buckets));
    }
  };

  class event {
   public:
    event() {
      check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
    }
    ~event() { cudaEventDestroy(event_); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording"); }
    void hold_back(cudaStream_t stream) const {
      check(cudaStreamWaitEvent(stream, event_, 0), "ordering the streams of shards");
    }

   private:
    cudaEvent_t event_ = nullptr;
  };

  /// The device of a shard is current, and its stream's part of it known.
  struct on_device {
    explicit on_device(const shard& s) : guard(s.device), part(s.stream, false) {}
    device_guard guard;
    device_part part;
  };

  /// A shard's part of a call. On its device it is made, and let go.
  struct member {
    shard data;
    std::uint64_t before;
    scratch_buffer first_memory, second_memory;
    std::unique_ptr<first_scratch> first;
    std::unique_ptr<second_scratch> second;
    event sampled, ready, exchanged, given_away;
    bool gives_away = false;

    member(const shard& s, std::uint64_t elements_before) : data(s), before(elements_before) {}

    kernel::segment_table as_segment() const {
      kernel::segment_table table{};
      table.starts = first->counters.start;
      table.segments = 1;
      table.n = data.n;
      table.probe = unordered();
      return table;
    }
    kernel::sortedness unordered() const { return {nullptr, 0, first->counters.violations}; }
    std::size_t chunks() const {
      return static_cast<std::size_t>(
          ceil_div<std::uint64_t>(data.n, first->level.items_per_chunk));
    }
  };

  class call {
   public:
    call(const std::vector<shard>& shards, std::uint64_t total, int log_k, Compare compare)
        : total_(total),
          log_k_(log_k),
          log_samples_(log_k + base::log_oversample_of(false, log_k)),
          compare_(compare),
          seed_(next_sample_seed()) {
      std::uint64_t before = 0;
      for (const shard& s : shards) {
        const on_device here(s);
        members_.push_back(std::make_unique<member>(s, before));
        before += s.n;
      }
    }
    /// Where the call has thrown, devices may still write to each other's scratch.
    ~call() {
      if (!is_done_) {
        for (auto& m : members_) cudaStreamSynchronize(m->data.stream);
      }
      while (!members_.empty()) {
        const int former = current_device();
        cudaSetDevice(members_.back()->data.device);
        members_.pop_back();
        cudaSetDevice(former);
      }
    }
    call(const call&) = delete;
    call& operator=(const call&) = delete;

    template <class Observe>
    bool run(const Observe& observe) {
      if (!has_first_scratch()) return false;
      notify(observe, peer_sort_phase::begun);
      sample();
      count();
      notify(observe, peer_sort_phase::counted);
      const peer_exchange_plan plan = plan_of_counts();
      if (!has_second_scratch(plan)) return false;
      exchange(plan);
      notify(observe, peer_sort_phase::exchanged);
      sort(plan);
      notify(observe, peer_sort_phase::sorted);
      is_done_ = true;
      return true;
    }

   private:
    std::size_t k() const { return std::size_t{1} << log_k_; }
    member& owner() { return *members_.front(); }

    template <class Observe>
    void notify(const Observe& observe, peer_sort_phase phase) const {
      for (const auto& m : members_) {
        const on_device here(m->data);
        observe(m->data, phase);
      }
    }

    bool has_first_scratch() {
      for (auto& m : members_) {
        const on_device here(m->data);
        for (const auto& other : members_) open_pool_to(other->data.device);
        const std::size_t shards = m == members_.front() ? members_.size() : 0;
        const std::size_t bytes =
            first_scratch(m->data.n, log_k_, log_samples_, shards, nullptr).bytes;
        m->first_memory = scratch_buffer(peer_memory(), bytes, m->data.stream);
        if (!m->first_memory) return false;
        m->first = std::make_unique<first_scratch>(m->data.n, log_k_, log_samples_, shards,
                                                   m->first_memory.data());
        m->ready.record(m->data.stream);
      }
      return true;
    }

    /// The first shard's device sorts the sample.
    void sample() {
      for (auto& m : members_) {
        const on_device here(m->data);
        owner().ready.hold_back(m->data.stream);
        constexpr int threads = 256;
        launch(kernel::sample_shard_kernel<Array, Array>,
               ceil_div<std::size_t>(std::size_t{1} << log_samples_, threads), threads, 0,
               m->data.stream, m->data.data, kernel::shard_range{m->before, m->data.n, total_},
               owner().first->samples, log_samples_, seed_, m->first->counters,
               static_cast<int>(k()));
        m->sampled.record(m->data.stream);
      }
      const on_device here(owner().data);
      wait_for_all(owner().data.stream, &member::sampled);
      kernel::segment_table samples{};
      samples.segments = 1;
      samples.n = size{1} << log_samples_;
      base::choose_splitters(call_stream(owner().data.stream, nullptr, seed_),
                             owner().first->samples, samples, 0, owner().first->level,
                             log_samples_ - log_k_, compare_);
      owner().sampled.record(owner().data.stream);
    }

    void count() {
      for (auto& m : members_) {
        const on_device here(m->data);
        const cudaStream_t stream = m->data.stream;
        if (m != members_.front()) {
          owner().sampled.hold_back(stream);
          copy(m->first->splitters, owner().first->splitters, m->first->splitter_bytes, stream);
        }
        if (m->data.n > 0) {
          base::count(stream, m->data.data, m->as_segment(), m->first->level, m->chunks(),
                      compare_);
        }
        const std::size_t index = static_cast<std::size_t>(&m - members_.data());
        copy(owner().first->all_counts + index * k(), m->first->level.counts, k() * sizeof(size),
             stream);
        m->ready.record(stream);
      }
    }

    peer_exchange_plan plan_of_counts() {
      const on_device here(owner().data);
      const cudaStream_t stream = owner().data.stream;
      wait_for_all(stream, &member::ready);
      std::vector<size> counts(members_.size() * k());
      std::vector<std::uint8_t> equal(k());
      copy(counts.data(), owner().first->all_counts, counts.size() * sizeof(size), stream);
      copy(equal.data(), owner().first->level.equal, equal.size(), stream);
      check(cudaStreamSynchronize(stream), "waiting for the counts of all shards");
      std::vector<std::uint64_t> sizes;
      for (const auto& m : members_) sizes.push_back(m->data.n);
      return {sizes, counts, equal};
    }

    bool has_second_scratch(const peer_exchange_plan& plan) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        const auto& share = plan.of(i);
        if (share.cut_count > m.data.n / numbers::cut_share + numbers::least_cut) return false;
        const std::size_t bytes = second_scratch(k(), share, nullptr).bytes;
        m.second_memory = scratch_buffer(peer_memory(), bytes, m.data.stream);
        if (!m.second_memory) return false;
        m.second = std::make_unique<second_scratch>(k(), share, m.second_memory.data());
        m.ready.record(m.data.stream);
      }
      return true;
    }

    /// The slots of all shards, by rank.
    peers all_received() const {
      peers all{};
      all.peers = static_cast<int>(members_.size());
      for (int j = 0; j < all.peers; ++j) {
        const member& m = *members_[j];
        all.ends[j] = m.before + m.data.n;
        all.offsets[j] = peers::index_of(m.first->received.keys) - m.before;
      }
      return all;
    }

    void exchange(const peer_exchange_plan& plan) {
      const peers out = all_received();
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        give_orders(i, plan);
        wait_for_all(m.data.stream, &member::ready);
        if (m.data.n > 0) {
          base::template scatter<kept>(m.data.stream, m.data.data, out, out, m.as_segment(),
                                       m.first->level, m.chunks(), compare_);
        }
        m.exchanged.record(m.data.stream);
      }
    }

    void give_orders(std::size_t i, const peer_exchange_plan& plan) {
      member& m = *members_[i];
      const auto& share = plan.of(i);
      std::vector<unsigned char> memory(orders(k(), share, nullptr).bytes + sizeof(size));
      const orders told(k(), share, aligned(memory.data()));
      for (std::size_t b = 0; b < k(); ++b) {
        const auto& to = plan.to(i, b);
        const member& receiver = *members_[to.shard < 0 ? 0 : to.shard];
        told.cursors[b] = to.shard < 0 ? peers::is_rank + to.first
                          : to.is_cut  ? peers::index_of(receiver.second->cut.keys) + to.first
                                       : peers::index_of(receiver.first->received.keys) + to.first;
      }
      std::copy(share.buckets.begin(), share.buckets.end(), told.buckets);
      std::copy(share.cut_buckets.begin(), share.cut_buckets.end(), told.cut_buckets);
      std::copy(share.are_equal.begin(), share.are_equal.end(), told.are_equal);
      copy(m.second->orders_begin, told.cursors, told.bytes, m.data.stream);
      m.first->level.bucket_cursors = orders(k(), share, m.second->orders_begin).cursors;
    }
    static void* aligned(unsigned char* p) {
      const auto address = reinterpret_cast<std::uintptr_t>(p);
      return p + (round_up<std::uintptr_t>(address, alignof(size)) - address);
    }

    void sort(const peer_exchange_plan& plan) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        wait_for_all(m.data.stream, &member::exchanged);
        const auto& share = plan.of(i);
        const call_stream stream(m.data.stream, nullptr, seed_ + i);
        const orders told(k(), share, m.second->orders_begin);
        if (share.cut_count > 0) {
          base::run_on_buckets(
              stream, m.second->cut, m.second->sorted_cut, share.cut_count,
              {told.cut_buckets, nullptr, static_cast<std::uint32_t>(share.cut_buckets.size()),
               m.unordered(), m.second->cut_ids},
              compare_, m.second->cut_scratch);
          give_away(i, plan);
        }
        if (share.count > 0) {
          base::run_on_buckets(
              stream, m.first->received + share.begin, m.data.data + share.begin, share.count,
              {told.buckets, told.are_equal, static_cast<std::uint32_t>(share.buckets.size()),
               m.unordered(), m.first->bucket_ids},
              compare_, m.second->sort_scratch);
        }
      }
      for (const auto& piece : plan.pieces()) {
        if (piece.owner == piece.shard) continue;
        const on_device here(members_[piece.shard]->data);
        members_[piece.owner]->given_away.hold_back(members_[piece.shard]->data.stream);
      }
    }

    /// Nobody reads its range any more, as the exchange is over.
    void give_away(std::size_t owner, const peer_exchange_plan& plan) {
      member& m = *members_[owner];
      for (const auto& piece : plan.pieces()) {
        if (piece.owner != static_cast<int>(owner)) continue;
        copy(members_[piece.shard]->data.data.keys + piece.begin,
             m.second->sorted_cut.keys + piece.from, (piece.end - piece.begin) * sizeof(key),
             m.data.stream);
      }
      m.given_away.record(m.data.stream);
    }

    void wait_for_all(cudaStream_t stream, event member::*what) const {
      for (const auto& m : members_) (*m.*what).hold_back(stream);
    }

    static void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying between shards");
    }

    std::uint64_t total_;
    int log_k_, log_samples_;
    Compare compare_;
    std::uint64_t seed_;
    std::vector<std::unique_ptr<member>> members_;
    bool is_done_ = false;
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
