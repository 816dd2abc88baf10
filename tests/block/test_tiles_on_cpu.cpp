// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorts of tiles, run thread by thread on the CPU. What a GPU makes of the same code is tested
// in test_tiles.cu.
#include "../kit/block_on_cpu.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/block_pairwise_merge_sort.hpp>
#include <gpusort/detail/tile/block_serial_merge_sort.hpp>
#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/inferred_number_sort.hpp>
#include <gpusort/detail/tile/lane_group_sorter.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>
#include <numeric>
#include <vector>
#include "../kit/tile_inputs.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
namespace tile = gpusort::detail::tile;

/// An element of that many bytes, of which the first, up to 4, are its key and all tell which it
/// is.
template <int Bytes>
struct record {
  unsigned char byte[Bytes];

  static record make(std::uint32_t key, std::uint32_t id) {
    record x;
    for (int i = 0; i < Bytes; ++i) x.byte[i] = static_cast<unsigned char>(id >> 8 * (i % 4));
    std::memcpy(x.byte, &key, std::min<std::size_t>(Bytes > 4 ? 4 : (Bytes + 1) / 2, 4));
    return x;
  }
  std::uint32_t key() const {
    std::uint32_t key = 0;
    std::memcpy(&key, byte, std::min<std::size_t>(Bytes > 4 ? 4 : (Bytes + 1) / 2, 4));
    return key;
  }
};

template <class T>
T make(std::uint32_t key, std::uint32_t id) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(key) * 0x100000001ull);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(key);
  } else {
    return T::make(key, id);
  }
}
template <class T>
auto key_of(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return x;
  } else {
    return x.key();
  }
}

struct honest {
  static constexpr bool is_order = true;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return key_of(a) < key_of(b);
  }
};
struct always {
  static constexpr bool is_order = false;
  template <class T>
  bool operator()(const T&, const T&) const {
    return true;
  }
};
struct by_lot {
  static constexpr bool is_order = false;
  template <class T>
  bool operator()(const T&, const T&) const {
    static std::mt19937 random(7);
    return (random() & 4) != 0;
  }
};

/// Shared memory between two zones that nobody may write.
template <class Storage>
struct guarded {
  unsigned char before[256];
  alignas(16) Storage storage;
  unsigned char after[256];

  guarded() { std::memset(static_cast<void*>(this), 0x5a, sizeof(*this)); }
  bool is_intact() const {
    const auto is_as_before = [](unsigned char c) { return c == 0x5a; };
    return std::all_of(before, before + 256, is_as_before) &&
           std::all_of(after, after + 256, is_as_before);
  }
};

template <class T>
std::vector<std::vector<unsigned char>> as_multiset(const std::vector<T>& items) {
  std::vector<std::vector<unsigned char>> all;
  for (const T& x : items) {
    all.emplace_back(sizeof(T));
    std::memcpy(all.back().data(), &x, sizeof(T));
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class Compare, class T>
void expect_sorted(const std::vector<T>& in, const std::vector<T>& out, bool is_stable) {
  if (Compare::is_order) {
    std::vector<T> expected = in;
    std::stable_sort(expected.begin(), expected.end(), Compare{});
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(key_of(out[i]), key_of(expected[i])) << "item " << i << " of " << in.size();
      if (!is_stable) continue;
      ASSERT_EQ(std::memcmp(&out[i], &expected[i], sizeof(T)), 0) << "item " << i;
    }
  }
  ASSERT_EQ(as_multiset(in), as_multiset(out)) << in.size() << " items";
}

/// Holds what the threads of a block find where they begin.
template <class Sorter, class T>
struct block_of {
  guarded<typename Sorter::storage> shared;
  std::vector<T> in, out;

  explicit block_of(const std::vector<T>& input) : in(input), out(input.size()) {}

  template <class Use>
  void run(const Use& use) {
    const int count = static_cast<int>(in.size());
    block_on_cpu::run(Sorter::threads_per_block, count + 1, [&] {
      use(shared.storage, detail::key_array<T>{in.data()}, count);
      for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = shared.storage.tile[i];
    });
    EXPECT_TRUE(shared.is_intact());
  }
};

template <class T>
std::vector<T> as_elements(const tile_keys& keys) {
  std::vector<T> items;
  for (std::uint32_t key : keys) {
    items.push_back(make<T>(key, static_cast<std::uint32_t>(items.size())));
  }
  return items;
}

constexpr auto sort_array = [](auto& storage, const auto& array, int count, auto sorter,
                               auto compare) {
  decltype(sorter)::type::sort(storage, array, count, compare);
};
constexpr auto sort_in_place = [](auto& storage, const auto& array, int count, auto sorter,
                                  auto compare) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) storage.tile[i] = array.load(i);
  __syncthreads();
  decltype(sorter)::type::sort(storage, count, compare);
};

