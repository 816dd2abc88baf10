// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <gpusort/detail/distributed/peer_group.hpp>
#include <gpusort/detail/distributed/peer_regions.hpp>
#include <gpusort/detail/distributed/peer_shard.hpp>
#include <gpusort/detail/kernel/sample_shard.hpp>
#include <gpusort/detail/kernel/scatter_to_peers.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/peer_array.hpp>
#include <gpusort/detail/support/sample_seed.hpp>
#include <gpusort/detail/tuning/peer_sample_sort.hpp>
#include <memory>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A call of the sample sort of several devices: its steps, each put on the shards' streams.
template <class Array, class Compare, class Exchange>
class peer_call {
  using shard_group = peer_group<Array, Compare>;
  using local_sort = typename shard_group::sort;
  using bucket_table = typename shard_group::bucket_table;
  using element = typename shard_group::element;
  using key = typename shard_group::key;
  using member = typename shard_group::member;
  using on_device = typename shard_group::on_device;
  using size = typename shard_group::size;
  using tables = typename shard_group::tables;
  using peers = typename peers_of<Array>::type;
  using tuning = detail::tuning::peer_sample_sort<sizeof(key)>;

 public:
  using shard = typename shard_group::shard;

  peer_call(const std::vector<shard>& shards, std::uint64_t total, const peer_sort_options& options,
            Compare compare, int& device)
      : group_(shards, total, log_buckets_for(shards, total, options), groups_for(options), device),
        compare_(compare),
        seed_(next_sample_seed()),
        may_estimate_(options.counting == peer_counting::never ||
                      (options.counting == peer_counting::automatic &&
                       log_buckets_of_estimate(shards, total, options) > 0)) {}

  template <class Observe>
  bool run(const Observe& observe) {
    if (!group_.take_tables(ids_of_level == bucket_ids::stored)) return false;
    group_.notify(observe, peer_sort_phase::begun);
    sample();
    if (may_estimate_ && exchange_by_estimate(observe)) return true;
    return exchange_by_counts(observe);
  }

 private:
  // Links are slower than memory, so that finding buckets again costs less than keeping them.
  static constexpr bucket_ids ids_of_level =
      kernel::may_classify_twice<element, Compare> ? bucket_ids::recomputed : bucket_ids::stored;
  static constexpr std::size_t tile_bytes =
      local_sort::tree_bytes(std::size_t{1} << Exchange::max_log_buckets) +
      sizeof(kernel::scatter_storage<Exchange, element>);
  static_assert(tile_bytes <= shared_memory_per_block());

  static int groups_for(const peer_sort_options& options) {
    return options.groups < 0 ? tuning::groups : options.groups;
  }

  /// Returns as many buckets as an estimate of shards is good for; 0: none, and they are counted.
  static int log_buckets_of_estimate(const std::vector<shard>& shards, std::uint64_t total,
                                     const peer_sort_options& options) {
    const std::uint64_t n = total / shards.size();
    if (n < tuning::least_estimated) return 0;
    const int log_k =
        (std::min)(ceil_log2((n >> tuning::log_least_estimated_bucket) + 1) - 1,
                   groups_for(options) > 0 ? tuning::log_buckets_in_groups : tuning::log_buckets);
    std::uint64_t smallest = total;
    for (const shard& s : shards) smallest = s.n > 0 ? (std::min)(smallest, s.n) : smallest;
    const bool are_enough = log_k >= tuning::log_buckets ||
                            smallest >= tuning::least_buckets_of_shard * (total >> log_k);
    return are_enough ? log_k : 0;
  }

  static int log_buckets_for(const std::vector<shard>& shards, std::uint64_t total,
                             const peer_sort_options& options) {
    constexpr int most =
        min_of(int{Exchange::max_log_buckets}, int{local_sort::distribution::max_log_buckets});
    int log_k = options.log_buckets;
    if (log_k == 0 && options.counting != peer_counting::always) {
      log_k = log_buckets_of_estimate(shards, total, options);
    }
    if (log_k == 0) {
      log_k = (std::min)(ceil_log2(total >> tuning::log_least_bucket), tuning::log_buckets);
    }
    return (std::max)(1, (std::min)(log_k, most));
  }

