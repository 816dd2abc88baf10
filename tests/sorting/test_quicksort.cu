// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by its own interface, and inputs made against it by someone who has read it; as a route
// it is tested with all others.
#include <algorithm>
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/gpusort.hpp>

#include "../kit/algorithm_properties.hpp"

namespace {

using gpusort::detail::key_array;
using gpusort::detail::quicksort;
using gpusort::detail::tile::pivot_index;
using kit::column;
using kit::distribution;
using kit::opaque;
template <class T>
using tuning_of = gpusort::detail::tuning::quicksort<sizeof(T)>;

constexpr std::uint64_t sample_seed = 7;

/// Runs out of levels and splits when most remains to be done: what is left over is merged.
template <class T>
struct hasty : tuning_of<T> {
  static constexpr int piece_levels = 1;
  static constexpr int levels(std::uint64_t n) { return std::min(tuning_of<T>::levels(n), 2); }
};
template <class T>
struct stingy : tuning_of<T> {
  static constexpr int piece_levels = 0;
  static constexpr std::uint64_t splits(std::uint64_t) { return 5; }
};

/// Has enough levels that a block lists more parts than its list holds at a time.
template <class T>
struct patient : tuning_of<T> {
  static constexpr int piece_levels = 1000;
};

/// Nearly everything is before anything: each split takes a little off.
struct mostly_true {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return kit::random_at(kit::hash_of(a), kit::hash_of(b)) % 64 != 0;
  }
};

struct what_quicksort_promises {
  static constexpr kit::promise promised = kit::promise::order;
  static constexpr bool only_in_place = false;
  static constexpr std::size_t several_tiles = 60001;
  static constexpr std::size_t fixed_scratch = 16 << 20;

  /// Returns sizes around a warp's part, a piece and a tile, and where there are several levels.
  template <class T>
  static std::vector<std::size_t> sizes() {
    const std::size_t part = 32 * tuning_of<T>::piece_items_per_lane,
                      piece = tuning_of<T>::piece_items, tile = tuning_of<T>::items_per_tile;
    std::vector<std::size_t> all = {1, 2, 3, 31, 32, 33, 1000};
    for (std::size_t size : {part, 2 * part, piece, piece + tile, 2 * piece, 3 * tile}) {
      for (std::size_t n : {size - 1, size, size + 1}) {
        if (!kit::small_sizes_only() || n == size + 1) all.push_back(n);
      }
    }
    for (std::size_t n : kit::medium_sizes()) all.push_back(n);
    return all;
  }
  static std::vector<std::size_t> sizes_for_liars() {
    if (kit::small_sizes_only()) return {2, 1000, 6001, 20021};
    return {2, 1000, 6001, 20021, 200003};
  }
};

/// Quicksort with this tuning.
template <template <class> class Tuning = tuning_of>
struct by_quicksort : what_quicksort_promises {
  template <class Array, class Compare>
  using sorter = quicksort<Array, Compare, Tuning<typename Array::value_type>>;

  template <class Array, class Compare>
  static std::size_t scratch_bytes(std::uint64_t n) {
    return sorter<Array, Compare>::scratch_bytes(n);
  }
  template <class Input, class Array, class Compare>
  static void run(cudaStream_t stream, Input in, Array out, std::size_t n, Compare comp,
                  void* scratch) {
    sorter<Array, Compare>::run(gpusort::detail::call_stream{stream, nullptr, sample_seed}, in, out,
                                n, comp, scratch);
  }
};

template <class T>
using sorted = kit::sorted_by<by_quicksort<>, T, opaque>;
using elements =
    ::testing::Types<sorted<std::uint8_t>, sorted<std::uint32_t>, sorted<std::uint64_t>,
                     sorted<kit::record<16>>, sorted<kit::record<64>>>;
using words = sorted<std::uint32_t>;
using with_values = kit::carried_by<by_quicksort<>, std::uint64_t>;

}  // namespace

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(quicksort, algorithm_on_elements, elements);
INSTANTIATE_TYPED_TEST_SUITE_P(quicksort, algorithm_under_orders, words);
INSTANTIATE_TYPED_TEST_SUITE_P(quicksort, algorithm_with_values, with_values);
INSTANTIATE_TYPED_TEST_SUITE_P(quicksort, algorithm_in_graphs, words);
}  // namespace kit

namespace {

/// Tests with too few levels and splits: elements that are split as words are, and those that are
/// moved as bytes.
template <class T>
class quicksort_of : public kit::gpu_test {};
using element_types = ::testing::Types<std::uint32_t, kit::record<64>>;
TYPED_TEST_SUITE(quicksort_of, element_types);

TYPED_TEST(quicksort_of, what_levels_and_splits_do_not_suffice_for) {
  const std::size_t piece = tuning_of<TypeParam>::piece_items;
  for (std::size_t n : {piece / 2, piece, (kit::small_sizes_only() ? 3 : 20) * piece + 1}) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal}) {
      const auto input = kit::generate<TypeParam>(d, n, kit::seed());
      const auto a = kit::sort_and_examine<by_quicksort<hasty>>(input, opaque{}, true);
      ASSERT_TRUE(a.ok()) << "few levels, " << d << ", n = " << n << ": " << a;
      const auto b = kit::sort_and_examine<by_quicksort<stingy>>(input, opaque{}, false);
      ASSERT_TRUE(b.ok()) << "few splits, " << d << ", n = " << n << ": " << b;
    }
  }
}

