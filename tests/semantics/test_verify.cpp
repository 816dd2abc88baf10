// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify and keep_input on the CPU, and what the checksum tells apart.
#include "../kit/verify_by_key_public_api.hpp"
#include "../kit/verify_merges_public_api.hpp"
#include "../kit/verify_public_api.hpp"

#include <cstring>
#include <set>
#include <stdexcept>

namespace {

namespace host = gpusort::detail::host;
using gpusort::detail::pass_record;

template <class... Ts>
std::uint64_t sum_of(const std::vector<Ts>&... columns) {
  const std::size_t sizes[] = {columns.size()...};
  return host::checksum_of<Ts...>(sizes[0], columns.data()...);
}

TEST(checksum, does_not_depend_on_the_order) {
  auto v = kit::random_ints(100003, 1 << 30);
  const auto before = sum_of(v);
  std::reverse(v.begin(), v.end());
  EXPECT_EQ(sum_of(v), before);
  std::sort(v.begin(), v.end());
  EXPECT_EQ(sum_of(v), before);
}

TEST(checksum, changes_with_any_element) {
  const auto v = kit::random_ints(1000, 1 << 30);
  const auto before = sum_of(v);
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t i = random() % v.size(), j = random() % v.size();
    if (v[i] == v[j]) continue;
    auto doubled = v;
    doubled[i] = doubled[j];
    EXPECT_NE(sum_of(doubled), before);
    auto flipped = v;
    flipped[i] ^= 1 << (trial % 31);
    EXPECT_NE(sum_of(flipped), before);
    flipped[j] ^= 1 << (trial % 31);  // the same bit of another one
    EXPECT_NE(sum_of(flipped), before);
    auto moved = v;  // the sum of the elements stays
    ++moved[i];
    --moved[j];
    if (moved[i] != v[j]) {
      EXPECT_NE(sum_of(moved), before);
    }
    auto torn = v;  // halves change places
    torn[i] = (v[i] & 0xFFFF) | (v[j] & ~0xFFFF);
    torn[j] = (v[j] & 0xFFFF) | (v[i] & ~0xFFFF);
    const bool is_torn = torn[i] != v[i] && torn[i] != v[j];
    if (is_torn) {
      EXPECT_NE(sum_of(torn), before);
    }
  }
}

TEST(checksum, changes_when_values_change_their_keys) {
  const auto keys = kit::random_ints(1000, 10);
  std::vector<std::uint64_t> values(1000);
  std::iota(values.begin(), values.end(), 0);
  const auto before = sum_of(keys, values);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    auto torn = values;
    std::swap(torn[i], torn[i + 1]);
    if (keys[i] == keys[i + 1]) {
      EXPECT_EQ(sum_of(keys, torn), before);
    } else {
      EXPECT_NE(sum_of(keys, torn), before);
    }
  }
}

TEST(checksum, of_elements_of_any_size) {
  struct bytes {
    unsigned char b[13];
  };
  std::vector<bytes> v(100);
  for (std::size_t i = 0; i < v.size(); ++i) std::memset(&v[i], static_cast<int>(i), sizeof(bytes));
  const auto before = sum_of(v);
  for (std::size_t b = 0; b < 13; ++b) {
    auto changed = v;
    changed[b].b[b] ^= 0x80;
    EXPECT_NE(sum_of(changed), before);
    std::swap(changed[3].b[b], changed[4].b[b]);
    EXPECT_NE(sum_of(changed), before);
  }
}

// Small numbers, as counters and flags are: no two multisets of three of them have one sum.
TEST(checksum, of_few_small_numbers) {
  std::set<std::uint64_t> sums;
  std::size_t multisets = 0;
  for (std::uint32_t a = 0; a < 64; ++a) {
    for (std::uint32_t b = a; b < 64; ++b) {
      for (std::uint32_t c = b; c < 64; ++c, ++multisets) {
        sums.insert(sum_of(std::vector<std::uint32_t>{a, b, c}));
      }
    }
  }
  EXPECT_EQ(sums.size(), multisets);
}

TEST(first_wrong, is_the_first) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{1000003}}) {
    EXPECT_EQ(host::first_wrong(n, [](std::size_t) { return false; }), pass_record::nowhere);
    EXPECT_EQ(host::first_wrong(n, [&](std::size_t i) { return i >= n / 2; }), n / 2);
    EXPECT_EQ(host::first_wrong(n, [&](std::size_t i) { return i == n - 1; }), n - 1);
  }
}

// What a call that goes wrong leaves, as nobody can make one go wrong.
template <class Corrupt>
std::uint64_t place_after(std::vector<int> v, Corrupt corrupt) {
  const auto call = gpusort::detail::call_of(kit::verifying);
  const gpusort::detail::columns<int*> range{{v.data()}, v.size()};
  return kit::place_found_by([&] {
    const auto proof =
        gpusort::detail::proof_in_place(range, gpusort::detail::no_offsets{}, gpusort::less{});
    gpusort::detail::run_proven(call, proof, [&](const auto&) {
      std::sort(v.begin(), v.end());
      corrupt(v);
    });
  });
}

TEST(verify, corrupted_results_are_found) {
  for (const std::size_t n : {std::size_t{10}, std::size_t{100003}}) {
    std::vector<int> v(n);
    std::iota(v.rbegin(), v.rend(), 0);
    EXPECT_GT(place_after(v, [](auto&) {}), n);
    EXPECT_EQ(place_after(v, [](auto& r) { std::swap(r[3], r[4]); }), 4u);
    EXPECT_EQ(place_after(v, [](auto& r) { r.back() = 0; }), n - 1);
    EXPECT_EQ(place_after(v, [](auto& r) { r[5] = r[6]; }), gpusort::verification_failed::npos);
    EXPECT_EQ(place_after(v, [](auto& r) { ++r.back(); }), gpusort::verification_failed::npos);
  }
}

TEST(verify, what_a_comparator_throws_is_thrown) {
  auto v = kit::random_ints(1000);
  EXPECT_THROW(gpusort::sort(kit::verifying, v.begin(), v.end(),
                             [](int, int) -> bool { throw std::logic_error("no"); }),
               std::logic_error);
}

TEST(verify, sorts_by_indices) {
  auto v = kit::random_ints(5000);
  const auto swap = [&](std::size_t i, std::size_t j) { std::swap(v[i], v[j]); };
  gpusort::sort(
      kit::verifying, 0, v.size(), [&](std::size_t i, std::size_t j) { return v[i] < v[j]; }, swap);
  EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
  v = kit::random_ints(5000);
  gpusort::stable_sort(
      kit::verifying, 0, v.size(), [&](std::size_t i) { return v[i]; }, gpusort::less{}, swap);
  EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
  // A swap that does nothing.
  v = {3, 1, 2};
  EXPECT_EQ(kit::place_found_by([&] {
              gpusort::sort(
                  kit::verifying, 0, 3, [&](int i, int j) { return v[i] < v[j]; }, [](int, int) {});
            }),
            1u);
}

// On the CPU it is real as well: a comparator that throws leaves the range as it was.
TEST(keep_input, what_a_comparator_throws_leaves_the_range_as_it_was) {
  const auto input = kit::random_ints(10007);
  auto v = input;
  std::atomic<int> calls{0};
  EXPECT_THROW(gpusort::sort(kit::keeping, v.begin(), v.end(),
                             [&](int a, int b) {
                               if (++calls == 20000) throw std::logic_error("no");
                               return a < b;
                             }),
               std::logic_error);
  EXPECT_EQ(v, input);
}

}  // namespace
