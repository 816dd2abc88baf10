// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The examples of calls.md and of the pages of functions, as a program that runs them on the CPU.
// Each block of code of calls.md stands here, which tests/meta/doc_links.py checks; pages.py puts a
// block into the pages that its first line names.
#include <gpusort/devices.hpp>
#include <gpusort/distributed.hpp>
#include <gpusort/gpusort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

using gpusort::par_gpu;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(EXIT_FAILURE);
}

struct trade {
  int stock;
  double price;
};

std::vector<trade> some_trades() { return {{2, 5.0}, {1, 9.0}, {2, 7.0}, {1, 3.0}}; }

double first_price(const std::vector<trade>& trades) { return trades.front().price; }

void sorts() {
  {
    // example: sort
    std::vector<float> prices = {3, 1, 2};
    gpusort::sort(par_gpu, prices.begin(), prices.end());                      // 1 2 3
    gpusort::sort(par_gpu, prices.begin(), prices.end(), gpusort::greater{});  // 3 2 1
    check(prices == std::vector<float>{3, 2, 1}, "sort");
  }
  {
    // example: stable_sort
    std::vector<trade> trades = some_trades();
    gpusort::stable_sort(par_gpu, trades.begin(), trades.end(), {}, &trade::stock);
    check(first_price(trades) == 9, "stable_sort");
  }
  {
    // example: sort_copy
    const std::vector<int> in = {3, 1, 2};
    std::vector<int> out(3);
    gpusort::sort_copy(par_gpu, in.begin(), in.end(), out.begin());
    check(out == std::vector<int>{1, 2, 3}, "sort_copy");
  }
  {
    // example: sort_by_key
    std::vector<int> keys = {3, 1, 2};
    std::vector<char> letters = {'c', 'a', 'b'};
    std::vector<double> weights = {0.3, 0.1, 0.2};
    gpusort::sort_by_key(par_gpu, keys.begin(), keys.end(), letters.begin(), weights.begin());
    check(letters == std::vector<char>{'a', 'b', 'c'}, "sort_by_key");
    check(weights == std::vector<double>{0.1, 0.2, 0.3}, "sort_by_key");
  }
  {
    // example: stable_sort_by_key
    std::vector<int> keys = {2, 1, 2};
    std::vector<char> letters = {'x', 'y', 'z'};
    gpusort::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), letters.begin(),
                                gpusort::greater{});  // x z y
    check(letters == std::vector<char>{'x', 'z', 'y'}, "stable_sort_by_key");
  }
  {
    // example: argsort
    const std::vector<double> prices = {3, 1, 2};
    std::vector<std::uint32_t> indices(3);
    gpusort::argsort(par_gpu, prices.begin(), prices.end(), indices.begin());  // 1 2 0
    check(indices == std::vector<std::uint32_t>{1, 2, 0}, "argsort");
  }
  {
    // example: is_sorted
    const std::vector<trade> trades = some_trades();
    const bool ascend =
        gpusort::is_sorted(par_gpu, trades.begin(), trades.end(), {}, &trade::price);
    check(!ascend, "is_sorted");
  }
  {
    // example: scratch_bytes explain
    std::vector<int> values(1000);
    const auto bytes = gpusort::scratch_bytes(par_gpu, values.begin(), values.end());
    const auto plan = gpusort::explain(par_gpu, values.begin(), values.end());
    std::ostringstream text;
    text << plan;  // the algorithm, why, passes, scratch, launches, estimates
    check(bytes >= plan.scratch_bytes && !text.str().empty(), "explain");
  }
}

void orders() {
  std::vector<trade> trades = some_trades();
  {
    // example: order_by asc desc
    gpusort::sort(par_gpu, trades.begin(), trades.end(),
                  gpusort::order_by(gpusort::asc<&trade::stock>(), gpusort::desc<&trade::price>()));
    check(first_price(trades) == 9, "order_by");
  }
  {
    double trade::*const chosen = &trade::price;  // known when the program runs
    gpusort::sort(par_gpu, trades.begin(), trades.end(), gpusort::order_by(gpusort::desc(chosen)));
    check(first_price(trades) == 9, "order_by");
  }
  {
    std::vector<std::pair<int, float>> pairs = {{1, 0.5f}, {2, 0.1f}};
    gpusort::sort(par_gpu, pairs.begin(), pairs.end(),
                  gpusort::order_by(gpusort::element<1>, gpusort::element<0>));
    check(pairs.front().first == 2, "element");
  }
  {
    const std::vector<std::uint8_t> has_price = {0b1101};  // bit i: trade i has a price
    std::vector<int> indices(trades.size());
    gpusort::argsort(
        par_gpu, trades.begin(), trades.end(), indices.begin(),
        gpusort::order_by(gpusort::asc(&trade::price).nulls_last(has_price.data()).nan_last()));
    check(indices.back() == 1, "nulls_last");
  }
}

