// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting in pieces over the links of several devices: of all that there are, named in turn.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <gpusort/devices.hpp>
#include <gpusort/external.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"

namespace {

namespace detail = gpusort::detail;
using kit::distribution;
using kit::memory_kind;

class external_devices : public kit::gpu_test {
 protected:
  static void TearDownTestSuite() { gpusort::release_scratch(); }
};

struct reports {
  std::vector<std::uint64_t> done;
  std::uint64_t total = 0;
  std::uint64_t fails_beyond = ~std::uint64_t{0};

  static void add(void* user, std::uint64_t done, std::uint64_t total) {
    auto& self = *static_cast<reports*>(user);
    self.done.push_back(done);
    self.total = total;
    if (done > self.fails_beyond) throw std::runtime_error("enough");
  }
  bool are_complete() const {
    return !done.empty() && done.back() == total &&
           std::adjacent_find(done.begin(), done.end(), std::greater_equal<>()) == done.end();
  }
};

/// Each has its own stream.
class links {
 public:
  explicit links(int count) {
    int present = 0;
    kit::cuda_ok(cudaGetDeviceCount(&present));
    for (int i = 0; i < count; ++i) {
      const int device = i % present;
      kit::cuda_ok(cudaSetDevice(device));
      streams_.push_back(std::make_unique<kit::stream>());
      devices_.push_back({device, *streams_.back(), detail::memory_of(gpusort::par_gpu)});
    }
    kit::cuda_ok(cudaSetDevice(0));
  }

  const std::vector<detail::external_device>& devices() const { return devices_; }

 private:
  std::vector<std::unique_ptr<kit::stream>> streams_;
  std::vector<detail::external_device> devices_;
};

constexpr std::uint64_t little_memory = std::uint64_t{1} << 17;

template <class T, class Compare>
void sort_on(const links& on, kit::buffer<T>& range, memory_kind memory, reports& seen,
             const Compare& compare) {
  using problem = detail::problem_of<detail::call_for_merging, true, false, Compare, T>;
  const auto kind = memory == memory_kind::pinned ? detail::memory_kind::pinned_host
                                                  : detail::memory_kind::pageable_host;
  detail::sort_in_pieces_on<problem>(on.devices(), little_memory, {reports::add, &seen},
                                     range.begin(), {kind, -1}, range.size(), compare);
}

template <class T, class Compare>
void expect_sorted(int device_count, distribution d, std::size_t n, memory_kind memory,
                   const Compare& compare, kit::promise promised) {
  const auto input = kit::generate<T>(d, n, n);
  kit::buffer<T> range(input, 1, {memory});
  reports seen;
  const links on(device_count);
  sort_on(on, range, memory, seen, compare);
  kit::findings f = kit::examine(input, range.read(), compare, promised);
  f.zones_intact = range.intact();
  EXPECT_TRUE(f.ok()) << f << d << ", n = " << n << ", " << device_count << " devices";
  EXPECT_TRUE(seen.are_complete()) << "reported " << seen.done.size() << " times";
  EXPECT_EQ(seen.total, 2 * n * sizeof(T));
}

const std::size_t some = kit::small_sizes_only() ? 20011 : 400009;

TEST_F(external_devices, numbers) {
  for (int devices : {1, 2, 3, 8}) {
    for (auto memory : {memory_kind::pageable, memory_kind::pinned}) {
      expect_sorted<std::uint32_t>(devices, distribution::uniform, some, memory, gpusort::less{},
                                   kit::promise::order);
    }
  }
}

TEST_F(external_devices, every_distribution) {
  for (auto d : kit::every_distribution) {
    expect_sorted<float>(2, d, some / 4, memory_kind::pageable, gpusort::less{},
                         kit::promise::stability);
  }
}

TEST_F(external_devices, sizes_around_the_pieces) {
  for (std::size_t n : {some / 2 - 1, some / 2, some / 2 + 1}) {
    expect_sorted<std::uint32_t>(3, distribution::uniform, n, memory_kind::pageable,
                                 gpusort::greater{}, kit::promise::order);
  }
}

/// The first device finds the cuts, in memory that all of them reach.
TEST_F(external_devices, orders_of_the_device_stay_stable) {
  using record = kit::record<16>;
  for (auto d : {distribution::uniform, distribution::few_distinct}) {
    expect_sorted<record>(2, d, some / 4, memory_kind::pinned, kit::opaque(kit::behavior::coarse),
                          kit::promise::stability);
  }
}

TEST_F(external_devices, comparators_that_lie_lose_nothing) {
  for (auto b : {kit::behavior::always_true, kit::behavior::random}) {
    expect_sorted<kit::record<16>>(2, distribution::uniform, some / 4, memory_kind::pageable,
                                   kit::opaque(b), kit::promise::permutation);
  }
}

/// As a call on several devices does where they have too little memory.
TEST_F(external_devices, ranges_of_the_host) {
  const auto call = detail::call_of(gpusort::par_gpu);
  const auto input = kit::generate<std::uint32_t>(distribution::uniform, some, 1);
  const std::vector<int> devices(3, 0);
  kit::buffer<std::uint32_t> range(input, 1, {memory_kind::pageable});
  detail::distributed::sort_in_pieces_on_devices<true>(call, devices, range.begin(), range.size(),
                                                       gpusort::less{});
  const auto sorted = range.read();
  EXPECT_TRUE(kit::examine(input, sorted, gpusort::less{}, kit::promise::order).ok());
  EXPECT_TRUE(range.intact());
  if (kit::device_is_cpu) return;  // there Thrust takes each iterator for one of the device
  std::deque<std::uint32_t> deque(input.begin(), input.end());
  detail::distributed::sort_in_pieces_on_devices<false>(call, devices, deque.begin(), deque.size(),
                                                        gpusort::less{});
  EXPECT_TRUE(std::equal(deque.begin(), deque.end(), sorted.begin(), sorted.end()));
}

/// Whatever fails in the middle, the range is a permutation of itself.
TEST_F(external_devices, a_report_that_throws) {
  const auto input = kit::generate<std::uint32_t>(distribution::uniform, some, 1);
  const std::uint64_t total = 2 * some * sizeof(std::uint32_t);
  for (std::uint64_t fails_beyond : {std::uint64_t{0}, total / 2, total - 1}) {
    kit::buffer<std::uint32_t> range(input, 0, {memory_kind::pageable});
    reports seen;
    seen.fails_beyond = fails_beyond;
    const links on(2);
    EXPECT_THROW(sort_on(on, range, memory_kind::pageable, seen, gpusort::less{}),
                 std::runtime_error);
    EXPECT_TRUE(kit::same_multiset(input, range.read()));
    EXPECT_TRUE(range.intact());
  }
}

}  // namespace
