// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each call that a C++ compiler takes once, for compilers that are told to warn of more than usual,
// or that have seen macros which other headers define. It is never run.
#include <array>
#include <cstdint>
#include <deque>
#include <gpusort/devices.hpp>
#include <gpusort/distributed.hpp>
#include <gpusort/distributed/in_process.hpp>
#include <gpusort/gpusort.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace every_host_call {

using gpusort::par_gpu;

struct trade {
  std::uint32_t stock;
  double price;
  bool is_open;
  char note[20];
};
struct by_price {
  bool operator()(const trade& a, const trade& b) const { return a.price < b.price; }
};

void sorts(std::uint32_t* keys, std::uint64_t n, double* values, trade* trades) {
  std::pair<int, float>* const pairs = nullptr;
  std::tuple<bool, char, long double>* const tuples = nullptr;
  std::deque<short> shorts;
  gpusort::sort(par_gpu, keys, keys + n);
  gpusort::sort(par_gpu, trades, trades + n, by_price{});
  gpusort::sort(par_gpu, trades, trades + n, gpusort::less{}, &trade::price);
  gpusort::sort(par_gpu, trades, trades + n,
                gpusort::order_by(gpusort::asc(&trade::note), gpusort::desc(&trade::price)));
  gpusort::sort(
      par_gpu, trades, trades + n,
      gpusort::order_by(gpusort::desc<&trade::price>().nan_last(), gpusort::asc<&trade::is_open>(),
                        gpusort::asc(&trade::stock).nulls_first(&trade::is_open)));
  gpusort::sort(par_gpu, pairs, pairs + n, gpusort::order_by(gpusort::element<1>));
  gpusort::sort(par_gpu, tuples, tuples + n);
  gpusort::stable_sort(par_gpu, shorts.begin(), shorts.end(), gpusort::greater{});
  gpusort::sort_copy(par_gpu, keys, keys + n, keys + n);
  gpusort::sort_by_key(par_gpu, keys, keys + n, values, trades, gpusort::greater{});
  gpusort::stable_sort_by_key(par_gpu, keys, keys + n, values);
  gpusort::argsort(par_gpu, trades, trades + n, keys, {}, &trade::price);
  gpusort::apply_permutation(par_gpu, values, values + n, keys, trades);
  gpusort::apply_inverse_permutation(par_gpu, values, values + n, keys);
  static_cast<void>(gpusort::is_sorted(par_gpu, keys, keys + n));
  static_cast<void>(gpusort::scratch_bytes(par_gpu, keys, keys + n));
  static_cast<void>(gpusort::explain(par_gpu, keys, keys + n));
  gpusort::release_scratch();
}

void options(std::uint32_t* keys, std::uint64_t n, std::uint8_t* bytes) {
  gpusort::sort(par_gpu.with(gpusort::in_place), keys, keys + n);
  gpusort::sort(par_gpu.with(gpusort::verify, gpusort::keep_input), keys, keys + n);
  gpusort::sort(par_gpu.with(gpusort::max_device_bytes(n)), keys, keys + n);
  gpusort::sort(par_gpu.with(gpusort::algorithm::counting_sort), bytes, bytes + n);
  gpusort::sort(par_gpu.with(gpusort::algorithm::quicksort), keys, keys + n);
  gpusort::sort(par_gpu.with(gpusort::algorithm::radix_sort), keys, keys + n);
  gpusort::sort(par_gpu.on_devices({0, 1}), keys, keys + n);
}

