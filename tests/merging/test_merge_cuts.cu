// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge of two runs by its own interface, with so few tiles to a piece, and pieces, that each
// way to find and check its cuts is taken.
#include <algorithm>
#include <gpusort/detail/algorithm/merge.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <utility>

#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/runs.hpp"

namespace kit {
namespace {

using element = record<64>;

/// Pieces from the fifth tile on, three at most.
struct few_pieces : gpusort::detail::tuning::merge<sizeof(element)> {
  static constexpr int max_tiles_without_pieces = 4, max_pieces = 3;
};

using array = gpusort::detail::key_array<element>;
using merger = gpusort::detail::merge<array, array, array, opaque, few_pieces>;

constexpr std::size_t tile = few_pieces::threads_per_block * few_pieces::items_per_thread;

/// Number of elements with more tiles to each of three pieces than a block cuts at once.
constexpr std::size_t many = 3 * 70 * tile + 17;

class merge_cuts : public gpu_test {
 protected:
  /// Merges with what was recorded, if anything, so that it runs as a graph.
  static ::testing::AssertionResult merges(const run_set<element>& runs, const opaque& comp,
                                           const merged<element>& expected,
                                           bool is_recorded = false) {
    const std::size_t n = runs.all.size(), cut = runs.offsets[1];
    const buffer<element> in(runs.all, 0), out(n);
    const buffer<unsigned char> scratch(merger::scratch_bytes(cut, n - cut));
    const stream s;
    const auto run = [&] {
      merger::run(s, array{in.data()}, cut, array{in.data() + cut}, n - cut, array{out.data()},
                  comp, scratch.data());
    };
    if (is_recorded) {
      graph(s, run).launch(s);
    } else {
      run();
      s.synchronize();
    }
    if (!scratch.intact()) return ::testing::AssertionFailure() << "wrote beyond its scratch";
    return expected.is(out) << ", " << n << " of which " << cut << " in the first";
  }
};

TEST_F(merge_cuts, sizes_around_tiles_and_pieces) {
  const opaque comp(behavior::coarse);
  for (std::size_t tiles : {1, 2, 4, 64, 65}) {
    for (std::size_t n : {tiles * tile - 1, tiles * tile, tiles * tile + 1}) {
      for (std::size_t cut : {n / 3, n - 1, std::size_t{0}, n}) {
        const auto runs = make_runs<element>(distribution::few_distinct, {0, cut, n}, comp);
        ASSERT_TRUE(merges(runs, comp, merged<element>::stably(runs, comp)));
      }
    }
  }
}

TEST_F(merge_cuts, many_tiles_to_a_piece) {
  const opaque comp(behavior::coarse);
  for (auto d : {distribution::uniform, distribution::all_equal, distribution::sorted}) {
    for (std::size_t cut : {many / 2, many / 100, many - 1}) {
      const auto runs = make_runs<element>(d, {0, cut, many}, comp);
      ASSERT_TRUE(merges(runs, comp, merged<element>::stably(runs, comp))) << d;
    }
  }
}

TEST_F(merge_cuts, recorded) {
  const opaque comp(behavior::coarse);
  for (std::size_t n : {tile, 3 * tile, many}) {
    const auto runs = make_runs<element>(distribution::uniform, {0, n / 3, n}, comp);
    ASSERT_TRUE(merges(runs, comp, merged<element>::stably(runs, comp), true));
  }
}

TEST_F(merge_cuts, under_inconsistent_comparators_is_a_permutation) {
  const shared_counter counter;
  for (std::size_t n : {3 * tile, many}) {
    const auto runs = make_runs<element>(distribution::uniform, {0, n / 3, n}, opaque());
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      ASSERT_TRUE(merges(runs, comp, merged<element>::somehow(runs))) << name_of(m);
    }
  }
}

// In order from far, so that pieces fit each other, and not from near, so that tiles do not.
TEST_F(merge_cuts, runs_in_order_but_for_neighbours) {
  const opaque comp;
  for (std::size_t window : {100u, 1000u, 5000u}) {
    auto runs = make_runs<element>(distribution::uniform, {0, many / 2, many}, comp);
    for (std::size_t r = 0; r < 2; ++r) {
      const auto first = runs.all.begin() + runs.offsets[r];
      const std::size_t length = runs.offsets[r + 1] - runs.offsets[r];
      for (std::size_t i = 0; i < length; i += window) {
        std::reverse(first + i, first + std::min(i + window, length));
      }
    }
    ASSERT_TRUE(merges(runs, comp, merged<element>::somehow(runs))) << window;
  }
}

}  // namespace
}  // namespace kit