template <class Sorter>
struct type_of {
  using type = Sorter;
};

template <class T, class Sorter, bool Stable, class Compare, class Sort>
void sort_tile(const tile_keys& keys, Sort sort) {
  const std::vector<T> input = as_elements<T>(keys);
  block_of<Sorter, T> block(input);
  block.run([&](auto& storage, const auto& array, int count) {
    sort(storage, array, count, type_of<Sorter>{}, Compare{});
  });
  expect_sorted<Compare>(input, block.out, Stable);
}

/// Sorts by an order, and by what is none: then items are neither lost nor doubled.
template <class T, class Sorter, bool Stable>
void sort_by_all() {
  constexpr int tile = Sorter::items_per_tile, of_warp = tile / Sorter::threads_per_block * 32;
  for_each_random_tile(tile, of_warp, [](const tile_keys& keys) {
    if (static_cast<int>(keys.size()) > tile || ::testing::Test::HasFatalFailure()) return;
    sort_tile<T, Sorter, Stable, honest>(keys, sort_array);
    if (keys.size() % 2 == 1) sort_tile<T, Sorter, Stable, honest>(keys, sort_in_place);
  });
  for (int count : {of_warp - 1, tile / 2 + of_warp / 3, tile - 1, tile}) {
    sort_tile<T, Sorter, Stable, always>(random_tile(count, 1 << 30), sort_array);
    sort_tile<T, Sorter, Stable, by_lot>(random_tile(count, 1 << 30), sort_array);
  }
}

/// Merges halves in tiles of two chunks for each thread.
template <class T, class Sorter>
void merge_halves_that_meet_anywhere() {
  const int items_per_thread = Sorter::items_per_merge / Sorter::threads_per_block;
  for_each_meeting_of_halves(Sorter::items_per_tile, items_per_thread, [](const tile_keys& keys) {
    if (::testing::Test::HasFatalFailure()) return;
    sort_tile<T, Sorter, false, honest>(keys, sort_array);
    sort_tile<T, Sorter, false, by_lot>(keys, sort_array);
  });
}

TEST(tiles_on_cpu, of_two_chunks_for_each_thread) {
  sort_by_all<std::uint32_t, tile::block_merge_sort<std::uint32_t, 64, 8, false, 2>, false>();
  sort_by_all<std::uint32_t, tile::block_merge_sort<std::uint32_t, 64, 16, false, 2>, false>();
  sort_by_all<std::uint64_t, tile::block_merge_sort<std::uint64_t, 64, 8, false, 2>, false>();
}

TEST(tiles_on_cpu, of_two_chunks_of_elements_of_any_size) {
  sort_by_all<std::uint8_t, tile::block_merge_sort<std::uint8_t, 64, 16, false, 2>, false>();
  sort_by_all<double, tile::block_merge_sort<double, 64, 8, false, 2>, false>();
  sort_by_all<record<2>, tile::block_merge_sort<record<2>, 64, 16, false, 2>, false>();
  sort_by_all<record<3>, tile::block_merge_sort<record<3>, 64, 16, false, 2>, false>();
  sort_by_all<record<5>, tile::block_merge_sort<record<5>, 64, 8, false, 2>, false>();
  sort_by_all<record<7>, tile::block_merge_sort<record<7>, 64, 8, false, 2>, false>();
  sort_by_all<record<8>, tile::block_merge_sort<record<8>, 64, 8, false, 2>, false>();
}

