// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// segmented_sort and its relatives: each segment sorted, nothing else touched, whatever the offsets
// and the comparator.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/tuning/segmented_sort.hpp>
#include <gpusort/segmented_sort.hpp>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/orders.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
using u32 = std::uint32_t;
using offset_list = std::vector<std::uint64_t>;

template <class T, class Compare, bool Stable>
struct sorted_as {
  using value = T;
  using compare = Compare;
  static constexpr bool stable = Stable;

  template <class Policy, class... Arguments>
  static void sort(const Policy& policy, const Arguments&... arguments) {
    if constexpr (Stable) {
      gpusort::stable_segmented_sort(policy, arguments...);
    } else {
      gpusort::segmented_sort(policy, arguments...);
    }
  }
};

/// Returns offsets of segments of these lengths, the first of which begins at `first`.
offset_list offsets_after(std::uint64_t first, const std::vector<std::uint64_t>& lengths) {
  offset_list offsets = {first};
  for (auto length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

/// Returns what one class of segments holds, one more and one less, twice, and empty ones between.
template <class T>
std::vector<std::uint64_t> lengths_at_limits() {
  using tuning = gpusort::detail::tuning::segmented_sort<sizeof(T)>;
  std::vector<std::uint64_t> lengths = {0, 1, 2, 3};
  for (std::uint64_t limit :
       {tuning::items_per_lane, tuning::lanes_of(1) * tuning::items_per_lane,
        tuning::lanes_of(2) * tuning::items_per_lane, tuning::lanes_of(3) * tuning::items_per_lane,
        tuning::lanes_of(4) * tuning::items_per_lane, int{tuning::max_in_warp},
        int{tuning::max_in_block}, 2 * tuning::max_in_block, int{tuning::splitting::piece_items},
        3 * tuning::splitting::piece_items}) {
    for (auto length : {limit - 1, limit, limit + 1, std::uint64_t{0}, limit}) {
      lengths.push_back(length);
    }
  }
  return lengths;
}

/// Returns lengths that a power law has: many short ones, few long ones, in any order.
std::vector<std::uint64_t> power_law(std::uint64_t n) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 1; n > 0; ++i) {
    const std::uint64_t random = random_at(seed(), i) >> 40;
    lengths.push_back(std::min<std::uint64_t>(n, (1 << 22) / (random + 40)));
    n -= lengths.back();
  }
  return lengths;
}

template <class T>
bool same_part(const column<T>& a, const column<T>& b, std::uint64_t begin, std::uint64_t end) {
  return std::equal(a.begin() + begin, a.begin() + end, b.begin() + begin, same_bytes<T>);
}

/// Whether each segment of `out` holds what it is promised to, and the rest is as it was.
template <class T, class Compare>
::testing::AssertionResult segments_hold(const column<T>& in, const column<T>& out,
                                         const offset_list& offsets, Compare comp,
                                         promise promised) {
  const auto failure = [&] { return ::testing::AssertionFailure() << "n = " << in.size() << ", "; };
  if (!same_part(in, out, 0, offsets.front()) || !same_part(in, out, offsets.back(), in.size())) {
    return failure() << "what is outside the segments has changed";
  }
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto found = examine(part_of(in, offsets[i], offsets[i + 1]),
                               part_of(out, offsets[i], offsets[i + 1]), comp, promised, 1 << 13);
    if (!found.ok()) {
      return failure() << "segment " << i << " of " << offsets[i + 1] - offsets[i] << ": " << found;
    }
  }
  return ::testing::AssertionSuccess();
}

template <class Offset>
column<Offset> as(const offset_list& offsets) {
  column<Offset> converted(offsets.size());
  std::copy(offsets.begin(), offsets.end(), converted.begin());
  return converted;
}

/// Sorts a range of n elements, with offsets in device memory, and looks at what comes of it.
template <class Subject>
::testing::AssertionResult sorts(std::size_t n, const offset_list& offsets, distribution d,
                                 const typename Subject::compare& comp, bool lies = false,
                                 std::size_t misaligned = 0) {
  using T = typename Subject::value;
  const auto in = generate<T>(d, n, seed());
  const buffer<T> data(in, misaligned);
  const buffer<std::int64_t> on_device(as<std::int64_t>(offsets), 0);
  Subject::sort(par_gpu, data.begin(), data.end(), on_device.begin(), on_device.end(), comp);
  if (!data.intact()) return ::testing::AssertionFailure() << "written outside the range";
  return segments_hold(in, data.read(), offsets, reference<typename Subject::compare>::of(comp),
                       lies              ? promise::permutation
                       : Subject::stable ? promise::stability
                                         : promise::order);
}

