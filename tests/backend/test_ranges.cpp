// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU backend on keys with values, on any iterator, and where it only answers a question.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

/// Returns the positions of the stable order, by brute force.
template <class Key, class Compare>
std::vector<std::size_t> order_of(const column<Key>& keys, Compare comp) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return comp(keys[a], keys[b]); });
  return order;
}

template <class T>
T value_of(std::size_t i) {
  return make_value<T>(scramble(i), i);
}

template <class T>
column<T> values(std::size_t n) {
  column<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = value_of<T>(i);
  return v;
}

template <class T>
bool follows(const column<T>& range, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!same_bytes(range[i], value_of<T>(order[i]))) return false;
  }
  return true;
}

/// Checks keys with any number of value ranges.
template <class Key, class... Values>
void check_by_key(std::size_t n, distribution d, int cores) {
  const opaque comp(behavior::honest);
  const auto in = generate<Key>(d, n, seed());
  const auto order = order_of(in, comp);
  auto keys = in;
  std::tuple<column<Values>...> ranges{values<Values>(n)...};
  std::apply(
      [&](auto&... range) {
        with_cores(cores, [&] { host::stable_sort_by_key(keys.data(), n, comp, range.data()...); });
        EXPECT_TRUE((follows(range, order) && ...)) << d << ' ' << n << ' ' << cores;
      },
      ranges);
  for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(same_bytes(keys[i], in[order[i]])) << d << n;
}

template <class... Types>
void check_by_key_everywhere() {
  for (std::size_t n : {0, 1, 2, 31, 32, 33, 500, 4097, 30000}) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                   distribution::reverse, distribution::organ_pipe}) {
      for (int cores : {1, 4}) check_by_key<Types...>(n, d, cores);
    }
  }
}

TEST(backend_by_key, one_value) {
  check_by_key_everywhere<std::uint32_t, std::uint32_t>();
  check_by_key_everywhere<std::uint8_t, record<24>>();
  check_by_key_everywhere<double, std::uint8_t>();
}
TEST(backend_by_key, short_keys_and_long_values) {
  check_by_key_everywhere<std::uint64_t, record<100, 1>>();
  check_by_key_everywhere<std::uint16_t, record<64, 64>>();
}
TEST(backend_by_key, long_keys) {
  check_by_key_everywhere<record<100, 1>, std::uint32_t>();
  check_by_key_everywhere<record<24>, record<128, 128>>();
}
TEST(backend_by_key, several_values) {
  check_by_key_everywhere<std::uint32_t, std::uint64_t, record<12>>();
  check_by_key_everywhere<std::uint64_t, record<16>, std::uint8_t, record<100, 1>>();
  check_by_key_everywhere<std::int16_t, std::uint8_t, std::uint16_t, record<3>>();
}
TEST(backend_by_key, no_value) { check_by_key_everywhere<std::uint32_t>(); }

TEST(backend_by_key, liars_keep_keys_and_values_together) {
  unsigned long long counter = 0;
  for (std::size_t n : {2, 33, 1000, 20000}) {
    for (auto m : every_inconsistent_comparator) {
      for (int cores : {1, 4}) {
        const opaque comp(m, seed(), &counter);
        const auto in = generate<std::uint32_t>(distribution::uniform, n, seed());
        auto keys = in;
        auto shorter = in;
        std::vector<std::size_t> where(n), where_shorter(n);
        std::vector<record<100, 1>> longer(n);
        for (std::size_t i = 0; i < n; ++i) {
          where[i] = where_shorter[i] = i;
          longer[i] = value_of<record<100, 1>>(i);
        }
        with_cores(cores, [&] {
          host::stable_sort_by_key(keys.data(), n, comp, where.begin(), longer.begin());
          host::stable_sort_by_key(shorter.data(), n, comp, where_shorter.begin());
        });
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_EQ(keys[i], in[where[i]]);
          ASSERT_EQ(shorter[i], in[where_shorter[i]]);
          ASSERT_TRUE(same_bytes(longer[i], value_of<record<100, 1>>(where[i])));
        }
        for (auto* positions : {&where, &where_shorter}) {
          std::sort(positions->begin(), positions->end());
          for (std::size_t i = 0; i < n; ++i) ASSERT_EQ((*positions)[i], i) << name_of(m);
        }
      }
    }
  }
}

