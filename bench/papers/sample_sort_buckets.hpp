// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block_quicksort.hpp"
#include "sample_sort_splitters.hpp"

namespace papers {

/// Splits a piece at the second level of the revised sample sort: a block distributes it to k parts
/// by itself, unless it has less than `quicksort_below` elements. Source: paper 003, section 6.3.2.
template <int k, int a, std::uint32_t quicksort_below, int counters_per_bucket>
struct by_sample_sort {
  static constexpr int counters = k * counters_per_bucket;

  template <class T>
  struct storage {
    T samples[a * k];
    search_tree<T, k> tree;
    std::uint32_t counters[by_sample_sort::counters];  // those of a bucket are neighbours
    std::uint32_t begins[k + 1];
  };

  template <class Sorter>
  static GPUSORT_DEVICE void split(Sorter& sorter, storage<typename Sorter::element>& shared,
                                   const piece& p) {
    if (p.count < quicksort_below) return sorter.split_by_pivot(p);
    using T = typename Sorter::element;
    const T* const from = sorter.arrays.holding(p.is_in_spare) + p.begin;
    T* const to = sorter.arrays.holding(!p.is_in_spare) + p.begin;
    choose_splitters<Sorter::threads, a>(from, p.count, Sorter::pseudorandom(p), shared.samples,
                                         shared.tree, sorter.compare);
    const int mine = static_cast<int>(threadIdx.x) % counters_per_bucket;
    const auto place_of = [&](const T& x) {
      const int bucket = shared.tree.bucket_of(x, sorter.compare);
      return atomicAdd(&shared.counters[bucket * counters_per_bucket + mine], 1u);
    };
    for (int i = static_cast<int>(threadIdx.x); i < counters; i += Sorter::threads) {
      shared.counters[i] = 0;
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < p.count; i += Sorter::threads) place_of(from[i]);
    __syncthreads();
    sum_counters(sorter, shared, p.count);
    if (all_are_equal(shared, p.count)) return sorter.settle(p);
    for (std::uint32_t i = threadIdx.x; i < p.count; i += Sorter::threads) {
      const T x = from[i];
      to[place_of(x)] = x;
    }
    __syncthreads();
    keep_buckets(sorter, shared, p);
  }

 private:
  template <class Sorter, class Storage>
  static GPUSORT_DEVICE void sum_counters(Sorter& sorter, Storage& shared, std::uint32_t count) {
    std::uint32_t before = 0;
    for (int first = 0; first < counters; first += Sorter::threads) {
      const int i = first + static_cast<int>(threadIdx.x);
      std::uint32_t sum, all;
      typename Sorter::block_scan(sorter.shared.scan)
          .ExclusiveSum(i < counters ? shared.counters[i] : 0, sum, all);
      if (i < counters) {
        shared.counters[i] = before + sum;
        if (i % counters_per_bucket == 0) shared.begins[i / counters_per_bucket] = before + sum;
      }
      before += all;
      __syncthreads();
    }
    if (threadIdx.x == 0) shared.begins[k] = count;
    __syncthreads();
  }

  template <class Storage>
  static GPUSORT_DEVICE bool all_are_equal(const Storage& shared, std::uint32_t count) {
    constexpr int equals = decltype(shared.tree)::equals;
    return shared.tree.has_one_value && shared.begins[equals] == 0 &&
           shared.begins[equals + 1] == count;
  }

  template <class Sorter, class Storage>
  static GPUSORT_DEVICE void keep_buckets(Sorter& sorter, const Storage& shared, const piece& p) {
    for (int bucket = 0; bucket < k; ++bucket) {
      const std::uint32_t begin = shared.begins[bucket], end = shared.begins[bucket + 1];
      const piece part{p.begin + begin, end - begin, !p.is_in_spare};
      if (shared.tree.has_one_value && bucket == decltype(shared.tree)::equals) {
        sorter.settle(part);
      } else if (part.count > 0) {
        sorter.sort_or_keep(part);
      }
    }
  }
};

}  // namespace papers