template <class Subject>
class segmented_sort : public gpu_test {};

using subjects =
    ::testing::Types<sorted_as<u32, gpusort::less, false>,
                     sorted_as<double, gpusort::greater, false>,
                     sorted_as<record<16>, opaque, false>, sorted_as<record<48>, opaque, false>,
                     sorted_as<record<100>, opaque, true>>;
TYPED_TEST_SUITE(segmented_sort, subjects);

TYPED_TEST(segmented_sort, sorts_segments_of_all_lengths) {
  const typename TypeParam::compare comp{};
  const auto lengths = lengths_at_limits<typename TypeParam::value>();
  const auto offsets = offsets_after(101, lengths);
  for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted}) {
    EXPECT_TRUE(sorts<TypeParam>(offsets.back() + 57, offsets, d, comp)) << d;
  }
  EXPECT_TRUE(sorts<TypeParam>(offsets.back(), offsets, distribution::organ_pipe, comp, false, 1));
  const std::uint64_t n = small_sizes_only() ? 20000 : 150000;
  const auto skewed = offsets_after(0, power_law(n));
  EXPECT_TRUE(sorts<TypeParam>(n, skewed, distribution::gaussian, comp));
}

TYPED_TEST(segmented_sort, sorts_any_number_of_segments) {
  const typename TypeParam::compare comp{};
  const std::uint64_t n = small_sizes_only() ? 9000 : 60000;
  const auto sorts_lengths = [&](const std::vector<std::uint64_t>& lengths, distribution d) {
    return sorts<TypeParam>(n, offsets_after(0, lengths), d, comp);
  };
  EXPECT_TRUE(sorts_lengths({n}, distribution::uniform));
  EXPECT_TRUE(sorts_lengths({n}, distribution::all_equal));
  EXPECT_TRUE(sorts_lengths({3, n / 100 * 99, 5}, distribution::randomized_duplicates));
  EXPECT_TRUE(sorts_lengths(std::vector<std::uint64_t>(n, 1), distribution::uniform));
  EXPECT_TRUE(sorts_lengths(std::vector<std::uint64_t>(n / 5, 5), distribution::reverse));
  EXPECT_TRUE(sorts_lengths(std::vector<std::uint64_t>(5 * n, 0), distribution::uniform));
  std::vector<std::uint64_t> alternating;
  for (std::uint64_t i = 0; i < n / 90; ++i) alternating.insert(alternating.end(), {0, 90, 0, 0});
  EXPECT_TRUE(sorts_lengths(alternating, distribution::two_alternating));
  EXPECT_TRUE(sorts<TypeParam>(1, {0, 1}, distribution::uniform, comp));
}

TYPED_TEST(segmented_sort, loses_nothing_to_a_liar) {
  if constexpr (std::is_same_v<typename TypeParam::compare, opaque>) {
    using T = typename TypeParam::value;
    const shared_counter counter;
    auto lengths = lengths_at_limits<T>();
    lengths.push_back(40000);
    const auto offsets = offsets_after(3, lengths);
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      EXPECT_TRUE(
          sorts<TypeParam>(offsets.back() + 9, offsets, distribution::few_distinct, comp, true))
          << name_of(m);
    }
  }
}

TYPED_TEST(segmented_sort, compares_only_what_the_range_holds) {
  using T = typename TypeParam::value;
  if constexpr (std::is_same_v<typename TypeParam::compare, opaque> && index_bytes_of<T>() == 8) {
    const shared_counter foreign;
    const auto offsets = offsets_after(3, lengths_at_limits<T>());
    EXPECT_TRUE(sorts<TypeParam>(offsets.back() + 9, offsets, distribution::uniform,
                                 opaque(behavior::inspecting, seed(), foreign.get())));
    EXPECT_EQ(*foreign.get(), 0u);
  }
}