TEST(tiles_on_cpu, of_one_chunk_for_each_thread) {
  sort_by_all<std::uint32_t, tile::block_merge_sort<std::uint32_t, 128, 16, false>, false>();
  sort_by_all<std::uint32_t, tile::block_merge_sort<std::uint32_t, 96, 8, false>, false>();
  sort_by_all<std::int64_t, tile::block_merge_sort<std::int64_t, 64, 4, false>, false>();
  sort_by_all<record<12>, tile::block_merge_sort<record<12>, 64, 4, false>, false>();
  sort_by_all<record<33>, tile::block_merge_sort<record<33>, 64, 2, false>, false>();
}

TEST(tiles_on_cpu, stable) {
  sort_by_all<record<8>, tile::block_merge_sort<record<8>, 64, 8, true>, true>();
  sort_by_all<record<8>, tile::block_serial_merge_sort<record<8>, 64, 15>, true>();
  sort_by_all<record<16>, tile::block_pairwise_merge_sort<record<16>, 64, 4, 1, true>, true>();
}

TEST(tiles_on_cpu, by_few_comparisons) {
  sort_by_all<std::uint32_t,
              tile::block_merge_sort<std::uint32_t, 64, 16, false>::fewest_comparisons, false>();
  sort_by_all<std::uint32_t,
              tile::block_merge_sort<std::uint32_t, 64, 8, false, 2>::fewest_comparisons, false>();
  sort_by_all<std::uint64_t,
              tile::block_merge_sort<std::uint64_t, 64, 8, false, 2>::fewest_comparisons, false>();
  merge_halves_that_meet_anywhere<
      std::uint64_t, tile::block_merge_sort<std::uint64_t, 64, 8, false, 2>::fewest_comparisons>();
}

/// Sorts and merges in the tile of another sorter by code for any number of threads.
template <class T, class Shape, bool FewestComparisons>
struct of_any_threads {
  static constexpr int threads_per_block = Shape::threads_per_block;
  static constexpr int items_per_tile = Shape::items_per_tile;
  static constexpr int items_per_merge = Shape::items_per_merge;
  using storage = typename Shape::storage;
  using sorter =
      tile::block_merge_sort<T, tile::any_threads, items_per_merge / threads_per_block, false,
                             items_per_tile / items_per_merge, 1 << 16, FewestComparisons>;

  template <class Array, class Compare>
  static void sort(storage& shared, const Array& array, int count, Compare& compare) {
    run(shared, array, {count, tile::tile_step::to_sort, false}, compare);
  }
  template <class Compare>
  static void sort(storage& shared, int count, Compare& compare) {
    run(shared, detail::key_array<T>{}, {count, tile::tile_step::to_sort, true}, compare);
  }
  template <class Compare>
  static void merge_two(storage& shared, int a_count, int b_count, Compare& compare) {
    run(shared, detail::key_array<T>{}, {a_count + b_count, a_count, true}, compare);
  }

 private:
  template <class Array, class Compare>
  static void run(storage& shared, const Array& array, const tile::tile_step& step,
                  Compare& compare) {
    typename sorter::storage view{shared.boundaries,
                                  reinterpret_cast<typename sorter::items&>(shared.tile)};
    sorter::run(view, array, step, compare);
  }
};

template <class T, class Shape>
void sort_by_any_threads() {
  sort_by_all<T, of_any_threads<T, Shape, false>, false>();
  sort_by_all<T, of_any_threads<T, Shape, true>, false>();
}

