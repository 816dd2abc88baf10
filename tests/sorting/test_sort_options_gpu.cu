// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort_copy, is_sorted, argsort, and the options of a policy.
#include <algorithm>
#include <gpusort/gpusort.hpp>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/graph.hpp"
#include "../kit/sizes.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class options : public gpu_test {
 protected:
  using value = typename Subject::value;
  using compare = typename Subject::compare;

  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {0, 1, 33, 1000, 5000};
    return {0, 1, 2, 33, 1000, 2049, 20011, 300007};
  }

  static column<value> input(std::size_t n, distribution d = distribution::few_distinct) {
    return generate<value>(d, n, seed());
  }

  static ::testing::AssertionResult holds(const column<value>& input, const buffer<value>& range,
                                          promise promised) {
    findings f = examine(input, range.read(), reference<typename Subject::compare>::of({}),
                         promised, 1 << 17);
    f.zones_intact = range.intact();
    if (f.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << f << " (n = " << input.size() << ")";
  }

  static bool untouched(const column<value>& input, const buffer<value>& range) {
    const auto now = range.read();
    return range.intact() && std::equal(input.begin(), input.end(), now.begin(), same_bytes<value>);
  }
};

using subjects =
    ::testing::Types<subject<std::uint32_t, gpusort::less>, subject<record<16>, opaque>>;
TYPED_TEST_SUITE(options, subjects);

TYPED_TEST(options, sort_copy_leaves_its_input) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : this->sizes()) {
    const auto in = this->input(n);
    const buffer<value> source(in, 1);
    const buffer<value> target(n, 2);
    const auto end = gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(),
                                        target.begin(), compare{});
    EXPECT_EQ(end, target.end());
    EXPECT_TRUE(this->untouched(in, source));
    EXPECT_TRUE(this->holds(in, target, promise::order));
  }
}

TYPED_TEST(options, sort_copy_of_what_is_in_order) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (auto d : {distribution::sorted, distribution::reverse, distribution::all_equal}) {
    for (std::size_t n : {std::size_t{300006}, std::size_t{300007}}) {
      const auto in = generate<value>(d, n, seed());
      const buffer<value> source(in, 1);
      const buffer<value> target(n, 2);
      gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(), target.begin(), compare{});
      EXPECT_TRUE(this->untouched(in, source));
      EXPECT_TRUE(this->holds(in, target, promise::order));
    }
  }
}

TYPED_TEST(options, sort_copy_between_kinds_of_memory) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  const std::size_t n = 20011;
  const auto in = this->input(n);
  for (auto from : every_memory_kind) {
    for (auto to : every_memory_kind) {
      const buffer<value> source(in, 1, gpu_memory{from});
      const buffer<value> target(n, 2, gpu_memory{to});
      gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(), target.begin(), compare{});
      EXPECT_TRUE(this->untouched(in, source)) << name_of(from) << " to " << name_of(to);
      EXPECT_TRUE(this->holds(in, target, promise::order))
          << name_of(from) << " to " << name_of(to);
    }
  }
}

TYPED_TEST(options, is_sorted_sees_one_exchange) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  const auto sorted = [](const buffer<value>& range) {
    return gpusort::is_sorted(gpusort::par_gpu, range.begin(), range.end(), compare{});
  };
  for (std::size_t n : this->sizes()) {
    auto in = this->input(n, distribution::sorted);
    for (auto kind : every_memory_kind) {
      EXPECT_TRUE(sorted(buffer<value>(in, 1, gpu_memory{kind}))) << n << name_of(kind);
    }
    if (n < 2) continue;
    for (std::size_t i : {std::size_t{0}, n / 2 - (n / 2 == n - 1), n - 2}) {
      std::swap(in[i], in[i + 1]);
      EXPECT_FALSE(sorted(buffer<value>(in, 1))) << n << " exchanged at " << i;
      std::swap(in[i], in[i + 1]);
    }
    EXPECT_TRUE(sorted(buffer<value>(this->input(n, distribution::all_equal), 1)));
    EXPECT_FALSE(sorted(buffer<value>(this->input(n, distribution::reverse), 1)));
  }
}

