// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <gpusort/detail/kernel/sample_shard.hpp>
#include <gpusort/detail/kernel/scatter_to_peers.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/peer_array.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <gpusort/detail/support/sample_seed.hpp>
#include <gpusort/detail/support/stream.hpp>
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

/// Whether shards are counted before the exchange, or what a sample lets expect has to do.
enum class peer_counting { automatic, always, never };

/// What may be chosen.
struct peer_sort_options {
  int log_buckets = 0;  // of the exchange; 0: by the number of elements
  peer_counting counting = peer_counting::automatic;
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
/// A sample of all shards gives the buckets, and the devices that will have them; the tiles of each
/// shard are scattered straight into the scratch of those. How much of a bucket comes from where a
/// larger sample tells, with room for what it misjudges; where that is not enough, as nothing has
/// been moved but copied, all elements are counted and exchanged again. Then each device sorts its
/// buckets into its range. A bucket that a boundary of shards cuts is sorted as a whole by one of
/// them, which gives away the rest.
///
/// Not stable. A permutation for any comparator: an element's bucket is found once (or by an order
/// of the library's own twice), and what has been scattered is what is sorted. Scratch of a shard:
/// n elements, a sixteenth of it at most as room, 2 bytes for each of both, o(n) for tables, and
/// twice the buckets that are cut, which are an eighth of n at most. The host waits twice, for
/// counts. Each device sends what is not its own: n (1 - 1/p) elements of a uniform input. Source:
/// paper 003, section 6, for its first level; the exchange is ours.
template <class Array, class Compare,
          class Exchange =
              typename tuning::peer_sample_sort<sizeof(typename Array::value_type)>::exchange>
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
  using order = Compare;

  static constexpr int max_shards = peers::max_peers;

  /// Whether `run` may be called.
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

  /// Whether `run` is worth calling.
  static bool serves(const std::vector<shard>& shards) {
    std::uint64_t total = 0;
    for (const shard& s : shards) total += s.n;
    return shards.size() > 1 && total / shards.size() >= least_shard() && is_possible(shards);
  }

  /// Bytes that leave a device with n of `total` elements, where these are like those of the
  /// others. Over the rate of its link that is how long the exchange takes at least.
  static double bytes_out(std::uint64_t n, std::uint64_t total) {
    if (total == 0) return 0;
    const auto own = static_cast<double>(n);
    return own * (1 - own / static_cast<double>(total)) * sizeof(key);
  }

  /// The most scratch of a shard of n elements, without tables: what the shard receives, and twice
  /// the cut buckets.
  static std::size_t most_scratch_bytes(std::uint64_t n) {
    constexpr std::size_t each = sizeof(key) + sizeof(std::uint16_t);
    return static_cast<std::size_t>(most_received(n) + 2 * most_cut(n)) * each;
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
    const bool may_estimate = options.counting == peer_counting::automatic
                                  ? total / shards.size() >= numbers::least_estimated
                                  : options.counting == peer_counting::never;
    return work.run(may_estimate, observe);
  }

 private:
  // Links are slower than memory, so that finding buckets again costs less than keeping them.
  static constexpr bucket_ids kept =
      kernel::may_classify_twice<element, Compare> ? bucket_ids::recomputed : bucket_ids::stored;
  static constexpr std::size_t tile_bytes =
      base::tree_bytes(std::size_t{1} << Exchange::max_log_buckets) +
      sizeof(kernel::scatter_storage<Exchange, element>);
  static_assert(tile_bytes <= shared_memory_per_block());

  static int log_buckets_for(std::uint64_t total, const peer_sort_options& options) {
    constexpr int most =
        min_of(int{Exchange::max_log_buckets}, int{base::distribution::max_log_buckets});
    if (options.log_buckets > 0) return min_of(options.log_buckets, most);
    const int by_size = ceil_log2(total >> numbers::log_least_bucket);
    return std::max(1, std::min({by_size, numbers::log_buckets, most}));
  }

