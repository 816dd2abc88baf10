// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/math.hpp>

#include "odd_even_sort.hpp"

namespace papers {

namespace detail = gpusort::detail;

/// Elements that belong to the same places of two arrays, in one of which they are.
struct piece {
  std::uint32_t begin, count;
  bool is_in_spare;
};

/// The result is in `data`.
template <class T>
struct two_arrays {
  T* data;
  T* spare;

  GPUSORT_HOST_DEVICE T* holding(bool is_in_spare) const { return is_in_spare ? spare : data; }
};

/// Sorts a piece by one block, which splits it until the parts fit into shared memory, and sorts
/// those by odd-even merge sort. All threads call all functions, with equal arguments.
template <class T, int Threads, int MostInNetwork, class Compare>
class block_sorter {
 public:
  using element = T;
  using block_scan = cub::BlockScan<std::uint32_t, Threads>;
  static constexpr int threads = Threads;
  static constexpr int most_in_network = MostInNetwork;
  static constexpr int most_pending = 160;

  struct storage {
    T network[MostInNetwork];
    T pivot;
    piece pending[most_pending];
    typename block_scan::TempStorage scan;
  };

  GPUSORT_DEVICE block_sorter(storage& shared, const two_arrays<T>& arrays, Compare& compare)
      : shared(shared), arrays(arrays), compare(compare) {}

  /// Takes a piece that is longer than the network out of those that are left.
  GPUSORT_DEVICE bool take(piece& p) {
    __syncthreads();
    if (pending_ == 0) return false;
    p = shared.pending[--pending_];
    return true;
  }

  /// Sorts a short piece, and keeps a longer one for later.
  GPUSORT_DEVICE void sort_or_keep(const piece& p) {
    if (p.count <= MostInNetwork) return sort_in_network(p);
    if (threadIdx.x == 0) shared.pending[pending_] = p;
    ++pending_;
  }

  /// Moves a piece that is sorted to where the result is.
  GPUSORT_DEVICE void settle(const piece& p) const {
    if (!p.is_in_spare) return;
    for (std::uint32_t i = p.begin + threadIdx.x; i < p.begin + p.count; i += Threads) {
      arrays.data[i] = arrays.spare[i];
    }
  }

  /// Makes a step of quicksort: elements before, equivalent to and after a pseudorandom one. Keeps
  /// the shorter side last, so that few pieces are left at any time. In the paper a thread's
  /// elements are contiguous; here neighbours read neighbours. Source: paper 003, appendix C,
  /// algorithm 7.
  GPUSORT_DEVICE void split_by_pivot(const piece& p) {
    const T* const from = arrays.holding(p.is_in_spare) + p.begin;
    T* const to = arrays.holding(!p.is_in_spare) + p.begin;
    if (threadIdx.x == 0) shared.pivot = from[pseudorandom(p) % p.count];
    __syncthreads();
    const T pivot = shared.pivot;
    std::uint32_t before = 0, equals = 0, after = 0;
    for (std::uint32_t i = threadIdx.x; i < p.count; i += Threads) {
      const T x = from[i];
      const bool is_before = compare(x, pivot), is_after = !is_before && compare(pivot, x);
      before += is_before;
      after += is_after;
      equals += !is_before && !is_after;
    }
    const std::uint32_t all_before = sum_of_threads(before, 0);
    const std::uint32_t all_equals = sum_of_threads(equals, all_before);
    const std::uint32_t all_after = sum_of_threads(after, all_before + all_equals);
    for (std::uint32_t i = threadIdx.x; i < p.count; i += Threads) {
      const T x = from[i];
      if (compare(x, pivot)) {
        to[before++] = x;
      } else if (compare(pivot, x)) {
        to[after++] = x;
      } else {
        to[equals++] = x;
      }
    }
    __syncthreads();
    const std::uint32_t second = p.begin + all_before, third = second + all_equals;
    const piece low{p.begin, all_before, !p.is_in_spare}, high{third, all_after, !p.is_in_spare};
    settle(piece{second, all_equals, !p.is_in_spare});
    const bool low_is_shorter = low.count < high.count;
    sort_or_keep(low_is_shorter ? high : low);
    sort_or_keep(low_is_shorter ? low : high);
  }

  static GPUSORT_DEVICE std::uint64_t pseudorandom(const piece& p) {
    return detail::mix_bits((std::uint64_t{p.begin} << 32) + p.count);
  }

  storage& shared;
  const two_arrays<T> arrays;
  Compare& compare;

 private:
  /// Replaces a thread's count by the counts of the threads before it and `offset`.
  GPUSORT_DEVICE std::uint32_t sum_of_threads(std::uint32_t& count, std::uint32_t offset) {
    std::uint32_t up_to_here, all;
    block_scan(shared.scan).ExclusiveSum(count, up_to_here, all);
    count = offset + up_to_here;
    __syncthreads();
    return all;
  }

  GPUSORT_DEVICE void sort_in_network(const piece& p) {
    const T* const from = arrays.holding(p.is_in_spare) + p.begin;
    const int n = static_cast<int>(p.count);
    for (int i = static_cast<int>(threadIdx.x); i < n; i += Threads) shared.network[i] = from[i];
    odd_even_sort<Threads>(shared.network, n, compare);
    T* const to = arrays.data + p.begin;
    for (int i = static_cast<int>(threadIdx.x); i < n; i += Threads) to[i] = shared.network[i];
    __syncthreads();
  }

  int pending_ = 0;
};

/// Splits a piece that does not fit into shared memory.
struct by_quicksort {
  template <class T>
  struct storage {};

  template <class Sorter>
  static GPUSORT_DEVICE void split(Sorter& sorter, storage<typename Sorter::element>&,
                                   const piece& p) {
    sorter.split_by_pivot(p);
  }
};

/// Sorts pieces, one by each block.
template <class Split, int Threads, int MostInNetwork, class T, class Compare>
__global__ void __launch_bounds__(Threads)
    sort_pieces_kernel(const piece* pieces, two_arrays<T> arrays, Compare compare) {
  using sorter_of_block = block_sorter<T, Threads, MostInNetwork, Compare>;
  __shared__ typename sorter_of_block::storage shared;
  __shared__ typename Split::template storage<T> shared_by_split;
  sorter_of_block sorter(shared, arrays, compare);
  piece p = pieces[blockIdx.x];
  sorter.sort_or_keep(p);
  while (sorter.take(p)) Split::split(sorter, shared_by_split, p);
}

}  // namespace papers
