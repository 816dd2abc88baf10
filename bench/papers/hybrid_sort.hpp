// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/check.hpp>
#include <stdexcept>

#include "bucket_split.hpp"
#include "quicksort_split.hpp"
#include "shuffle.hpp"
#include "vector_merge_sort.hpp"

// Sintorn and Assarsson's hybrid: it splits floats into lists, and sorts each list by a merge sort
// of vectors of four, whose last merge one thread does. Source: paper 001.

namespace papers {

enum class hybrid_split { buckets, quicksort };

struct hybrid_options {
  hybrid_split split = hybrid_split::buckets;
  bool is_shuffled = false;  // first: for atomic increments where neighbours are in one bucket
  int recounts = 0;          // of buckets, by pivots that their sizes have refined once more
  std::uint64_t seed = 1;    // of the shuffle
};

/// The phase that has ended when a sort calls its observer.
enum class hybrid_phase { shuffle, histogram, split, merge, gather };

struct no_observer {
  void operator()(hybrid_phase) const {}
};

/// Sorts floats ascending by `<`; NaNs come last, in no order. Any n up to 2^30. Synchronizes: the
/// lists' lengths are read back, which decide how many passes there are. Lists: a power of two.
template <int Lists = 1024>
class hybrid_sort {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  template <class Observer = no_observer>
  static void run(cudaStream_t stream, float* data, std::uint64_t n, const hybrid_options& options,
                  void* scratch, Observer is_done = {}) {
    if (n < 2) return;
    layout parts(n, scratch);
    if (options.is_shuffled) {
      shuffle(stream, data, parts.n, options.seed);
      is_done(hybrid_phase::shuffle);
    }
    float* lists = parts.elements;
    float* spare = parts.spare;
    list_totals totals;
    if (options.split == hybrid_split::buckets) {
      parts.by_buckets.choose_pivots(stream, data);
      is_done(hybrid_phase::histogram);
      parts.by_buckets.count(stream, data, parts.table, options.recounts);
      totals = lay_out(stream, parts.table, lists);
      parts.by_buckets.fill(stream, data, parts.table, lists);
    } else {
      spare = parts.by_quicksort.run(stream, data, parts.table, parts.elements, parts.spare);
      lists = spare == parts.spare ? parts.elements : parts.spare;
      totals = lay_out(stream, parts.table, lists);
      for_each_list(stream, spread_lists_kernel<list_threads>, parts.table, totals, spare, lists);
    }
    is_done(hybrid_phase::split);
    vector_merge_sort(stream, parts.table, totals, reinterpret_cast<float4*>(lists),
                      reinterpret_cast<float4*>(spare), [] {});
    is_done(hybrid_phase::merge);
    for_each_list(stream, gather_lists_kernel<list_threads>, parts.table, totals, lists, spare,
                  data);
    is_done(hybrid_phase::gather);
  }

 private:
  static constexpr std::uint32_t most_lists = quicksort_split<Lists>::most_lists + 1;

  struct layout {
    detail::scratch_cursor cursor;
    std::uint32_t n;
    list_table table;
    float* elements;
    float* spare;
    bucket_split<Lists> by_buckets;
    quicksort_split<Lists> by_quicksort;
    std::size_t bytes;

    layout(std::uint64_t count, void* scratch)
        : cursor(scratch),
          n(checked(count)),
          table(list_table::in_scratch(cursor, most_lists)),
          elements(cursor.take<float>(n + std::uint64_t{3} * most_lists)),
          spare(cursor.take<float>(n + std::uint64_t{3} * most_lists)),
          by_buckets(cursor, n),
          by_quicksort(cursor, n),
          bytes(cursor.used()) {}

    static std::uint32_t checked(std::uint64_t count) {
      if (count > std::uint64_t{1} << 30) throw std::length_error("the hybrid sorts 2^30 floats");
      return static_cast<std::uint32_t>(count);
    }
  };

  static list_totals lay_out(cudaStream_t stream, const list_table& table, float* elements) {
    list_totals totals{};
    detail::check(cudaMemsetAsync(table.totals, 0, sizeof(totals), stream), "clearing totals");
    detail::launch(lay_out_lists_kernel<table_threads>, 1, table_threads, 0, stream, table,
                   elements);
    detail::check(cudaMemcpyAsync(&totals, table.totals, sizeof(totals), cudaMemcpyDefault, stream),
                  "reading the lists' lengths");
    detail::check(cudaStreamSynchronize(stream), "reading the lists' lengths");
    return totals;
  }

  template <class... Parameters, class... Arguments>
  static void for_each_list(cudaStream_t stream, void (*kernel)(list_table, Parameters...),
                            const list_table& table, const list_totals& totals,
                            const Arguments&... arguments) {
    const std::uint32_t blocks = blocks_per_list(table.lists(), 4 * totals.longest);
    detail::launch(kernel, std::size_t{blocks} * table.lists(), list_threads, 0, stream, table,
                   blocks, arguments...);
  }
};

}  // namespace papers
