// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort of shards whose exchange is the first level of sample sort: here of several shards on
// one device, each with its stream.
#include <gtest/gtest.h>

#include <gpusort/detail/distributed/peer_sort.hpp>
#include <memory>
#include <numeric>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"

namespace {

using namespace kit;
using gpusort::detail::peer_counting;
using gpusort::detail::peer_sort;
using gpusort::detail::peer_sort_options;
using gpusort::detail::peer_sort_phase;

using sizes = std::vector<std::size_t>;

std::size_t total_of(const sizes& n) { return std::accumulate(n.begin(), n.end(), std::size_t{0}); }

class own_stream {
 public:
  own_stream() { cuda_ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~own_stream() { cudaStreamDestroy(stream_); }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

template <class T, class Compare>
class shards_on_one_device {
 public:
  using sort = peer_sort<T, Compare>;
  static_assert(sort::is_for_keys);

  shards_on_one_device(const column<T>& input, const sizes& n) : input_(input), streams_(n.size()) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
      ranges_.push_back(
          std::make_unique<buffer<T>>(part_of(input, begin, begin + n[i]), 16 * (i % 3)));
      begin += n[i];
      shards_.push_back(sort::shard_at(0, streams_[i].get(), ranges_[i]->data(), n[i]));
    }
  }

  bool run(Compare compare, const peer_sort_options& options) {
    EXPECT_TRUE(sort::sort::is_possible(shards_));
    const auto observe = [&](const auto&, peer_sort_phase phase) {
      if (phase == peer_sort_phase::counted) ++counts_;
    };
    const bool is_done = sort::sort::run(shards_, sort::order_of(compare), options, observe);
    for (const own_stream& stream : streams_) cuda_ok(cudaStreamSynchronize(stream.get()));
    return is_done;
  }

  /// Whether an estimate was not enough.
  bool has_counted_again() const { return counts_ > shards_.size(); }

  findings examine_by(Compare compare, promise promised) const {
    return examine_as(reference<Compare>::of(compare), promised);
  }

  template <class Reference>
  findings examine_as(Reference reference, promise promised) const {
    column<T> output(input_.size());
    T* end = output.begin();
    bool are_intact = true;
    for (const auto& range : ranges_) {
      const column<T> part = range->read();
      end = std::copy(part.begin(), part.end(), end);
      are_intact = are_intact && range->intact();
    }
    findings f = examine(input_, output, reference, promised);
    f.zones_intact = are_intact;
    return f;
  }

 private:
  const column<T>& input_;
  std::vector<own_stream> streams_;
  std::vector<std::unique_ptr<buffer<T>>> ranges_;
  std::vector<typename sort::shard> shards_;
  std::size_t counts_ = 0;
};

/// Returns how many buckets there are: one that is cut must be small compared with a shard, or
/// nothing is sorted. Short shards have room for any.
int buckets_of(int log_buckets) { return small_sizes_only() ? log_buckets : log_buckets + 4; }

template <class T, class Compare>
void expect_sorted_shards(const column<T>& input, const sizes& n, Compare compare, int log_buckets,
                          promise promised = promise::order) {
  const std::pair<peer_counting, int> ways[] = {
      {peer_counting::always, 0}, {peer_counting::never, 0}, {peer_counting::never, 3}};
  for (const auto& [counting, groups] : ways) {
    shards_on_one_device<T, Compare> shards(input, n);
    EXPECT_TRUE(shards.run(compare, {log_buckets, counting, groups}));
    const findings f = shards.examine_by(compare, promised);
    EXPECT_TRUE(f.ok()) << f << "\n  " << n.size() << " shards, " << total_of(n) << " elements, 2^"
                        << log_buckets << " buckets, "
                        << (counting == peer_counting::always ? "counted" : "estimated") << ", "
                        << groups << " groups";
  }
}

std::vector<sizes> every_split() {
  const std::size_t n = small_sizes_only() ? 401 : 300007;
  return {{n},
          {n, n},
          {n / 3, 2 * n, n + 1},
          {0, 0, n, 5, 0, 1, n / 7, 0},
          {0, 1, 0, 0, 1, 0, 0, 0},
          {0, 0},
          sizes(16, n / 16)};
}

template <class T, class Compare>
void expect_all_splits_sorted(Compare compare, int log_buckets) {
  for (const sizes& n : every_split()) {
    expect_sorted_shards(generate<T>(distribution::uniform, total_of(n), seed()), n, compare,
                         log_buckets);
  }
}

template <class T, class Compare>
void expect_all_distributions_sorted(Compare compare, int log_buckets) {
  const std::size_t n = small_sizes_only() ? 400 : 200003;
  for (distribution d : every_distribution) {
    SCOPED_TRACE(name_of(d));
    const sizes split = {n, n / 2, 0, n};
    expect_sorted_shards(generate<T>(d, total_of(split), seed()), split, compare, log_buckets);
  }
}

/// Makes a few values most of the elements, each half as often as the one before.
template <class T>
column<T> skewed(std::size_t n) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    std::uint64_t rank = 0;
    while (rank < 40 && (r >> rank & 1) != 0) ++rank;
    values[i] = make_value<T>(rank << 56 | (rank < 3 ? 0 : scramble(r) >> 8), i);
  }
  return values;
}