void merges() {
  const std::vector<int> a = {1, 4, 6}, b = {2, 3, 7};
  {
    // example: merge
    std::vector<int> out(a.size() + b.size());
    gpusort::merge(par_gpu, a.begin(), a.end(), b.begin(), b.end(), out.begin());
    check(out == std::vector<int>{1, 2, 3, 4, 6, 7}, "merge");
  }
  {
    // example: merge_by_key
    const std::vector<char> a_values = {'a', 'b', 'c'}, b_values = {'x', 'y', 'z'};
    std::vector<int> keys(6);
    std::vector<char> values(6);
    gpusort::merge_by_key(par_gpu, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                          b_values.begin(), keys.begin(), values.begin());
    check(values == std::vector<char>{'a', 'x', 'y', 'b', 'c', 'z'}, "merge_by_key");
  }
  {
    // example: inplace_merge
    std::vector<int> values = {1, 4, 6, 2, 3, 7};
    gpusort::inplace_merge(par_gpu, values.begin(), values.begin() + 3, values.end());
    check(values == std::vector<int>{1, 2, 3, 4, 6, 7}, "inplace_merge");
  }
  {
    // example: multiway_merge
    const std::vector<int> data = {1, 4, 6, 2, 3, 7, 5};  // runs of 3, 3 and 1
    const std::vector<int> offsets = {0, 3, 6, 7};
    std::vector<int> out(data.size());
    gpusort::multiway_merge(par_gpu, data.begin(), offsets.begin(), offsets.end(), out.begin());
    check(out == std::vector<int>{1, 2, 3, 4, 5, 6, 7}, "multiway_merge");
  }
  {
    // example: multiway_select
    using iterator = std::vector<int>::const_iterator;
    const std::vector<std::pair<iterator, iterator>> runs = {{a.begin(), a.end()},
                                                             {b.begin(), b.end()}};
    std::vector<int> out(6), positions(2);
    gpusort::multiway_merge(par_gpu, runs.begin(), runs.end(), out.begin());
    gpusort::multiway_select(par_gpu, runs.begin(), runs.end(), 4, positions.begin());  // 2 2
    check(positions == std::vector<int>{2, 2}, "multiway_select");
  }
  {
    // example: multiway_merge_by_key
    const std::vector<int> keys = {1, 4, 2, 3}, offsets = {0, 2, 4};
    const std::vector<char> values = {'a', 'b', 'c', 'd'};
    std::vector<int> out(4);
    std::vector<char> out_values(4);
    gpusort::multiway_merge_by_key(par_gpu, keys.begin(), offsets.begin(), offsets.end(),
                                   values.begin(), out.begin(), out_values.begin());
    check(out_values == std::vector<char>{'a', 'c', 'd', 'b'}, "multiway_merge_by_key");
  }
}

void segments() {
  {
    // example: segmented_sort
    std::vector<int> values = {3, 1, 2, 9, 8};
    const std::vector<int> offsets = {0, 3, 5};  // two segments
    gpusort::segmented_sort(par_gpu, values.begin(), values.end(), offsets.begin(), offsets.end());
    check(values == std::vector<int>{1, 2, 3, 8, 9}, "segmented_sort");
  }
  {
    // example: stable_segmented_sort
    std::vector<int> values = {3, 1, 7, 9, 8};
    const std::vector<int> begins = {0, 3}, ends = {2, 5};  // 7 stays where it is
    gpusort::stable_segmented_sort(par_gpu, values.begin(), values.end(), begins.begin(),
                                   begins.end(), ends.begin());
    check(values == std::vector<int>{1, 3, 7, 8, 9}, "stable_segmented_sort");
  }
  {
    // example: segmented_sort_by_key
    std::vector<int> keys = {3, 1, 9, 8};
    std::vector<char> letters = {'c', 'a', 'z', 'y'};
    const std::vector<int> offsets = {0, 2, 4};
    gpusort::segmented_sort_by_key(par_gpu, keys.begin(), keys.end(), letters.begin(),
                                   offsets.begin(), offsets.end());
    check(letters == std::vector<char>{'a', 'c', 'y', 'z'}, "segmented_sort_by_key");
  }
  {
    // example: stable_segmented_sort_by_key
    std::vector<int> keys = {2, 1, 2, 8};
    std::vector<char> letters = {'x', 'a', 'y', 'b'};
    const std::vector<int> offsets = {0, 3, 4};
    gpusort::stable_segmented_sort_by_key(par_gpu, keys.begin(), keys.end(), letters.begin(),
                                          offsets.begin(), offsets.end());  // a x y | b
    check(letters == std::vector<char>{'a', 'x', 'y', 'b'}, "stable_segmented_sort_by_key");
  }
}

