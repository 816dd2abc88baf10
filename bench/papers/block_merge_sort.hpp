// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>
#include <type_traits>

#include "block_quicksort.hpp"
#include "block_wise_merge.hpp"

namespace papers {

/// Sorts tiles by odd-even merge sort, and merges runs of them, two or four at a time, by one
/// block. Source: paper 003, sections 5.4 and 6.3.2, figure 16.
template <int Ways, template <class, int> class Method, int Threads, int MostInNetwork, class T,
          class Compare>
__global__ void __launch_bounds__(Threads)
    block_merge_sort_kernel(two_arrays<T> arrays, std::uint32_t n, Compare compare) {
  static_assert(Ways == 2 || Ways == 4);
  using array = detail::key_array<T>;
  using reader = run_reader<array, Threads>;
  using pair = block_wise_merger<Threads, Method, false, reader, reader>;
  using four = block_wise_merger<Threads, Method, false, pair, pair>;
  using merger = std::conditional_t<Ways == 2, pair, four>;
  using sorter_of_block = block_sorter<T, Threads, MostInNetwork, Compare>;
  __shared__ typename merger::storage shared;
  __shared__ typename sorter_of_block::storage shared_by_sorter;
  sorter_of_block sorter(shared_by_sorter, arrays, compare);
  for (std::uint32_t i = 0; i < n; i += MostInNetwork) {
    sorter.sort_or_keep(piece{i, detail::min_of(n - i, MostInNetwork), false});
  }
  T *from = arrays.data, *to = arrays.spare;
  for (std::uint64_t length = MostInNetwork; length < n; length *= Ways) {
    for (std::uint64_t first = 0; first < n; first += Ways * length) {
      const auto run = [&](std::uint64_t i) {
        const std::uint64_t begin = detail::min_of(first + i * length, n);
        return reader(array{from + begin}, detail::min_of(length, n - begin));
      };
      if constexpr (Ways == 2) {
        store_merged(merger(run(0), run(1)), shared, array{to + first}, compare);
      } else {
        store_merged(merger(pair(run(0), run(1)), pair(run(2), run(3))), shared, array{to + first},
                     compare);
      }
      __syncthreads();
    }
    T* const merged = to;
    to = from;
    from = merged;
  }
  sorter.settle(piece{0, n, from == arrays.spare});
}

}  // namespace papers