  /// An array of n elements that begins at a multiple of their size (peer_array).
  static Array take_array(scratch_cursor& cursor, std::uint64_t n) {
    auto* const p = cursor.take<unsigned char>(bytes_of<key>(n + 1));
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return {reinterpret_cast<key*>(p + (round_up<std::uintptr_t>(address, sizeof(key)) - address))};
  }

  /// Room for what a shard of n elements gets at most; where more is wanted, all is counted.
  static std::uint64_t most_received(std::uint64_t n) {
    return n + n / numbers::room_share + numbers::least_room;
  }
  static std::uint64_t most_cut(std::uint64_t n) {
    return n / numbers::cut_share + numbers::least_room;
  }

  /// A device's scratch of a size that is known at once.
  struct first_scratch {
    std::uint16_t* bucket_ids;  // of the shard's elements, then of those received
    bucket_table level{};
    unsigned char* splitters;  // what all shards have the same of `level`, and their bytes
    std::size_t splitter_bytes;
    kernel::shard_counters counters;
    size* limits;      // of the cursors
    Array samples;     // of all shards, as the next two of the first one
    size* all_counts;  // of each shard, k + 1
    std::size_t bytes;

    first_scratch(std::uint64_t n, int log_k, int log_samples, std::size_t shards, void* scratch) {
      scratch_cursor cursor(scratch);
      const std::size_t k = std::size_t{1} << log_k;
      bucket_ids = cursor.take<std::uint16_t>(most_received(n));
      splitter_bytes = take_splitters(k, nullptr);
      splitters = cursor.take<unsigned char>(splitter_bytes);
      take_splitters(k, splitters);
      level.counts = cursor.take<size>(k);
      level.starts = cursor.take<size>(k);
      level.arrivals = cursor.take<std::uint32_t>(1);
      level.log_k = log_k;
      level.bucket_ids = kept == bucket_ids::stored ? bucket_ids : nullptr;
      counters = {level.counts, level.arrivals, cursor.take<size>(1),
                  cursor.take<std::uint32_t>(1)};
      level.bucket_cursors =
          cursor.take<size>(k + 1);  // the last one: whether some did not suffice
      limits = cursor.take<size>(k);
      if (shards > 0) {
        samples = Array::in_scratch(cursor, std::uint64_t{1} << log_samples);
        all_counts = cursor.take<size>(shards * (k + 1));
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

  /// A list of buckets in memory of the host or a device.
  struct list_table {
    size *counts, *begins;
    std::uint8_t* equal;

    list_table(scratch_cursor& cursor, const peer_exchange_plan::bucket_list& list)
        : counts(cursor.take<size>(list.counts.size())),
          begins(cursor.take<size>(list.begins.size())),
          equal(cursor.take<std::uint8_t>(list.equal.size())) {}

    void fill(const peer_exchange_plan::bucket_list& list) const {
      std::copy(list.counts.begin(), list.counts.end(), counts);
      std::copy(list.begins.begin(), list.begins.end(), begins);
      std::copy(list.equal.begin(), list.equal.end(), equal);
    }
  };
  struct share_tables {
    list_table whole, cut;
    std::size_t bytes;

    share_tables(const peer_exchange_plan::share& share, void* memory)
        : share_tables(share, scratch_cursor(memory)) {}

   private:
    share_tables(const peer_exchange_plan::share& share, scratch_cursor cursor)
        : whole(cursor, share.whole), cut(cursor, share.cut), bytes(cursor.used()) {}
  };

  /// A device's scratch for sorting its share.
  struct share_scratch {
    void* tables;
    void* sort_whole;
    Array cut, sorted_cut;
    std::uint16_t* cut_ids;
    void* sort_cut;
    std::size_t bytes;

    share_scratch(const peer_exchange_plan::share& share, void* scratch) {
      scratch_cursor cursor(scratch);
      tables = cursor.take<unsigned char>(share_tables(share, nullptr).bytes);
      sort_whole = cursor.take<unsigned char>(scratch_for(share.whole));
      cut = take_array(cursor, share.cut.elements);
      sorted_cut = take_array(cursor, share.cut.elements);
      cut_ids = cursor.take<std::uint16_t>(share.cut.elements);
      sort_cut = cursor.take<unsigned char>(scratch_for(share.cut));
      bytes = cursor.used();
    }

   private:
    static std::size_t scratch_for(const peer_exchange_plan::bucket_list& list) {
      if (list.elements == 0) return 0;
      return base::scratch_bytes_of_buckets(list.elements, list.buckets(), list.runs());
    }
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
    scratch_buffer first_memory, received_memory, share_memory;
    std::unique_ptr<first_scratch> first;
    Array received;
    std::unique_ptr<share_scratch> share;
    event sampled, ready, exchanged, gathered, cut_sorted, taken;
    std::unique_ptr<own_stream>
        beside;  // null where the shard's stream has but a part of the device

    member(const shard& s, std::uint64_t elements_before) : data(s), before(elements_before) {}

    kernel::segment_table as_segment(std::uint64_t n) const {
      kernel::segment_table table{};
      table.starts = first->counters.start;
      table.segments = 1;
      table.n = n;
      table.probe = unordered();
      return table;
    }
    kernel::sortedness unordered() const { return {nullptr, 0, first->counters.violations}; }
    bucket_table level_of(std::uint64_t items_per_chunk) const {
      bucket_table level = first->level;
      level.items_per_chunk = items_per_chunk;
      return level;
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
      int former = 0;
      cudaGetDevice(&former);
      for (auto& m : members_) {
        if (is_done_) break;
        cudaSetDevice(m->data.device);
        if (m->beside) cudaStreamSynchronize(m->beside->get());
        cudaStreamSynchronize(m->data.stream);
      }
      for (; !members_.empty(); members_.pop_back()) cudaSetDevice(members_.back()->data.device);
      cudaSetDevice(former);
    }
    call(const call&) = delete;
    call& operator=(const call&) = delete;

    template <class Observe>
    bool run(bool may_estimate, const Observe& observe) {
      if (!has_first_scratch()) return false;
      notify(observe, peer_sort_phase::begun);
      sample();
      if (may_estimate && is_exchanged_by_estimate(observe)) return true;
      return is_exchanged_by_counts(observe);
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

    /// False where scratch is short, or the sample, or the room that it made, was too small.
    template <class Observe>
    bool is_exchanged_by_estimate(const Observe& observe) {
      count_sample();
      const std::vector<size> expected = all_of(&first_scratch::level, &bucket_table::counts, k());
      notify(observe, peer_sort_phase::counted);
      std::vector<peer_regions::sampled_shard> shards;
      for (const auto& m : members_) {
        const std::uint64_t n = sampled(m->data.n);
        shards.push_back({m->data.n, n, m->data.n - (n << numbers::log_sample_share)});
      }
      const peer_regions regions(shards, expected, k());
      if (!has_received(&regions)) return false;
      exchange(regions);
      make_streams_beside();
      notify(observe, peer_sort_phase::exchanged);
      const std::vector<size> ends =
          all_of(&first_scratch::level, &bucket_table::bucket_cursors, k() + 1);
      std::vector<size> counts;
      for (std::size_t i = 0; i < members_.size(); ++i) {
        const size* const end = ends.data() + i * (k() + 1);
        if (end[k()] != 0) return false;
        for (std::size_t b = 0; b < k(); ++b)
          counts.push_back(end[b] - region_begin(regions, i, b));
      }
      const peer_exchange_plan plan(sizes(), counts, equal_marks(), regions);
      if (!has_share_scratch(plan)) return false;
      sort(plan);
      notify(observe, peer_sort_phase::sorted);
      is_done_ = true;
      return true;
    }

    template <class Observe>
    bool is_exchanged_by_counts(const Observe& observe) {
      for (auto& m : members_) {
        const on_device here(m->data);
        m->share_memory = {};  // of an estimate that was not enough
      }
      count();
      const std::vector<size> counts = all_of(&first_scratch::level, &bucket_table::counts, k());
      const peer_exchange_plan plan(sizes(), counts, equal_marks());
      notify(observe, peer_sort_phase::counted);
      if (!has_received(nullptr) || !has_share_scratch(plan)) return false;
      exchange(plan);
      make_streams_beside();
      notify(observe, peer_sort_phase::exchanged);
      sort(plan);
      notify(observe, peer_sort_phase::sorted);
      is_done_ = true;
      return true;
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
        // They are copied whole, with what no kernel writes.
        check(cudaMemsetAsync(m->first->splitters, 0, m->first->splitter_bytes, m->data.stream),
              "clearing splitters");
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

    /// All devices get the splitters, and each counts elements of its own.
    void count_sample() {
      for (auto& m : members_) {
        const on_device here(m->data);
        if (m != members_.front()) {
          owner().sampled.hold_back(m->data.stream);
          copy(m->first->splitters, owner().first->splitters, m->first->splitter_bytes,
               m->data.stream);
        }
        has_splitters_ = true;
        const kernel::sampled_array<Array> in{m->data.data, numbers::log_sample_share, seed_};
        count(*m, in, sampled(m->data.n));
      }
    }

    void count() {
      for (auto& m : members_) {
        const on_device here(m->data);
        if (has_splitters_) {
          clear(m->first->level.counts, k(), m->data.stream);
          clear(m->first->level.arrivals, 1, m->data.stream);
        } else if (m != members_.front()) {
          owner().sampled.hold_back(m->data.stream);
          copy(m->first->splitters, owner().first->splitters, m->first->splitter_bytes,
               m->data.stream);
        }
        count(*m, m->data.data, m->data.n);
      }
    }

    template <class In>
    void count(const member& m, const In& in, std::uint64_t n) {
      if (n == 0) return;
      const bucket_table level = m.level_of(base::items_per_chunk(n));
      base::count(m.data.stream, in, m.as_segment(n), level,
                  ceil_div<std::size_t>(n, level.items_per_chunk), compare_);
    }

    static std::uint64_t sampled(std::uint64_t n) {
      return kernel::sampled_array<Array>::count_of(n, numbers::log_sample_share);
    }

    /// Waits for arrays of all shards' tables.
    std::vector<size> all_of(bucket_table first_scratch::*level, size* bucket_table::*array,
                             std::size_t count) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        const member& m = *members_[i];
        const on_device here(m.data);
        copy(owner().first->all_counts + i * count, (*m.first).*level.*array, count * sizeof(size),
             m.data.stream);
        members_[i]->ready.record(m.data.stream);
      }
      const on_device here(owner().data);
      const cudaStream_t stream = owner().data.stream;
      wait_for_all(stream, &member::ready);
      std::vector<size> all(members_.size() * count);
      copy(all.data(), owner().first->all_counts, all.size() * sizeof(size), stream);
      equal_.resize(k());
      copy(equal_.data(), owner().first->level.equal, equal_.size(), stream);
      check(cudaStreamSynchronize(stream), "waiting for the counts of all shards");
      return all;
    }
    const std::vector<std::uint8_t>& equal_marks() const { return equal_; }

    std::vector<std::uint64_t> sizes() const {
      std::vector<std::uint64_t> all;
      for (const auto& m : members_) all.push_back(m->data.n);
      return all;
    }

    /// Room for what is received: for regions, or as many elements as the shard has.
    bool has_received(const peer_regions* regions) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        std::uint64_t room = m.data.n;
        if (regions != nullptr) room = std::max(room, regions->room(i));
        if (room > most_received(m.data.n)) return false;
        m.received_memory = {};
        const std::size_t bytes = received_at(room, nullptr).second;
        m.received_memory = scratch_buffer(peer_memory(), bytes, m.data.stream);
        if (!m.received_memory) return false;
        m.received = received_at(room, m.received_memory.data()).first;
        m.ready.record(m.data.stream);
      }
      return true;
    }
    static std::pair<Array, std::size_t> received_at(std::uint64_t room, void* memory) {
      scratch_cursor cursor(memory);
      const Array received = take_array(cursor, room);
      return {received, cursor.used()};
    }

    bool has_share_scratch(const peer_exchange_plan& plan) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        const auto& share = plan.of(i);
        if (share.cut.elements > most_cut(m.data.n)) return false;
        const std::size_t bytes = share_scratch(share, nullptr).bytes;
        m.share_memory = scratch_buffer(peer_memory(), bytes, m.data.stream);
        if (!m.share_memory) return false;
        m.share = std::make_unique<share_scratch>(share, m.share_memory.data());
        std::vector<unsigned char> memory(share_tables(share, nullptr).bytes + alignof(size));
        void* const tables = aligned(memory.data());
        const share_tables told(share, tables);
        told.whole.fill(share.whole);
        told.cut.fill(share.cut);
        copy(m.share->tables, tables, told.bytes, m.data.stream);
        m.ready.record(m.data.stream);
      }
      return true;
    }
    static void* aligned(unsigned char* p) {
      const auto address = reinterpret_cast<std::uintptr_t>(p);
      return p + (round_up<std::uintptr_t>(address, alignof(size)) - address);
    }

