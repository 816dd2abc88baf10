// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <gpusort/detail/kernel/sample_shard.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/peer_array.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tuning/peer_sample_sort.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells how much a shard of n elements may get, has of cut buckets, and has for others, and where.
template <class Array>
struct peer_room {
  using key = typename peers_of<Array>::key;
  using tuning = detail::tuning::peer_sample_sort<sizeof(key)>;

  /// Returns what is received at most; where more is wanted, all is counted.
  static std::uint64_t most_received(std::uint64_t n) {
    return n + n / tuning::room_share + tuning::least_room;
  }
  static std::uint64_t most_cut(std::uint64_t n) {
    return n / tuning::cut_share + tuning::least_room;
  }

  /// Returns an array of n elements that begins at a multiple of their size (peer_array).
  static Array take(scratch_cursor& cursor, std::uint64_t n) {
    auto* const p = cursor.take<unsigned char>(bytes_of<key>(n + 1));
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return {reinterpret_cast<key*>(p + (round_up<std::uintptr_t>(address, sizeof(key)) - address))};
  }
  static Array at(void* memory, std::uint64_t n) {
    scratch_cursor cursor(memory);
    return take(cursor, n);
  }
  static std::size_t bytes(std::uint64_t n) {
    scratch_cursor cursor(nullptr);
    take(cursor, n);
    return cursor.used();
  }
};

/// A shard's scratch of a size that is known at once.
template <class Array>
struct peer_tables {
  using element = typename Array::value_type;
  using size = kernel::global_size;

  std::uint16_t* bucket_ids;  // of the shard's elements, then of those received
  kernel::bucket_table<element> level{};
  unsigned char* splitters;  // what all shards have the same of `level`, and their bytes
  std::size_t splitter_bytes;
  kernel::shard_counters counters;
  size* limits;      // of the cursors
  Array samples;     // of all shards, as the next one of the first shard
  size* all_counts;  // of each shard, k + 1
  std::size_t bytes;

  /// Makes tables for `shards` shards, for the first one; 0 for the others.
  peer_tables(std::uint64_t n, int log_k, int log_samples, std::size_t shards, bool keeps_ids,
              void* scratch) {
    scratch_cursor cursor(scratch);
    const std::size_t k = std::size_t{1} << log_k;
    bucket_ids = cursor.take<std::uint16_t>(peer_room<Array>::most_received(n));
    splitter_bytes = take_splitters(k, nullptr);
    splitters = cursor.take<unsigned char>(splitter_bytes);
    take_splitters(k, splitters);
    level.counts = cursor.take<size>(k);
    level.starts = cursor.take<size>(k);
    level.arrivals = cursor.take<std::uint32_t>(1);
    level.log_k = log_k;
    level.bucket_ids = keeps_ids ? bucket_ids : nullptr;
    counters = {level.counts, level.arrivals, cursor.take<size>(1), cursor.take<std::uint32_t>(1)};
    level.bucket_cursors = cursor.take<size>(k + 1);  // the last: whether some did not suffice
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
struct peer_list_table {
  using size = kernel::global_size;
  using list = peer_exchange_plan::bucket_list;

  size *counts, *begins;
  std::uint8_t* equal;

  peer_list_table(scratch_cursor& cursor, const list& l)
      : counts(cursor.take<size>(l.counts.size())),
        begins(cursor.take<size>(l.begins.size())),
        equal(cursor.take<std::uint8_t>(l.equal.size())) {}

  void fill(const list& l) const {
    std::copy(l.counts.begin(), l.counts.end(), counts);
    std::copy(l.begins.begin(), l.begins.end(), begins);
    std::copy(l.equal.begin(), l.equal.end(), equal);
  }
};

/// Holds the tables of a share.
struct peer_share_tables {
  peer_list_table cut;
  std::vector<peer_list_table> whole;
  std::size_t bytes;

  peer_share_tables(const peer_exchange_plan::share& share, void* memory)
      : peer_share_tables(share, scratch_cursor(memory)) {}

  void fill(const peer_exchange_plan::share& share) const {
    cut.fill(share.cut);
    for (std::size_t g = 0; g < whole.size(); ++g) whole[g].fill(share.whole[g]);
  }

 private:
  peer_share_tables(const peer_exchange_plan::share& share, scratch_cursor cursor)
      : cut(cursor, share.cut) {
    for (const auto& list : share.whole) whole.emplace_back(cursor, list);
    bytes = cursor.used();
  }
};

/// A shard's scratch for sorting its share by `Sort`. Groups of whole buckets take turns.
template <class Array, class Sort>
struct peer_share_scratch {
  void* tables;
  void* sort_whole;
  Array cut, sorted_cut;
  std::uint16_t* cut_ids;
  void* sort_cut;
  std::size_t bytes;

  peer_share_scratch(const peer_exchange_plan::share& share, void* scratch) {
    scratch_cursor cursor(scratch);
    tables = cursor.take<unsigned char>(peer_share_tables(share, nullptr).bytes);
    std::size_t most = 0;
    for (const auto& list : share.whole) most = (std::max)(most, scratch_for(list));
    sort_whole = cursor.take<unsigned char>(most);
    cut = peer_room<Array>::take(cursor, share.cut.elements);
    sorted_cut = peer_room<Array>::take(cursor, share.cut.elements);
    cut_ids = cursor.take<std::uint16_t>(share.cut.elements);
    sort_cut = cursor.take<unsigned char>(scratch_for(share.cut));
    bytes = cursor.used();
  }

 private:
  static std::size_t scratch_for(const peer_exchange_plan::bucket_list& list) {
    if (list.elements == 0) return 0;
    return Sort::scratch_bytes_of_buckets(list.elements, list.buckets(), list.runs());
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
