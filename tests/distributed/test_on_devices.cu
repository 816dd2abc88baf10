// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host ranges that several devices sort: one device plays them.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <gpusort/devices.hpp>
#include <gpusort/gpusort.hpp>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "../kit/places.hpp"
#include "../kit/refusal.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::column;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

class on_devices : public kit::gpu_test {};

using call = gpusort::detail::call<true, false, false, false, gpusort::route::nothing>;

template <bool Stable, class Compare, class Keys, class... Values>
void sort_on(const std::vector<int>& devices, std::uint64_t n, Compare compare, Keys keys,
             Values... values) {
  gpusort::detail::distributed::sort_on_ranks<Stable>(call{nullptr, gpusort::detail::pool_memory()},
                                                      devices, keys, n, compare, values...);
}

TEST_F(on_devices, host_ranges_are_sorted) {
  const std::size_t most = kit::small_sizes_only() ? 1500 : std::size_t{1} << 20;
  for (const kit::memory_kind where : {kit::memory_kind::pinned, kit::memory_kind::pageable}) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{3}, most, most - 1}) {
      for (const int p : {1, 2, 4}) {
        const auto input = kit::generate<u64>(kit::distribution::uniform, n, kit::seed());
        const kit::buffer<u64> range(input, 1, kit::gpu_memory{where});
        sort_on<false>(std::vector<int>(p, 0), n, gpusort::less{}, range.data());
        ASSERT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::less{})))
            << n << " elements, " << p << " devices, " << kit::name_of(where);
        ASSERT_TRUE(range.intact());
      }
    }
  }
}

TEST_F(on_devices, host_ranges_of_keys_and_values_are_sorted_stably) {
  const std::size_t n = kit::small_sizes_only() ? 1000 : 100000;
  const auto input = kit::generate<u64>(kit::distribution::few_distinct, n, kit::seed());
  std::vector<u64> keys(input.begin(), input.end());
  std::vector<u32> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<u32>(i);
  sort_on<true>({0, 0, 0}, n, gpusort::less{}, keys.begin(), places.begin());
  column<u64> found(n);
  column<u32> moved(n);
  std::copy(keys.begin(), keys.end(), found.begin());
  std::copy(places.begin(), places.end(), moved.begin());
  EXPECT_TRUE(
      kit::moved_with_places(input, found, moved, gpusort::less{}, kit::promise::stability));
}

TEST_F(on_devices, those_that_make_no_sense_are_refused) {
  std::vector<u64> values{3, 1, 2};
  const auto refused = [&](const std::string& wrong, const auto& policy) {
    kit::expect_refusal("sort", wrong,
                        [&] { gpusort::sort(policy, values.begin(), values.end()); });
  };
  refused("device 0 is named twice", par_gpu.on_devices({0, 0}));
  refused("on_devices names no device", par_gpu.on_devices({}));
  const int count = gpusort::detail::device_count();
  const std::string absent = "there is no device " + std::to_string(count) + " but " +
                             std::to_string(count) + " from 0 on";
  refused(absent, par_gpu.on_devices({0, count}));
  refused("there is no device -1 but " + std::to_string(count) + " from 0 on",
          par_gpu.on_devices({-1}));
  EXPECT_EQ(values, (std::vector<u64>{3, 1, 2}));
}

TEST_F(on_devices, ranges_stay_on_the_device_that_has_them) {
  const auto input = kit::generate<u64>(kit::distribution::uniform, 1000, kit::seed());
  const kit::buffer<u64> range(input, 0);
  gpusort::sort(par_gpu.on_devices({0}), range.data(), range.data() + 1000);
  EXPECT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::less{})));
  std::vector<u64> host(input.begin(), input.end());
  gpusort::stable_sort(par_gpu.on_devices().with(gpusort::keep_input), host.rbegin(), host.rend());
  EXPECT_TRUE(std::is_sorted(host.rbegin(), host.rend()));
}

/// An allocator that remembers of which devices it was asked for memory.
class watching_allocator {
 public:
  using value_type = char;

  char* allocate(std::size_t bytes) {
    asked_.insert(gpusort::detail::current_device());
    void* p = nullptr;
    kit::cuda_ok(cudaMalloc(&p, bytes));
    return static_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) noexcept {
    cudaDeviceSynchronize();
    cudaFree(p);
  }

  /// Returns what was asked since the last call.
  std::set<int> asked() { return std::exchange(asked_, {}); }

 private:
  std::set<int> asked_;
};

