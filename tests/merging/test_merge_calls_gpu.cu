// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How merge, merge_by_key and inplace_merge are called: iterators, memory, types that are
// converted, streams, graphs, errors, and through Thrust.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>

#include <deque>
#include <gpusort/gpusort.hpp>
#include <iterator>
#include <numeric>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/merge_calls.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
using u32 = std::uint32_t;

class merge_calls : public gpu_test {
 protected:
  static constexpr std::size_t n = 20011;
  static constexpr std::size_t cut = 7000;

  static run_set<u32> input(std::uint64_t which = 0) {
    return make_runs<u32>(which == 0 ? distribution::few_distinct : distribution::uniform,
                          {0, cut, n}, reference_less{});
  }

  template <class T>
  static std::vector<T> to_host(const thrust::device_vector<T>& v) {
    cuda_ok(cudaDeviceSynchronize());
    std::vector<T> host(v.size());
    thrust::copy(v.begin(), v.end(), host.begin());
    return host;
  }
};

TEST_F(merge_calls, in_every_memory) {
  const auto runs = input();
  for (auto a : every_memory_kind) {
    for (auto b : every_memory_kind) {
      for (auto c : every_memory_kind) {
        const buffer<u32> first(runs.run(0), 1, gpu_memory{a}),
            second(runs.run(1), 2, gpu_memory{b});
        const buffer<u32> out(n, 3, gpu_memory{c});
        gpusort::merge(par_gpu_nosync, first.begin(), first.end(), second.begin(), second.end(),
                       out.begin());
        const bool staged =
            a >= memory_kind::pinned || b >= memory_kind::pinned || c >= memory_kind::pinned;
        if (!staged) cuda_ok(cudaDeviceSynchronize());
        EXPECT_TRUE(holds_merged(out.read(), runs)) << name_of(a) << name_of(b) << name_of(c);
        EXPECT_TRUE(out.intact());
      }
    }
    const buffer<u32> range(runs.all, 1, gpu_memory{a});
    gpusort::inplace_merge(par_gpu, range.begin(), range.begin() + cut, range.end());
    EXPECT_TRUE(holds_merged(range.read(), runs)) << name_of(a);
    EXPECT_TRUE(range.intact());
  }
}

TEST_F(merge_calls, of_host_containers) {
  const auto runs = input();
  const auto a = runs.run(0), b = runs.run(1);
  const std::deque<u32> first(a.begin(), a.end());
  const std::vector<u32> second(b.begin(), b.end());
  std::vector<u32> out(n);
  const auto end = gpusort::merge(par_gpu, first.begin(), first.end(), second.begin(), second.end(),
                                  out.begin());
  EXPECT_EQ(end, out.end());
  EXPECT_TRUE(holds_merged(out, runs));
  std::deque<u32> range(runs.all.begin(), runs.all.end());
  gpusort::inplace_merge(par_gpu, range.begin(), range.begin() + cut, range.end());
  EXPECT_TRUE(holds_merged(range, runs));
}

TEST_F(merge_calls, forwards_and_backwards) {
  const auto runs = input();
  const auto a = runs.run(0);
  auto b = runs.run(1);
  std::reverse(b.begin(), b.end());
  const buffer<u32> first(a, 1), second(b, 1), out(n, 1);
  const auto backwards = std::make_reverse_iterator(out.end());
  gpusort::merge(par_gpu, first.begin(), first.end(), std::make_reverse_iterator(second.end()),
                 std::make_reverse_iterator(second.begin()), backwards);
  auto found = out.read();
  std::reverse(found.begin(), found.end());
  EXPECT_TRUE(holds_merged(found, runs));
  EXPECT_TRUE(out.intact());

  std::vector<u32> host(n);
  const thrust::device_vector<u32> device(b.begin(), b.end());
  gpusort::merge(par_gpu, thrust::make_reverse_iterator(device.end()),
                 thrust::make_reverse_iterator(device.begin()), a.begin(), a.end(), host.rbegin());
  std::reverse(host.begin(), host.end());
  EXPECT_TRUE(holds_merged(host, runs));
}

// Stable as the iterators go.
TEST_F(merge_calls, in_place_backwards) {
  using value = record<16>;
  const auto runs = make_runs<value>(distribution::few_distinct, {0, cut, n}, opaque());
  column<value> reversed = runs.all;
  std::reverse(reversed.begin(), reversed.end());
  const buffer<value> range(reversed, 1);
  const auto first = std::make_reverse_iterator(range.end());
  gpusort::inplace_merge(par_gpu, first, first + cut, first + n, opaque());
  auto found = range.read();
  std::reverse(found.begin(), found.end());
  const findings f = examine(runs.all, found, opaque(), promise::stability);
  EXPECT_TRUE(f.ok()) << f;
}

