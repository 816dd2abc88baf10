// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The network in place on what only callables reach, by its own interface.
#include <algorithm>
#include <cstdint>
#include <gpusort/detail/algorithm/index_bitonic_sort.hpp>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"

namespace {

using gpusort::detail::fetch_bitonic_sort;
using gpusort::detail::index_bitonic_sort;
using kit::distribution;
using kit::opaque;

/// The elements at the indices [first, first + n), and what the callables find to be wrong:
/// indices that are not in it, and two swaps of one element at the same time.
template <class T, class Index>
struct watched {
  T* data;
  Index first;
  Index n;
  unsigned* busy;
  unsigned long long* faults;
  unsigned long long* swaps;

  GPUSORT_DEVICE bool is_inside(Index i) const {
    const bool inside = i >= first && i - first < n;
    if (!inside) atomicAdd(faults, 1ull);
    return inside;
  }
  GPUSORT_DEVICE T fetch(Index i) const { return data[is_inside(i) ? i - first : 0]; }
  GPUSORT_DEVICE void swap(Index i, Index j) const {
    if (!is_inside(i) || !is_inside(j)) return;
    const unsigned taken = atomicExch(busy + (i - first), 1u) + atomicExch(busy + (j - first), 1u);
    if (i == j || taken != 0) atomicAdd(faults, 1ull);
    const T held = data[i - first];
    data[i - first] = data[j - first];
    data[j - first] = held;
    atomicAdd(swaps, 1ull);
    atomicExch(busy + (i - first), 0u);
    atomicExch(busy + (j - first), 0u);
  }
};

template <class T, class Index>
struct fetch_of {
  watched<T, Index> elements;
  GPUSORT_DEVICE T operator()(Index i) { return elements.fetch(i); }
};
template <class T, class Index>
struct swap_of {
  watched<T, Index> elements;
  GPUSORT_DEVICE void operator()(Index i, Index j) { elements.swap(i, j); }
};
template <class T, class Index>
struct compare_of {
  watched<T, Index> elements;
  opaque order;
  GPUSORT_DEVICE bool operator()(Index i, Index j) {
    return order(elements.fetch(i), elements.fetch(j));
  }
};

kit::column<unsigned> zeros(std::size_t n) {
  kit::column<unsigned> all(n);
  std::fill(all.begin(), all.end(), 0u);
  return all;
}

/// Returns a swap for each comparison. Up to two steps of a phase are repeated.
std::uint64_t most_by_index(std::uint64_t n) {
  const std::uint64_t log_n = gpusort::detail::ceil_log2(n);
  return n / 2 * (log_n * (log_n + 1) / 2 + 2 * log_n);
}

struct by_index {
  template <class T, class Index>
  static std::uint64_t run(cudaStream_t stream, const watched<T, Index>& w, opaque order) {
    using tested = index_bitonic_sort<Index, compare_of<T, Index>, swap_of<T, Index>>;
    const auto n = static_cast<std::uint64_t>(w.n);
    tested::run(stream, w.first, n, {w, order}, {w});
    return most_by_index(n);
  }
};

/// Sorts with fewer swaps than elements in a launch; for keys too long to be held, as by_index.
struct by_fetch {
  template <class T, class Index>
  static std::uint64_t run(cudaStream_t stream, const watched<T, Index>& w, opaque order) {
    using tested = fetch_bitonic_sort<Index, fetch_of<T, Index>, opaque, swap_of<T, Index>>;
    const auto n = static_cast<std::uint64_t>(w.n);
    tested::run(stream, w.first, n, {w}, order, {w});
    return sizeof(T) > 16 ? most_by_index(n) : n * tested::launches(n);
  }
};

template <class Sort, class T, class Index = std::int64_t>
void expect_sorted(distribution d, std::size_t n, opaque order = opaque{},
                   kit::promise promised = kit::promise::order) {
  const auto input = kit::generate<T>(d, n, kit::seed());
  const kit::buffer<T> data(input, n % 3);
  const kit::buffer<unsigned> busy(zeros(n), 0);
  const kit::shared_counter faults, swaps;
  const watched<T, Index> elements{data.data(), Index{-7},    static_cast<Index>(n),
                                   busy.data(), faults.get(), swaps.get()};
  const std::uint64_t most = Sort::run(nullptr, elements, order);
  kit::cuda_ok(cudaDeviceSynchronize());
  auto f = kit::examine(input, data.read(), order, promised, 2048);
  f.zones_intact = data.intact();
  ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
  EXPECT_EQ(*faults.get(), 0u) << d << ", n = " << n;
  EXPECT_LE(*swaps.get(), most) << d << ", n = " << n;
}

template <class Sort, class T>
void expect_all_sorted() {
  auto sizes = kit::edge_sizes();
  for (std::size_t n = 4; n < 40; ++n) sizes.push_back(n);
  for (std::size_t n : {20011, 65536, 100003}) sizes.push_back(n);
  for (std::size_t n : sizes) {
    if (kit::small_sizes_only() && n > 10000) continue;
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                   distribution::reverse}) {
      expect_sorted<Sort, T>(d, n);
    }
  }
}