    /// While the exchange is under way.
    void make_streams_beside() {
      for (auto& m : members_) {
        const on_device here(m->data);
        const bool is_part = current_device_properties().must_ask_for_room;
        if (!is_part && !m->beside) m->beside = std::make_unique<own_stream>();
      }
    }

    /// What all shards receive, by rank.
    peers all_received() const {
      peers all{};
      all.peers = static_cast<int>(members_.size());
      for (int j = 0; j < all.peers; ++j) {
        const member& m = *members_[j];
        all.ends[j] = m.before + m.data.n;
        all.offsets[j] = peers::index_of(m.received.keys) - m.before;
      }
      return all;
    }

    static std::size_t exchange_chunks(std::uint64_t n) {
      return ceil_div<std::size_t>(n, Exchange::items_per_chunk);
    }

    size region_begin(const peer_regions& regions, std::size_t i, std::size_t b) const {
      return peers::index_of(members_[regions.owner(b)]->received.keys) + regions.begin(i, b);
    }

    void exchange(const peer_regions& regions) {
      const peers out = all_received();
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        std::vector<size> cursors, limits;
        for (std::size_t b = 0; b < k(); ++b) {
          cursors.push_back(region_begin(regions, i, b));
          limits.push_back(cursors.back() + regions.end(i, b) - regions.begin(i, b));
        }
        cursors.push_back(0);
        copy(m.first->level.bucket_cursors, cursors.data(), cursors.size() * sizeof(size),
             m.data.stream);
        copy(m.first->limits, limits.data(), limits.size() * sizeof(size), m.data.stream);
        wait_for_all(m.data.stream, &member::ready);
        if (m.data.n > 0) {
          const std::size_t bytes =
              base::tree_bytes(k()) + sizeof(kernel::scatter_storage<Exchange, element>);
          launch(kernel::scatter_to_peers_kernel<Exchange, Array, peers, element, Compare>,
                 exchange_chunks(m.data.n), Exchange::threads_per_block,
                 base::memory_of(bytes, tile_bytes), m.data.stream, m.data.data, out,
                 m.as_segment(m.data.n), m.level_of(Exchange::items_per_chunk),
                 kernel::estimated_buckets{m.first->limits, m.first->level.bucket_cursors + k()},
                 compare_);
        }
        m.exchanged.record(m.data.stream);
      }
    }

    void exchange(const peer_exchange_plan& plan) {
      const peers out = all_received();
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        std::vector<size> cursors;
        for (std::size_t b = 0; b < k(); ++b) {
          const auto& to = plan.to(i, b);
          const member& receiver = *members_[to.shard < 0 ? 0 : to.shard];
          const Array& array = to.is_cut ? receiver.share->cut : receiver.received;
          cursors.push_back((to.shard < 0 ? peers::is_rank : peers::index_of(array.keys)) +
                            to.first);
        }
        copy(m.first->level.bucket_cursors, cursors.data(), cursors.size() * sizeof(size),
             m.data.stream);
        wait_for_all(m.data.stream, &member::ready);
        if (m.data.n > 0) {
          base::template scatter<Exchange, kept>(
              m.data.stream, m.data.data, out, out, m.as_segment(m.data.n),
              m.level_of(Exchange::items_per_chunk), exchange_chunks(m.data.n), compare_);
        }
        m.exchanged.record(m.data.stream);
      }
    }

    void sort(const peer_exchange_plan& plan) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        member& m = *members_[i];
        const on_device here(m.data);
        wait_for_all(m.data.stream, &member::exchanged);
        const auto& share = plan.of(i);
        const share_tables told(share, m.share->tables);
        gather_cut(m, share.cut);
        if (share.whole.elements > 0) {
          const Array own = m.received + share.begin;
          sort(m.data.stream, share.whole, told.whole,
               share.whole.begins.empty() ? own : m.received, own, m.data.data + share.begin, m,
               m.first->bucket_ids, m.share->sort_whole);
        }
        if (share.cut.elements > 0) {
          const cudaStream_t stream = m.beside ? m.beside->get() : m.data.stream;
          m.gathered.hold_back(stream);
          sort(stream, share.cut, told.cut, m.share->cut, m.share->cut, m.share->sorted_cut, m,
               m.share->cut_ids, m.share->sort_cut);
          m.cut_sorted.record(stream);
        }
      }
      for (const auto& piece : plan.pieces()) take(piece);
    }

    /// A shard takes what it has of buckets that another one has sorted: from scratch, which it
    /// reaches, to its own range, which others need not reach.
    void take(const peer_exchange_plan::piece& piece) {
      member &to = *members_[piece.shard], &from = *members_[piece.owner];
      {
        const on_device here(to.data);
        from.cut_sorted.hold_back(to.data.stream);
        copy(to.data.data.keys + piece.begin, from.share->sorted_cut.keys + piece.from,
             (piece.end - piece.begin) * sizeof(key), to.data.stream);
        to.taken.record(to.data.stream);
      }
      const on_device here(from.data);
      to.taken.hold_back(from.data.stream);
    }

    /// Buckets that are cut leave the array that the sort of the others uses.
    void gather_cut(member& m, const peer_exchange_plan::bucket_list& list) {
      Array to = m.share->cut;
      for (const auto& run : list.sources) {
        copy(to.keys, m.received.keys + run.begin, run.count * sizeof(key), m.data.stream);
        to = to + run.count;
      }
      m.gathered.record(m.data.stream);
    }

    void sort(cudaStream_t stream, const peer_exchange_plan::bucket_list& list,
              const list_table& told, Array from, Array spare, Array out, const member& m,
              std::uint16_t* ids, void* scratch) {
      base::run_on_buckets(call_stream(stream, nullptr, seed_ + m.before), from, spare, out,
                           list.elements,
                           {told.counts, list.begins.empty() ? nullptr : told.begins, told.equal,
                            list.buckets(), list.runs(), m.unordered(), ids},
                           compare_, scratch);
    }

    void wait_for_all(cudaStream_t stream, event member::*what) const {
      for (const auto& m : members_) (*m.*what).hold_back(stream);
    }

    template <class T>
    static void clear(T* p, std::size_t count, cudaStream_t stream) {
      check(cudaMemsetAsync(p, 0, count * sizeof(T), stream), "clearing counters");
    }
    static void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying between shards");
    }

    std::uint64_t total_;
    int log_k_, log_samples_;
    Compare compare_;
    std::uint64_t seed_;
    std::vector<std::unique_ptr<member>> members_;
    std::vector<std::uint8_t> equal_;  // marks of buckets
    bool has_splitters_ = false;
    bool is_done_ = false;
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