TEST_F(merge_calls, converts_what_is_of_another_type) {
  const auto runs = make_runs<std::int32_t>(distribution::uniform, {0, cut, n}, reference_less{});
  const auto a = runs.run(0), b = runs.run(1);
  const std::vector<long> wide(b.begin(), b.end());
  std::vector<long> expected(runs.all.begin(), runs.all.end());
  std::sort(expected.begin(), expected.end());
  for (auto kind : {memory_kind::device, memory_kind::pageable}) {
    const buffer<std::int32_t> first(a, 1, gpu_memory{kind});
    const thrust::device_vector<long> second(wide.begin(), wide.end());
    thrust::device_vector<long> out(n);
    gpusort::merge(par_gpu, first.begin(), first.end(), second.begin(), second.end(), out.begin());
    EXPECT_EQ(to_host(out), expected) << name_of(kind);
    gpusort::merge(par_gpu, first.begin(), first.end(), wide.begin(), wide.end(), out.begin(),
                   std::less<long>());
    EXPECT_EQ(to_host(out), expected) << name_of(kind);
  }
}

TEST_F(merge_calls, of_numbers_that_are_nowhere) {
  const thrust::counting_iterator<int> first(0);
  thrust::device_vector<int> odd(100), out(200);
  for (int i = 0; i < 100; ++i) odd[i] = 50 + i / 2;
  gpusort::merge(par_gpu, first, first + 100, odd.begin(), odd.end(), out.begin());
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  for (int i = 0; i < 100; ++i) expected.push_back(50 + i / 2);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(to_host(out), expected);
}

TEST_F(merge_calls, to_nowhere) {
  const auto runs = input();
  const thrust::device_vector<u32> keys(runs.all.begin(), runs.all.end());
  std::vector<u32> positions(n);
  std::iota(positions.begin(), positions.end(), 0u);
  const thrust::device_vector<u32> values(positions.begin(), positions.end());
  const auto nowhere = thrust::make_discard_iterator();
  std::vector<u32> expected;
  for (std::size_t p : merged_places(runs.all, reference_less{})) {
    expected.push_back(static_cast<u32>(p));
  }
  thrust::device_vector<u32> out(n);
  const auto ends =
      gpusort::merge_by_key(par_gpu, keys.begin(), keys.begin() + cut, keys.begin() + cut,
                            keys.end(), values.begin(), values.begin() + cut, nowhere, out.begin());
  EXPECT_TRUE(ends.second == out.end());
  EXPECT_EQ(ends.first - nowhere, static_cast<std::ptrdiff_t>(n));
  EXPECT_EQ(to_host(out), expected);
  gpusort::merge_by_key(par_gpu, keys.begin(), keys.begin() + cut, keys.begin() + cut, keys.end(),
                        values.begin(), values.begin() + cut, out.begin(), nowhere);
  EXPECT_TRUE(holds_merged(to_host(out), runs));
}

struct by_first {
  template <class Row>
  GPUSORT_HOST_DEVICE bool operator()(const Row& a, const Row& b) const {
    return thrust::get<0>(a) < thrust::get<0>(b);
  }
};

TEST_F(merge_calls, of_zips) {
  const auto runs = input();
  const buffer<u32> keys(runs.all, 1), keys_out(n, 2);
  column<std::uint64_t> positions(n);
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  const buffer<std::uint64_t> values(positions, 1), values_out(n, 2);
  const auto in = thrust::make_zip_iterator(keys.begin(), values.begin());
  const auto out = thrust::make_zip_iterator(keys_out.begin(), values_out.begin());
  gpusort::merge(par_gpu, in, in + cut, in + cut, in + n, out, by_first{});
  const auto places = merged_places(runs.all, reference_less{});
  const auto found = values_out.read();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i], places[i]) << i;
  EXPECT_TRUE(holds_merged(keys_out.read(), runs));
  EXPECT_TRUE(keys_out.intact() && values_out.intact());
}

// -- errors ---------------------------------------------------------------------------------------

