// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/algorithm/number_chunks.hpp>
#include <gpusort/detail/algorithm/sample_sort_tuning.hpp>
#include <gpusort/detail/algorithm/scatter.hpp>
#include <gpusort/detail/kernel/choose_splitters.hpp>
#include <gpusort/detail/kernel/count_buckets.hpp>
#include <gpusort/detail/kernel/scatter_to_pages.hpp>
#include <gpusort/detail/kernel/sort_buckets.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether a level of distribution stores the bucket of each element when it counts them, or
/// classifies it again when it moves it.
enum class bucket_ids { stored, recomputed };

/// Buckets that a distribution elsewhere has made in an array, of several runs each.
struct prebucketed {
  const kernel::global_size* counts;  // of each run
  const kernel::global_size* begins;  // of each run; null: they follow each other
  const std::uint8_t* equal;          // an equal_mark for each bucket, or null
  std::uint32_t buckets;
  std::uint32_t runs;            // of a bucket
  kernel::sortedness unordered;  // says that the array is not in order
  std::uint16_t* bucket_ids;     // room for one of each element
};

/// Sample sort: one to three levels of distribution into buckets, then a tile sort per bucket.
///
/// An input that is in order already, or strictly in the opposite order, is recognised while the
/// first splitters are chosen, and left alone or turned round.
///
/// Buckets of numbers whose order is known, or seems to be ascending or descending, are sorted by
/// where numbers are between the least and the greatest; what only seems so the comparator
/// confirms. So are those of short records by the word that the comparator seems to compare.
///
/// Not stable. A permutation for any comparator. For any input each element is compared log2(n)
/// times at most to distribute it, and then as in a merge sort of its bucket: buckets that sampling
/// misjudged are merge sorted by all blocks together. Samples are random, by the call's seed.
///
/// Scratch: n elements, and about 25 bytes and one splitter per bucket of some 200 elements or
/// more; 2 bytes for each element where its bucket is stored; for pages, where the input is not
/// counted, an eighth more of both at most, and their table, a twelfth of a byte for each at most.
/// Launches: 3 per level, one between two levels, one for the buckets, and one for long ones but of
/// numbers; where the input is not counted, a memset instead of one of them. No synchronization;
/// capturable. Source: paper 003, section 6; equality buckets, claimed destinations, pages, equally
/// wide buckets and the windows of proxmap sort are ours.
template <class Array, class Compare,
          class Tuning = sample_sort_tuning<typename Array::value_type, Compare>,
          bucket_ids Ids = bucket_ids::stored>
class sample_sort {
 public:
  using element = typename Array::value_type;
  using bucket_table = kernel::bucket_table<element>;
  using size = kernel::global_size;
  using distribution = typename Tuning::distribution;
  static constexpr tuning::architecture arch = Tuning::arch;

  static std::size_t scratch_bytes(std::uint64_t n) {
    std::size_t bytes = 0;
    if constexpr (has_tuning_below_least_n<Tuning>) {
      bytes = below_least_n::scratch_bytes(std::min<std::uint64_t>(n, Tuning::least_n - 1));
      if (n < Tuning::least_n) return bytes;
    }
    return (std::max)(layout(n, nullptr).bytes, bytes);  // more elements never take less
  }