TEST(tiles_on_cpu, of_any_number_of_threads) {
  using u32 = std::uint32_t;
  sort_by_any_threads<u32, tile::block_merge_sort<u32, 64, 16, false>>();
  sort_by_any_threads<u32, tile::block_merge_sort<u32, 96, 8, false>>();
  sort_by_any_threads<u32, tile::block_merge_sort<u32, 64, 8, false, 2>>();
  sort_by_any_threads<record<33>, tile::block_merge_sort<record<33>, 64, 2, false>>();
  merge_halves_that_meet_anywhere<
      u32, of_any_threads<u32, tile::block_merge_sort<u32, 64, 8, false, 2>, false>>();
}

struct counting_honest : honest {
  static inline int calls = 0;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    ++calls;
    return honest::operator()(a, b);
  }
};

/// Returns the comparisons of each item of a full tile.
template <class Sorter>
double comparisons_each() {
  using T = std::uint32_t;
  block_of<Sorter, T> block(as_elements<T>(random_tile(Sorter::items_per_tile, 1 << 30)));
  counting_honest::calls = 0;
  block.run([&](auto& storage, const auto& array, int count) {
    counting_honest compare;
    Sorter::sort(storage, array, count, compare);
  });
  return 1.0 * counting_honest::calls / Sorter::items_per_tile;
}

TEST(tiles_on_cpu, ask_less_often_where_comparisons_are_dear) {
  using sorter = tile::block_merge_sort<std::uint32_t, 64, 16, false>;
  const double each = comparisons_each<sorter::fewest_comparisons>();
  EXPECT_LE(each, 1.4 * detail::ceil_log2(int{sorter::items_per_tile}));
  EXPECT_LE(1.5 * each, comparisons_each<sorter>());
}

TEST(tiles_on_cpu, merged_from_runs_of_lanes) {
  sort_by_all<std::uint32_t, tile::block_pairwise_merge_sort<std::uint32_t, 64, 8, 32, false>,
              false>();
  sort_by_all<std::uint64_t, tile::block_pairwise_merge_sort<std::uint64_t, 64, 8, 8, false>,
              false>();
  sort_by_all<record<8>, tile::block_pairwise_merge_sort<record<8>, 96, 4, 1, false>, false>();
}

TEST(tiles_on_cpu, whose_halves_meet_anywhere) {
  merge_halves_that_meet_anywhere<std::uint64_t,
                                  tile::block_merge_sort<std::uint64_t, 64, 8, false, 2>>();
  merge_halves_that_meet_anywhere<std::uint32_t,
                                  tile::block_merge_sort<std::uint32_t, 64, 16, false, 2>>();
  merge_halves_that_meet_anywhere<record<3>, tile::block_merge_sort<record<3>, 64, 16, false, 2>>();
}

/// Counts the threads that call it for more than a few items.
template <class Sorter>
struct counted : Sorter {
  static inline int calls = 0;
  template <class Compare>
  static void sort(typename Sorter::storage& shared, int count, Compare& compare) {
    calls += count > 2;
    Sorter::sort(shared, count, compare);
  }
  template <class From, class Compare>
  static void sort(typename Sorter::storage& shared, const From& from, int count,
                   Compare& compare) {
    calls += count > 2;
    Sorter::sort(shared, from, count, compare);
  }
};

/// Sorts numbers by NumberSort, whose comparisons Sorter makes. make(random, i) is item i. Whether
/// comparisons had to take over; `expect` looks at the input and what became of it.
template <class NumberSort, class Sorter, class Order, class T, class Make, class Expect>
bool sort_numbers(Make make, Expect expect) {
  constexpr int tile = Sorter::items_per_tile;
  Sorter::calls = 0;
  int wrong_guesses = 0;
  for (int count :
       {1, 2, 7, 8, 9, 16, 24, 25, 31, 33, tile / 2 + 5, tile * 3 / 4, tile - 1, tile}) {
    std::vector<T> input;
    for (int i = 0; i < count; ++i) input.push_back(static_cast<T>(make(random_at(5, i), i)));
    std::vector<T> in = input, out = input;
    guarded<typename NumberSort::storage> shared;
    block_on_cpu::run(Sorter::threads_per_block, count, [&] {
      detail::by_stored_value<Order> compare;
      const detail::key_array<T> to{out.data()}, from{count % 2 ? out.data() : in.data()};
      if constexpr (tile::order_preserving_bits<T, detail::by_stored_value<Order>>::is_known) {
        NumberSort::sort(shared.storage, from, to, count, compare);
      } else {
        if (!NumberSort::sort(shared.storage, from, to, count, compare, &wrong_guesses, 0)
                 .is_sorted) {
          tile::block_sort_any_length<Sorter>(shared.storage.elements, from, to, from, count,
                                              compare);
        }
      }
    });
    EXPECT_TRUE(shared.is_intact());
    expect(input, out);
  }
  return Sorter::calls > 0;
}

