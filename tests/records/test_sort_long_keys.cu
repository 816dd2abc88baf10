// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by of more than 128 bits: up to 448 are sorted as words; longer keys stay in memory where
// records are larger than 64 bytes, and smaller records are compared.
#include "../kit/expect_sorted.hpp"

namespace kit {
namespace {

struct long_keys : gpu_test {};

/// Element of 24 bytes or more, whose key has 160 bits.
template <int Words>
struct entry {
  std::uint64_t group;
  std::uint64_t rank;
  char name[4];
  std::uint32_t id[Words];
};

/// Makes entries of `groups` different first words, and of as many ranks in each.
template <class Entry>
auto entries(std::uint64_t groups) {
  return [groups](std::uint64_t i, std::uint64_t) {
    const std::uint64_t r = random_at(seed(), i), s = random_at(seed() + 1, i);
    Entry e{r % groups * 0x9E3779B97F4A7C15ull, s % groups, {}, {}};
    for (int c = 0; c < 4; ++c) e.name[c] = static_cast<char>(s >> (40 + 8 * c) & 0x81);
    for (std::uint32_t& id : e.id) id = static_cast<std::uint32_t>(i);
    return e;
  };
}

template <class Entry>
void expect_sorted_entries() {
  const auto reference = [](const Entry& a, const Entry& b) {
    if (a.group != b.group) return a.group < b.group;
    if (a.rank != b.rank) return a.rank > b.rank;
    return std::memcmp(a.name, b.name, sizeof a.name) < 0;
  };
  const auto order = gpusort::order_by(&Entry::group, gpusort::desc(&Entry::rank), &Entry::name);
  for (std::size_t n : order_sizes()) {
    for (std::uint64_t groups : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      expect_sorted(make_all(n, entries<Entry>(groups)), reference, order);
    }
  }
}

/// Element whose key has 480 bits.
struct named {
  char name[60];
  std::uint32_t id;
};

TEST_F(long_keys, of_more_than_448_bits) {
  const auto before = [](const named& a, const named& b) {
    return std::memcmp(a.name, b.name, sizeof a.name) < 0;
  };
  for (std::size_t n : order_sizes()) {
    for (std::uint64_t beginnings : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      const auto make = [beginnings](std::uint64_t i, std::uint64_t) {
        named x{};
        const std::uint64_t first = random_at(seed(), i) % beginnings;
        const std::uint64_t last = random_at(seed() + 1, i) % 1000;
        std::memcpy(x.name + 48, &first, 8);
        std::memcpy(x.name + 56, &last, 4);
        x.id = static_cast<std::uint32_t>(i);
        return x;
      };
      expect_sorted(make_all(n, make), before, gpusort::order_by(&named::name));
    }
  }
}

#pragma pack(push, 1)
/// Element of an odd number of bytes, misaligned, whose key has 856 bits and ends inside a word.
struct titled {
  std::uint32_t id;
  char title[99];
  std::int64_t rank;
};
#pragma pack(pop)
static_assert(sizeof(titled) == 111);

TEST_F(long_keys, of_records_larger_than_what_is_moved) {
  const auto before = [](const titled& a, const titled& b) {
    const int titles = std::memcmp(a.title, b.title, sizeof a.title);
    return titles != 0 ? titles < 0 : std::int64_t{a.rank} > std::int64_t{b.rank};
  };
  for (std::size_t n : order_sizes()) {
    // Titles begin alike, so that the last words decide, or not.
    for (std::uint64_t beginnings : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      const auto make = [beginnings](std::uint64_t i, std::uint64_t) {
        titled x{};
        const std::uint64_t first = random_at(seed(), i) % beginnings;
        const std::uint64_t last = random_at(seed() + 1, i);
        std::memcpy(x.title + 3, &first, 8);
        x.title[98] = static_cast<char>(last % 7 * 40);
        x.rank = static_cast<std::int64_t>(last) >> 61;
        x.id = static_cast<std::uint32_t>(i);
        return x;
      };
      expect_sorted(make_all(n, make), before,
                    gpusort::order_by(&titled::title, gpusort::desc(&titled::rank)));
    }
  }
}

TEST_F(long_keys, of_many_and_few_and_equal_first_words) {
  expect_sorted_entries<entry<1>>();
  expect_sorted_entries<entry<15>>();
}

}  // namespace
}  // namespace kit