  /// Sorts the n > 0 elements of `in` into `out`, which may be the same array, where they are
  /// wanted sorted. `known` may say what a probe has found of their order; else they are probed.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch, const kernel::sortedness& known = {},
                  kernel::predicate gate = {}) {
    if constexpr (has_tuning_below_least_n<Tuning>) {
      if (n < Tuning::least_n) {
        return below_least_n::run(stream, in, out, n, compare, scratch, known, gate);
      }
    }
    const layout parts(n, scratch);
    const levels all = levels_of(n);
    const bool is_known = known.all != nullptr;
    kernel::segment_table input{};
    input.segments = 1;
    input.n = n;
    input.probe = is_known ? known : parts.probe;
    input.gate = gate;
    distribute(stream, in, parts.elements, parts.elements, input, is_known ? 0 : input.probe.blocks,
               parts.tables[0], n, all.count == 1, compare);
    finish(stream, in, parts, all, input, parts.elements, out, out, compare);
  }

  static std::size_t scratch_bytes_of_buckets(std::uint64_t n, std::uint32_t buckets,
                                              std::uint32_t runs) {
    return layout(n, buckets, runs, nullptr, nullptr).bytes;
  }

  /// Sorts the n > 0 elements of `from` that are in buckets already into `out`. `spare` has room
  /// for n and may be anywhere in `from`, which is no longer read when `spare` is written.
  static void run_on_buckets(const call_stream& stream, Array from, Array spare, Array out,
                             std::uint64_t n, const prebucketed& input, Compare compare,
                             void* scratch) {
    const layout parts(n, input.buckets, input.runs, input.bucket_ids, scratch);
    number_chunks(stream, false, input.counts, input.buckets * input.runs,
                  parts.tables[0].items_per_chunk, parts.first_chunks[0], parts.prebucketed_starts);
    kernel::segment_table segments{};
    segments.starts = parts.prebucketed_starts;
    segments.counts = input.counts;
    segments.equal = input.equal;
    segments.first_chunks = parts.first_chunks[0];
    segments.segments = input.buckets;
    segments.n = n;
    segments.probe = input.unordered;
    segments.runs = input.runs;
    segments.begins = input.begins;
    distribute(stream, from, out, out, segments, 0, parts.tables[0], n, false, compare);
    finish(stream, from, parts, levels_within(n, input.buckets), segments, out, spare, out,
           compare);
  }

  // --- the steps of a level, for those who distribute to other devices ---

  /// Returns the shared memory of the splitters of k buckets.
  static constexpr std::size_t tree_bytes(std::size_t k) { return kernel::tree_bytes<element>(k); }

  static shared_memory_size memory_of(std::size_t now, std::size_t most) {
    return {now, most, Tuning::carveout};
  }
  static shared_memory_size memory_of(std::size_t always) { return memory_of(always, always); }

  /// Returns how many of n elements a block takes.
  static size items_per_chunk(std::uint64_t n) {
    const std::uint64_t even = ceil_div<std::uint64_t>(n, distribution::blocks_wanted);
    return std::min<std::uint64_t>(round_up<std::uint64_t>(even, distribution::threads_per_block),
                                   page_items);
  }

  /// Returns the logarithm of how many samples there are for each splitter.
  static int log_oversample_of(bool is_only_level, int log_k) {
    // Tiles of known numbers need no comparisons where a bucket has more elements than average.
    constexpr bool are_known = tile::order_preserving_bits<element, Compare>::is_known;
    constexpr int min_log_sample = are_known ? 0 : int{sampling::min_log_sample};
    const int wanted = is_only_level
                           ? int{sampling::one_level_log_oversample}
                           : (std::max)(int{sampling::log_oversample}, min_log_sample - log_k);
    return min_of(wanted, ceil_log2(sampling::items_per_tile) - log_k);
  }

  /// Chooses the splitters of each segment of `in`. `probes` blocks probe the input meanwhile.
  template <class In>
  static void choose_splitters(const call_stream& stream, In in,
                               const kernel::segment_table& segments, int probes,
                               const bucket_table& level, int log_oversample, Compare compare) {
    const int sample_threads =
        round_up(ceil_div(1 << (level.log_k + log_oversample), int{sample_tile::items_per_thread}),
                 tile::warp_size);
    const int threads =
        probes > 0 ? (std::max)(sample_threads,
                                min_of(sampling::probe_threads, sample_sorter::threads_per_block))
                   : sample_threads;
    launch(kernel::choose_splitters_kernel<arch, sample_sorter, In, element, Compare>,
           segments.segments + probes, threads, memory_of(sizeof(typename sample_sorter::storage)),
           stream, in, segments, level, log_oversample, stream.seed(), compare);
  }

  /// Counts the elements of each bucket, and claims their destinations.
  template <class In>
  static void count(cudaStream_t stream, In in, const kernel::segment_table& segments,
                    const bucket_table& level, std::size_t chunks, Compare compare) {
    const std::size_t k = std::size_t{1} << level.log_k;
    launch_early(kernel::count_buckets_kernel<arch, counting, In, element, Compare>, chunks,
                 counting::threads_per_block, memory_of(count_bytes(k), count_bytes(max_k)), stream,
                 in, segments, level, compare);
  }

  /// Distributes elements by the buckets that counting has stored, or finds again.
  template <class Shape, bucket_ids IdsOfLevel, class In, class Out>
  static void scatter(cudaStream_t stream, In in, Out out, Out equal_out,
                      const kernel::segment_table& segments, const bucket_table& level,
                      std::size_t chunks, Compare compare) {
    constexpr std::size_t bytes = sizeof(kernel::scatter_storage<Shape, element>);
    if constexpr (IdsOfLevel == bucket_ids::stored) {
      if constexpr (is_scatter_linked<Shape, In, Out>) {
        using moved = moved_array<sizeof(element)>;
        using moved_element = typename moved::value_type;
        const auto as_moved = [](const Array& a) {
          return moved{reinterpret_cast<moved_element*>(a.keys)};
        };
        scatter_counted<arch, Shape>(stream, chunks, memory_of(bytes), as_moved(in), as_moved(out),
                                     as_moved(equal_out), segments,
                                     level.template of<moved_element>());
      } else {
        scatter_counted<arch, Shape>(stream, chunks, memory_of(bytes), in, out, equal_out, segments,
                                     level);
      }
    } else {
      const std::size_t k = std::size_t{1} << level.log_k;
      launch_early(kernel::classify_and_scatter_kernel<arch, Shape, In, Out, element, Compare>,
                   chunks, Shape::threads_per_block,
                   memory_of(tree_bytes(k) + bytes, tree_bytes(max_k) + bytes), stream, in, out,
                   equal_out, segments, level, compare);
    }
  }

 private:
  static constexpr bool stores_ids = Ids == bucket_ids::stored;
  static_assert(stores_ids || kernel::may_classify_twice<element, Compare>);

  using below_least_n = sample_sort<Array, Compare, tuning_below_least_n<Tuning>, Ids>;
  using sampling = typename Tuning::sampling;
  using counting = typename Tuning::counting;
  using paging = typename Tuning::paging;
  using bucket_tuning = typename Tuning::buckets;
  using sample_tile = typename Tuning::sample_tile;
  using sample_sorter = tile::block_merge_sort<element, sample_tile::threads_per_block,
                                               sample_tile::items_per_thread, false>;
  using throughput_sorter = typename bucket_tuning::template sorter<element>;
  using latency_sorter = typename bucket_tuning::template latency_sorter<element>;
  using scatter_storage = kernel::scatter_storage<distribution, element>;
  using page_storage = kernel::page_storage<paging, element>;

  static constexpr std::size_t max_k = std::size_t{1} << distribution::max_log_buckets;
  static constexpr std::size_t count_bytes(std::size_t k) {
    return tree_bytes(k) + k * sizeof(std::uint32_t);
  }
  static constexpr std::size_t page_bytes(std::size_t k) {
    return tree_bytes(k) + sizeof(page_storage);
  }

  static constexpr int page_items =
      distribution::items_per_tile * distribution::tiles_per_chunk;  // or chunk

  static_assert(sizeof(typename sample_sorter::storage) + sizeof(kernel::fit_storage) +
                    sizeof(kernel::distinct_splitters) <=
                tuning::shared_memory_of(arch));
  static_assert(distribution::max_log_buckets <= kernel::max_log_linear_buckets);
  static_assert(distribution::max_log_buckets <= counting::max_log_buckets);
  static_assert(sizeof(scatter_storage) <= tuning::shared_memory_of(arch));
  static_assert(stores_ids ||
                tree_bytes(max_k) + sizeof(scatter_storage) <= tuning::shared_memory_of(arch));
  static_assert(paging::items_per_tile <= page_items, "a tile is on two pages at most");
  static_assert(paging::items_per_tile <= 1 << 15, "ranks in a tile share an int with buckets");
  static_assert(!paging::is_used ||
                page_bytes(1 << paging::max_log_buckets) <= tuning::shared_memory_of(arch));

  static constexpr int max_levels = 8;  // enough for 2^63 elements at 7 bits a level

  struct levels {
    int count;
    int log_k[max_levels];
    std::uint64_t segments;  // that the first one splits

    /// Returns the number of buckets after the first `l` levels.
    std::uint64_t buckets(int l) const {
      int bits = 0;
      for (int i = 0; i < l; ++i) bits += log_k[i];
      return segments << bits;
    }
  };

  /// Returns as few levels as reach the target size of a bucket, equally wide. One level has a
  /// small sample, so its buckets are half a tile at most on average.
  static levels levels_of(std::uint64_t n) {
    const auto bits_for = [n](int target) {
      return (std::max)(1, ceil_log2(ceil_div<std::uint64_t>(n, target)));
    };
    int bits = bits_for(bucket_tuning::one_level_target);
    constexpr int most = distribution::max_log_buckets;
    if (bits > most) bits = bits_for(bucket_tuning::items_per_tile / 2);
    if (bits > most) bits = (std::max)(bits_for(bucket_tuning::target), most + 1);
    return levels_of_bits(bits, 1);
  }

  /// Returns the levels where the elements are in buckets already.
  static levels levels_within(std::uint64_t n, std::uint64_t buckets) {
    const std::uint64_t wanted = ceil_div<std::uint64_t>(n, bucket_tuning::target);
    return levels_of_bits((std::max)(1, ceil_log2(ceil_div(wanted, buckets))), buckets);
  }

  static levels levels_of_bits(int bits, std::uint64_t segments) {
    levels all{};
    all.count = ceil_div(bits, distribution::max_log_buckets);
    for (int l = 0; l < all.count; ++l) all.log_k[l] = (bits + l) / all.count;
    all.segments = segments;
    return all;
  }

  /// Returns as many blocks as look at the input while the first splitters are chosen: enough to
  /// read it at full bandwidth where it is in order, and no more than have something to look at.
  static int probe_blocks(std::uint64_t n) {
    const int most = 2 * current_device_properties().multiprocessors;
    return static_cast<int>(std::min<std::uint64_t>(most, ceil_div<std::uint64_t>(n, 4096)));
  }

  /// Bounds the buckets of the first level when it scatters to pages, which have the size of
  /// chunks; 0 is off. Each bucket may leave one page nearly empty. Scratch is for as many, so that
  /// more elements never take less.
  static std::uint64_t most_buckets_in_pages(std::uint64_t n) {
    const std::uint64_t empty = n / (std::uint64_t{paging::least_share} * page_items);
    if (!paging::is_used || empty == 0 || items_per_chunk(n) < page_items) return 0;
    return std::uint64_t{1} << min_of(ceil_log2(empty + 1) - 1, int{paging::max_log_buckets});
  }

  struct layout {
    Array elements;
    kernel::sortedness probe;
    bucket_table tables[max_levels];
    size* first_chunks[max_levels];      // of the segments of a level; unused for an input
    size* prebucketed_starts = nullptr;  // of the buckets that a level elsewhere has made
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      const levels all = levels_of(n);
      kernel::page_table pages{};
      const std::uint64_t k = stores_ids ? most_buckets_in_pages(n) : 0;
      if (k > 0) {
        pages.items = page_items;
        pages.per_bucket = static_cast<std::uint32_t>(n / page_items + 1);
        pages.pages = cursor.take<std::uint32_t>(pages.entries(k));
      }
      if (all.count == 1 || all.buckets(1) > k) pages = {};
      const std::uint64_t slots = n + k * page_items;
      elements = Array::in_scratch(cursor, slots);
      std::uint16_t* const ids = stores_ids ? cursor.take<std::uint16_t>(slots) : nullptr;
      probe.blocks = probe_blocks(n);
      probe.violations = cursor.take<std::uint32_t>(probe.blocks);
      probe.all = cursor.take<std::uint32_t>(1);
      take_tables(cursor, all, n, ids, pages);
      bytes = cursor.used();
    }

    layout(std::uint64_t n, std::uint64_t buckets, std::uint64_t runs, std::uint16_t* ids,
           void* scratch) {
      scratch_cursor cursor(scratch);
      prebucketed_starts = cursor.take<size>(buckets * runs);
      first_chunks[0] = cursor.take<size>(buckets * runs + 1);
      take_tables(cursor, levels_within(n, buckets), n, ids, {});
      bytes = cursor.used();
    }

   private:
    void take_tables(scratch_cursor& cursor, const levels& all, std::uint64_t n, std::uint16_t* ids,
                     const kernel::page_table& pages) {
      for (int l = 0; l < all.count; ++l) {
        const std::uint64_t segments = all.buckets(l), buckets = all.buckets(l + 1);
        if (l > 0) first_chunks[l] = cursor.take<size>(segments + 1);
        tables[l].trees = cursor.take<element>(buckets);
        tables[l].tree_levels = cursor.take<int>(segments);
        if (tile::order_preserving_bits<element, Compare>::is_known) {
          tables[l].maps = cursor.take<tile::linear_map>(segments);
        }
        tables[l].equal = cursor.take<std::uint8_t>(buckets);
        tables[l].counts = cursor.take<size>(buckets);
        tables[l].bucket_cursors = cursor.take<size>(buckets);
        tables[l].starts = cursor.take<size>(buckets);
        tables[l].arrivals = cursor.take<std::uint32_t>(segments);
        tables[l].log_k = all.log_k[l];
        tables[l].items_per_chunk = items_per_chunk(n);
        tables[l].pages = l == 0 ? pages : kernel::page_table{};
        tables[l].bucket_ids = ids;
        tables[l].sorting = nullptr;
      }
      bucket_table& last = tables[all.count - 1];
      last.sorting = cursor.take<kernel::bucket_sort_state>(1);
      auto* const totals = last.sorting ? &last.sorting->long_buckets : nullptr;
      last.long_buckets = are_few(all.buckets(all.count))
                              ? long_buckets_in<latency_sorter>(cursor, n, totals)
                              : long_buckets_in<throughput_sorter>(cursor, n, totals);
    }
  };

  /// Names the sorter of long ranges: it has the tiles of a bucket sorter, merged by networks.
  template <class Sorter>
  using long_range_sorter =
      tile::block_merge_sort<element, Sorter::threads_per_block,
                             Sorter::items_per_merge / Sorter::threads_per_block, false,
                             Sorter::items_per_tile / Sorter::items_per_merge>;

  /// Returns room for long buckets: buckets of three tiles happen, few in a million have more than
  /// four.
  template <class Sorter>
  static kernel::long_ranges long_buckets_in(scratch_cursor& cursor, std::uint64_t n,
                                             kernel::long_range_totals* totals) {
    static_assert(4 * throughput_sorter::items_per_tile >= Sorter::items_per_tile);
    return kernel::long_ranges::in_scratch<long_range_sorter<Sorter>>(
        cursor, n, 4 * throughput_sorter::items_per_tile, totals);
  }

  static bool are_few(std::uint64_t buckets) { return buckets < bucket_tuning::few; }

  /// Runs the levels after the first one, which has distributed to `from`, to and from `to`, and
  /// sorts the buckets. One of both is `out`.
  template <class In>
  static void finish(const call_stream& stream, In in, const layout& parts, const levels& all,
                     const kernel::segment_table& input, Array from, Array to, Array out,
                     Compare compare) {
    const Array spare = from.keys == out.keys ? to : from;
    for (int l = 1; l < all.count; ++l) {
      const kernel::segment_table segments =
          buckets_as_segments(stream, parts, all, l, input.n, input);
      const bool is_last = l == all.count - 1;
      distribute(stream, from, to, is_last ? out : to, segments, 0, parts.tables[l], input.n, false,
                 compare);
      std::swap(from, to);
    }
    sort_buckets(stream, in, input, from, out, spare, parts.tables[all.count - 1],
                 all.buckets(all.count), compare);
  }

  static kernel::segment_table buckets_as_segments(cudaStream_t stream, const layout& parts,
                                                   const levels& all, int l, std::uint64_t n,
                                                   const kernel::segment_table& input) {
    const bucket_table& before = parts.tables[l - 1];
    const auto segments = static_cast<std::uint32_t>(all.buckets(l));
    number_chunks(stream, true, before.counts, segments, parts.tables[l].items_per_chunk,
                  parts.first_chunks[l], before.starts);
    return {before.starts, before.counts, before.equal, parts.first_chunks[l], segments, n,
            input.probe,   input.gate,    before.pages};
  }

  /// Runs one level: splitters, counts and destinations, distribution from `in` to `out`, or of
  /// equivalent elements to `equal_out`; or splitters, and distribution to pages of `out`. `probes`
  /// blocks probe the input meanwhile.
  template <class In>
  static void distribute(const call_stream& stream, In in, Array out, Array equal_out,
                         const kernel::segment_table& segments, int probes,
                         const bucket_table& level, std::uint64_t n, bool is_only_level,
                         Compare compare) {
    const std::size_t k = std::size_t{1} << level.log_k;
    const std::size_t chunks = n / level.items_per_chunk + segments.segments * segments.runs;
    if (level.pages.is_used()) {
      check(cudaMemsetAsync(level.pages.pages, 0xff, level.pages.entries(k) * sizeof(std::uint32_t),
                            stream),
            "clearing a table of pages");
    }
    choose_splitters(stream, in, segments, probes, level,
                     log_oversample_of(is_only_level, level.log_k), compare);
    if constexpr (paging::is_used && stores_ids) {
      if (level.pages.is_used()) {
        return launch_early(
            kernel::scatter_to_pages_kernel<arch, paging, page_items, In, Array, element, Compare>,
            chunks, paging::threads_per_block,
            memory_of(page_bytes(k), page_bytes(1 << paging::max_log_buckets)), stream, in, out,
            segments, level, compare);
      }
    }
    count(stream, in, segments, level, chunks, compare);
    scatter<distribution, Ids>(stream, in, out, equal_out, segments, level, chunks, compare);
  }

  template <class In>
  static void sort_buckets(cudaStream_t stream, In in, const kernel::segment_table& input,
                           Array from, Array to, Array spare, const bucket_table& level,
                           std::uint64_t buckets, Compare compare) {
    const auto few = are_few(buckets);
    const kernel::bucket_list list{level.starts,  level.counts,
                                   level.equal,   static_cast<std::uint32_t>(buckets),
                                   level.sorting, level.long_buckets};
    if (few) {
      launch_bucket_sorts<latency_sorter>(stream, in, input, from, to, spare, list, compare);
    } else {
      launch_bucket_sorts<throughput_sorter>(stream, in, input, from, to, spare, list, compare);
    }
  }

  template <class Sorter, class In>
  static void launch_bucket_sorts(cudaStream_t stream, In in, const kernel::segment_table& input,
                                  Array from, Array to, Array spare,
                                  const kernel::bucket_list& list, Compare compare) {
    using sorts = tile::bucket_sorter<Sorter, element, Compare,
                                      bucket_tuning::has_number_tiles &&
                                          tile::may_be_numbers<element, Compare>>;
    constexpr std::size_t bytes = sizeof(typename sorts::storage);
    static_assert(bytes <= tuning::shared_memory_of(arch));
    constexpr int resident =
        ceil_div(int{bucket_tuning::threads_resident}, Sorter::threads_per_block);
    launch_early(kernel::sort_buckets_kernel<arch, sorts, resident, In, Array, Compare>,
                 list.buckets, Sorter::threads_per_block, memory_of(bytes), stream, in, input.n,
                 input.probe, input.gate, from, to, spare, list, compare);
    if constexpr (!sorts::of_numbers) {
      using long_sorter = long_range_sorter<Sorter>;
      launch_early(kernel::sort_long_buckets_kernel<arch, long_sorter, Array, Compare>,
                   ceil_div(int{Tuning::long_ranges::threads_per_multiprocessor},
                            Sorter::threads_per_block) *
                       current_device_properties().multiprocessors,
                   Sorter::threads_per_block, memory_of(sizeof(typename long_sorter::storage)),
                   stream, input.probe, input.gate, from, to, spare, list.longer, compare);
    }
  }
};

template <class Array, class Compare, bucket_ids Ids>
struct sample_sorts {
  template <tuning::architecture Arch>
  using on = sample_sort<Array, Compare,
                         sample_sort_tuning<typename Array::value_type, Compare, Arch>, Ids>;
};

/// Sample sort as tuned for the current device.
template <class Array, class Compare, bucket_ids Ids = bucket_ids::stored>
using tuned_sample_sort = by_generation<sample_sorts<Array, Compare, Ids>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
