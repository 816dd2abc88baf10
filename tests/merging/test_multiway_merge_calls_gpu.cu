// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How multiway_merge and its relatives are called: how runs are described, where descriptions and
// elements are, streams, graphs, errors.
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/pair.h>

#include <cuda/std/utility>
#include <deque>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/merge_calls.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
using u32 = std::uint32_t;

class multiway_calls : public gpu_test {
 protected:
  static constexpr std::size_t n = 20011;
  static constexpr std::size_t k = 17;

  static run_set<u32> input(distribution d = distribution::few_distinct) {
    return make_runs<u32>(d, offsets_of(shape::ragged, k, n), reference_less{});
  }

  template <class Pair, class Iterator>
  static std::vector<Pair> pairs_of(Iterator data, const run_set<u32>& runs) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < runs.k(); ++i) {
      pairs.push_back(Pair{data + static_cast<std::ptrdiff_t>(runs.offsets[i]),
                           data + static_cast<std::ptrdiff_t>(runs.offsets[i + 1])});
    }
    return pairs;
  }
};

struct my_run {
  const u32* first;
  const u32* second;
  int level;
};

TEST_F(multiway_calls, pairs_of_every_kind) {
  const auto runs = input();
  const buffer<u32> data(runs.all, 1), out(n, 1);
  const auto merges = [&](const auto& pairs) {
    using pair = typename std::decay_t<decltype(pairs)>::value_type;
    gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), out.begin());
    EXPECT_TRUE(holds_merged(out.read(), runs));
    column<pair> descriptors(pairs.size());
    std::copy(pairs.begin(), pairs.end(), descriptors.begin());
    const buffer<pair> on_device(descriptors, 0);
    gpusort::multiway_merge(par_gpu_nosync, on_device.begin(), on_device.end(), out.begin());
    EXPECT_TRUE(holds_merged(out.read(), runs));
  };
  merges(pairs_of<std::pair<u32*, u32*>>(data.begin(), runs));
  merges(pairs_of<thrust::pair<const u32*, const u32*>>(data.begin(), runs));
  std::vector<my_run> mine;
  for (const auto& p : pairs_of<std::pair<u32*, u32*>>(data.begin(), runs)) {
    mine.push_back({p.first, p.second, 7});
  }
  merges(mine);
}

template <class Offset>
struct times {
  Offset step;
  __host__ __device__ Offset operator()(Offset i) const { return i * step; }
};

TEST_F(multiway_calls, offsets_of_every_kind) {
  const auto runs = input();
  const buffer<u32> data(runs.all, 1), out(n, 1);
  const auto merges = [&](auto first, auto last) {
    gpusort::multiway_merge(par_gpu, data.begin(), first, last, out.begin());
    EXPECT_TRUE(holds_merged(out.read(), runs));
    gpusort::multiway_merge(par_gpu_nosync, data.begin(), first, last, out.begin(),
                            gpusort::less{});
    EXPECT_TRUE(holds_merged(out.read(), runs));
  };
  const thrust::device_vector<int> on_device(runs.offsets.begin(), runs.offsets.end());
  merges(on_device.begin(), on_device.end());
  const std::deque<long> on_host(runs.offsets.begin(), runs.offsets.end());
  merges(on_host.begin(), on_host.end());
  const buffer<std::uint32_t> managed(runs.offsets.size(), 0, gpu_memory{memory_kind::managed});
  std::copy(runs.offsets.begin(), runs.offsets.end(), managed.begin());
  merges(managed.begin(), managed.end());

  const auto regular =
      make_runs<u32>(distribution::uniform, offsets_of(shape::equal, 10, 5000), reference_less{});
  const buffer<u32> more(regular.all, 0), sorted(5000, 0);
  const auto first =
      thrust::make_transform_iterator(thrust::counting_iterator<long>(0), times<long>{500});
  gpusort::multiway_merge(par_gpu, more.begin(), first, first + 11, sorted.begin());
  EXPECT_TRUE(holds_merged(sorted.read(), regular));
}

