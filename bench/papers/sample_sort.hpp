// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>

#include "sample_sort_buckets.hpp"
#include "sample_sort_distribution.hpp"

// GPU Sample Sort: buckets of more than M elements are distributed to k buckets, again and again;
// then a block sorts each bucket, by quicksort and odd-even merge sort. Source: paper 003, section
// 6.

namespace papers {

/// Sets the first version. The paper prints k, and that a sample has a few thousand elements; a, M
/// and the counters are what its other numbers suggest.
struct first_sample_sort {
  static constexpr int threads = 256;
  static constexpr int k = 128;
  static constexpr int a = 30;                 // oversampling: a * k samples
  static constexpr std::uint32_t M = 1 << 17;  // elements that a block sorts
  static constexpr int counters_to_find = 8;   // of a bucket, in a block
  static constexpr int counters_to_scatter = 1;
  static constexpr int most_in_network = 2048;
  using second_level = by_quicksort;
};

/// Sets the revised version: more counters where elements are scattered, so fewer threads wait for
/// each other, and a second level that distributes to 32 buckets, down to 12,000 elements. Source:
/// sections 6.3.2 and 6.3.3.
struct revised_sample_sort : first_sample_sort {
  static constexpr std::uint32_t M = 1 << 18;
  static constexpr int counters_to_scatter = 4;
  using second_level = by_sample_sort<32, 6, 12000, 8>;
};

/// Sorts up to 2^31 elements; not stable. Synchronizes: each pass tells the host how long its
/// buckets are.
template <class T, class Version = revised_sample_sort>
class sample_sort {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  template <class Compare>
  static void run(cudaStream_t stream, T* data, std::uint64_t n, void* scratch, Compare compare,
                  std::uint32_t seed = 1) {
    if (n < 2) return;
    const layout parts(n, scratch);
    const two_arrays<T> arrays{data, parts.spare};
    std::mt19937 random(seed);
    std::vector<piece> buckets, short_buckets;
    sort_out(piece{0, parts.n, false}, buckets, short_buckets);
    for (bool is_in_spare = false; !buckets.empty(); is_in_spare = !is_in_spare) {
      std::vector<long_bucket> long_buckets;
      for (const piece& p : buckets) {
        long_buckets.push_back({p.begin, p.count, 0, 0, static_cast<std::uint32_t>(random())});
      }
      const std::vector<std::uint32_t> begins = parts.distribution.run(
          stream, long_buckets, arrays.holding(is_in_spare), arrays.holding(!is_in_spare), compare);
      std::vector<piece> longer;
      for (std::size_t i = 0; i < buckets.size(); ++i) {
        const std::uint32_t* const of_bucket = begins.data() + i * (Version::k + 1);
        for (const piece& p : settle_equals(stream, arrays, buckets[i], of_bucket)) {
          sort_out(p, longer, short_buckets);
        }
      }
      buckets = std::move(longer);
    }
    sort_short_buckets(stream, short_buckets, arrays, parts.pieces, compare);
  }

 private:
  static constexpr std::uint32_t most_pieces_at_once = 1 << 16;
  static_assert(Version::M / Version::most_in_network <
                block_sorter<T, Version::threads, Version::most_in_network, int>::most_pending);

  struct layout {
    detail::scratch_cursor cursor;
    std::uint32_t n;
    T* spare;
    piece* pieces;
    bucket_distribution<T, Version> distribution;
    std::size_t bytes;

    layout(std::uint64_t count, void* scratch)
        : cursor(scratch),
          n(checked(count)),
          spare(cursor.take<T>(n)),
          pieces(cursor.take<piece>(detail::min_of(n, most_pieces_at_once))),
          distribution(cursor, n),
          bytes(cursor.used()) {}

    static std::uint32_t checked(std::uint64_t count) {
      if (count > std::uint64_t{1} << 31)
        throw std::length_error("sample sort sorts 2^31 elements");
      return static_cast<std::uint32_t>(count);
    }
  };

  static void sort_out(const piece& p, std::vector<piece>& longer, std::vector<piece>& shorter) {
    if (p.count > 0) (p.count > Version::M ? longer : shorter).push_back(p);
  }

  /// Returns the buckets that a bucket has been distributed to and that are not sorted yet.
  /// Equivalent elements are, and where there are no others they have stayed where they were.
  static std::vector<piece> settle_equals(cudaStream_t stream, const two_arrays<T>& arrays,
                                          const piece& whole, const std::uint32_t* begins) {
    constexpr int k = Version::k, equals = search_tree<T, k>::equals;
    std::vector<piece> unsorted;
    for (int bucket = 0; bucket < k; ++bucket) {
      const std::uint32_t end = bucket + 1 < k ? begins[bucket + 1] : whole.begin + whole.count;
      const piece p{begins[bucket], end - begins[bucket], !whole.is_in_spare};
      if (begins[k] == 0 || bucket != equals) {
        unsorted.push_back(p);
      } else if (p.count == whole.count ? whole.is_in_spare : p.is_in_spare) {
        detail::check(cudaMemcpyAsync(arrays.data + p.begin, arrays.spare + p.begin,
                                      p.count * sizeof(T), cudaMemcpyDefault, stream),
                      "copying equivalent elements");
      }
    }
    return unsorted;
  }

  /// Begins with the longest ones, so that no block begins a long one when others are done.
  template <class Compare>
  static void sort_short_buckets(cudaStream_t stream, std::vector<piece>& buckets,
                                 const two_arrays<T>& arrays, piece* pieces, Compare compare) {
    std::sort(buckets.begin(), buckets.end(),
              [](const piece& a, const piece& b) { return a.count > b.count; });
    for (std::size_t first = 0; first < buckets.size(); first += most_pieces_at_once) {
      const std::size_t count =
          detail::min_of<std::size_t>(buckets.size() - first, most_pieces_at_once);
      detail::check(cudaMemcpyAsync(pieces, buckets.data() + first, count * sizeof(piece),
                                    cudaMemcpyDefault, stream),
                    "copying buckets");
      detail::launch(sort_pieces_kernel<typename Version::second_level, Version::threads,
                                        Version::most_in_network, T, Compare>,
                     count, Version::threads, 0, stream, pieces, arrays, compare);
    }
    detail::check(cudaStreamSynchronize(stream), "sorting buckets");
  }
};

}  // namespace papers
