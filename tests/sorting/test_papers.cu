// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the papers describe and the router never takes (bench/papers), under honest comparators.
#include <algorithm>
#include <array>
#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"
#include "papers/bitonic_merge.hpp"
#include "papers/block_wise_merge.hpp"
#include "papers/four_way_merge.hpp"
#include "papers/odd_even_merge.hpp"
#include "papers/quick_selection.hpp"
#include "papers/rank_merge.hpp"
#include "papers/sequential_selection.hpp"
#include "papers/window_merge.hpp"

namespace kit {
namespace {

using gpusort::detail::key_array;
using papers::bitonic_merge;
using papers::odd_even_merge;
using papers::rank_merge;

class papers_merge : public gpu_test {};
class papers_selection : public gpu_test {};

/// Lengths of the pieces of one part: one per run.
template <std::size_t Runs>
using shape = std::array<std::size_t, Runs>;

/// Runs of sorted pieces, cut into parts, and what merging each part gives. Positions inside
/// records grow with the run, then with the place: as in the stable order.
template <class T, std::size_t Runs>
struct cut_input {
  column<T> runs[Runs];
  column<std::uint64_t> positions;
  column<T> expected;

  template <class Compare>
  cut_input(const std::vector<shape<Runs>>& parts, distribution d, Compare comp)
      : positions((parts.size() + 1) * Runs) {
    shape<Runs> lengths{}, done{};
    std::size_t n = 0, merged = 0;
    for (const auto& part : parts) {
      for (std::size_t run = 0; run < Runs; ++run) lengths[run] += part[run];
    }
    for (std::size_t run = 0; run < Runs; ++run) {
      runs[run] = column<T>(lengths[run]);
      n += lengths[run];
    }
    expected = column<T>(n);
    for (std::size_t p = 0; p <= parts.size(); ++p) {
      std::copy(done.begin(), done.end(), positions.begin() + p * Runs);
      if (p == parts.size()) break;
      const std::size_t begin = merged;
      for (std::size_t run = 0; run < Runs; ++run) {
        T* const piece = runs[run].begin() + done[run];
        for (std::size_t i = 0; i < parts[p][run]; ++i, ++merged) {
          piece[i] = value_at<T>(d, merged, n, seed());
        }
        std::stable_sort(piece, piece + parts[p][run], comp);
        std::copy(piece, piece + parts[p][run], expected.begin() + merged - parts[p][run]);
        done[run] += parts[p][run];
      }
      std::stable_sort(expected.begin() + begin, expected.begin() + merged, comp);
    }
  }
};

/// Merges all parts by `Merger`; they have to be in order, and in the stable order if that is
/// promised.
template <class Merger, class T, std::size_t Runs>
void expect_merged(const std::vector<shape<Runs>>& parts, distribution d, bool stable) {
  const opaque order(behavior::honest);
  const cut_input<T, Runs> input(parts, d, order);
  const buffer<std::uint64_t> positions(input.positions, 0);
  const buffer<T> out(input.expected.size(), 3);
  std::vector<buffer<T>> runs;
  papers::cut_runs<key_array<T>, static_cast<int>(Runs)> from{};
  for (std::size_t run = 0; run < Runs; ++run) {
    runs.emplace_back(input.runs[run], run % 2);
    from.runs[run] = key_array<T>{runs.back().begin()};
  }
  from.positions = positions.begin();

  const shared_counter strangers;  // only what uniform records were made as is known
  const behavior asks = d == distribution::uniform ? behavior::inspecting : behavior::honest;
  Merger::run(nullptr, from, parts.size(), key_array<T>{out.begin()},
              opaque(asks, seed(), strangers.get()));
  cuda_ok(cudaDeviceSynchronize());
  EXPECT_EQ(*strangers.get(), 0u) << "padding was compared";
  EXPECT_TRUE(out.intact());
  const column<T> found = out.read();
  if (!stable) {
    ASSERT_TRUE(same_multiset(input.expected, found));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool same =
        stable ? same_bytes(input.expected[i], found[i])
               : !order(input.expected[i], found[i]) && !order(found[i], input.expected[i]);
    ASSERT_TRUE(same) << "place " << i << " of " << found.size() << ", " << d;
  }
}

template <class Merger, std::size_t Runs>
void expect_all_merged(const std::vector<shape<Runs>>& parts, bool stable = false) {
  for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal,
                 distribution::sorted, distribution::reverse}) {
    expect_merged<Merger, record<16>>(parts, d, stable);
  }
  expect_merged<Merger, std::uint32_t>(parts, distribution::uniform, stable);
}