class peer_sample_sort_test : public gpu_test {};

TEST_F(peer_sample_sort_test, u32_seen_through) {
  expect_all_splits_sorted<std::uint32_t>(gpusort::less{}, buckets_of(3));
  expect_all_distributions_sorted<std::uint32_t>(gpusort::less{}, buckets_of(4));
}

TEST_F(peer_sample_sort_test, skewed_u32) {
  for (const sizes& n : every_split()) {
    expect_sorted_shards(skewed<std::uint32_t>(total_of(n)), n, gpusort::less{}, buckets_of(4));
  }
}

TEST_F(peer_sample_sort_test, u64_by_comparator) {
  expect_all_splits_sorted<std::uint64_t>(opaque{}, buckets_of(3));
  expect_all_distributions_sorted<std::uint64_t>(opaque{behavior::coarse}, buckets_of(3));
}

TEST_F(peer_sample_sort_test, buckets_by_number_of_elements) {
  const std::size_t n = small_sizes_only() ? 9001 : 1 << 20;
  for (int log_buckets : {0, 7}) {
    expect_sorted_shards(generate<std::uint64_t>(distribution::gaussian, 2 * n, seed()), {n, n},
                         opaque{}, log_buckets);
  }
}

TEST_F(peer_sample_sort_test, floats_with_zeros_and_nans) {
  const std::size_t n = small_sizes_only() ? 400 : 100003;
  for (distribution d : {distribution::special, distribution::uniform, distribution::all_equal}) {
    expect_sorted_shards(generate<float>(d, 3 * n, seed()), {n, 2 * n}, gpusort::less{},
                         buckets_of(4));
  }
}

struct four_words {
  std::uint32_t first, second, third, fourth;
};

TEST_F(peer_sample_sort_test, records_by_a_member_that_a_pointer_names) {
  const std::size_t n = small_sizes_only() ? 400 : 100003;
  column<four_words> input(3 * n);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    input[i] = {id, id, static_cast<std::uint32_t>(random_at(seed(), i)), id};
  }
  expect_sorted_shards(input, {n, 2 * n}, gpusort::order_by(gpusort::asc(&four_words::third)),
                       buckets_of(4));
}

/// They are held as integers, whatever their order.
TEST_F(peer_sample_sort_test, pairs_in_both_directions) {
  using pair = std::pair<std::uint32_t, std::int32_t>;
  const std::size_t n = small_sizes_only() ? 400 : 100003;
  const auto words = generate<std::uint64_t>(distribution::uniform, 3 * n, seed());
  column<pair> input(3 * n);
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = {static_cast<std::uint32_t>(words[i] % 64),
                static_cast<std::int32_t>(words[i] >> 32)};
  }
  const auto examined = [&](auto order, auto reference) {
    shards_on_one_device<pair, decltype(order)> shards(input, {n, 2 * n});
    EXPECT_TRUE(shards.run(order, {buckets_of(4), peer_counting::always, 0}));
    const findings f = shards.examine_as(reference, promise::order);
    EXPECT_TRUE(f.ok()) << f;
  };
  examined(gpusort::greater{}, [](const pair& a, const pair& b) { return b < a; });
  examined(gpusort::order_by(gpusort::element<0>, gpusort::desc(gpusort::element<1>)),
           [](const pair& a, const pair& b) {
             return a.first != b.first ? a.first < b.first : a.second > b.second;
           });
}

TEST_F(peer_sample_sort_test, records_of_12_bytes) {
  expect_all_splits_sorted<record<12>>(opaque{}, buckets_of(3));
}

TEST_F(peer_sample_sort_test, records_of_64_bytes) {
  expect_all_splits_sorted<record<64>>(opaque{}, buckets_of(3));
}