class quicksort_test : public kit::gpu_test {};

TEST_F(quicksort_test, lists_more_parts_than_the_list_holds) {
  const std::size_t n = tuning_of<std::uint32_t>::piece_items;
  const auto f = kit::sort_and_examine<by_quicksort<patient>, std::uint32_t>(
      distribution::uniform, n, mostly_true{}, kit::promise::permutation);
  EXPECT_TRUE(f.ok()) << f;
}

TEST_F(quicksort_test, compares_nothing_but_elements_of_the_range) {
  const kit::shared_counter counter;
  for (std::size_t n : {std::size_t{1000}, std::size_t{6001},
                        kit::small_sizes_only() ? std::size_t{20001} : std::size_t{150001}}) {
    const opaque inspector(kit::behavior::inspecting, kit::seed(), counter.get());
    const auto f =
        kit::sort_and_examine<by_quicksort<>, kit::record<16>>(distribution::uniform, n, inspector);
    ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
  }
  EXPECT_EQ(*counter.get(), 0u);
}

/// Makes values of which the sample for the first pivot has the smallest, or, but for one, a single
/// one.
template <class T>
column<T> with_misleading_sample(std::size_t n, bool is_single) {
  constexpr int samples = tuning_of<T>::samples_per_thread;
  const bool in_block = n <= tuning_of<T>::piece_items;
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = kit::make_value<T>(std::uint64_t{1} << 63 | kit::random_at(kit::seed(), i), i);
  }
  const auto place = [&](int lane, int j) {
    return in_block ? pivot_index<3>(lane, j, n, 0) : pivot_index<samples>(lane, j, n, sample_seed);
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < (in_block ? 3 : samples); ++j) {
      const std::uint64_t i = place(lane, j);
      values[i] = kit::make_value<T>(is_single && i > 0 ? 1 : i << 20, i);
    }
  }
  return values;
}

template <class T>
void sort_misled() {
  const std::size_t piece = tuning_of<T>::piece_items;
  for (std::size_t n : {std::size_t{1000}, piece / 2, piece, piece + 1,
                        (kit::small_sizes_only() ? 3 : 20) * piece}) {
    for (bool is_single : {false, true}) {
      const auto input = with_misleading_sample<T>(n, is_single);
      const auto f = kit::sort_and_examine<by_quicksort<>>(input, opaque{}, true);
      ASSERT_TRUE(f.ok()) << "n = " << n << (is_single ? ", one value: " : ": ") << f;
    }
  }
}

TEST_F(quicksort_test, misled_by_its_sample) {
  sort_misled<std::uint32_t>();
  sort_misled<std::uint64_t>();
  sort_misled<kit::record<32>>();
}

/// Half of the elements are the least, half of the others the next one, and so on: a median is
/// always the least.
TEST_F(quicksort_test, halves_of_one_value) {
  for (std::size_t n :
       {std::size_t{5000}, kit::small_sizes_only() ? std::size_t{30001} : std::size_t{1} << 18}) {
    for (bool is_descending : {false, true}) {
      column<std::uint32_t> input(n);
      for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t r = kit::random_at(kit::seed(), i) | std::uint64_t{1} << 40;
        for (input[i] = 0; r % 2 == 0; r /= 2) ++input[i];
      }
      const opaque order(is_descending ? kit::behavior::descending : kit::behavior::honest);
      const auto f = kit::sort_and_examine<by_quicksort<>>(input, order, true);
      ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
    }
  }
}

TEST_F(quicksort_test, one_pair_out_of_order) {
  const std::size_t n = kit::small_sizes_only() ? 15001 : 100003;
  for (bool is_descending : {false, true}) {
    for (std::size_t place : {std::size_t{0}, std::size_t{1}, n / 2, n - 2, n}) {
      column<std::uint32_t> input(n);
      for (std::size_t i = 0; i < n; ++i) {
        input[i] = static_cast<std::uint32_t>(is_descending ? n - i : i);
      }
      if (place < n) std::swap(input[place], input[place + 1]);
      const auto f = kit::sort_and_examine<by_quicksort<>>(input, opaque{}, place == 0);
      ASSERT_TRUE(f.ok()) << "out of order at " << place << ": " << f;
    }
  }
}

TEST_F(quicksort_test, orders_indices_that_it_makes_itself) {
  for (std::size_t n : {std::size_t{100}, std::size_t{5000}, std::size_t{100003}}) {
    kit::expect_indices_ordered<by_quicksort<>>(
        kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed()));
  }
}

TEST_F(quicksort_test, decides_ties_by_place_where_the_sort_is_stable) {
  for (std::size_t n : {std::size_t{100}, std::size_t{7000}, std::size_t{100003}}) {
    const auto input = kit::generate<kit::record<16>>(distribution::few_distinct, n, kit::seed());
    const kit::buffer<kit::record<16>> range(input, 1);
    const auto policy = gpusort::par_gpu.with(gpusort::algorithm::quicksort);
    gpusort::stable_sort(policy, range.begin(), range.end(), opaque{});
    const auto f = kit::examine(input, range.read(), opaque{}, kit::promise::stability);
    ASSERT_TRUE(f.ok() && range.intact()) << "n = " << n << ": " << f;
  }
}

}  // namespace