/// Returns every pair of lengths up to `most`.
std::vector<shape<2>> all_pairs(std::size_t most) {
  std::vector<shape<2>> parts;
  for (std::size_t a = 0; a <= most; ++a) {
    for (std::size_t b = 0; b <= most; ++b) parts.push_back({a, b});
  }
  return parts;
}

/// Returns every pair, or four, of lengths around those that a block of `width` threads takes.
template <std::size_t Runs>
std::vector<shape<Runs>> edge_shapes(std::size_t width, std::vector<std::size_t> more) {
  std::vector<std::size_t> lengths{0, 1, width, 2 * width + 1};
  lengths.insert(lengths.end(), more.begin(), more.end());
  std::vector<shape<Runs>> parts;
  shape<Runs> digit{};
  while (digit[Runs - 1] < lengths.size()) {
    shape<Runs> part;
    for (std::size_t run = 0; run < Runs; ++run) part[run] = lengths[digit[run]];
    parts.push_back(part);
    ++digit[0];
    for (std::size_t run = 0; run + 1 < Runs && digit[run] == lengths.size(); ++run) {
      digit[run] = 0;
      ++digit[run + 1];
    }
  }
  return parts;
}

TEST_F(papers_merge, windows) {
  const auto small = all_pairs(32);
  expect_all_merged<papers::window_merge<32, bitonic_merge>>(small);
  expect_all_merged<papers::window_merge<32, odd_even_merge>>(small);
  expect_all_merged<papers::window_merge<32, rank_merge>>(small, true);
  const auto large = edge_shapes<2>(128, {2, 63, 64, 100, 127});
  std::vector<shape<2>> fitting;
  std::copy_if(large.begin(), large.end(), std::back_inserter(fitting),
               [](const shape<2>& part) { return part[0] <= 128 && part[1] <= 128; });
  expect_all_merged<papers::window_merge<128, bitonic_merge>>(fitting);
  expect_all_merged<papers::window_merge<128, odd_even_merge>>(fitting);
  expect_all_merged<papers::window_merge<128, rank_merge>>(fitting, true);
}

TEST_F(papers_merge, block_wise_all_small_lengths) {
  const auto parts = all_pairs(small_sizes_only() ? 34 : 66);
  expect_all_merged<papers::block_wise_merge<32, bitonic_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<32, odd_even_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<32, rank_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<32, rank_merge, true>>(parts, true);
}

TEST_F(papers_merge, block_wise) {
  const auto parts = edge_shapes<2>(128, {127, 129, 1000, device_is_cpu ? 2011u : 20011u});
  expect_all_merged<papers::block_wise_merge<128, bitonic_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<128, odd_even_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<128, rank_merge>>(parts);
  expect_all_merged<papers::block_wise_merge<128, rank_merge, true>>(parts, true);
}

TEST_F(papers_merge, four_way) {
  using lengths = std::vector<std::size_t>;
  const auto small = edge_shapes<4>(32, device_is_cpu ? lengths{70} : lengths{2, 31, 70});
  expect_all_merged<papers::four_way_merge<32, bitonic_merge>>(small);
  expect_all_merged<papers::four_way_merge<32, rank_merge, true>>(small, true);
  const auto large = edge_shapes<4>(128, device_is_cpu ? lengths{} : lengths{700});
  expect_all_merged<papers::four_way_merge<128, bitonic_merge>>(large);
  expect_all_merged<papers::four_way_merge<128, rank_merge, true>>(large, true);
}