/// A random access iterator over two arrays at once, whose reference is a proxy.
template <class A, class B>
class zip_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::tuple<A, B>;
  using difference_type = std::ptrdiff_t;
  using reference = std::tuple<A&, B&>;
  using pointer = void;

  zip_iterator(A* a, B* b) : a_(a), b_(b) {}
  reference operator*() const { return {*a_, *b_}; }
  reference operator[](difference_type i) const { return {a_[i], b_[i]}; }
  zip_iterator& operator+=(difference_type i) {
    a_ += i;
    b_ += i;
    return *this;
  }
  friend zip_iterator operator+(zip_iterator it, difference_type i) { return it += i; }
  friend difference_type operator-(const zip_iterator& x, const zip_iterator& y) {
    return x.a_ - y.a_;
  }

 private:
  A* a_;
  B* b_;
};

template <class A, class B>
zip_iterator<A, B> zip(A* a, B* b) {
  return {a, b};
}

class backend_ranges : public ::testing::TestWithParam<int> {
 protected:
  template <class Body>
  void for_sizes(const Body& body) const {
    for (std::size_t n : {0, 1, 2, 32, 33, 1000, 50000}) {
      with_cores(GetParam(), [&] { body(n); });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(cores, backend_ranges, ::testing::Values(1, 4));

TEST_P(backend_ranges, deques) {
  for_sizes([](std::size_t n) {
    const auto in = generate<record<16>>(distribution::randomized_duplicates, n, seed());
    std::deque<record<16>> d(in.begin(), in.end());
    host::stable_sort_by_key(d.begin(), d.size(), opaque(behavior::honest));
    column<record<16>> out(n);
    std::copy(d.begin(), d.end(), out.begin());
    EXPECT_TRUE(examine(in, out, opaque(behavior::honest), promise::stability).ok());
  });
}

TEST_P(backend_ranges, deques_of_owners) {
  for_sizes([](std::size_t n) {
    std::deque<owner> d;
    for (std::size_t i = 0; i < n; ++i) d.emplace_back(random_at(seed(), i) % 50, i);
    host::stable_sort_by_key(d.begin(), d.size(), by_owned_key{});
    for (std::size_t i = 1; i < n; ++i) {
      ASSERT_LT(std::make_pair(d[i - 1].key(), d[i - 1].position()),
                std::make_pair(d[i].key(), d[i].position()));
    }
  });
}

TEST_P(backend_ranges, reversed) {
  for_sizes([](std::size_t n) {
    const auto in = generate<record<100, 1>>(distribution::few_distinct, n, seed());
    auto out = in;
    host::stable_sort_by_key(std::make_reverse_iterator(out.end()), n, opaque(behavior::honest));
    auto expected = in;
    std::stable_sort(std::make_reverse_iterator(expected.end()),
                     std::make_reverse_iterator(expected.begin()), opaque(behavior::honest));
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(same_bytes(out[i], expected[i]));
  });
}

TEST_P(backend_ranges, zipped) {
  for_sizes([](std::size_t n) {
    std::vector<std::uint32_t> a(n);
    std::vector<std::uint64_t> b(n);
    std::vector<std::tuple<std::uint32_t, std::uint64_t>> expected;
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<std::uint32_t>(random_at(seed(), i) % 100);
      b[i] = i;
      expected.emplace_back(a[i], b[i]);
    }
    const auto by_first = [](const auto& x, const auto& y) {
      return std::get<0>(x) < std::get<0>(y);
    };
    std::stable_sort(expected.begin(), expected.end(), by_first);
    const auto first = zip(a.data(), b.data());
    EXPECT_EQ(host::is_sorted(first, n, by_first), n < 2 || std::is_sorted(a.begin(), a.end()));
    host::stable_sort_by_key(first, n, by_first);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::make_tuple(a[i], b[i]), expected[i]);
    EXPECT_TRUE(host::is_sorted(first, n, by_first));
  });
}

TEST_P(backend_ranges, zipped_with_values_too_long_to_move_along) {
  for_sizes([](std::size_t n) {
    std::vector<std::uint32_t> a(n), original(n);
    std::vector<std::uint64_t> b(n);
    std::vector<record<128>> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      original[i] = a[i] = static_cast<std::uint32_t>(random_at(seed(), i) % 1000);
      b[i] = i;
      values[i] = value_of<record<128>>(i);
    }
    host::stable_sort_by_key(zip(a.data(), b.data()), n, std::less<>{}, values.begin());
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(a[i], original[b[i]]);
      ASSERT_TRUE(same_bytes(values[i], value_of<record<128>>(b[i])));
    }
    EXPECT_TRUE(host::is_sorted(zip(a.data(), b.data()), n, std::less<>{}));
  });
}