/// Sorts numbers by where they are between the least and the greatest.
template <class T, class Sorter, class Order, class Make>
bool sort_by_proxmap(Make make) {
  using sorter = tile::proxmap_sort<T, counted<Sorter>>;
  return sort_numbers<sorter, counted<Sorter>, Order, T>(
      make, [](std::vector<T>& in, const std::vector<T>& out) {
        std::sort(in.begin(), in.end(), Order{});
        EXPECT_EQ(out, in) << in.size() << " items";
      });
}

template <class T, class Sorter, class Order>
void sort_numbers_by_proxmap() {
  const auto sort = [](auto make) { return sort_by_proxmap<T, Sorter, Order>(make); };
  using bits = std::uint64_t;
  constexpr int high = sizeof(T) > 4 ? 60 : 28;
  constexpr int above = sizeof(T) > 8 ? 64 : 0;  // where the upper half is what is seen
  const auto put = [=](bits x) { return static_cast<T>(x) << above; };
  EXPECT_FALSE(sort([=](bits r, int) { return put(r); }));
  EXPECT_FALSE(sort([=](bits r, int) { return put((bits{7} << high) - 5000 + r % 10000); }));
  EXPECT_FALSE(sort([=](bits r, int) { return put((bits{7} << high) + r % 5000000); }));
  EXPECT_FALSE(sort([=](bits, int i) { return put(100000 - 3 * i); }));
  if (sizeof(T) <= 8) {
    EXPECT_FALSE(sort([=](bits, int) { return put(5); }));
    EXPECT_FALSE(sort([=](bits r, int) { return put(r % 3); }));
    EXPECT_FALSE(sort([=](bits r, int) { return put(r % 20 * 0x01234567); }));
  }
  // Clumps of neighbours, which are spread within the slots that they crowd.
  EXPECT_FALSE(sort([=](bits, int i) { return put(random_at(6, i / 64) % 32768 + i % 64); }));
  // All but one in one slot, and two clusters at the ends.
  EXPECT_TRUE(sort([=](bits r, int i) { return put(i == 3 ? bits{1} << (high + 2) : r % 500); }));
  EXPECT_TRUE(sort([=](bits r, int) { return put((r & 1) << (high + 2) | (r >> 1 & 1023)); }));
  // The lower half of 128 bits.
  if (sizeof(T) > 8) {
    EXPECT_TRUE(sort([](bits r, int) { return r; }));
    EXPECT_TRUE(sort([=](bits r, int) { return put(r % 3) | static_cast<T>(r); }));
  }
}

TEST(tiles_on_cpu, of_numbers_by_proxmap) {
  sort_numbers_by_proxmap<std::uint32_t, tile::block_merge_sort<std::uint32_t, 64, 16, false>,
                          gpusort::less>();
  sort_numbers_by_proxmap<std::uint32_t, tile::block_merge_sort<std::uint32_t, 128, 8, false>,
                          gpusort::greater>();
  sort_numbers_by_proxmap<std::uint64_t, tile::block_merge_sort<std::uint64_t, 64, 8, false>,
                          gpusort::less>();
  sort_numbers_by_proxmap<std::int64_t, tile::block_merge_sort<std::int64_t, 128, 8, false>,
                          gpusort::greater>();
  sort_numbers_by_proxmap<unsigned __int128,
                          tile::block_merge_sort<unsigned __int128, 64, 4, false>, gpusort::less>();
}

