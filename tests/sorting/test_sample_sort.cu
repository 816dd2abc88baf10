// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs made against sample sort by someone who has read it; as a route it is tested with all
// others.
#include <algorithm>
#include <cstring>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/tile/block_pairwise_merge_sort.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>
#include <memory>

#include "../kit/paged_sort.hpp"
#include "../kit/places.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

class sample_sort : public gpu_test {};

template <class T>
findings sort_and_examine(const column<T>& input) {
  const buffer<T> range(input, 3);
  subject<T, opaque>::run(call{}, range.begin(), range.end(), opaque{});
  findings f = examine(input, range.read(), opaque{}, promise::order);
  f.zones_intact = range.intact();
  return f;
}

/// One to four levels, as up to beyond 2^30 keys, for few of them.
using small_buckets =
    gpusort::detail::tuning::with_bucket_tile<gpusort::detail::tuning::sample_sort<4>, 128, 8>;
struct narrow_levels : small_buckets {
  struct distribution : small_buckets::distribution {
    static constexpr int max_log_buckets = 4;
  };
};

template <class Tuning>
void sort_on_levels() {
  namespace detail = gpusort::detail;
  using array = detail::key_array<std::uint32_t>;
  using order = detail::by_stored_value<opaque>;
  using algorithm = detail::sample_sort<array, order, Tuning>;
  for (std::size_t n : {1 << 12, 1 << 17, 1 << 20, (1 << 22) + 1}) {
    if (device_is_cpu && n > 1 << 17) continue;
    const buffer<unsigned char> scratch(algorithm::scratch_bytes(n), 0);
    for (distribution d :
         {distribution::uniform, distribution::few_distinct, distribution::all_equal,
          distribution::sorted, distribution::staggered}) {
      const column<std::uint32_t> input = generate<std::uint32_t>(d, n, seed());
      const buffer<std::uint32_t> range(input, 3);
      algorithm::run(nullptr, array{range.begin()}, array{range.begin()}, n, {opaque{}},
                     scratch.data());
      const findings f = examine(input, range.read(), opaque{}, promise::order);
      ASSERT_TRUE(f.ok() && range.intact()) << "n = " << n << ", " << name_of(d) << ": " << f;
    }
  }
}

TEST_F(sample_sort, on_many_levels) { sort_on_levels<narrow_levels>(); }

/// Stands for what the sweep of bench/tune tries next to the numbers that are taken.
struct with_runs_of_lanes : small_buckets {
  struct buckets : small_buckets::buckets {
    template <class T>
    using latency_sorter = gpusort::detail::tile::block_pairwise_merge_sort<T, 128, 8, 8, false>;
  };
};

/// Takes any number of buckets for many: threads have two chunks each.
template <class Tuning>
struct as_many : Tuning {
  struct buckets : Tuning::buckets {
    static constexpr std::uint64_t few = 1;
  };
};
using two_chunks =
    gpusort::detail::tuning::with_bucket_tile<gpusort::detail::tuning::sample_sort<4>, 128, 8, 2>;
/// Buckets so large that many outgrow their tile.
struct full_buckets : two_chunks {
  struct buckets : two_chunks::buckets {
    static constexpr int target = items_per_tile * 3 / 2;
  };
};

TEST_F(sample_sort, with_many_buckets) {
  sort_on_levels<as_many<narrow_levels>>();
  sort_on_levels<as_many<two_chunks>>();
  sort_on_levels<as_many<full_buckets>>();
}

TEST_F(sample_sort, with_buckets_sorted_from_runs_of_lanes) {
  sort_on_levels<with_runs_of_lanes>();
}

/// Pages scattered to by one warp, each of whose threads has several of 2^6 buckets.
struct pages_of_one_warp : small_buckets {
  struct distribution : small_buckets::distribution {
    static constexpr int max_log_buckets = 7;
    static constexpr int threads_per_block = 128;
    static constexpr int items_per_thread = 4;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
    static constexpr int tiles_per_chunk = 1;
  };
  struct paging : small_buckets::paging {
    static constexpr int max_log_buckets = 7;
    static constexpr int threads_per_block = 32;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
  };
  struct buckets : small_buckets::buckets {
    static constexpr int target = 64;
  };
};

TEST_F(sample_sort, in_pages) {
  sort_in_pages<std::uint32_t, small_pages<gpusort::detail::tuning::sample_sort<4>, 2>>(opaque{});
  sort_in_pages<std::uint32_t, pages_of_one_warp>(opaque{});
}

TEST_F(sample_sort, numbers_in_pages) {
  using numbers = small_pages<gpusort::detail::tuning::sample_sort_of_numbers<8>, 2>;
  sort_in_pages<std::uint64_t, numbers>(gpusort::less{});
  sort_in_pages<double, numbers>(gpusort::less{});
}

/// A predicate, and what is known of an order, in device memory.
struct given_words {
  given_words(std::uint32_t gate, std::uint32_t violations) {
    column<std::uint32_t> words(3);
    words[0] = gate;
    words[1] = words[2] = violations;
    memory = std::make_unique<buffer<std::uint32_t>>(words, 0);
  }
  gpusort::detail::kernel::predicate gate() const { return {memory->begin()}; }
  gpusort::detail::kernel::sortedness order() const {
    return {memory->begin() + 1, 1, memory->begin() + 2};
  }

  std::unique_ptr<buffer<std::uint32_t>> memory;
};

