// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by indices and functions: any storage, any bounds, stable and not, in place, captured,
// without memory, and under comparators that lie.
#include <stdexcept>

#include "../kit/counting_allocator.hpp"
#include "../kit/graph.hpp"
#include "../kit/indexed.hpp"
#include "../kit/orders.hpp"
#include "../kit/stream_test.hpp"

namespace kit {
namespace {

template <class Key, class Index>
using table = indexed<Key, Index, gpu_memory>;

constexpr auto policy = gpusort::par_gpu_nosync;

/// Sorts a type of keys and indices.
template <class Key, class Index, class Order>
struct by_fetch {
  using key = Key;
  using index = Index;
  using order = Order;

  template <class Policy>
  static void sort(const Policy& p, const table<Key, Index>& t, Order order) {
    gpusort::sort(p, t.first(), t.last(), t.fetch(), order, t.swap());
  }
  template <class Policy>
  static void stable_sort(const Policy& p, const table<Key, Index>& t, Order order) {
    gpusort::stable_sort(p, t.first(), t.last(), t.fetch(), order, t.swap());
  }
};

template <class Key, class Index, class Order>
struct by_comparison {
  using key = Key;
  using index = Index;
  using order = Order;

  template <class Policy>
  static void sort(const Policy& p, const table<Key, Index>& t, Order order) {
    gpusort::sort(p, t.first(), t.last(), t.comparing(order), t.swap());
  }
  template <class Policy>
  static void stable_sort(const Policy& p, const table<Key, Index>& t, Order order) {
    gpusort::stable_sort(p, t.first(), t.last(), t.comparing(order), t.swap());
  }
};

template <class Subject>
class index_sort : public stream_test {
 protected:
  using key = typename Subject::key;
  using index = typename Subject::index;
  using order = typename Subject::order;

  static index first() { return std::is_signed_v<index> ? static_cast<index>(-1000) : 1000; }