/// Orders of numbers that only calling them shows.
struct descending {
  static constexpr bool is_order = true;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};
struct by_quotient {
  static constexpr bool is_order = true;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return static_cast<std::int64_t>(a) / 1000 < static_cast<std::int64_t>(b) / 1000;
  }
};
struct by_remainder {
  static constexpr bool is_order = true;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return static_cast<std::int64_t>(a) % 1000 < static_cast<std::int64_t>(b) % 1000;
  }
};
/// Ascending, but for one number, which is after all others.
struct but_for_one {
  static constexpr bool is_order = true;
  static constexpr int exception = 40;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a != exception && (b == exception || a < b);
  }
};

/// Ascending, but for two neighbours.
struct with_two_exchanged {
  static constexpr bool is_order = true;
  static inline int lower = 0;
  template <class T>
  static T rank(const T& x) {
    return x == lower ? x + 1 : x == lower + 1 ? x - 1 : x;
  }
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return rank(a) < rank(b);
  }
};

template <class T, class Sorter, class Order, class Make>
bool sort_as_inferred(Make make) {
  using sorter = tile::inferred_number_sort<T, counted<Sorter>>;
  return sort_numbers<sorter, counted<Sorter>, Order, T>(
      make, [](const std::vector<T>& in, const std::vector<T>& out) {
        EXPECT_TRUE(as_multiset(out) == as_multiset(in)) << in.size() << " items";
        if (Order::is_order) {
          EXPECT_TRUE(std::is_sorted(out.begin(), out.end(), Order{})) << in.size() << " items";
        }
      });
}

template <class T, class Sorter>
void sort_all_as_learnt() {
  const auto random = [](std::uint64_t r, int) { return static_cast<std::int64_t>(r >> 34); };
  // As evenly as numbers, and as the bits of floats, so that no slot is crowded by chance and by
  // the order in which threads come to it.
  const auto spread = [](std::uint64_t, int i) {
    return (1 << 29) + static_cast<std::int64_t>(i * 331804471ull % (1 << 29));
  };
  const auto signed_numbers = [](std::uint64_t r, int) {
    return static_cast<std::int64_t>(r >> 34) - (1 << 29);
  };
  const auto falling = [](std::uint64_t, int i) { return 100000 - 3 * i; };
  const auto few = [](std::uint64_t r, int) { return r % 3; };
  EXPECT_FALSE((sort_as_inferred<T, Sorter, honest>(spread)));
  // As bits, floats of both signs are two clusters, which are spread in the slots that they crowd.
  EXPECT_FALSE((sort_as_inferred<T, Sorter, honest>(signed_numbers)));
  EXPECT_FALSE((sort_as_inferred<T, Sorter, honest>(falling)));
  EXPECT_FALSE((sort_as_inferred<T, Sorter, descending>(spread)));
  EXPECT_FALSE((sort_as_inferred<T, Sorter, descending>(signed_numbers)));
  EXPECT_FALSE((sort_as_inferred<T, Sorter, descending>(few)));
  EXPECT_FALSE((sort_as_inferred<T, Sorter, by_quotient>(spread)));
  EXPECT_TRUE((sort_as_inferred<T, Sorter, by_remainder>(random)));
  // One of many is where the comparator does not want it: among the first, in the middle, after.
  for (int others : {100, 0, -2000}) {
    const auto with_exception = [=](std::uint64_t r, int i) {
      return i == 5 ? but_for_one::exception : others + static_cast<int>(r % 100000);
    };
    EXPECT_TRUE((sort_as_inferred<T, Sorter, but_for_one>(with_exception)));
  }
  // Numbers 0 to count - 1: at the edges of windows and of their halves, and beyond the last.
  constexpr int tile = Sorter::items_per_tile, many = tile / 2 + 5;
  for (int i : {0, 1, 6, 7, 8, 14, 15, 16, 22, 23, 24, 31, 47, 63, many - 3, many - 2, tile - 2}) {
    with_two_exchanged::lower = i;
    const auto permuted = [](std::uint64_t, int i) { return i ^ 1; };
    EXPECT_TRUE((sort_as_inferred<T, Sorter, with_two_exchanged>(permuted))) << i;
  }
  sort_as_inferred<T, Sorter, always>(random);
  sort_as_inferred<T, Sorter, by_lot>(random);
}