TEST_F(merge_calls, ranges_that_make_no_sense) {
  const auto runs = input();
  const buffer<u32> keys(runs.all, 1), out(n, 1);
  std::vector<u32> host(runs.all.begin(), runs.all.end());
  const auto merge = [&](auto first1, auto last1, auto first2, auto last2, auto to) {
    EXPECT_THROW(gpusort::merge(par_gpu, first1, last1, first2, last2, to), std::invalid_argument);
  };
  u32 *const a = keys.begin(), *const b = a + cut, *const end = keys.end();
  merge(b, a, b, end, out.begin());
  merge(a, b, end, b, out.begin());
  merge(a, b, b, end, a);
  merge(a, b, b, end, b);
  merge(a, b, out.begin(), out.begin() + 10, out.begin() + 9);
  merge(a, b, out.begin(), out.begin() + 10, std::make_reverse_iterator(b + 15));
  merge(host.begin(), host.begin() + 10, host.begin() + 10, host.end(), host.begin() + 5);
  EXPECT_THROW(gpusort::merge_by_key(par_gpu, a, b, b, end, a, b, out.begin(), out.begin() + 1),
               std::invalid_argument);
  EXPECT_THROW(gpusort::merge_by_key(par_gpu, a, b, b, end, a, b, out.begin(), a),
               std::invalid_argument);
  EXPECT_THROW(gpusort::inplace_merge(par_gpu, a, end + 1, end), std::invalid_argument);
  EXPECT_THROW(gpusort::inplace_merge(par_gpu, b, a, end), std::invalid_argument);
  EXPECT_THROW(gpusort::inplace_merge(par_gpu, end, end, a), std::invalid_argument);
  EXPECT_TRUE(same_elements(keys.read(), runs.all));
  // Neighbours do not overlap, and the two inputs may.
  EXPECT_NO_THROW(gpusort::merge(par_gpu, a, a + 10, a, a + 10, a + 10));
}

TEST_F(merge_calls, of_nothing) {
  u32* const nothing = nullptr;
  EXPECT_EQ(gpusort::merge(par_gpu, nothing, nothing, nothing, nothing, nothing), nothing);
  gpusort::inplace_merge(par_gpu, nothing, nothing, nothing);
  const std::vector<u32> empty;
  const auto runs = input();
  std::vector<u32> out(cut);
  const auto a = runs.run(0);
  gpusort::merge(par_gpu, empty.begin(), empty.end(), a.begin(), a.end(), out.begin());
  EXPECT_TRUE(std::equal(a.begin(), a.end(), out.begin()));
  gpusort::merge(par_gpu, a.begin(), a.end(), nothing, nothing, out.begin());
  EXPECT_TRUE(std::equal(a.begin(), a.end(), out.begin()));
}

TEST_F(merge_calls, options_are_accepted) {
  const auto runs = input();
  const buffer<u32> keys(runs.all, 0), out(n, 0);
  const buffer<unsigned char> memory(1 << 16);
  const auto policy =
      par_gpu.with(gpusort::deterministic, gpusort::require_device, gpusort::algorithm::radix_sort,
                   gpusort::scratch(memory.begin(), 1 << 16));
  gpusort::merge(policy, keys.begin(), keys.begin() + cut, keys.begin() + cut, keys.end(),
                 out.begin());
  EXPECT_TRUE(holds_merged(out.read(), runs));
  // Too little for the range, and enough to merge it where it is.
  gpusort::inplace_merge(policy, keys.begin(), keys.begin() + cut, keys.end());
  EXPECT_TRUE(holds_merged(keys.read(), runs));
  EXPECT_TRUE(memory.intact());
}

TEST_F(merge_calls, scratch_in_place_is_little) {
  const auto runs = input();
  const buffer<u32> range(runs.all, 1);
  counting_allocator allocator;
  gpusort::inplace_merge(par_gpu(allocator).with(gpusort::in_place), range.begin(),
                         range.begin() + cut, range.end());
  EXPECT_TRUE(holds_merged(range.read(), runs));
  EXPECT_LT(allocator.peak_bytes(), n);
  EXPECT_TRUE(allocator.clean());
}

TEST_F(merge_calls, without_memory_nothing_has_happened) {
  expect_nothing_without_memory(input(), [](const auto& policy, u32* first, u32* out) {
    gpusort::merge(policy, first, first + cut, first + cut, first + n, out);
  });
}

// -- streams and graphs ---------------------------------------------------------------------------

TEST_F(merge_calls, on_a_stream) {
  const stream s;
  const auto runs = input();
  const buffer<u32> keys(runs.all, 1), out(n, 2), range(runs.all, 3);
  gpusort::merge(par_gpu_nosync.on(s), keys.begin(), keys.begin() + cut, keys.begin() + cut,
                 keys.end(), out.begin());
  gpusort::inplace_merge(par_gpu_nosync.on(s), range.begin(), range.begin() + cut, range.end());
  s.synchronize();
  EXPECT_TRUE(holds_merged(out.read(), runs));
  EXPECT_TRUE(holds_merged(range.read(), runs));
}