// Offsets need not begin at 0.
TEST_F(multiway_calls, offsets_into_the_middle) {
  const buffer<u32> data(column<u32>{9, 9, 1, 5, 2, 3, 0}, 0);
  const std::vector<int> offsets{2, 4, 4, 6};
  std::vector<u32> out(4);
  EXPECT_TRUE(gpusort::multiway_merge(par_gpu, data.begin(), offsets.begin(), offsets.end(),
                                      out.begin()) == out.end());
  EXPECT_EQ(out, (std::vector<u32>{1, 2, 3, 5}));
  std::vector<u32> places(3);
  gpusort::multiway_select(par_gpu, data.begin(), offsets.begin(), offsets.end(), 3,
                           places.begin());
  EXPECT_EQ(places, (std::vector<u32>{1, 0, 2}));
}

TEST_F(multiway_calls, elements_in_every_memory) {
  const auto runs = input();
  for (auto from : every_memory_kind) {
    for (auto to : every_memory_kind) {
      const buffer<u32> data(runs.all, 1, gpu_memory{from}), out(n, 3, gpu_memory{to});
      const auto pairs = pairs_of<std::pair<u32*, u32*>>(data.begin(), runs);
      gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), out.begin());
      EXPECT_TRUE(holds_merged(out.read(), runs)) << name_of(from) << name_of(to);
      gpusort::multiway_merge(par_gpu, data.begin(), runs.offsets.begin(), runs.offsets.end(),
                              out.begin(), std::less<>());
      EXPECT_TRUE(holds_merged(out.read(), runs)) << name_of(from) << name_of(to);
      EXPECT_TRUE(out.intact());
    }
  }
}

// Some runs on the host, some on the device, and longer numbers to write.
TEST_F(multiway_calls, runs_here_and_there) {
  const auto runs = input();
  const buffer<u32> on_device(runs.all, 1), on_host(runs.all, 1, gpu_memory{memory_kind::pageable});
  auto pairs = pairs_of<std::pair<u32*, u32*>>(on_device.begin(), runs);
  const auto others = pairs_of<std::pair<u32*, u32*>>(on_host.begin(), runs);
  for (std::size_t i = 0; i < k; i += 2) pairs[i] = others[i];
  const buffer<std::uint64_t> out(n, 0);
  gpusort::multiway_merge(par_gpu_nosync, pairs.begin(), pairs.end(), out.begin());
  EXPECT_TRUE(holds_merged(out.read(), runs));
}

TEST_F(multiway_calls, of_containers) {
  const auto runs = input();
  const thrust::device_vector<u32> data(runs.all.begin(), runs.all.end());
  using iterator = thrust::device_vector<u32>::const_iterator;
  const auto pairs = pairs_of<std::pair<iterator, iterator>>(data.begin(), runs);
  thrust::device_vector<u32> out(n);
  EXPECT_TRUE(gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), out.begin()) ==
              out.end());
  std::vector<u32> found(n);
  thrust::copy(out.begin(), out.end(), found.begin());
  EXPECT_TRUE(holds_merged(found, runs));
}

TEST_F(multiway_calls, to_nowhere) {
  const auto runs = input();
  const buffer<u32> keys(runs.all, 0);
  std::vector<u32> values(n), found(n);
  std::iota(values.begin(), values.end(), 0u);
  gpusort::multiway_merge_by_key(par_gpu, keys.begin(), runs.offsets.begin(), runs.offsets.end(),
                                 values.begin(), thrust::make_discard_iterator(), found.begin());
  const auto places = merged_places(runs.all, reference_less{});
  EXPECT_TRUE(std::equal(places.begin(), places.end(), found.begin()));
}