class segmented_calls : public gpu_test {
 protected:
  using subject = sorted_as<u32, gpusort::less, false>;
  static constexpr std::size_t n = 30000;

  static offset_list ragged() { return offsets_after(10, {0, 9000, 77, 1, 300, 20000, 0, 12}); }
  static column<u32> input() { return generate<u32>(distribution::uniform, n, seed()); }
  static ::testing::AssertionResult holds(const column<u32>& out, const offset_list& offsets) {
    return segments_hold(input(), out, offsets, reference_less{}, promise::order);
  }
};

struct times_100 {
  __host__ __device__ long long operator()(long long i) const { return i * 100; }
};

TEST_F(segmented_calls, take_offsets_of_every_kind) {
  const auto offsets = ragged();
  const auto sorts = [&](auto first, auto last, const offset_list& bounds) {
    for (auto kind : {memory_kind::device, memory_kind::pageable}) {
      const buffer<u32> data(input(), 1, gpu_memory{kind});
      gpusort::segmented_sort(par_gpu_nosync, data.begin(), data.end(), first, last);
      EXPECT_TRUE(holds(data.read(), bounds)) << name_of(kind);
      EXPECT_TRUE(data.intact());
    }
  };
  for (auto kind : every_memory_kind) {
    const buffer<int> narrow(as<int>(offsets), 0, gpu_memory{kind});
    sorts(narrow.begin(), narrow.end(), offsets);
    const buffer<std::uint64_t> wide(as<std::uint64_t>(offsets), 0, gpu_memory{kind});
    const std::uint64_t* const first = wide.begin();
    sorts(first, first + offsets.size(), offsets);
  }
  sorts(offsets.begin(), offsets.end(), offsets);
  const auto regular =
      thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), times_100{});
  sorts(regular, regular + 300, offsets_after(0, std::vector<std::uint64_t>(299, 100)));
}

TEST_F(segmented_calls, do_nothing_without_segments) {
  const buffer<u32> data(input(), 0);
  const offset_list offsets = {5};
  gpusort::segmented_sort(par_gpu, data.begin(), data.end(), offsets.begin(), offsets.begin());
  gpusort::segmented_sort(par_gpu, data.begin(), data.end(), offsets.begin(), offsets.end());
  const offset_list zeros = {0, 0, 0};
  gpusort::segmented_sort(par_gpu, data.begin(), data.begin(), zeros.begin(), zeros.end());
  EXPECT_TRUE(holds(data.read(), {0, 0}));
}

TEST_F(segmented_calls, refuse_wrong_offsets_on_the_host) {
  const buffer<u32> data(input(), 0);
  const auto refuses = [&](const std::vector<long long>& offsets) {
    EXPECT_THROW(
        gpusort::segmented_sort(par_gpu, data.begin(), data.end(), offsets.begin(), offsets.end()),
        std::invalid_argument);
  };
  refuses({-1, 5});
  refuses({0, 100, 50, 200});
  refuses({0, 100, n + 1});
  EXPECT_TRUE(holds(data.read(), {0, 0}));
}

TEST_F(segmented_calls, lose_nothing_to_wrong_offsets_on_the_device) {
  const auto sort_by = [&](const column<int>& offsets) {
    const buffer<u32> data(input(), 0);
    const buffer<int> on_device(offsets, 0);
    counting_allocator allocator;
    gpusort::segmented_sort(par_gpu(allocator), data.begin(), data.end(), on_device.begin(),
                            on_device.end());
    EXPECT_TRUE(data.intact());
    EXPECT_TRUE(allocator.clean());
    return data.read();
  };
  // More segments than n elements have room for, of every class.
  for (int length : {2, 20, 100, 700, 1500, 4000, static_cast<int>(n)}) {
    column<int> overlapping(60001);
    for (int i = 0; i <= 60000; ++i) overlapping[i] = i % 2 * length;
    EXPECT_TRUE(holds(sort_by(overlapping), {0, 0})) << length;
  }
  EXPECT_TRUE(holds(sort_by({0, 20000, 50, 25000, 90, 26000}), {0, 0}));
  EXPECT_TRUE(holds(sort_by({-5000, -7, 20000, 2000000000, 2000000001}), {0, 20000, n}));
}

