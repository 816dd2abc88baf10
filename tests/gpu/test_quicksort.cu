// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by its own interface, and inputs made against it by someone who has read it; as a route
// it is tested with all others.
#include <algorithm>
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/gpusort.hpp>

#include "kit/check.hpp"
#include "kit/device.hpp"
#include "kit/generate.hpp"
#include "kit/graph.hpp"
#include "kit/orders.hpp"
#include "kit/sizes.hpp"

namespace {

using gpusort::detail::by_key;
using gpusort::detail::index_sequence_array;
using gpusort::detail::key_array;
using gpusort::detail::key_value_array;
using gpusort::detail::quicksort;
using gpusort::detail::tile::pivot_place;
using kit::column;
using kit::distribution;
using kit::opaque;
template <class T>
using numbers = gpusort::detail::tuning::quicksort<sizeof(T)>;

constexpr std::uint64_t sample_seed = 7;

/// Out of levels and splits when most remains to be done: what is left over is merged.
template <class T>
struct hasty : numbers<T> {
  static constexpr int piece_levels = 1;
  static constexpr int levels(std::uint64_t n) { return std::min(numbers<T>::levels(n), 2); }
};
template <class T>
struct stingy : numbers<T> {
  static constexpr int piece_levels = 0;
  static constexpr std::uint64_t splits(std::uint64_t) { return 5; }
};

/// So many levels that a block lists more parts than its list holds at a time.
template <class T>
struct patient : numbers<T> {
  static constexpr int piece_levels = 1000;
};

/// Nearly everything is before anything: each split takes a little off.
struct mostly_true {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return kit::random_at(kit::hash_of(a), kit::hash_of(b)) % 64 != 0;
  }
};

template <class T, class Compare>
using sorter = quicksort<key_array<T>, Compare>;

/// Around a warp's part, a piece and a tile, and where there are several levels.
template <class T>
std::vector<std::size_t> sizes() {
  const std::size_t part = 32 * numbers<T>::piece_items_per_lane, piece = numbers<T>::piece_items,
                    tile = numbers<T>::items_per_tile;
  std::vector<std::size_t> all = {1, 2, 3, 31, 32, 33, 1000};
  for (std::size_t size : {part, 2 * part, piece, piece + tile, 2 * piece, 3 * tile}) {
    for (std::size_t n : {size - 1, size, size + 1}) {
      if (!kit::small_sizes_only() || n == size + 1) all.push_back(n);
    }
  }
  for (std::size_t n : kit::medium_sizes()) all.push_back(n);
  return all;
}

/// All, but for the sanitizers.
std::vector<distribution> distributions() {
  if (kit::small_sizes_only()) return {distribution::uniform, distribution::few_distinct};
  return {std::begin(kit::every_distribution), std::end(kit::every_distribution)};
}

template <class Sorter, class T, class Compare>
kit::findings sort_and_examine(const column<T>& input, Compare comp, bool in_place,
                               kit::promise promised = kit::promise::order) {
  const std::size_t n = input.size();
  const kit::buffer<T> in(input, n % 3);
  const kit::buffer<T> separate(in_place ? 0 : n, n % 5);
  const kit::buffer<T>& out = in_place ? in : separate;
  const kit::buffer<unsigned char> scratch(Sorter::scratch_bytes(n));
  Sorter::run(gpusort::detail::call_stream{nullptr, nullptr, sample_seed}, key_array<T>{in.data()},
              key_array<T>{out.data()}, n, comp, scratch.data());
  kit::findings f = kit::examine(input, out.read(), comp, promised);
  f.zones_intact = in.intact() && out.intact() && scratch.intact();
  if (!in_place && !kit::same_multiset(input, in.read())) f.elements_kept = false;
  return f;
}

template <class T, class Compare>
kit::findings sort_and_examine(distribution d, std::size_t n, Compare comp,
                               kit::promise promised = kit::promise::order) {
  return sort_and_examine<sorter<T, Compare>>(kit::generate<T>(d, n, kit::seed()), comp, n % 2 == 0,
                                              promised);
}

template <class T>
class quicksort_of : public kit::gpu_test {};
using element_types =
    ::testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, kit::record<16>, kit::record<64>>;
TYPED_TEST_SUITE(quicksort_of, element_types);