TEST_F(multiway_calls, positions_of_every_kind) {
  const auto runs = input();
  const buffer<u32> data(runs.all, 0);
  const auto select = [&](auto positions) {
    gpusort::multiway_select(par_gpu, data.begin(), runs.offsets.begin(), runs.offsets.end(), 1000,
                             positions);
  };
  std::vector<int> on_host(k);
  select(on_host.begin());
  EXPECT_EQ(std::accumulate(on_host.begin(), on_host.end(), 0), 1000);
  const buffer<std::uint64_t> wide(k, 1);
  select(wide.begin());
  const auto found = wide.read();
  EXPECT_TRUE(std::equal(on_host.begin(), on_host.end(), found.begin()));
  const buffer<unsigned short> narrow(k, 1);
  select(narrow.begin());
  const auto few = narrow.read();
  EXPECT_TRUE(std::equal(on_host.begin(), on_host.end(), few.begin()));
  EXPECT_TRUE(wide.intact() && narrow.intact());
}

// -- errors ---------------------------------------------------------------------------------------

TEST_F(multiway_calls, what_makes_no_sense) {
  const auto runs = input();
  const buffer<u32> data(runs.all, 1), out(n, 1);
  u32* const first = data.begin();
  std::vector<std::size_t> positions(k);
  const auto refused = [&](auto call) { EXPECT_THROW(call(), std::invalid_argument); };
  const auto merge = [&](const auto& offsets, u32* to) {
    refused([&] { gpusort::multiway_merge(par_gpu, first, offsets.begin(), offsets.end(), to); });
  };
  merge(std::vector<int>{0, 5, 4, 10}, out.begin());
  merge(thrust::device_vector<int>(std::vector<int>{0, 5, 4}), out.begin());
  merge(std::vector<int>{0, 5, 10}, first + 9);
  merge(std::vector<int>{10, 15, 20}, first + 1);
  refused([&] {
    gpusort::multiway_merge(par_gpu, first, runs.offsets.end(), runs.offsets.begin(), out.begin());
  });
  auto pairs = pairs_of<std::pair<u32*, u32*>>(first, runs);
  refused([&] { gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), first + n - 1); });
  refused([&] {
    gpusort::multiway_select(par_gpu, pairs.begin(), pairs.end(), n + 1, positions.begin());
  });
  std::vector<signed char> narrow(k);
  refused(
      [&] { gpusort::multiway_select(par_gpu, pairs.begin(), pairs.end(), 128, narrow.begin()); });
  std::swap(pairs[3].first, pairs[3].second);
  pairs[3].first = pairs[3].second + 1;
  refused([&] { gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), out.begin()); });
  EXPECT_TRUE(same_elements(data.read(), runs.all));
}

TEST_F(multiway_calls, of_nothing) {
  u32* const nothing = nullptr;
  const std::vector<int> none, one{5}, two{3, 3};
  for (const auto& offsets : {none, one, two}) {
    EXPECT_EQ(gpusort::multiway_merge(par_gpu, nothing, offsets.begin(), offsets.end(), nothing),
              nothing);
  }
  const std::vector<std::pair<u32*, u32*>> pairs(5);
  EXPECT_EQ(gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), nothing), nothing);
  std::vector<int> positions(5, 1);
  gpusort::multiway_select(par_gpu, pairs.begin(), pairs.end(), 0, positions.begin());
  EXPECT_EQ(positions, std::vector<int>(5, 0));
}

TEST_F(multiway_calls, without_memory_nothing_has_happened) {
  const auto runs =
      make_runs<u32>(distribution::uniform, offsets_of(shape::ragged, 64, n), reference_less{});
  expect_nothing_without_memory(runs, [&](const auto& policy, u32* first, u32* out) {
    gpusort::multiway_merge(policy, first, runs.offsets.begin(), runs.offsets.end(), out);
  });
}

