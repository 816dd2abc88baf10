// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that are copied back together change together, or not at all.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <gpusort/gpusort.hpp>
#include <new>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/orders.hpp"
#include "../kit/random.hpp"

namespace {

/// Arrays that this thread allocates without exceptions, as the library does, fail but for the
/// first ones; -1: none fails.
thread_local long arrays_left = -1;

void* allocate_array(std::size_t bytes) noexcept {
  if (arrays_left >= 0 && arrays_left-- == 0) {
    arrays_left = 0;
    return nullptr;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_array(bytes);
}

namespace kit {
namespace {

class copy_back : public gpu_test {};

/// Calls sort() with 0, 1, ... arrays that can be allocated; each time all pairs must be there, and
/// be in order where it has not thrown.
template <class Refill, class Sort, class Check>
void at_every_array(Refill refill, Sort sort, Check check) {
  for (long k = 0;; ++k) {
    ASSERT_LT(k, 50);
    refill();
    bool is_enough = true;
    arrays_left = k;
    try {
      sort();
    } catch (const std::bad_alloc&) {
      is_enough = false;
    }
    arrays_left = -1;
    check(is_enough, k);
    if (is_enough) break;
  }
}

TEST_F(copy_back, tears_no_pairs_for_want_of_host_memory) {
  const std::size_t n = small_sizes_only() ? 3000 : 1 << 20;
  std::vector<std::uint32_t> keys(n);
  std::deque<std::uint32_t> values(n), more(n);
  const auto refill = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = static_cast<std::uint32_t>(random_at(1, i));
      values[i] = ~keys[i];
      more[i] = keys[i] / 2;
    }
  };
  const auto check = [&](bool is_enough, long k) {
    std::size_t torn = 0;
    for (std::size_t i = 0; i < n; ++i) torn += values[i] != ~keys[i] || more[i] != keys[i] / 2;
    EXPECT_EQ(torn, 0u) << "with " << k << " arrays";
    if (is_enough) EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  };
  at_every_array(
      refill,
      [&] {
        gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(),
                             more.begin(), gpusort::less{});
      },
      check);
  const std::vector<std::uint32_t> offsets = {0, static_cast<std::uint32_t>(n)};
  at_every_array(
      refill,
      [&] {
        gpusort::segmented_sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(),
                                       offsets.begin(), offsets.end());
      },
      [&](bool is_enough, long k) {
        std::size_t torn = 0;
        for (std::size_t i = 0; i < n; ++i) torn += values[i] != ~keys[i];
        EXPECT_EQ(torn, 0u) << "with " << k << " arrays";
        if (is_enough) EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
      });
}

TEST_F(copy_back, takes_all_memory_before_it_loads) {
  using namespace gpusort::detail;
  const std::size_t n = 1000;
  std::deque<std::uint32_t> values(n, 1);
  using range = device_range<std::deque<std::uint32_t>::iterator, 1>;
  {
    const range copied(values.begin(), pointer_kind{}, n, pool_memory(), nullptr);
    arrays_left = 0;
    copied.load();
    cuda_ok(cudaMemset(copied.data(), 0, n * sizeof(std::uint32_t)));
    copied.store();
    arrays_left = -1;
  }
  EXPECT_EQ(values, std::deque<std::uint32_t>(n, 0));
  arrays_left = 0;
  EXPECT_THROW(range(values.begin(), pointer_kind{}, n, pool_memory(), nullptr),
               gpusort::out_of_memory);
  arrays_left = -1;
}

}  // namespace
}  // namespace kit