template <class Index, class Subject>
void expect_argsort(std::size_t n, memory_kind data, memory_kind indices) {
  using value = typename Subject::value;
  const auto in = generate<value>(distribution::few_distinct, n, seed());
  const buffer<value> range(in, 1, gpu_memory{data});
  const buffer<Index> order(n, 1, gpu_memory{indices});
  gpusort::argsort(gpusort::par_gpu, range.begin(), range.end(), order.begin(),
                   typename Subject::compare{});
  EXPECT_TRUE(range.intact() && order.intact());
  const auto now = range.read();
  EXPECT_TRUE(std::equal(in.begin(), in.end(), now.begin(), same_bytes<value>)) << "keys moved";
  std::vector<Index> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<Index>(i);
  std::stable_sort(expected.begin(), expected.end(), [&](Index a, Index b) {
    return reference<typename Subject::compare>::of({})(in[static_cast<std::size_t>(a)],
                                                        in[static_cast<std::size_t>(b)]);
  });
  const auto found = order.read();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin())) << "n = " << n;
}

TYPED_TEST(options, argsort_is_the_stable_order) {
  for (std::size_t n : this->sizes()) {
    expect_argsort<std::uint32_t, TypeParam>(n, memory_kind::device, memory_kind::device);
    expect_argsort<std::int64_t, TypeParam>(n, memory_kind::device, memory_kind::device);
  }
  for (auto data : every_memory_kind) {
    for (auto indices : every_memory_kind) {
      expect_argsort<std::uint32_t, TypeParam>(5000, data, indices);
    }
  }
}

TYPED_TEST(options, scratch_bytes_is_enough) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : this->sizes()) {
    const auto in = this->input(n);
    buffer<value> range(in, 1);
    const buffer<value> target(n, 1);
    const std::size_t bytes =
        gpusort::scratch_bytes(gpusort::par_gpu, range.begin(), range.end(), compare{});
    const buffer<unsigned char> scratch(bytes);
    counting_allocator none;
    none.fail(0);
    const auto policy = gpusort::par_gpu(none).with(gpusort::scratch(scratch.data(), bytes));
    gpusort::sort_copy(policy, range.begin(), range.end(), target.begin(), compare{});
    EXPECT_TRUE(this->holds(in, target, promise::order));
    gpusort::sort(policy, range.begin(), range.end(), compare{});
    EXPECT_TRUE(this->holds(in, range, promise::order));
    range.write(in);
    gpusort::stable_sort(policy, range.begin(), range.end(), compare{});
    EXPECT_TRUE(this->holds(in, range, promise::stability));
    EXPECT_TRUE(scratch.intact());
    EXPECT_EQ(none.calls(), 0u);
  }
}

TYPED_TEST(options, too_little_scratch_descends) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : this->sizes()) {
    const auto in = this->input(n);
    for (std::size_t bytes : {0, 1, 1000, 100000}) {
      const buffer<value> range(in, 1);
      const buffer<unsigned char> scratch(bytes, 7);
      gpusort::sort(gpusort::par_gpu.with(gpusort::scratch(scratch.data(), bytes)), range.begin(),
                    range.end(), compare{});
      EXPECT_TRUE(this->holds(in, range, promise::order)) << bytes << " bytes of scratch";
      EXPECT_TRUE(scratch.intact());
    }
  }
}

TYPED_TEST(options, in_place_allocates_nothing_of_order_n) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : this->sizes()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::reverse}) {
      const auto in = this->input(n, d);
      const buffer<value> range(in, 1);
      counting_allocator allocator;
      gpusort::sort(gpusort::par_gpu(allocator).with(gpusort::in_place), range.begin(), range.end(),
                    compare{});
      EXPECT_TRUE(this->holds(in, range, promise::order));
      EXPECT_TRUE(allocator.clean());
      EXPECT_LE(allocator.peak_bytes(), std::size_t{1} << 20);
    }
  }
}

TYPED_TEST(options, in_place_repeats_itself) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  const auto policy = gpusort::par_gpu.with(gpusort::in_place, gpusort::deterministic);
  for (std::size_t n : this->sizes()) {
    const auto in = this->input(n, distribution::few_distinct);
    const buffer<value> range(in, 1), again(in, 2);
    gpusort::sort(policy, range.begin(), range.end(), compare{});
    gpusort::sort(policy, again.begin(), again.end(), compare{});
    ASSERT_TRUE(this->holds(in, range, promise::order));
    const auto one = range.read(), other = again.read();
    ASSERT_TRUE(std::equal(one.begin(), one.end(), other.begin(), same_bytes<value>)) << n;
  }
}