  /// Returns false where scratch is short, or the sample, or the room that it made, was too small.
  template <class Observe>
  bool exchange_by_estimate(const Observe& observe) {
    count_sample();
    const std::vector<size> expected = group_.all_of(&tables::level, &bucket_table::counts, k());
    group_.notify(observe, peer_sort_phase::counted);
    std::vector<peer_regions::sampled_shard> shards;
    for (const auto& m : group_.members()) {
      const std::uint64_t n = sampled(m->data.n);
      shards.push_back({m->data.n, n, m->data.n - (n << tuning::log_sample_share)});
    }
    const peer_regions regions(shards, expected, k(), (std::max)(1, group_.groups()));
    if (!group_.take_received(&regions)) return false;
    group_.choose_gathering(regions);
    exchange(regions);
    group_.make_side_streams();
    group_.notify(observe, peer_sort_phase::exchanged);
    const std::vector<size> ends =
        group_.all_of(&tables::level, &bucket_table::bucket_cursors, k() + 1);
    std::vector<size> counts;
    for (std::size_t i = 0; i < group_.shards(); ++i) {
      const size* const end = ends.data() + i * (k() + 1);
      if (end[k()] != 0) return false;
      for (std::size_t b = 0; b < k(); ++b) {
        counts.push_back(end[b] - region_begin(regions, i, b));
      }
    }
    // The copies of the counts would wait for these, if these were on a copy engine before them.
    if (group_.is_gathered()) group_.begin_to_bring(regions);
    const peer_exchange_plan plan(group_.sizes(), counts, group_.equal_marks(), regions);
    if (!group_.has_room_for_cuts(plan)) return false;
    if (!group_.take_share_scratch(plan)) {
      if (!group_.is_gathered()) return false;
      while (group_.is_more_to_bring()) group_.bring_group(regions);
      group_.release_gathered();  // as there may be room now
      if (!group_.take_share_scratch(plan)) return false;
    }
    sort(plan, &regions);
    group_.await_arrivals();
    group_.notify(observe, peer_sort_phase::sorted);
    group_.set_done();
    return true;
  }

  template <class Observe>
  bool exchange_by_counts(const Observe& observe) {
    group_.release_gathered();  // of an estimate that was not enough
    for (const auto& m : group_.members()) {
      const on_device here(group_, m->data);
      m->share_memory = {};
    }
    count();
    const std::vector<size> counts = group_.all_of(&tables::level, &bucket_table::counts, k());
    const peer_exchange_plan plan(group_.sizes(), counts, group_.equal_marks());
    group_.notify(observe, peer_sort_phase::counted);
    if (!group_.has_room_for_cuts(plan) || !group_.take_received(nullptr) ||
        !group_.take_share_scratch(plan)) {
      return false;
    }
    exchange(plan);
    group_.make_side_streams();
    group_.notify(observe, peer_sort_phase::exchanged);
    sort(plan, nullptr);
    group_.notify(observe, peer_sort_phase::sorted);
    group_.set_done();
    return true;
  }

  /// Sorts the sample, on the first shard's device.
  void sample() {
    for (const auto& m : group_.members()) {
      const on_device here(group_, m->data);
      owner().ready.hold_back(m->data.stream);
      constexpr int threads = 256;
      launch(kernel::sample_shard_kernel<Array, Array>,
             ceil_div<std::size_t>(std::size_t{1} << group_.log_samples(), threads), threads, 0,
             m->data.stream, m->data.data,
             kernel::shard_range{m->before, m->data.n, group_.total()}, owner().tables->samples,
             group_.log_samples(), seed_, m->tables->counters, static_cast<int>(k()));
      m->sampled.record(m->data.stream);
    }
    const on_device here(group_, owner().data);
    group_.wait_for_all(owner().data.stream, &member::sampled);
    kernel::segment_table samples{};
    samples.segments = 1;
    samples.n = size{1} << group_.log_samples();
    local_sort::choose_splitters(call_stream(owner().data.stream, nullptr, seed_),
                                 owner().tables->samples, samples, 0, owner().tables->level,
                                 group_.log_samples() - group_.log_k(), compare_);
    owner().sampled.record(owner().data.stream);
  }

  /// Sends all devices the splitters, by which each counts elements of its own.
  void count_sample() {
    for (const auto& m : group_.members()) {
      const on_device here(group_, m->data);
      if (m != group_.members().front()) {
        owner().sampled.hold_back(m->data.stream);
        shard_group::copy(m->tables->splitters, owner().tables->splitters,
                          m->tables->splitter_bytes, m->data.stream);
      }
      has_splitters_ = true;
      const kernel::sampled_array<Array> in{m->data.data, tuning::log_sample_share, seed_};
      count(*m, in, sampled(m->data.n));
    }
  }

  void count() {
    for (const auto& m : group_.members()) {
      const on_device here(group_, m->data);
      if (has_splitters_) {
        clear(m->tables->level.counts, k(), m->data.stream);
        clear(m->tables->level.arrivals, 1, m->data.stream);
      } else if (m != group_.members().front()) {
        owner().sampled.hold_back(m->data.stream);
        shard_group::copy(m->tables->splitters, owner().tables->splitters,
                          m->tables->splitter_bytes, m->data.stream);
      }
      count(*m, m->data.data, m->data.n);
    }
  }