  static std::vector<std::size_t> sizes() {
    std::vector<std::size_t> all = {0, 1, 2, 3, 100, 1025, 4097};
    if (!small_sizes_only()) all.insert(all.end(), {20000, 70001});
    return all;
  }
};

using subjects = ::testing::Types<by_fetch<std::uint32_t, std::int64_t, gpusort::less>,
                                  by_fetch<record<12>, std::uint32_t, opaque>,
                                  by_comparison<double, std::int32_t, opaque>>;
TYPED_TEST_SUITE(index_sort, subjects);

TYPED_TEST(index_sort, of_every_storage) {
  using order = typename TypeParam::order;
  for (std::size_t n : this->sizes()) {
    for (auto s : {storage::strided, storage::permuted}) {
      for (auto d : {distribution::uniform, distribution::few_distinct}) {
        const table<typename TypeParam::key, typename TypeParam::index> t(d, n, this->first(), s),
            u(d, n, this->first(), s);
        TypeParam::sort(policy.on(this->stream_), t, order{});
        ASSERT_TRUE(t.is_sorted(order{})) << "n = " << n << " of " << d;
        ASSERT_LE(t.swaps(), n);
        TypeParam::stable_sort(policy.on(this->stream_), u, order{});
        ASSERT_TRUE(u.is_sorted(order{}, true)) << "stable, n = " << n << " of " << d;
        ASSERT_LE(u.swaps(), n);
      }
    }
  }
}

TYPED_TEST(index_sort, in_place_takes_no_scratch) {
  using order = typename TypeParam::order;
  const auto in_place = policy.with(gpusort::in_place);
  for (std::size_t n : this->sizes()) {
    const table<typename TypeParam::key, typename TypeParam::index> t(distribution::uniform, n,
                                                                      this->first());
    counting_allocator allocator;
    TypeParam::sort(in_place.on(this->stream_)(allocator), t, order{});
    ASSERT_TRUE(t.is_sorted(order{})) << "n = " << n;
    EXPECT_EQ(allocator.calls(), 0u);
    EXPECT_THROW(TypeParam::stable_sort(in_place.on(this->stream_), t, order{}),
                 std::invalid_argument);
  }
}

TYPED_TEST(index_sort, without_memory) {
  using order = typename TypeParam::order;
  for (std::size_t n : {100, 5000}) {
    counting_allocator allocator;
    const auto with_allocator = gpusort::par_gpu_nosync.on(this->stream_)(allocator);
    for (std::size_t k = 0; k < 6; ++k) {
      const table<typename TypeParam::key, typename TypeParam::index> t(distribution::uniform, n,
                                                                        this->first());
      allocator.fail(k);
      TypeParam::sort(with_allocator, t, order{});
      cuda_ok(cudaStreamSynchronize(this->stream_));
      ASSERT_TRUE(t.is_sorted(order{})) << "n = " << n << ", allocation " << k;

      const table<typename TypeParam::key, typename TypeParam::index> u(distribution::few_distinct,
                                                                        n, this->first());
      allocator.fail(k);
      bool thrown = false;
      try {
        TypeParam::stable_sort(with_allocator, u, order{});
      } catch (const gpusort::out_of_memory&) {
        thrown = true;
      }
      cuda_ok(cudaStreamSynchronize(this->stream_));
      if (k == 0) ASSERT_TRUE(thrown);
      if (thrown) {
        ASSERT_EQ(u.swaps(), 0u);
      } else {
        ASSERT_TRUE(u.is_sorted(order{}, true)) << "n = " << n << ", allocation " << k;
      }
      gpusort::release_scratch();
      EXPECT_TRUE(allocator.clean());
    }
  }
}

TYPED_TEST(index_sort, deterministic_is_the_same_order_or_none) {
  using order = typename TypeParam::order;
  counting_allocator allocator;
  const auto repeating = policy.on(this->stream_)(allocator).with(gpusort::deterministic);
  for (std::size_t k = 0; k < 4; ++k) {
    const table<typename TypeParam::key, typename TypeParam::index> t(distribution::few_distinct,
                                                                      5000, this->first());
    allocator.fail(k);
    try {
      TypeParam::sort(repeating, t, order{});
      cuda_ok(cudaStreamSynchronize(this->stream_));
      ASSERT_TRUE(t.is_sorted(order{}, true)) << "allocation " << k;
    } catch (const gpusort::out_of_memory&) {
      cuda_ok(cudaStreamSynchronize(this->stream_));
      ASSERT_EQ(t.swaps(), 0u) << "allocation " << k;
    }
    gpusort::release_scratch();
    EXPECT_TRUE(allocator.clean());
  }
}

// Beyond the size from which places are merged, and what sample sort does in one launch.
TYPED_TEST(index_sort, of_many) {
  using order = typename TypeParam::order;
  if (small_sizes_only()) GTEST_SKIP() << "small sizes only";
  for (std::size_t n : {600011, 1000003}) {
    const table<typename TypeParam::key, typename TypeParam::index> t(distribution::few_distinct, n,
                                                                      this->first());
    TypeParam::sort(policy.on(this->stream_), t, order{});
    ASSERT_TRUE(t.is_sorted(order{})) << n;
    ASSERT_LE(t.swaps(), n);
    TypeParam::stable_sort(policy.on(this->stream_), t, order{});
    ASSERT_TRUE(t.is_sorted(order{})) << n;
  }
}

TYPED_TEST(index_sort, in_a_graph) {
  using order = typename TypeParam::order;
  for (std::size_t n : {1000, 50000}) {
    const table<typename TypeParam::key, typename TypeParam::index> t(distribution::uniform, n,
                                                                      this->first());
    const graph recorded(this->stream_,
                         [&] { TypeParam::sort(policy.on(this->stream_), t, order{}); });
    EXPECT_EQ(t.swaps(), 0u);
    recorded.launch(this->stream_);
    ASSERT_TRUE(t.is_sorted(order{}));
    const std::uint64_t before = t.swaps();
    recorded.launch(this->stream_);
    ASSERT_TRUE(t.is_sorted(order{}));
    EXPECT_LE(t.swaps() - before, n);
  }
}

TYPED_TEST(index_sort, loses_nothing_to_liars) {
  if constexpr (std::is_same_v<typename TypeParam::order, opaque>) {
    const shared_counter counter;
    for (auto m : every_inconsistent_comparator) {
      const opaque inconsistent(m, seed(), counter.get());
      for (std::size_t n : {100, 20000}) {
        if (small_sizes_only() && n > 5000) continue;
        const table<typename TypeParam::key, typename TypeParam::index> t(distribution::uniform, n,
                                                                          this->first());
        TypeParam::sort(policy.on(this->stream_), t, inconsistent);
        ASSERT_TRUE(t.is_permutation()) << name_of(m) << ", n = " << n;
        EXPECT_LE(t.swaps(), n);
        TypeParam::stable_sort(policy.on(this->stream_), t, inconsistent);
        ASSERT_TRUE(t.is_permutation()) << name_of(m) << ", n = " << n;
        EXPECT_LE(t.swaps(), 2 * n);
        TypeParam::sort(policy.with(gpusort::in_place).on(this->stream_), t, inconsistent);
        ASSERT_TRUE(t.is_permutation()) << name_of(m) << ", n = " << n;
      }
    }
  }
}

class index_bounds : public stream_test {};

/// Sorts values[first, last) in place, in descending order, so that the network is all there is to
/// compile.
template <class First, class Last>
void sort_between(cudaStream_t s, int* values, First first, Last last) {
  gpusort::sort(
      gpusort::par_gpu.on(s).with(gpusort::in_place), first, last,
      [=] __device__(auto i, auto j) { return values[i] > values[j]; },
      [=] __device__(auto i, auto j) { exchange_values(values[i], values[j]); });
}

TEST_F(index_bounds, of_all_types) {
  const std::size_t n = 1000;
  const auto is_sorted_between = [&](auto first, auto last) {
    const buffer<int> values(generate<int>(distribution::uniform, n, seed()), 0);
    sort_between(stream_, values.data(), first, last);
    const auto sorted = values.read();
    return std::is_sorted(sorted.begin() + static_cast<std::ptrdiff_t>(first),
                          sorted.begin() + static_cast<std::ptrdiff_t>(last), std::greater<int>());
  };
  EXPECT_TRUE(is_sorted_between(0, n));
  EXPECT_TRUE(is_sorted_between(0, std::int64_t{1000}));
  EXPECT_TRUE(is_sorted_between(std::size_t{10}, 900));
  EXPECT_TRUE(is_sorted_between(0u, 1000));
  EXPECT_TRUE(is_sorted_between(short{3}, 77));
}

TEST_F(index_bounds, that_make_no_sense) {
  int* const none = nullptr;
  EXPECT_THROW(sort_between(stream_, none, 1, 0), std::invalid_argument);
  EXPECT_THROW(sort_between(stream_, none, std::int64_t{1}, 0), std::invalid_argument);
  EXPECT_THROW(sort_between(stream_, none, -1, std::size_t{10}), std::invalid_argument);
  EXPECT_THROW(sort_between(stream_, none, 0u, -1), std::invalid_argument);
  EXPECT_NO_THROW(sort_between(stream_, none, 5, 5));
  EXPECT_NO_THROW(sort_between(stream_, none, 0, std::size_t{0}));
}

class index_sort_floats : public stream_test {};

TEST_F(index_sort_floats, under_less_are_in_total_order) {
  for (std::size_t n : {1000, 20000}) {
    const table<float, std::uint32_t> t(distribution::special, n, 0);
    gpusort::sort(policy.on(stream_), 0u, static_cast<std::uint32_t>(n), t.fetch(), gpusort::less{},
                  t.swap());
    ASSERT_TRUE(t.is_sorted(gpusort::less{}, true));
  }
}

}  // namespace
}  // namespace kit