TEST_F(merge_calls, captured) {
  const stream s;
  buffer<u32> keys(n, 1), range(n, 1);
  const buffer<u32> out(n, 2), values_out(n, 0);
  const auto policy = par_gpu_nosync.on(s);
  const graph recorded(s, [&] {
    u32 *const a = keys.begin(), *const b = a + cut, *const end = keys.end();
    gpusort::merge(policy, a, b, b, end, out.begin());
    gpusort::merge_by_key(policy, a, b, b, end, a, b, thrust::make_discard_iterator(),
                          values_out.begin());
    gpusort::inplace_merge(policy, range.begin(), range.begin() + cut, range.end());
    gpusort::inplace_merge(policy.with(gpusort::in_place), range.begin(), range.begin() + cut,
                           range.end());
  });
  for (std::uint64_t which : {0, 1}) {
    const auto runs = input(which);
    keys.write(runs.all);
    range.write(runs.all);
    recorded.launch(s);
    EXPECT_TRUE(holds_merged(out.read(), runs));
    EXPECT_TRUE(holds_merged(values_out.read(), runs));
    EXPECT_TRUE(holds_merged(range.read(), runs));
  }
}

TEST_F(merge_calls, what_cannot_be_captured) {
  const stream s;
  const auto runs = input();
  const buffer<u32> keys(runs.all, 1), out(n, 2);
  std::vector<u32> host(n);
  u32 *const a = keys.begin(), *const b = a + cut, *const end = keys.end();
  const graph recorded(s, [&] {
    EXPECT_THROW(gpusort::merge(par_gpu.on(s), a, b, b, end, out.begin()), gpusort::cuda_error);
    EXPECT_THROW(gpusort::merge(par_gpu_nosync.on(s), a, b, b, end, host.begin()),
                 gpusort::cuda_error);
    EXPECT_THROW(gpusort::inplace_merge(par_gpu.on(s), a, b, end), gpusort::cuda_error);
  });
}

// -- through Thrust -------------------------------------------------------------------------------

// gpusort says that a reversed range is a mistake; Thrust does not look. So this shows who answers.
TEST_F(merge_calls, thrust_reaches_gpusort) {
  thrust::device_vector<int> keys(10, 1), values(10, 2), out(20);
  const auto first = keys.begin(), last = keys.end();
  const auto v = values.begin();
  const auto nowhere = thrust::make_discard_iterator();
  counting_allocator allocator;
  const auto each = [&](const auto& p) {
    EXPECT_THROW(thrust::merge(p, last, first, first, last, out.begin()), std::invalid_argument);
    EXPECT_THROW(thrust::merge(p, first, last, last, first, out.begin(), thrust::less<int>()),
                 std::invalid_argument);
    EXPECT_THROW(thrust::merge_by_key(p, last, first, first, last, v, v, out.begin(), nowhere),
                 std::invalid_argument);
    EXPECT_THROW(thrust::merge_by_key(p, last, first, first, last, v, v, nowhere, out.begin(),
                                      thrust::less<int>()),
                 std::invalid_argument);
  };
  each(par_gpu);
  each(par_gpu(allocator));
}

TEST_F(merge_calls, thrust_merges) {
  const auto runs = input();
  const thrust::device_vector<u32> keys(runs.all.begin(), runs.all.end());
  const auto a = keys.begin(), b = a + cut, end = keys.end();
  thrust::device_vector<u32> out(n);
  EXPECT_TRUE(thrust::merge(par_gpu, a, b, b, end, out.begin()) == out.end());
  EXPECT_TRUE(holds_merged(to_host(out), runs));
  out.assign(n, 0);
  const auto ends = thrust::merge_by_key(par_gpu_nosync, a, b, b, end, a, b,
                                         thrust::make_discard_iterator(), out.begin());
  EXPECT_TRUE(ends.second == out.end());
  EXPECT_TRUE(holds_merged(to_host(out), runs));
}

// Two types: Thrust compares them as they are.
TEST_F(merge_calls, what_is_not_ours_is_merged_by_thrust) {
  const std::vector<int> a{-1, 3}, b{0, 2};
  const thrust::device_vector<int> first(a.begin(), a.end());
  const thrust::device_vector<long> second(b.begin(), b.end());
  thrust::device_vector<long> out(4);
  thrust::merge(par_gpu, first.begin(), first.end(), second.begin(), second.end(), out.begin());
  EXPECT_EQ(to_host(out), (std::vector<long>{-1, 0, 2, 3}));
}

}  // namespace
}  // namespace kit