/// More runs are sorted, with less memory where there is less.
TEST_F(multiway_calls, many_runs_take_what_memory_there_is) {
  const auto runs =
      make_runs<u32>(distribution::uniform, offsets_of(shape::ragged, 100, n), reference_less{});
  const buffer<u32> data(runs.all, 1);
  buffer<u32> out(n, 1);
  const auto before = out.read();
  counting_allocator allocator;
  const auto merge = [&] {
    gpusort::multiway_merge(gpusort::par_gpu(allocator), data.begin(), runs.offsets.begin(),
                            runs.offsets.end(), out.begin());
  };
  merge();
  const std::size_t allocations = allocator.calls();
  for (std::size_t k = 0; k < allocations; ++k) {
    for (std::size_t last : {k + 1, std::size_t{1000}}) {
      out.write(before);
      allocator.fail(k, last);
      bool has_thrown = false;
      try {
        merge();
      } catch (const gpusort::out_of_memory&) {
        has_thrown = true;
      }
      EXPECT_TRUE(has_thrown ? same_elements(out.read(), before) : holds_merged(out.read(), runs))
          << k << " to " << last;
      EXPECT_TRUE(same_elements(data.read(), runs.all));
    }
  }
  EXPECT_TRUE(allocator.clean());
}

// -- streams and graphs ---------------------------------------------------------------------------

TEST_F(multiway_calls, captured) {
  const stream s;
  const auto offsets = offsets_of(shape::ragged, 100, n);
  buffer<u32> data(n, 1);
  const buffer<u32> out(n, 2), values_out(n, 0);
  const buffer<std::size_t> positions(100, 0);
  const auto policy = par_gpu_nosync.on(s);
  const graph recorded(s, [&] {
    // The descriptors are gone when the graph is launched.
    const std::vector<std::size_t> host(offsets.begin(), offsets.end());
    gpusort::multiway_merge(policy, data.begin(), host.begin(), host.end(), out.begin());
    gpusort::multiway_merge_by_key(policy, data.begin(), host.begin(), host.end(), data.begin(),
                                   thrust::make_discard_iterator(), values_out.begin());
    gpusort::multiway_select(policy, data.begin(), host.begin(), host.end(), 1234,
                             positions.begin());
  });
  for (auto d : {distribution::uniform, distribution::few_distinct}) {
    const auto runs = make_runs<u32>(d, offsets, reference_less{});
    data.write(runs.all);
    recorded.launch(s);
    EXPECT_TRUE(holds_merged(out.read(), runs));
    EXPECT_TRUE(holds_merged(values_out.read(), runs));
    const auto found = positions.read();
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::size_t{0}), 1234u);
  }
}

TEST_F(multiway_calls, what_cannot_be_captured) {
  const stream s;
  const auto runs = input();
  const buffer<u32> data(runs.all, 1), out(n, 2);
  const thrust::device_vector<int> on_device(runs.offsets.begin(), runs.offsets.end());
  const graph recorded(s, [&] {
    EXPECT_THROW(gpusort::multiway_merge(par_gpu_nosync.on(s), data.begin(), on_device.begin(),
                                         on_device.end(), out.begin()),
                 gpusort::cuda_error);
    EXPECT_THROW(gpusort::multiway_merge(par_gpu.on(s), data.begin(), runs.offsets.begin(),
                                         runs.offsets.end(), out.begin()),
                 gpusort::cuda_error);
  });
}

// Offsets that the stream has still to write are read when it has.
TEST_F(multiway_calls, descriptors_in_the_order_of_the_stream) {
  const stream s;
  const auto runs = input();
  const buffer<u32> data(runs.all, 1), out(n, 2);
  const buffer<std::size_t> offsets(runs.offsets.size(), 0);
  const buffer<std::size_t> source(runs.offsets.size(), 0, gpu_memory{memory_kind::pinned});
  std::copy(runs.offsets.begin(), runs.offsets.end(), source.begin());
  cuda_ok(cudaMemcpyAsync(offsets.begin(), source.begin(), source.size() * sizeof(std::size_t),
                          cudaMemcpyHostToDevice, s));
  gpusort::multiway_merge(par_gpu_nosync.on(s), data.begin(), offsets.begin(), offsets.end(),
                          out.begin());
  s.synchronize();
  EXPECT_TRUE(holds_merged(out.read(), runs));
}

}  // namespace
}  // namespace kit