  template <class In>
  void count(const member& m, const In& in, std::uint64_t n) {
    if (n == 0) return;
    const bucket_table level = m.level_of(local_sort::items_per_chunk(n));
    local_sort::count(m.data.stream, in, m.as_segment(n), level,
                      ceil_div<std::size_t>(n, level.items_per_chunk), compare_);
  }

  static std::uint64_t sampled(std::uint64_t n) {
    return kernel::sampled_array<Array>::count_of(n, tuning::log_sample_share);
  }

  /// Returns what all shards receive, by rank.
  peers all_received() const {
    peers all{};
    all.peers = static_cast<int>(group_.shards());
    for (int j = 0; j < all.peers; ++j) {
      const member& m = group_.at(j);
      all.ends[j] = m.before + m.data.n;
      all.offsets[j] = peers::index_of(m.received.keys) - m.before;
    }
    return all;
  }

  static std::size_t exchange_chunks(std::uint64_t n) {
    return ceil_div<std::size_t>(n, Exchange::items_per_chunk);
  }

  /// Returns where what shard i has of bucket b is scattered to.
  size region_begin(const peer_regions& regions, std::size_t i, std::size_t b) const {
    const auto owner = static_cast<std::size_t>(regions.owner(b));
    const auto& region = regions.of(i, b);
    return group_.is_gathered() && owner != i
               ? peers::index_of(group_.at(i).outgoing.keys) + region.outgoing
               : peers::index_of(group_.at(owner).received.keys) + region.begin;
  }

  void exchange(const peer_regions& regions) {
    const peers out = all_received();
    for (std::size_t i = 0; i < group_.shards(); ++i) {
      member& m = group_.at(i);
      const on_device here(group_, m.data);
      std::vector<size> cursors, limits;
      for (std::size_t b = 0; b < k(); ++b) {
        cursors.push_back(region_begin(regions, i, b));
        limits.push_back(cursors.back() + regions.of(i, b).end - regions.of(i, b).begin);
      }
      cursors.push_back(0);
      shard_group::copy(m.tables->level.bucket_cursors, cursors.data(),
                        cursors.size() * sizeof(size), m.data.stream);
      shard_group::copy(m.tables->limits, limits.data(), limits.size() * sizeof(size),
                        m.data.stream);
      group_.wait_for_all(m.data.stream, &member::ready);
      if (m.data.n > 0) {
        const std::size_t bytes =
            local_sort::tree_bytes(k()) + sizeof(kernel::scatter_storage<Exchange, element>);
        launch(kernel::scatter_to_peers_kernel<Exchange, Array, peers, element, Compare>,
               exchange_chunks(m.data.n), Exchange::threads_per_block,
               local_sort::memory_of(bytes, tile_bytes), m.data.stream, m.data.data, out,
               m.as_segment(m.data.n), m.level_of(Exchange::items_per_chunk),
               kernel::estimated_buckets{m.tables->limits, m.tables->level.bucket_cursors + k()},
               compare_);
      }
      m.exchanged.record(m.data.stream);
    }
  }

  void exchange(const peer_exchange_plan& plan) {
    const peers out = all_received();
    for (std::size_t i = 0; i < group_.shards(); ++i) {
      member& m = group_.at(i);
      const on_device here(group_, m.data);
      std::vector<size> cursors;
      for (std::size_t b = 0; b < k(); ++b) {
        const auto& to = plan.to(i, b);
        const member& receiver = group_.at(to.shard < 0 ? 0 : to.shard);
        const Array& array = to.is_cut ? receiver.share->cut : receiver.received;
        cursors.push_back((to.shard < 0 ? peers::is_rank : peers::index_of(array.keys)) + to.first);
      }
      shard_group::copy(m.tables->level.bucket_cursors, cursors.data(),
                        cursors.size() * sizeof(size), m.data.stream);
      group_.wait_for_all(m.data.stream, &member::ready);
      if (m.data.n > 0) {
        local_sort::template scatter<Exchange, ids_of_level>(
            m.data.stream, m.data.data, out, out, m.as_segment(m.data.n),
            m.level_of(Exchange::items_per_chunk), exchange_chunks(m.data.n), compare_);
      }
      m.exchanged.record(m.data.stream);
    }
  }