TYPED_TEST(options, deterministic_repeats_itself) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  for (std::size_t n : this->sizes()) {
    for (auto d : {distribution::few_distinct, distribution::uniform, distribution::all_equal}) {
      const auto in = this->input(n, d);
      column<value> first(n);
      for (int round = 0; round < 4; ++round) {
        const buffer<value> range(in, static_cast<std::size_t>(round));
        gpusort::sort(gpusort::par_gpu.with(gpusort::deterministic), range.begin(), range.end(),
                      compare{});
        ASSERT_TRUE(this->holds(in, range, promise::order));
        const auto output = range.read();
        if (round == 0) first = output;
        ASSERT_TRUE(std::equal(first.begin(), first.end(), output.begin(), same_bytes<value>))
            << d << ", n = " << n << ", round " << round;
      }
    }
  }
}

TYPED_TEST(options, sort_copy_and_argsort_are_captured) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  const stream s;
  const auto policy = gpusort::par_gpu_nosync.on(s);
  for (std::size_t n : this->sizes()) {
    buffer<value> source(n, 1);
    const buffer<value> target(n, 2);
    const buffer<std::uint32_t> order(n, 1);
    const graph recorded(s, [&] {
      gpusort::sort_copy(policy, source.begin(), source.end(), target.begin(), compare{});
      gpusort::argsort(policy, source.begin(), source.end(), order.begin(), compare{});
    });
    for (auto d : {distribution::few_distinct, distribution::uniform}) {
      const auto in = this->input(n, d);
      source.write(in);
      recorded.launch(s);
      ASSERT_TRUE(this->holds(in, target, promise::order));
      const auto permutation = order.read();
      column<value> gathered(n);
      for (std::size_t i = 0; i < n; ++i) gathered[i] = in[permutation[i] % n];
      const findings f =
          examine(in, gathered, reference<compare>::of({}), promise::stability, 1 << 17);
      ASSERT_TRUE(f.ok()) << f;
    }
  }
}

TYPED_TEST(options, bounds_in_the_wrong_order) {
  using value = typename TestFixture::value;
  using compare = typename TestFixture::compare;
  const std::size_t n = 1000;
  const auto in = this->input(n);
  const buffer<value> range(in, 1);
  const buffer<value> target(in, 1);
  const buffer<std::uint32_t> order(n, 1);
  const auto first = range.end();
  const auto last = range.begin();
  const compare comp{};
  const auto policy = gpusort::par_gpu;
  EXPECT_THROW(gpusort::sort_copy(policy, first, last, target.begin(), comp),
               std::invalid_argument);
  EXPECT_THROW(gpusort::is_sorted(policy, first, last, comp), std::invalid_argument);
  EXPECT_THROW(gpusort::argsort(policy, first, last, order.begin(), comp), std::invalid_argument);
  EXPECT_TRUE(this->untouched(in, range));
  EXPECT_TRUE(this->untouched(in, target));
}

TYPED_TEST(options, a_device_that_is_there_satisfies_require_device) {
  using value = typename TestFixture::value;
  const auto in = this->input(5000);
  const buffer<value> range(in, 1);
  gpusort::sort(gpusort::par_gpu.with(gpusort::require_device), range.begin(), range.end(),
                typename TestFixture::compare{});
  EXPECT_TRUE(this->holds(in, range, promise::order));
}

TYPED_TEST(options, memory_is_kept_between_calls_and_given_back) {
  using value = typename TestFixture::value;
  const std::size_t n = small_sizes_only() ? 5000 : 1 << 22;
  const buffer<value> range(n, 1);
  const auto sort = [&] {
    TypeParam::generate(range.data(), n, distribution::uniform, seed());
    gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), typename TestFixture::compare{});
  };
  gpusort::release_scratch();
  sort();
  const std::size_t after_one = free_device_memory();
  sort();
  EXPECT_EQ(free_device_memory(), after_one) << "a second call took more from the driver";
  gpusort::release_scratch();
  EXPECT_GE(free_device_memory(), after_one);
  sort();
}

}  // namespace
}  // namespace kit