TYPED_TEST(quicksort_of, sizes) {
  for (std::size_t n : sizes<TypeParam>()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal}) {
      if (n > 20000 && d != distribution::uniform) continue;
      const auto f = sort_and_examine<TypeParam>(d, n, opaque{});
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST(quicksort_of, distributions) {
  const std::size_t levels = kit::small_sizes_only() ? 15011 : 100003;
  for (std::size_t n : {numbers<TypeParam>::piece_items * std::size_t{1} - 5, levels}) {
    for (auto d : distributions()) {
      const auto f = sort_and_examine<TypeParam>(d, n, opaque{});
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST(quicksort_of, what_levels_and_splits_do_not_suffice_for) {
  using T = TypeParam;
  const std::size_t piece = numbers<T>::piece_items;
  for (std::size_t n : {piece / 2, piece, (kit::small_sizes_only() ? 3 : 20) * piece + 1}) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal}) {
      const auto input = kit::generate<T>(d, n, kit::seed());
      const auto a =
          sort_and_examine<quicksort<key_array<T>, opaque, hasty<T>>>(input, opaque{}, true);
      ASSERT_TRUE(a.ok()) << "few levels, " << d << ", n = " << n << ": " << a;
      const auto b =
          sort_and_examine<quicksort<key_array<T>, opaque, stingy<T>>>(input, opaque{}, false);
      ASSERT_TRUE(b.ok()) << "few splits, " << d << ", n = " << n << ": " << b;
    }
  }
}

TYPED_TEST(quicksort_of, scratch_is_little_more_than_the_elements) {
  using tested = sorter<TypeParam, opaque>;
  for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{100000}, std::uint64_t{1} << 33}) {
    EXPECT_LE(tested::scratch_bytes(n), n * sizeof(TypeParam) * 105 / 100 + (16 << 20)) << n;
  }
}

class quicksort_test : public kit::gpu_test {};

TEST_F(quicksort_test, keeps_a_permutation_when_lied_to) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (std::size_t n : {std::size_t{2}, std::size_t{1000}, std::size_t{6001}, std::size_t{20021},
                          kit::small_sizes_only() ? std::size_t{3} : std::size_t{200003}}) {
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      const auto a = sort_and_examine<std::uint32_t>(distribution::uniform, n, inconsistent,
                                                     kit::promise::permutation);
      ASSERT_TRUE(a.ok()) << kit::name_of(behavior) << ", n = " << n << ": " << a;
      const auto b = sort_and_examine<std::uint32_t>(distribution::few_distinct, n, inconsistent,
                                                     kit::promise::permutation);
      ASSERT_TRUE(b.ok()) << kit::name_of(behavior) << ", n = " << n << ": " << b;
    }
  }
}

TEST_F(quicksort_test, lists_more_parts_than_the_list_holds) {
  using T = std::uint32_t;
  using tested = quicksort<key_array<T>, mostly_true, patient<T>>;
  const std::size_t n = numbers<T>::piece_items;
  const column<T> input = kit::generate<T>(distribution::uniform, n, kit::seed());
  const kit::buffer<T> range(input, 1);
  const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
  const key_array<T> keys{range.data()};
  tested::run(nullptr, keys, keys, n, {}, scratch.data());
  EXPECT_TRUE(kit::same_multiset(input, range.read()));
  EXPECT_TRUE(range.intact() && scratch.intact());
}

TEST_F(quicksort_test, compares_nothing_but_elements_of_the_range) {
  const kit::shared_counter counter;
  for (std::size_t n : {std::size_t{1000}, std::size_t{6001},
                        kit::small_sizes_only() ? std::size_t{20001} : std::size_t{150001}}) {
    const opaque inspector(kit::behavior::inspecting, kit::seed(), counter.get());
    const auto f = sort_and_examine<kit::record<16>>(distribution::uniform, n, inspector);
    ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
  }
  EXPECT_EQ(*counter.get(), 0u);
}

TEST_F(quicksort_test, takes_any_order) {
  for (auto behavior : {kit::behavior::honest, kit::behavior::descending, kit::behavior::coarse}) {
    const auto f = sort_and_examine<std::uint32_t>(distribution::gaussian, 60001, opaque(behavior));
    ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ": " << f;
  }
}

