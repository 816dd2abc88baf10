// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// segmented_sort on the CPU: the backend, and the calls where there is no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gpusort/detail/host/segmented_sort.hpp>
#include <gpusort/segmented_sort.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

using offset_list = std::vector<std::uint32_t>;

offset_list offsets_after(std::uint32_t first, const std::vector<std::uint32_t>& lengths) {
  offset_list offsets = {first};
  for (auto length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

/// Returns few and many, short and long, empty ones between.
std::vector<offset_list> every_offsets() {
  std::vector<std::uint32_t> limits, tiny(3000, 3), empty(5000, 0), skewed = {40000};
  for (std::uint32_t length : {0, 1, 2, 31, 32, 33, 0, 4095, 4096, 4097, 0, 9000}) {
    limits.push_back(length);
  }
  skewed.insert(skewed.end(), tiny.begin(), tiny.begin() + 100);
  return {offsets_after(0, {}),    offsets_after(7, limits), offsets_after(0, tiny),
          offsets_after(5, empty), offsets_after(1, skewed), offsets_after(0, {1 << 15})};
}

/// Returns what a stable sort of each segment makes of a column.
template <class T, class Compare>
column<T> sorted_by_segments(column<T> values, const offset_list& offsets, Compare comp) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::stable_sort(values.begin() + offsets[i], values.begin() + offsets[i + 1], comp);
  }
  return values;
}

template <class T>
void check_elements(int cores) {
  const opaque comp(behavior::coarse);
  for (const auto& offsets : every_offsets()) {
    const std::size_t n = offsets.back() + 13;
    const auto in = generate<T>(distribution::few_distinct, n, seed());
    const guarded<T> data(in, 1);
    with_cores(cores, [&] {
      host::stable_segmented_sort(offsets.begin(), offsets.begin() + 1, offsets.size() - 1, comp,
                                  data.begin());
    });
    const auto out = data.read(), expected = sorted_by_segments(in, offsets, comp);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin(), same_bytes<T>))
        << offsets.size() << ' ' << cores;
    EXPECT_TRUE(data.intact());
  }
}

TEST(segmented_backend, sorts_each_segment_stably) {
  for (int cores : {1, 4}) {
    check_elements<std::uint32_t>(cores);
    check_elements<record<16>>(cores);
    check_elements<record<100>>(cores);
  }
}

TEST(segmented_backend, moves_values_with_their_keys) {
  for (int cores : {1, 4}) {
    for (const auto& offsets : every_offsets()) {
      const std::size_t n = offsets.back() + 1;
      const auto in = generate<std::uint8_t>(distribution::uniform, n, seed());
      auto keys = in;
      std::deque<std::uint32_t> values(n);
      std::iota(values.begin(), values.end(), 0u);
      with_cores(cores, [&] {
        host::stable_segmented_sort(offsets.data(), offsets.data() + 1, offsets.size() - 1,
                                    opaque(), keys.data(), values.begin());
      });
      std::vector<std::uint32_t> expected(n);
      std::iota(expected.begin(), expected.end(), 0u);
      for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        std::stable_sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1],
                         [&](std::uint32_t a, std::uint32_t b) { return in[a] < in[b]; });
      }
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), values.begin()));
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(keys[i], in[expected[i]]);
    }
  }
}

TEST(segmented_backend, loses_nothing_when_a_comparator_lies_or_throws) {
  const auto offsets = every_offsets()[1];
  const auto in = generate<record<16>>(distribution::uniform, offsets.back(), seed());
  const auto holds_all = [&](const column<record<16>>& out) {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      checksum before, after;
      for (auto j = offsets[i]; j < offsets[i + 1]; ++j) {
        before.add(in[j]);
        after.add(out[j]);
      }
      EXPECT_TRUE(before == after) << i;
    }
  };
  for (auto m : every_inconsistent_comparator) {
    auto out = in;
    host::stable_segmented_sort(offsets.begin(), offsets.begin() + 1, offsets.size() - 1,
                                opaque(m, seed()), out.data());
    holds_all(out);
  }
  for (long long limit : {0, 50, 5000, 50000}) {
    auto out = in;
    std::atomic<long long> calls{0};
    EXPECT_THROW(with_cores(4,
                            [&] {
                              host::stable_segmented_sort(
                                  offsets.begin(), offsets.begin() + 1, offsets.size() - 1,
                                  throwing<opaque>(opaque(), calls, limit), out.data());
                            }),
                 bomb);
    holds_all(out);
  }
}

TEST(segmented_public_api, sorts_on_the_cpu) {
  const offset_list offsets = {2, 2, 5000, 5001, 9000};
  std::vector<int> keys(9100);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(scramble(i) % 100);
  auto expected = keys;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1]);
  }
  auto sorted = keys;
  gpusort::segmented_sort(gpusort::par_gpu, sorted.begin(), sorted.end(), offsets.begin(),
                          offsets.end());
  EXPECT_EQ(sorted, expected);
  sorted = keys;
  std::vector<int> values = keys;
  gpusort::stable_segmented_sort_by_key(gpusort::par_gpu, sorted.begin(), sorted.end(),
                                        values.begin(), offsets.data(),
                                        offsets.data() + offsets.size(), std::less<>{});
  EXPECT_EQ(sorted, expected);
  EXPECT_EQ(values, expected);
  std::deque<int> elsewhere(keys.begin(), keys.end());
  gpusort::stable_segmented_sort(gpusort::par_gpu, elsewhere.begin(), elsewhere.end(),
                                 offsets.begin(), offsets.end());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), elsewhere.begin()));
}

TEST(segmented_public_api, refuses_wrong_offsets) {
  std::vector<int> keys = {3, 1, 2, 0};
  const auto before = keys;
  const auto refuses = [&](const std::vector<long long>& offsets) {
    EXPECT_THROW(gpusort::segmented_sort(gpusort::par_gpu, keys.begin(), keys.end(),
                                         offsets.begin(), offsets.end()),
                 std::invalid_argument);
    EXPECT_EQ(keys, before);
  };
  refuses({-1, 4});
  refuses({0, 3, 2, 4});
  refuses({0, 5});
  const std::vector<long long> none;
  gpusort::segmented_sort(gpusort::par_gpu, keys.begin(), keys.end(), none.begin(), none.end());
  EXPECT_EQ(keys, before);
}

}  // namespace
}  // namespace kit