TEST_P(backend_ranges, plain_pointers) {
  for_sizes([](std::size_t n) {
    const auto in = generate<std::int32_t>(distribution::uniform, n, seed());
    auto out = in;
    host::stable_sort_by_key(out.begin(), out.size(), std::greater<>{});
    EXPECT_TRUE(examine(in, out, std::greater<>{}, promise::stability).ok());
  });
}

template <class Key, class Index>
void check_argsort(std::size_t n) {
  for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                 distribution::reverse}) {
    const auto in = generate<Key>(d, n, seed());
    const auto keys = in;
    std::vector<Index> out(n + 2, Index{77});
    host::argsort(keys.data(), n, out.begin() + 1, opaque(behavior::honest));
    const auto expected = order_of(in, opaque(behavior::honest));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(static_cast<std::size_t>(out[i + 1]), expected[i]);
    EXPECT_EQ(out.front(), Index{77});
    EXPECT_EQ(out.back(), Index{77});
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(same_bytes(keys[i], in[i]));
  }
}

TEST_P(backend_ranges, argsort) {
  for_sizes([](std::size_t n) {
    check_argsort<std::uint32_t, std::uint32_t>(n);
    check_argsort<std::uint64_t, std::size_t>(n);
    check_argsort<record<100, 1>, int>(n);
  });
}

TEST_P(backend_ranges, argsort_into_and_of_any_iterator) {
  for_sizes([](std::size_t n) {
    const auto in = generate<std::uint32_t>(distribution::few_distinct, n, seed());
    const std::deque<std::uint32_t> keys(in.begin(), in.end());
    std::deque<long> out(n);
    host::argsort(keys.begin(), n, out.begin(), std::less<>{});
    const auto expected = order_of(in, std::less<>{});
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], static_cast<long>(expected[i]));
    }
  });
}

TEST_P(backend_ranges, argsort_of_liars_is_a_permutation) {
  unsigned long long counter = 0;
  for_sizes([&](std::size_t n) {
    const auto in = generate<std::uint64_t>(distribution::uniform, n, seed());
    for (auto m : every_inconsistent_comparator) {
      std::vector<std::uint32_t> out(n);
      host::argsort(in.data(), n, out.begin(), opaque(m, seed(), &counter));
      std::sort(out.begin(), out.end());
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], i) << name_of(m);
    }
  });
}

TEST_P(backend_ranges, is_sorted_sees_disorder_anywhere) {
  for_sizes([](std::size_t n) {
    std::vector<std::uint32_t> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::uint32_t>(i / 2);
    EXPECT_TRUE(host::is_sorted(v.begin(), n, std::less<>{}));
    EXPECT_EQ(host::is_sorted(v.begin(), n, std::greater<>{}), n <= 2);
    for (std::size_t at = 1; at < n; at = at * 3 + 1) {
      const auto kept = v[at - 1];
      v[at - 1] = static_cast<std::uint32_t>(n);
      EXPECT_FALSE(host::is_sorted(v.begin(), n, std::less<>{})) << at;
      v[at - 1] = kept;
    }
    if (n > 1) {
      v[n - 2] = static_cast<std::uint32_t>(n);
      EXPECT_FALSE(host::is_sorted(v.begin(), n, std::less<>{}));
    }
  });
}

}  // namespace
}  // namespace kit