/// Values of which the sample for the first pivot has the smallest, or, but for one, a single one.
template <class T>
column<T> with_misleading_sample(std::size_t n, bool is_single) {
  constexpr int samples = numbers<T>::samples_per_thread;
  const bool in_block = n <= numbers<T>::piece_items;
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = kit::make_value<T>(std::uint64_t{1} << 63 | kit::random_at(kit::seed(), i), i);
  }
  const auto place = [&](int lane, int j) {
    return in_block ? pivot_place<3>(lane, j, n, 0) : pivot_place<samples>(lane, j, n, sample_seed);
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
  const std::size_t piece = numbers<T>::piece_items;
  for (std::size_t n : {std::size_t{1000}, piece / 2, piece, piece + 1,
                        (kit::small_sizes_only() ? 3 : 20) * piece}) {
    for (bool is_single : {false, true}) {
      const auto f = sort_and_examine<sorter<T, opaque>>(with_misleading_sample<T>(n, is_single),
                                                         opaque{}, true);
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
      const auto f = sort_and_examine<sorter<std::uint32_t, opaque>>(input, order, true);
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
      const auto f = sort_and_examine<sorter<std::uint32_t, opaque>>(input, opaque{}, place == 0);
      ASSERT_TRUE(f.ok()) << "out of order at " << place << ": " << f;
    }
  }
}

TEST_F(quicksort_test, moves_values_with_their_keys) {
  using array = key_value_array<std::uint32_t, std::uint64_t>;
  using tested = quicksort<array, by_key<kit::reference_less>>;
  for (std::size_t n :
       {std::size_t{33}, std::size_t{1025}, std::size_t{65537}, std::size_t{300007}}) {
    const auto input = kit::generate<std::uint32_t>(distribution::few_distinct, n, kit::seed());
    column<std::uint64_t> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = i;
    const kit::buffer<std::uint32_t> keys(input, 1);
    const kit::buffer<std::uint64_t> values(places, 1);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    const array both{keys.data(), values.data()};
    tested::run(nullptr, both, both, n, {}, scratch.data());
    const auto sorted = keys.read();
    const auto moved = values.read();
    ASSERT_TRUE(std::is_sorted(sorted.begin(), sorted.end())) << n;
    column<std::uint64_t> seen = moved;
    std::sort(seen.begin(), seen.end());
    ASSERT_TRUE(std::equal(seen.begin(), seen.end(), places.begin())) << n;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sorted[i], input[moved[i]]) << i << " of " << n;
    ASSERT_TRUE(keys.intact() && values.intact() && scratch.intact());
  }
}

TEST_F(quicksort_test, orders_indices_that_it_makes_itself) {
  using by_pointee = gpusort::detail::by_pointee<std::uint32_t, kit::reference_less>;
  using tested = quicksort<key_array<std::uint32_t>, by_pointee>;
  for (std::size_t n : {std::size_t{100}, std::size_t{5000}, std::size_t{100003}}) {
    const auto input = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
    const kit::buffer<std::uint32_t> keys(input, 1);
    const kit::buffer<std::uint32_t> places(n, 1);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    tested::run(nullptr, index_sequence_array<std::uint32_t>{},
                key_array<std::uint32_t>{places.data()}, n, by_pointee{keys.data(), {}},
                scratch.data());
    const auto order = places.read();
    column<std::uint32_t> sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LT(order[i], n);
      sorted[i] = input[order[i]];
    }
    ASSERT_TRUE(std::is_sorted(sorted.begin(), sorted.end()) && kit::same_multiset(input, sorted));
  }
}

TEST_F(quicksort_test, replays_as_a_graph) {
  const std::size_t n = 200003;
  const kit::stream s;
  const auto policy = gpusort::par_gpu_nosync.on(s).with(gpusort::algorithm::quicksort);
  const kit::buffer<std::uint32_t> range(n, 1);
  const kit::graph captured(s,
                            [&] { gpusort::sort(policy, range.begin(), range.end(), opaque{}); });
  for (auto d : {distribution::uniform, distribution::sorted, distribution::few_distinct}) {
    const auto input = kit::generate<std::uint32_t>(d, n, kit::seed());
    kit::cuda_ok(
        cudaMemcpy(range.data(), input.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
    captured.launch(s);
    const auto f = kit::examine(input, range.read(), opaque{}, kit::promise::order);
    ASSERT_TRUE(f.ok() && range.intact()) << d << ": " << f;
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