class index_bitonic_sort_test : public kit::gpu_test {};

TEST_F(index_bitonic_sort_test, by_compare) { expect_all_sorted<by_index, std::uint32_t>(); }
TEST_F(index_bitonic_sort_test, by_fetch_of_4_bytes) {
  expect_all_sorted<by_fetch, std::uint32_t>();
}
TEST_F(index_bitonic_sort_test, by_fetch_of_16_bytes) {
  expect_all_sorted<by_fetch, kit::record<16>>();
}
TEST_F(index_bitonic_sort_test, by_fetch_of_48_bytes) {
  expect_all_sorted<by_fetch, kit::record<48>>();
}
TEST_F(index_bitonic_sort_test, with_indices_of_32_bits) {
  expect_sorted<by_index, std::uint32_t, int>(distribution::uniform, 20011);
  expect_sorted<by_fetch, std::uint32_t, int>(distribution::uniform, 20011);
}

TEST_F(index_bitonic_sort_test, inconsistent_comparators_keep_a_permutation) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (std::size_t n : {2, 1000, 4097, 20021}) {
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      const auto promised = kit::promise::permutation;
      expect_sorted<by_index, std::uint32_t>(distribution::uniform, n, inconsistent, promised);
      expect_sorted<by_fetch, std::uint32_t>(distribution::uniform, n, inconsistent, promised);
      expect_sorted<by_fetch, kit::record<16>>(distribution::uniform, n, inconsistent, promised);
    }
  }
}

TEST_F(index_bitonic_sort_test, what_is_in_order_is_not_swapped) {
  for (std::size_t n : {1000, 20011}) {
    const kit::shared_counter faults, swaps;
    const kit::buffer<std::uint32_t> data(
        kit::generate<std::uint32_t>(distribution::sorted, n, kit::seed()), 0);
    const kit::buffer<unsigned> busy(zeros(n), 0);
    const watched<std::uint32_t, int> elements{
        data.data(), 0, static_cast<int>(n), busy.data(), faults.get(), swaps.get()};
    by_index::run(nullptr, elements, opaque{});
    by_fetch::run(nullptr, elements, opaque{});
    kit::cuda_ok(cudaDeviceSynchronize());
    EXPECT_EQ(*swaps.get(), 0u);
  }
}

TEST_F(index_bitonic_sort_test, is_captured_and_repeated) {
  const std::size_t n = 20011;
  const auto input = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
  kit::buffer<std::uint32_t> data(input, 0);
  const kit::buffer<unsigned> busy(zeros(n), 0);
  const kit::shared_counter faults, swaps;
  const watched<std::uint32_t, int> elements{
      data.data(), 0, static_cast<int>(n), busy.data(), faults.get(), swaps.get()};
  const kit::stream s;
  const kit::graph by_indices(s, [&] { by_index::run(s, elements, opaque{}); });
  const kit::graph by_keys(s, [&] { by_fetch::run(s, elements, opaque{}); });
  for (const kit::graph* g : {&by_indices, &by_keys}) {
    data.write(input);
    g->launch(s);
    const auto f = kit::examine(input, data.read(), opaque{}, kit::promise::order);
    ASSERT_TRUE(f.ok()) << f;
  }
}

}  // namespace