TEST_F(peer_sample_sort_test, comparators_that_lie) {
  const std::size_t n = small_sizes_only() ? 400 : 6000;  // no cut bucket is too large
  for (behavior lie : every_inconsistent_comparator) {
    SCOPED_TRACE(name_of(lie));
    const buffer<unsigned long long> counter(column<unsigned long long>{0}, 0);
    const sizes split = {n, n / 4, n};
    expect_sorted_shards(generate<std::uint64_t>(distribution::uniform, total_of(split), seed()),
                         split, opaque(lie, seed(), counter.data()), 3, promise::permutation);
  }
}

TEST_F(peer_sample_sort_test, an_estimate_is_enough_for_elements_in_no_order) {
  const std::size_t n = small_sizes_only() ? 30011 : 1 << 24;
  const auto input = generate<std::uint64_t>(distribution::uniform, 2 * n, seed());
  shards_on_one_device<std::uint64_t, opaque> shards(input, {n, n});
  EXPECT_TRUE(shards.run(opaque{}, {small_sizes_only() ? 3 : 0, peer_counting::never}));
  EXPECT_FALSE(shards.has_counted_again());
  EXPECT_TRUE(shards.examine_by(opaque{}, promise::order).ok());
}

/// All buckets are the large shard's, and the small one has more room for them, 5 deviations each,
/// than it may take: it is not gathered.
TEST_F(peer_sample_sort_test, a_small_shard_beside_a_large_one) {
  if (small_sizes_only()) GTEST_SKIP() << "sizes of millions";
  const sizes n = {std::size_t{1} << 23, std::size_t{1} << 16};
  const auto input = generate<std::uint32_t>(distribution::uniform, total_of(n), seed());
  shards_on_one_device<std::uint32_t, gpusort::less> shards(input, n);
  EXPECT_TRUE(shards.run(gpusort::less{}, {5, peer_counting::never, 3}));
  EXPECT_FALSE(shards.has_counted_again());
  const findings f = shards.examine_by(gpusort::less{}, promise::order);
  EXPECT_TRUE(f.ok()) << f;
}

/// Between few buckets one would be cut that is large for the smaller shard.
TEST_F(peer_sample_sort_test, shards_of_unequal_sizes_by_default) {
  if (small_sizes_only()) GTEST_SKIP() << "sizes of millions";
  for (const sizes& n : {sizes{15700000, 1000000}, sizes(7, 1 << 21)}) {
    const auto input = generate<std::uint64_t>(distribution::uniform, total_of(n), seed());
    shards_on_one_device<std::uint64_t, gpusort::less> shards(input, n);
    EXPECT_TRUE(shards.run(gpusort::less{}, {}));
    EXPECT_TRUE(shards.examine_by(gpusort::less{}, promise::order).ok());
  }
}

/// Honest at first, then all elements are equivalent: what is sampled tells nothing.
struct turning {
  unsigned long long* calls;
  unsigned long long honest;

  __device__ bool operator()(std::uint64_t a, std::uint64_t b) const {
    return atomicAdd(calls, 1ull) < honest && a < b;
  }
};

/// How many comparisons the samples take is not told: it turns in the middle of the count for some.
TEST_F(peer_sample_sort_test, counts_where_an_estimate_is_not_enough) {
  constexpr std::size_t n = 8000;
  const auto input = generate<std::uint64_t>(distribution::uniform, 2 * n, seed());
  buffer<unsigned long long> calls(column<unsigned long long>{0}, 0);
  for (int groups : {0, 2}) {
    bool has_counted_again = false;
    for (unsigned long long honest = n / 2; honest <= 64 * n; honest += honest / 2) {
      calls.write({0});
      shards_on_one_device<std::uint64_t, turning> shards(input, {n, n});
      const bool is_done =
          shards.run(turning{calls.data(), honest}, {3, peer_counting::never, groups});
      has_counted_again = has_counted_again || (is_done && shards.has_counted_again());
      EXPECT_TRUE(shards.examine_by(turning{}, promise::permutation).ok()) << honest;
    }
    EXPECT_TRUE(has_counted_again) << groups;
  }
}

/// By a comparator to which all are before each other one bucket gets all, which is cut.
TEST_F(peer_sample_sort_test, leaves_alone_what_it_does_not_sort) {
  const std::size_t n = small_sizes_only() ? 40000 : 1 << 20;
  const auto input = generate<std::uint64_t>(distribution::uniform, 2 * n, seed());
  shards_on_one_device<std::uint64_t, opaque> shards(input, {n, n});
  const bool is_done = shards.run(opaque(behavior::always_true), {5});
  const findings f = shards.examine_by(opaque{}, promise::permutation);
  EXPECT_TRUE(f.ok()) << f;
  EXPECT_FALSE(is_done);
}

}  // namespace