TEST(tiles_on_cpu, of_numbers_whose_order_is_learnt) {
  sort_all_as_learnt<std::int32_t, tile::block_merge_sort<std::int32_t, 64, 16, false>>();
  sort_all_as_learnt<float, tile::block_merge_sort<float, 128, 8, false>>();
  sort_all_as_learnt<double, tile::block_merge_sort<double, 64, 8, false>>();
}

/// Sorts more than a tile: sorted tiles are merged, items_per_merge at a time.
template <class T, class Sorter, class Compare>
void sort_ranges() {
  constexpr int tile = Sorter::items_per_tile;
  for (int count : {tile + 1, 2 * tile, 3 * tile + 77}) {
    const std::vector<T> input = as_elements<T>(random_tile(count, 10000));
    std::vector<T> in = input, out(input.size());
    guarded<typename Sorter::storage> shared;
    block_on_cpu::run(Sorter::threads_per_block, 1, [&] {
      Compare compare;
      const detail::key_array<T> from{in.data()}, to{out.data()};
      tile::block_sort_any_length<Sorter>(shared.storage, from, to, from, count, compare);
    });
    EXPECT_TRUE(shared.is_intact());
    ASSERT_NO_FATAL_FAILURE(expect_sorted<Compare>(input, out, false));
  }
}

TEST(tiles_on_cpu, merged_where_there_are_several) {
  using wide = tile::block_merge_sort<std::uint32_t, 64, 8, false, 2>;
  sort_ranges<std::uint32_t, wide, honest>();
  sort_ranges<std::uint32_t, wide, by_lot>();
  using any = of_any_threads<std::uint32_t, wide, false>;
  sort_ranges<std::uint32_t, any, honest>();
  sort_ranges<std::uint32_t, any, by_lot>();
  using odd = tile::block_merge_sort<record<12>, 96, 4, false>;
  sort_ranges<record<12>, odd, honest>();
}

/// Sorts by groups of lanes with an array each, of which each has some elements less.
template <class T, int ItemsPerLane, class Compare>
void sort_by_groups() {
  using sorter = tile::lane_group_sorter<T, ItemsPerLane>;
  for (int lanes = 1; lanes <= 32; lanes *= 2) {
    const int most = lanes * ItemsPerLane, groups = 32 / lanes;
    for (int less : {0, 1, most / 2}) {
      std::vector<std::vector<T>> inputs;
      for (int g = 0; g < groups; ++g) {
        inputs.push_back(as_elements<T>(random_tile(std::max(0, most - g * less), 100)));
      }
      std::vector<std::vector<T>> arrays = inputs;
      guarded<typename sorter::items> shared;
      block_on_cpu::run(32, 1, [&] {
        Compare compare;
        std::vector<T>& mine = arrays[threadIdx.x / lanes];
        sorter::sort(shared.storage, detail::key_array<T>{mine.data()}, lanes,
                     static_cast<int>(mine.size()), most, compare);
      });
      EXPECT_TRUE(shared.is_intact());
      for (int g = 0; g < groups; ++g) {
        SCOPED_TRACE(lanes);
        ASSERT_NO_FATAL_FAILURE(expect_sorted<Compare>(inputs[g], arrays[g], false));
      }
    }
  }
}

TEST(tiles_on_cpu, of_groups_of_lanes) {
  sort_by_groups<std::uint32_t, 8, honest>();
  sort_by_groups<record<12>, 4, honest>();
  sort_by_groups<record<12>, 4, by_lot>();
}

}  // namespace
}  // namespace kit