void indices() {
  std::vector<int> keys = {3, 1, 2};
  std::vector<char> letters = {'c', 'a', 'b'};
  {
    // example: sort_of_indices
    int* const k = keys.data();
    char* const l = letters.data();
    const auto fetch = [k](std::size_t i) -> int { return k[i]; };
    const auto swap = [k, l](std::size_t i, std::size_t j) {
      std::swap(k[i], k[j]);
      std::swap(l[i], l[j]);
    };
    gpusort::sort(par_gpu, 0, keys.size(), fetch, gpusort::less{}, swap);
    check(letters == std::vector<char>{'a', 'b', 'c'}, "sort with fetch");
  }
  {
    // example: stable_sort_of_indices
    int* const k = keys.data();
    const auto compare = [k](std::size_t i, std::size_t j) { return k[j] < k[i]; };
    const auto swap = [k](std::size_t i, std::size_t j) { std::swap(k[i], k[j]); };
    gpusort::stable_sort(par_gpu, 0, keys.size(), compare, swap);
    check(keys == std::vector<int>{3, 2, 1}, "stable_sort of indices");
  }
}

void permutations() {
  std::vector<char> letters = {'c', 'a', 'b'};
  {
    // example: apply_permutation apply_inverse_permutation
    const std::vector<int> indices = {1, 2, 0};
    gpusort::apply_permutation(par_gpu, letters.begin(), letters.end(), indices.begin());  // a b c
    check(letters == std::vector<char>{'a', 'b', 'c'}, "apply_permutation");
    gpusort::apply_inverse_permutation(par_gpu, letters.begin(), letters.end(), indices.begin());
    check(letters == std::vector<char>{'c', 'a', 'b'}, "apply_inverse_permutation");
  }
}

void tables() {
  std::vector<int> cities = {2, 1, 2};
  std::vector<double> sales = {5, 9, 7};
  {
    // example: argsort_table gather_table sort_table is_table_sorted
    gpusort::table_order order;
    order.asc(gpusort::column::of(cities)).desc(gpusort::column::of(sales));
    std::vector<std::uint32_t> indices(3);
    gpusort::argsort_table(par_gpu, order, 3, indices.begin());  // 1 2 0

    std::vector<double> sorted(3);
    const gpusort::column in = gpusort::column::of(sales), out = gpusort::column::of(sorted);
    gpusort::gather_table(par_gpu, &in, 1, indices.begin(), 3, &out);
    check(sorted == std::vector<double>{9, 7, 5}, "gather_table");

    const std::array<gpusort::column, 2> moved = {gpusort::column::of(cities),
                                                  gpusort::column::of(sales)};
    gpusort::sort_table(par_gpu, order, moved.data(), moved.size(), 3);
    const bool ascend = gpusort::is_table_sorted(par_gpu, order, 3);
    check(ascend, "sort_table");
  }
}

void scratch_of_the_library() {
  {
    // example: release_scratch
    std::vector<int> values = {3, 1, 2};
    gpusort::sort(par_gpu, values.begin(), values.end());
    gpusort::release_scratch();  // what the library keeps for the next call goes back
    check(values.front() == 1, "release_scratch");
  }
}

/// The only rank.
struct alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void allgather(const void* send, void* receive, std::size_t bytes) {
    std::memcpy(receive, send, bytes);
  }
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t*, bool) {
    if (send_offsets[1] != 0) std::memcpy(receive, send, send_offsets[1]);
  }
  void abort() { std::abort(); }
};

void many_devices() {
  {
    std::vector<int> values = {3, 1, 2};
    gpusort::sort(par_gpu.on_devices(), values.begin(), values.end());
    check(values == std::vector<int>{1, 2, 3}, "on_devices");
  }
  {
    // example: sort_of_shards shards
    std::vector<int> here = {5, 1}, there = {4, 2, 3};
    const auto shards = gpusort::shards<int>({{here.data(), 2}, {there.data(), 3}});
    gpusort::sort(par_gpu, shards);  // 1 2 | 3 4 5
    check(there == std::vector<int>{3, 4, 5}, "shards");
  }
  {
    // example: distributed_sort distributed_sort_balanced distributed_select
    alone comm;
    std::vector<int> mine = {3, 1, 2};  // this rank's elements
    gpusort::distributed::sort(comm, par_gpu, mine.begin(), mine.end());
    const auto offset = gpusort::distributed::sort_balanced(comm, par_gpu, mine);
    const auto median = gpusort::distributed::select(comm, par_gpu, mine.begin(), mine.end(), {1});
    check(offset == 0 && median.front() == 2, "select");
  }
}