  /// Sorts all shards' buckets; `regions`: of elements that are in them, else nothing. All devices
  /// begin with the first group, and the copies of the next one come before its launches: none
  /// waits for what others need later.
  void sort(const peer_exchange_plan& plan, const peer_regions* regions) {
    std::vector<gathering> cut(group_.shards());
    const std::size_t groups = plan.of(0).whole.size();
    for (std::size_t g = 0; g < groups; ++g) {
      if (group_.is_more_to_bring()) group_.bring_group(*regions);
      for (std::size_t i = 0; i < group_.shards(); ++i) {
        const member& m = group_.at(i);
        const on_device here(group_, m.data);
        if (g == 0 && !group_.is_gathered()) group_.wait_for_all(m.data.stream, &member::exchanged);
        if (regions != nullptr) gather_cut(i, g, plan.of(i), *regions, cut[i]);
        if (g + 1 == groups) group_.at(i).gathered.record(m.data.stream);
        sort_group(i, g, plan.of(i), regions);
      }
    }
    for (std::size_t i = 0; i < group_.shards(); ++i) {
      const on_device here(group_, group_.at(i).data);
      sort_cut(i, plan.of(i));
    }
    for (const auto& piece : plan.pieces()) take(piece);
  }

  /// Counts what has been gathered of a share's cut buckets: sources, and elements.
  struct gathering {
    std::size_t sources = 0;
    std::uint64_t elements = 0;
  };

  /// Gathers the cut buckets of a group, which leave the array that the sort of the others uses.
  void gather_cut(std::size_t i, std::size_t group, const peer_exchange_plan::share& share,
                  const peer_regions& regions, gathering& done) {
    const member& m = group_.at(i);
    if (group_.is_gathered()) m.arrivals->arrived[group]->hold_back(m.data.stream);
    const std::uint64_t end = regions.group_end(i, static_cast<int>(group));
    const auto& sources = share.cut.sources;
    for (; done.sources < sources.size() && sources[done.sources].begin < end; ++done.sources) {
      const auto& source = sources[done.sources];
      shard_group::copy(m.share->cut.keys + done.elements, m.received.keys + source.begin,
                        source.count * sizeof(key), m.data.stream);
      done.elements += source.count;
    }
  }

  void sort_group(std::size_t i, std::size_t group, const peer_exchange_plan::share& share,
                  const peer_regions* regions) {
    const member& m = group_.at(i);
    const auto& list = share.whole[group];
    const peer_share_tables lists(share, m.share->tables);
    Array from = m.received + list.begin, spare = from;
    if (regions != nullptr) {
      from = m.received;
      spare = from + regions->group_begin(i, static_cast<int>(group));
    }
    sort(m.data.stream, list, lists.whole[group], from, spare, m.data.data + list.begin, m,
         m.tables->bucket_ids, m.share->sort_whole);
  }

  void sort_cut(std::size_t i, const peer_exchange_plan::share& share) {
    member& m = group_.at(i);
    if (share.cut.elements == 0) return;
    const peer_share_tables lists(share, m.share->tables);
    const cudaStream_t stream = m.side_stream ? m.side_stream->get() : m.data.stream;
    m.gathered.hold_back(stream);
    sort(stream, share.cut, lists.cut, m.share->cut, m.share->cut, m.share->sorted_cut, m,
         m.share->cut_ids, m.share->sort_cut);
    m.cut_sorted.record(stream);
  }

  /// Takes what the shard has of buckets that another one has sorted: from scratch, which it
  /// reaches, to its own range, which others need not reach.
  void take(const peer_exchange_plan::piece& piece) {
    member &to = group_.at(piece.shard), &from = group_.at(piece.owner);
    {
      const on_device here(group_, to.data);
      from.cut_sorted.hold_back(to.data.stream);
      shard_group::copy(to.data.data.keys + piece.begin, from.share->sorted_cut.keys + piece.from,
                        (piece.end - piece.begin) * sizeof(key), to.data.stream);
      to.taken.record(to.data.stream);
    }
    const on_device here(group_, from.data);
    to.taken.hold_back(from.data.stream);
  }

  void sort(cudaStream_t stream, const peer_exchange_plan::bucket_list& list,
            const peer_list_table& table, Array from, Array spare, Array out, const member& m,
            std::uint16_t* ids, void* scratch) {
    if (list.elements == 0) return;
    local_sort::run_on_buckets(call_stream(stream, nullptr, seed_ + m.before), from, spare, out,
                               list.elements,
                               {table.counts, list.begins.empty() ? nullptr : table.begins,
                                table.equal, list.buckets(), list.runs(), m.unordered(), ids},
                               compare_, scratch);
  }

  template <class T>
  static void clear(T* p, std::size_t count, cudaStream_t stream) {
    check(cudaMemsetAsync(p, 0, count * sizeof(T), stream), "clearing counters");
  }

  std::size_t k() const { return group_.k(); }
  member& owner() const { return group_.owner(); }

  shard_group group_;
  Compare compare_;
  std::uint64_t seed_;
  bool may_estimate_;
  bool has_splitters_ = false;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