/// Calls on host memory under a policy, each of which takes memory.
template <class Policy, class Expect>
void call_all(const Policy& policy, const Expect& expect) {
  const auto input = kit::generate<u64>(kit::distribution::uniform, 600, kit::seed());
  const std::vector<u64> in(input.begin(), input.end());
  auto sorted = in;
  std::sort(sorted.begin(), sorted.end());
  auto v = in;
  const auto expect_sorted = [&](const char* name) {
    EXPECT_EQ(v, sorted) << name;
    expect(name);
    v = in;
  };
  gpusort::sort(policy, v.begin(), v.end());
  expect_sorted("sort");
  gpusort::sort(policy.with(gpusort::verify), v.begin(), v.end());
  expect_sorted("sort under verify");
  gpusort::stable_sort(policy.with(gpusort::keep_input), v.begin(), v.end());
  expect_sorted("stable_sort under keep_input");
  gpusort::sort_copy(policy, in.begin(), in.end(), v.begin());
  expect_sorted("sort_copy");
  std::vector<u32> indices(in.size());
  gpusort::argsort(policy, in.begin(), in.end(), indices.begin());
  expect("argsort");
  gpusort::apply_permutation(policy, v.begin(), v.end(), indices.begin());
  expect_sorted("apply_permutation");
  std::sort(v.begin(), v.begin() + 300);
  std::sort(v.begin() + 300, v.end());
  const auto halves = v;
  gpusort::merge(policy, halves.begin(), halves.begin() + 300, halves.begin() + 300, halves.end(),
                 v.begin());
  expect_sorted("merge");
  EXPECT_TRUE(gpusort::is_sorted(policy, sorted.begin(), sorted.end()));
  expect("is_sorted");
  const std::vector<u32> offsets{0, 300, 600};
  gpusort::segmented_sort(policy, v.begin(), v.end(), offsets.begin(), offsets.end());
  EXPECT_EQ(v, halves);
  expect("segmented_sort");
  const kit::buffer<u64> managed(input, 0, kit::gpu_memory{kit::memory_kind::managed});
  gpusort::table_order order;
  order.asc(gpusort::column::of(managed.data()));
  EXPECT_FALSE(gpusort::is_table_sorted(policy, order, in.size()));
  expect("is_table_sorted, of managed memory");
}

TEST_F(on_devices, every_call_on_host_memory_goes_to_the_first_device_named) {
  if (gpusort::detail::device_count() < 2) GTEST_SKIP() << "one device";
  watching_allocator memory;
  const auto expect = [&](const char* name) {
    EXPECT_EQ(memory.asked(), (std::set<int>{1})) << name;
  };
  call_all(par_gpu(memory).on_devices({1}), expect);
  const kit::stream stream;  // of device 0
  call_all(par_gpu(memory).on(stream).on_devices({1, 0}), expect);
  EXPECT_EQ(gpusort::detail::current_device(), 0);
  // What a device has stays there.
  const auto input = kit::generate<u64>(kit::distribution::uniform, 600, kit::seed());
  const kit::buffer<u64> range(input, 0);
  gpusort::sort(gpusort::par_gpu_nosync.on(stream).on_devices({1}), range.data(),
                range.data() + 600);
  EXPECT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::less{})));
}

TEST_F(on_devices, every_call_checks_them) {
  const std::vector<u64> in{3, 1, 2};
  std::vector<u64> out(3);
  const auto twice = par_gpu.on_devices({0, 0});
  const char* const wrong = "device 0 is named twice";
  kit::expect_refusal("sort_copy", wrong,
                      [&] { gpusort::sort_copy(twice, in.begin(), in.end(), out.begin()); });
  kit::expect_refusal("is_sorted", wrong,
                      [&] { gpusort::is_sorted(twice, in.begin(), in.begin()); });
}

/// Keeps the system, while it lives, from making a thread: one would have a stack larger than the
/// address space.
class no_more_threads {
 public:
  no_more_threads() {
    pthread_getattr_default_np(&former_);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 56);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }
  ~no_more_threads() {
    pthread_setattr_default_np(&former_);
    pthread_attr_destroy(&former_);
  }

 private:
  pthread_attr_t former_;
};

TEST_F(on_devices, without_threads_one_works_for_all) {
  if (gpusort::detail::device_count() < 2) GTEST_SKIP() << "one device";
  const std::size_t n = 1000;
  const auto input = kit::generate<u64>(kit::distribution::uniform, n, kit::seed());
  std::vector<u64> values(input.begin(), input.end());
  sort_on<false>({0, 1}, n, gpusort::less{}, values.data());  // whoever else needs threads has them
  values.assign(input.begin(), input.end());
  const no_more_threads here;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  sort_on<false>({0, 1}, n, gpusort::less{}, values.data());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

/// Elements go through page-locked memory, in pieces, as where devices do not reach each other.
TEST_F(on_devices, without_access_to_each_other_elements_go_through_the_host) {
  namespace distributed = gpusort::detail::distributed;
  const std::size_t bytes = kit::small_sizes_only() ? (std::size_t{8} << 20) + 100 : 50000000;
  distributed::device_links links({0, 0}, true);
  EXPECT_EQ(links.kind(0, 1), distributed::link_kind::through_host);
  const auto input = kit::generate<u64>(kit::distribution::uniform, bytes / 8, kit::seed());
  const kit::buffer<u64> from(input, 0), to(input.size()), back(input.size());
  links.begin_copies();
  links.copy(0, from.data(), 1, to.data(), bytes / 8 * 8);
  links.copy(1, from.data(), 0, back.data(), 80);
  links.end_copies();
  links.wait();
  EXPECT_TRUE(kit::same_columns(to.read(), input));
  EXPECT_TRUE(kit::same_columns(kit::part_of(back.read(), 0, 10), kit::part_of(input, 0, 10)));
}

}  // namespace