void shards_of_devices() {
  std::vector<int> here = {5, 1}, there = {4, 2, 3};
  const auto keys = gpusort::shards<int>({{here.data(), 2}, {there.data(), 3}});
  {
    // example: stable_sort_of_shards is_sorted_of_shards
    gpusort::stable_sort(par_gpu, keys);  // 1 2 | 3 4 5
    const bool ascend = gpusort::is_sorted(par_gpu, keys);
    check(ascend, "is_sorted of shards");
  }
  {
    // example: sort_by_key_of_shards stable_sort_by_key_of_shards
    std::vector<char> a = {'a', 'b'}, b = {'c', 'd', 'e'};
    const auto values = gpusort::shards<char>({{a.data(), 2}, {b.data(), 3}});
    gpusort::sort_by_key(par_gpu, keys, values);
    gpusort::stable_sort_by_key(par_gpu, keys, values, gpusort::greater{});  // e d | c b a
    check(a == std::vector<char>{'e', 'd'}, "sort_by_key of shards");
  }
  {
    // example: merge_of_shards explain_of_shards
    const auto plan = gpusort::explain(par_gpu, keys);
    gpusort::merge(par_gpu, keys, gpusort::greater{});  // of shards that are sorted so
    check(here.front() == 5 && plan.scratch_bytes > 0, "merge of shards");
  }
  {
    // example: select_of_shards
    const std::vector<int> found =
        gpusort::select(par_gpu, keys, {0, 4});  // the least, the greatest
    check(found == std::vector<int>{1, 5}, "select of shards");
  }
  {
    // example: sort_balanced_of_shards
    std::vector<int> long_one = {6, 5, 4, 3}, short_one(3);
    const auto before = gpusort::shards<int>({{long_one.data(), 4}, {short_one.data(), 0, 3}});
    const auto after = gpusort::sort_balanced(par_gpu, before);  // 3 4 | 5 6
    check(after[0].n == 2 && short_one[0] == 5, "sort_balanced of shards");
  }
}

void ranks() {
  alone comm;                         // a communicator of one rank
  std::vector<int> mine = {3, 1, 2};  // this rank's elements
  {
    // example: distributed_stable_sort distributed_is_sorted
    gpusort::distributed::stable_sort(comm, par_gpu, mine.begin(), mine.end());
    const bool ascend = gpusort::distributed::is_sorted(comm, par_gpu, mine.begin(), mine.end());
    check(ascend, "distributed::is_sorted");
  }
  {
    // example: distributed_sort_by_key distributed_stable_sort_by_key
    std::vector<char> letters = {'a', 'b', 'c'};
    gpusort::distributed::sort_by_key(comm, par_gpu, mine.begin(), mine.end(), letters.begin());
    gpusort::distributed::stable_sort_by_key(comm, par_gpu, mine.begin(), mine.end(),
                                             letters.begin(), gpusort::greater{});
    check(letters.front() == 'c', "distributed::sort_by_key");
  }
  {
    // example: distributed_sample distributed_partition
    auto splitters =
        gpusort::distributed::sample(comm, par_gpu, mine.begin(), mine.end(), 1);  // of each rank
    std::sort(splitters.begin(), splitters.end());
    const auto offsets =
        gpusort::distributed::partition(par_gpu, mine.begin(), mine.end(), splitters);
    check(offsets.size() == splitters.size() + 2, "distributed::partition");
  }
  {
    // example: distributed_select_splitters distributed_predict
    const auto offsets =
        gpusort::distributed::select_splitters(comm, par_gpu, mine.begin(), mine.end());
    const auto traffic = gpusort::distributed::predict(8, 1 << 20, sizeof(int));
    check(offsets.send.back() == 3 && traffic.rounds > 0, "distributed::select_splitters");
  }
}

int main() {
  sorts();
  orders();
  merges();
  segments();
  indices();
  permutations();
  tables();
  scratch_of_the_library();
  many_devices();
  shards_of_devices();
  ranks();
  std::puts("All examples hold.");
}