void sort_given(const gpusort::detail::kernel::sortedness& known,
                gpusort::detail::kernel::predicate gate, bool is_to_be_sorted) {
  using sort = paged_sort<std::uint32_t, pages_of_one_warp, opaque>;
  const auto input = generate<std::uint32_t>(distribution::uniform, sort::least_n + 1, seed());
  const buffer<unsigned char> scratch(sort::algorithm::scratch_bytes(input.size()), 0);
  const buffer<std::uint32_t> range(input, 3);
  sort::run(range, range, opaque{}, scratch.data(), known, gate);
  const auto output = range.read();
  const findings f = examine(input, output, opaque{}, promise::order);
  if (is_to_be_sorted) {
    ASSERT_TRUE(f.ok()) << f;
  } else {
    ASSERT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
  }
  ASSERT_TRUE(range.intact());
}

TEST_F(sample_sort, where_it_is_wanted_in_pages) {
  for (std::uint32_t gate : {0, 1}) {
    const given_words words(gate, gpusort::detail::kernel::neither);
    sort_given({}, words.gate(), gate != 0);
  }
}

TEST_F(sample_sort, of_a_known_order_in_pages) {
  namespace kernel = gpusort::detail::kernel;
  const given_words nothing(1, kernel::neither), ascending(1, kernel::not_descending);
  sort_given(nothing.order(), {}, true);
  sort_given(ascending.order(), {}, false);  // as if it ascended
}

TEST_F(sample_sort, pairs_in_pages) {
  namespace detail = gpusort::detail;
  using array = detail::key_value_array<std::uint32_t, std::uint32_t>;
  using order = detail::by_key<opaque>;
  using algorithm =
      detail::sample_sort<array, order, small_pages<detail::tuning::sample_sort<8>, 1>>;
  const std::size_t n = 300 * detail::tuning::sample_sort<8>::distribution::items_per_tile + 7;
  const auto input = generate<std::uint32_t>(distribution::randomized_duplicates, n, seed());
  const buffer<std::uint32_t> keys(input, 1), values(places_of<std::uint32_t>(n), 1);
  const buffer<unsigned char> scratch(algorithm::scratch_bytes(n), 0);
  const array pairs{keys.begin(), values.begin()};
  algorithm::run(nullptr, pairs, pairs, n, {opaque{}}, scratch.data());
  ASSERT_TRUE(moved_with_places(input, keys.read(), values.read(), opaque{}, promise::order));
}

TEST_F(sample_sort, lied_to_in_pages) {
  using sort = paged_sort<std::uint32_t, pages_of_one_warp, opaque>;
  const std::size_t n = sort::least_n + 41 * sort::page + 7;
  const shared_counter counter;
  for (auto behavior : every_inconsistent_comparator) {
    if (device_is_cpu && behavior > kit::behavior::random) break;
    SCOPED_TRACE(static_cast<int>(behavior));
    sort::check(generate<std::uint32_t>(distribution::uniform, n, seed()),
                opaque(behavior, seed(), counter.get()), promise::permutation);
  }
}

/// 9 bytes that need no alignment: the shared memory of the sample is just below 48 KB.
struct nine_bytes {
  unsigned char bytes[9];
};

TEST_F(sample_sort, bytes_with_values_of_nine) {
  const std::size_t n = small_sizes_only() ? 300007 : 1 << 20;
  const buffer<std::uint8_t> keys(generate<std::uint8_t>(distribution::uniform, n, seed()), 1);
  column<nine_bytes> places(n);
  const auto before = keys.read();
  for (std::size_t i = 0; i < n; ++i) std::memcpy(places[i].bytes, &i, 8);
  const buffer<nine_bytes> values(places, 1);
  gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::sample_sort), keys.begin(),
                       keys.end(), values.begin());
  const auto moved = values.read();
  column<std::uint64_t> told(n);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&told[i], moved[i].bytes, 8);
  EXPECT_TRUE(moved_with_places(before, keys.read(), told, reference_less{}, promise::order));
}

/// Returns ascending values, or strictly descending ones.
template <class T>
column<T> in_order(std::size_t n, bool is_descending) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = make_value<T>(std::uint64_t{is_descending ? n - i : i} << 32, i);
  }
  return values;
}

template <class T>
void sort_nearly_ordered(std::size_t n) {
  for (bool is_descending : {false, true}) {
    const column<T> ordered = in_order<T>(n, is_descending);
    // n: nothing is out of order. The places between are seen by all threads of some blocks.
    std::vector<std::size_t> places = {0, 1, n / 2, n - 3, n - 2, n};
    for (std::size_t i = 0; i < (small_sizes_only() ? 1 : 40); ++i)
      places.push_back(random_at(seed(), i) % (n - 1));
    for (std::size_t place : places) {
      column<T> input = ordered;
      if (place < n) std::swap(input[place], input[place + 1]);
      const findings f = sort_and_examine(input);
      ASSERT_TRUE(f.ok()) << "n = " << n << ", out of order at " << place << ": " << f;
    }
  }
}

TEST_F(sample_sort, one_pair_out_of_order) {
  sort_nearly_ordered<std::uint32_t>(beyond_one_launch + 2);
}

TEST_F(sample_sort, one_pair_of_larger_elements_out_of_order) {
  if (device_is_cpu) GTEST_SKIP() << "takes minutes on the CPU";
  sort_nearly_ordered<std::uint64_t>(300007);
  sort_nearly_ordered<record<64>>(140001);
}

}  // namespace
}  // namespace kit
