// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short records under comparators: of one word, whichever it is and however it is read, of none,
// and of one that mislead who learns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/random.hpp"
#include "../kit/red_zones.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

class inferred_words : public gpu_test {};

/// A key among other words, one of which says which record it is.
template <class Key, int Before, int After>
struct record {
  std::uint32_t before[Before];
  Key key;
  std::uint32_t after[After];
};

struct record_of_long_key {
  std::int64_t key;
  std::uint32_t before[1];
  std::uint32_t after[1];
};

template <class Record>
using key_of = decltype(Record::key);

struct ascending_key {
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    return a.key < b.key;
  }
};
struct descending_key {
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    return a.key > b.key;
  }
};
/// Equivalent are all that share their upper digits.
struct coarse_key {
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    return static_cast<std::int64_t>(a.key) / 4096 < static_cast<std::int64_t>(b.key) / 4096;
  }
};
/// No word of a record has this order.
struct scrambled_key {
  template <class R>
  static GPUSORT_HOST_DEVICE std::uint64_t of(const R& a) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a.key)) * 0x9E3779B97F4A7C15ull;
  }
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    return of(a) < of(b);
  }
};
/// Nearly the order of a word: one key in 4096 comes before all others.
struct with_exceptions {
  template <class R>
  static GPUSORT_HOST_DEVICE bool is_exception(const R& a) {
    return static_cast<std::int64_t>(a.key) % 4096 == 77;
  }
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    const bool first = is_exception(a), second = is_exception(b);
    return first != second ? first : a.key < b.key;
  }
};
/// Orders by a key, and where many share it by another word.
struct key_then_word {
  template <class R>
  GPUSORT_HOST_DEVICE bool operator()(const R& a, const R& b) const {
    const auto x = static_cast<std::int64_t>(a.key) >> 22,
               y = static_cast<std::int64_t>(b.key) >> 22;
    return x != y ? x < y : a.after[0] > b.after[0];
  }
};

template <class Record>
column<Record> make_records(std::size_t n, bool of_few_keys) {
  column<Record> records(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t random = random_at(31, i);
    Record& r = records[i];
    for (auto& word : r.before) word = static_cast<std::uint32_t>(random_at(32, i));
    for (auto& word : r.after) word = static_cast<std::uint32_t>(i);
    const auto number = static_cast<std::int32_t>(random);
    r.key = static_cast<key_of<Record>>(of_few_keys ? number >> 26 : number);
  }
  return records;
}

/// Tiles that find the word, however few elements there are.
template <std::size_t Bytes>
struct tuning_of_words : gpusort::detail::tuning::sample_sort_of_words<Bytes> {
  static constexpr std::uint64_t least_n = 2;
};

/// Expects records in order, and every one once.
template <class Record, class Compare>
void expect_sorts_records(const column<Record>& input, Compare compare) {
  using stored = gpusort::detail::stored_t<Record>;
  using array = gpusort::detail::key_array<stored>;
  using sort = gpusort::detail::sample_sort<array, gpusort::detail::by_stored_value<Compare>,
                                            tuning_of_words<sizeof(Record)>>;
  static_assert(
      gpusort::detail::tile::may_order_words<stored, gpusort::detail::by_stored_value<Compare>>);
  const std::size_t n = input.size();
  const buffer<Record> data(input, 1);
  const array records{reinterpret_cast<stored*>(data.data())};
  const buffer<unsigned char> scratch(sort::scratch_bytes(n), 0);
  sort::run(nullptr, records, records, n, {compare}, scratch.data());
  const column<Record> sorted = data.read();
  EXPECT_TRUE(data.intact() && scratch.intact());
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), compare)) << "n = " << n;
  std::vector<bool> seen(n);
  for (const Record& r : sorted) {
    const std::size_t i = r.after[0];
    ASSERT_LT(i, n);
    ASSERT_FALSE(seen[i]);
    seen[i] = true;
    ASSERT_EQ(0, std::memcmp(&r.key, &input[i].key, sizeof(r.key)));
    ASSERT_EQ(r.before[0], input[i].before[0]);
  }
}

template <class Record>
void sort_in_every_order() {
  for (std::size_t n :
       {std::size_t{3}, std::size_t{5000}, std::size_t{70001}, std::size_t{3000017}}) {
    if (n > (device_is_cpu ? 5000 : small_sizes_only() ? 70001 : n)) continue;
    for (bool of_few_keys : {false, true}) {
      const auto input = make_records<Record>(n, of_few_keys);
      expect_sorts_records(input, ascending_key{});
      expect_sorts_records(input, descending_key{});
      expect_sorts_records(input, coarse_key{});
      expect_sorts_records(input, scrambled_key{});
      expect_sorts_records(input, with_exceptions{});
      expect_sorts_records(input, key_then_word{});
    }
  }
}

TEST_F(inferred_words, integers_in_12_bytes) { sort_in_every_order<record<std::int32_t, 1, 1>>(); }
TEST_F(inferred_words, floats_in_16_bytes) { sort_in_every_order<record<float, 2, 1>>(); }
TEST_F(inferred_words, long_integers_in_16_bytes) { sort_in_every_order<record_of_long_key>(); }
TEST_F(inferred_words, integers_in_20_bytes) { sort_in_every_order<record<std::int32_t, 1, 3>>(); }

}  // namespace
}  // namespace kit