TEST_F(segmented_calls, can_be_captured) {
  const stream s;
  const auto offsets = ragged();
  buffer<u32> data(input(), 0);
  const buffer<u32> on_device(as<u32>(offsets), 0);
  const graph sorting(s, [&] {
    gpusort::segmented_sort(par_gpu_nosync.on(s), data.begin(), data.end(), on_device.begin(),
                            on_device.end());
  });
  EXPECT_TRUE(holds(data.read(), {0, 0}));
  for (int i = 0; i < 2; ++i) {
    data.write(input());
    sorting.launch(s);
    EXPECT_TRUE(holds(data.read(), offsets));
  }
  EXPECT_THROW(graph(s,
                     [&] {
                       gpusort::segmented_sort(par_gpu_nosync.on(s), data.begin(), data.end(),
                                               offsets.begin(), offsets.end());
                     }),
               gpusort::cuda_error);
}

TEST_F(segmented_calls, throw_where_there_is_no_scratch) {
  const auto offsets = ragged();
  const buffer<u32> data(input(), 0), on_device(as<u32>(offsets), 0);
  counting_allocator allocator;
  const auto sort = [&] {
    gpusort::segmented_sort(par_gpu(allocator), data.begin(), data.end(), on_device.begin(),
                            on_device.end());
  };
  allocator.fail(0);
  EXPECT_THROW(sort(), gpusort::out_of_memory);
  EXPECT_TRUE(holds(data.read(), {0, 0}));
  allocator.clear();
  sort();
  EXPECT_TRUE(holds(data.read(), offsets));
  EXPECT_TRUE(allocator.clean());
  // The range again, 8 bytes for each segment, and some.
  EXPECT_LE(allocator.peak_bytes(), n * sizeof(u32) * 5 / 4 + 16384);
  EXPECT_THROW(gpusort::segmented_sort(par_gpu.with(gpusort::in_place), data.begin(), data.end(),
                                       on_device.begin(), on_device.end()),
               std::invalid_argument);
}

/// Checks sorts by key; values are places, so that what they say of the keys is known.
template <class Sort>
::testing::AssertionResult sorts_by_key(Sort sort, bool stable) {
  const auto offsets = offsets_after(7, lengths_at_limits<std::uint64_t>());
  const std::size_t n = offsets.back() + 33;
  const auto in = generate<u32>(distribution::few_distinct, n, seed());
  column<u32> places(n);
  std::iota(places.begin(), places.end(), u32{0});
  const buffer<u32> keys(in, 1), values(places, 3);
  const buffer<u32> on_device(as<u32>(offsets), 0);
  sort(keys.begin(), keys.end(), values.begin(), on_device.begin(), on_device.end());
  const auto sorted = keys.read(), moved = values.read();
  if (!keys.intact() || !values.intact()) {
    return ::testing::AssertionFailure() << "written outside";
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_outside = i < offsets.front() || i >= offsets.back();
    if (moved[i] >= n || in[moved[i]] != sorted[i] || (is_outside && moved[i] != i)) {
      return ::testing::AssertionFailure() << "value " << i << " has lost its key";
    }
  }
  for (std::size_t i = 0; stable && i + 1 < offsets.size(); ++i) {
    for (auto j = offsets[i] + 1; j < offsets[i + 1]; ++j) {
      if (sorted[j - 1] == sorted[j] && moved[j - 1] > moved[j]) {
        return ::testing::AssertionFailure() << "not stable at " << j;
      }
    }
  }
  auto once = moved;
  std::sort(once.begin(), once.end());
  if (!std::equal(once.begin(), once.end(), places.begin())) {
    return ::testing::AssertionFailure() << "values are lost";
  }
  return segments_hold(in, sorted, offsets, reference_less{}, promise::order);
}

TEST_F(segmented_calls, move_values_with_their_keys) {
  EXPECT_TRUE(sorts_by_key([](auto... range) { gpusort::segmented_sort_by_key(par_gpu, range...); },
                           false));
  EXPECT_TRUE(sorts_by_key(
      [](auto... range) { gpusort::stable_segmented_sort_by_key(par_gpu, range...); }, true));
}

}  // namespace
}  // namespace kit