void merges(std::uint32_t* keys, std::uint64_t n, const int* offsets, double* values,
            std::uint64_t* positions) {
  const std::pair<const std::uint32_t*, const std::uint32_t*> runs[] = {{keys, keys + n},
                                                                        {keys, keys + n}};
  const double* const values_of_runs[] = {values, values};
  gpusort::merge(par_gpu, keys, keys + n, keys, keys + n, keys + n);
  gpusort::merge_by_key(par_gpu, keys, keys + n, keys, keys + n, values, values, keys + n,
                        values + n, gpusort::greater{});
  gpusort::inplace_merge(par_gpu, keys, keys + n, keys + 2 * n);
  gpusort::multiway_merge(par_gpu, runs, runs + 2, keys + n);
  gpusort::multiway_merge(par_gpu, keys, offsets, offsets + 4, keys + n);
  gpusort::multiway_merge_by_key(par_gpu, runs, runs + 2, values_of_runs, keys + n, values + n);
  gpusort::multiway_merge_by_key(par_gpu, keys, offsets, offsets + 4, values, keys + n, values + n);
  gpusort::multiway_select(par_gpu, runs, runs + 2, n, positions);
  gpusort::multiway_select(par_gpu, keys, offsets, offsets + 4, n, positions);
}

void segments(std::uint32_t* keys, std::uint64_t n, const int* offsets, double* values) {
  gpusort::segmented_sort(par_gpu, keys, keys + n, offsets, offsets + 4);
  gpusort::stable_segmented_sort(par_gpu, values, values + n, offsets, offsets + 4, offsets + 1);
  gpusort::segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4);
  gpusort::stable_segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4,
                                        offsets + 1);
}

void tables(const char* names, double* prices, const std::uint8_t* valid,
            const gpusort::column* columns, std::uint64_t n, std::uint32_t* places) {
  using gpusort::column;
  gpusort::table_order order;
  order.asc(column(gpusort::column_type::bytes, names, 20), gpusort::nulls::first)
      .desc(column::of(prices).with_validity(valid), gpusort::nulls::last, gpusort::nans::last);
  gpusort::argsort_table(par_gpu, order, n, places);
  gpusort::gather_table(par_gpu, columns, 2, places, n, columns + 2);
  gpusort::gather_table(par_gpu, columns, 2, n, places, n, columns + 2);
  gpusort::sort_table(par_gpu.with(gpusort::verify), order, columns, 2, n);
  static_cast<void>(gpusort::is_table_sorted(par_gpu, order, n));
}

void indices(double* data) {
  const auto compare = [data](int i, int j) { return data[i] < data[j]; };
  const auto swap = [data](int i, int j) { std::swap(data[i], data[j]); };
  const auto fetch = [data](int i) { return data[i]; };
  gpusort::sort(par_gpu, 0, 100, compare, swap);
  gpusort::sort(par_gpu, 0, 100, fetch, gpusort::less{}, swap);
  gpusort::stable_sort(par_gpu, 0, 100, fetch, gpusort::greater{}, swap);
}

void shards(std::uint32_t* keys, std::uint64_t n, double* values) {
  const auto range = gpusort::shards<std::uint32_t>({{keys, n}, {keys + n, n}});
  gpusort::stable_sort(par_gpu, range);
  gpusort::sort_by_key(par_gpu, range, gpusort::shards<double>({{values, n}, {values + n, n}}));
  gpusort::merge(par_gpu, range);
  static_cast<void>(gpusort::sort_balanced(par_gpu, range));
  static_cast<void>(gpusort::select(par_gpu, range, {1, 2}));
  static_cast<void>(gpusort::explain(par_gpu, range));
}

void ranks(std::uint32_t* keys, std::vector<std::vector<std::uint32_t>>& parts) {
  namespace distributed = gpusort::distributed;
  distributed::in_process world(2);
  const std::vector<distributed::rank_range<std::uint32_t*>> ranges = {{keys, keys + 3},
                                                                       {keys + 3, keys + 5}};
  distributed::stable_sort(world, par_gpu, ranges);
  static_cast<void>(distributed::sort_balanced(world, par_gpu, parts));
  static_cast<void>(distributed::is_sorted(world, par_gpu, ranges));
  static_cast<void>(distributed::select(world, par_gpu, ranges, {1, 2}));
  static_cast<void>(distributed::sample(world, par_gpu, ranges, 3));
  static_cast<void>(distributed::select_splitters(world, par_gpu, ranges));
  static_cast<void>(distributed::partition(par_gpu, keys, keys + 5, std::vector<std::uint32_t>{1}));
}

}  // namespace every_host_call