/// Returns positions[r][i] of every rank r, by merging.
template <class T, class Compare>
std::vector<std::uint64_t> all_selections(const std::vector<column<T>>& runs, Compare comp) {
  struct place {
    const T* item;
    std::size_t run;
  };
  std::vector<place> merged;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const T& item : runs[run]) merged.push_back({&item, run});
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [&](const place& x, const place& y) { return comp(*x.item, *y.item); });
  std::vector<std::uint64_t> selections(runs.size(), 0), now(runs.size(), 0);
  for (const place& p : merged) {
    ++now[p.run];
    selections.insert(selections.end(), now.begin(), now.end());
  }
  return selections;
}

template <class Selection, class T>
void expect_selected(const std::vector<std::size_t>& lengths, distribution d) {
  using run_of_items = gpusort::detail::sorted_run<key_array<T>>;
  const opaque order(behavior::honest);
  std::size_t n = 0, made = 0;
  for (std::size_t length : lengths) n += length;
  std::vector<column<T>> runs;
  std::vector<buffer<T>> on_device;
  column<run_of_items> descriptors(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    column<T> items(lengths[i]);
    for (T& item : items) item = value_at<T>(d, made++, n, seed());
    std::stable_sort(items.begin(), items.end(), order);
    on_device.emplace_back(items, i % 2);
    descriptors[i] = {{on_device.back().begin()}, lengths[i]};
    runs.push_back(std::move(items));
  }
  const std::size_t step = device_is_cpu ? n / 10 + 1 : 1;
  column<std::uint64_t> ranks((n + step - 1) / step + 1);
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = std::min(r * step, n);
  const buffer<run_of_items> all_runs(descriptors, 0);
  const buffer<std::uint64_t> all_ranks(ranks, 0), positions(ranks.size() * lengths.size(), 1);
  Selection::run(
      nullptr,
      papers::selection_task<key_array<T>>{all_runs.begin(), static_cast<int>(lengths.size()),
                                           all_ranks.begin(), positions.begin()},
      ranks.size(), order);
  cuda_ok(cudaDeviceSynchronize());
  EXPECT_TRUE(positions.intact());
  const auto found = positions.read();
  const auto expected = all_selections(runs, order);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t rank = ranks[i / lengths.size()], run = i % lengths.size();
    ASSERT_EQ(found[i], expected[rank * lengths.size() + run])
        << "rank " << rank << ", run " << run << " of " << lengths.size() << ", " << d;
  }
}

template <class Selection>
void expect_all_selected() {
  std::vector<std::vector<std::size_t>> shapes{{0},      {7},        {1, 0},
                                               {100, 3}, {0, 0, 50}, {5, 1000, 5}};
  for (std::size_t k : {4, 31, 32, 33, 70}) {
    shapes.emplace_back(k, 16);
    std::vector<std::size_t> uneven(k);
    for (std::size_t i = 0; i < k; ++i) uneven[i] = random_at(seed(), i) % 40;
    shapes.push_back(uneven);
  }
  for (const auto& lengths : shapes) {
    for (auto d : {distribution::uniform, distribution::staggered, distribution::few_distinct,
                   distribution::all_equal, distribution::sorted, distribution::reverse}) {
      expect_selected<Selection, std::uint32_t>(lengths, d);
    }
    expect_selected<Selection, record<24>>(lengths, distribution::few_distinct);
  }
}

TEST_F(papers_selection, sequential) { expect_all_selected<papers::sequential_selection>(); }
TEST_F(papers_selection, quick) { expect_all_selected<papers::quick_selection>(); }

}  // namespace
}  // namespace kit
