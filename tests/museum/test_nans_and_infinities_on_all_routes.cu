// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rapidsai/raft#2807: algorithms that compared, and those that read bits, did not agree on where
// NaNs and infinities are. Here every route has the one order of less.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

/// Returns values, most of them special.
std::vector<float> values(std::size_t n) {
  using limits = std::numeric_limits<float>;
  const float special[] = {NAN,           -NAN,           INFINITY,
                           -INFINITY,     0.0f,           -0.0f,
                           limits::max(), -limits::max(), limits::denorm_min(),
                           -limits::min()};
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    all[i] = r % 3 != 0 ? special[r / 3 % 10] : static_cast<float>(r % 1000) - 500;
  }
  return all;
}

/// Orders as documented, by nothing of the library.
bool is_before(float a, float b) {
  const auto side = [](float x) { return !std::isnan(x) ? 0 : std::signbit(x) ? -1 : 1; };
  return side(a) != side(b) ? side(a) < side(b) : side(a) == 0 && a < b;
}

/// Orders as less does, and is not known to the library.
struct as_less {
  GPUSORT_HOST_DEVICE bool operator()(float a, float b) const { return gpusort::less{}(a, b); }
};

struct record {
  float value;
  std::uint32_t place;
};

class nans_and_infinities : public gpu_test {
 protected:
  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {2, 100, 3000, 20011};
    return {2, 100, 1000, 3000, 20011, 100003, 300007, 3000001};
  }

  /// Expects the order of stable sorts bit by bit; zeros of others may have changed places.
  static void expect_order(std::vector<float> found, std::vector<float> in, bool is_stable) {
    const auto in_order = [&](std::vector<float>& v) {
      if (is_stable) return;
      for (float& x : v) x = x == 0 ? 0.0f : x;
    };
    std::stable_sort(in.begin(), in.end(), is_before);
    in_order(in);
    in_order(found);
    EXPECT_EQ(std::memcmp(found.data(), in.data(), in.size() * sizeof(float)), 0) << in.size();
  }

  template <class Sort>
  static void expect_sorts(bool is_stable, Sort sort) {
    for (std::size_t n : sizes()) {
      std::vector<float> v = values(n);
      sort(v);
      expect_order(v, values(n), is_stable);
    }
  }
};

TEST_F(nans_and_infinities, on_the_host) {
  expect_sorts(true, [](auto& v) { std::stable_sort(v.begin(), v.end(), as_less{}); });
}
TEST_F(nans_and_infinities, by_their_bits) {
  expect_sorts(false, [](auto& v) { gpusort::sort(par_gpu, v.begin(), v.end()); });
  expect_sorts(true, [](auto& v) { gpusort::stable_sort(par_gpu, v.begin(), v.end()); });
}
TEST_F(nans_and_infinities, by_comparisons) {
  expect_sorts(false, [](auto& v) { gpusort::sort(par_gpu, v.begin(), v.end(), as_less{}); });
  expect_sorts(true, [](auto& v) { gpusort::stable_sort(par_gpu, v.begin(), v.end(), as_less{}); });
}
TEST_F(nans_and_infinities, in_place) {
  const auto policy = par_gpu.with(gpusort::in_place);
  expect_sorts(false, [&](auto& v) { gpusort::sort(policy, v.begin(), v.end()); });
}

TEST_F(nans_and_infinities, in_fields_and_indices) {
  expect_sorts(true, [](std::vector<float>& v) {
    std::vector<record> records(v.size());
    std::vector<std::uint32_t> order(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) records[i] = {v[i], static_cast<std::uint32_t>(i)};
    gpusort::stable_sort(par_gpu, records.begin(), records.end(),
                         gpusort::order_by(gpusort::asc<&record::value>()));
    gpusort::argsort(par_gpu, v.begin(), v.end(), order.begin());
    for (std::size_t i = 0; i < v.size(); ++i) {
      ASSERT_EQ(records[i].place, order[i]);
      v[i] = records[i].value;
    }
  });
}

TEST_F(nans_and_infinities, in_segments_and_merges) {
  expect_sorts(true, [](std::vector<float>& v) {
    const auto half = static_cast<std::ptrdiff_t>(v.size() / 2);
    const std::ptrdiff_t offsets[] = {0, half, static_cast<std::ptrdiff_t>(v.size())};
    std::vector<float> merged(v.size());
    gpusort::stable_segmented_sort(par_gpu, v.begin(), v.end(), offsets, offsets + 3);
    gpusort::merge(par_gpu, v.begin(), v.begin() + half, v.begin() + half, v.end(), merged.begin());
    EXPECT_TRUE(gpusort::is_sorted(par_gpu, merged.begin(), merged.end()));
    v = merged;
  });
}

}  // namespace
}  // namespace kit
