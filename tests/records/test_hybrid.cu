// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hybrid layout: several ranges of keys as a zip, with several arrays of structs.
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gpusort/sort.hpp>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/places.hpp"

namespace kit {
namespace {

using gpusort::asc;
using gpusort::desc;
using gpusort::element;
using gpusort::order_by;
using gpusort::par_gpu;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Two ranges of keys, an array of the index of each row, and arrays of structs.
template <class A, class B, class... Structs>
class hybrid {
 public:
  explicit hybrid(std::size_t n, memory_kind kind = memory_kind::device)
      : a_(generate<A>(distribution::few_distinct, n, seed())),
        b_(generate<B>(distribution::randomized_duplicates, n, seed() + 1)),
        structs_(generate<Structs>(distribution::uniform, n, seed() + 2)...),
        a(a_, 1, gpu_memory{kind}),
        b(b_, 3, gpu_memory{kind}),
        indices(places_of<u32>(n), 1, gpu_memory{kind}),
        structs(std::apply(
            [&](const auto&... values) {
              return std::tuple<buffer<Structs>...>(
                  buffer<Structs>(values, 1, gpu_memory{kind})...);
            },
            structs_)) {}

  auto keys() const { return thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin())); }
  auto keys_end() const { return keys() + static_cast<std::ptrdiff_t>(a.size()); }

  /// Calls call(first, last, values...) with all ranges.
  template <class Call>
  void apply(Call call) const {
    std::apply([&](const auto&... s) { call(keys(), keys_end(), indices.begin(), s.begin()...); },
               structs);
  }

  /// Whether rows are whole, and in the order of before(a, b, other_a, other_b).
  template <class Before>
  ::testing::AssertionResult are_sorted(Before before, bool stable) const {
    const auto sorted_a = a.read();
    const auto sorted_b = b.read();
    const auto from = indices.read();
    const auto zip = [&](const column<A>& x, const column<B>& y) {
      column<row> rows(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) rows[i] = {x[i], y[i]};
      return rows;
    };
    const auto moved = moved_with_places(
        zip(a_, b_), zip(sorted_a, sorted_b), from,
        [&](const row& x, const row& y) { return before(x.a, x.b, y.a, y.b); },
        stable ? promise::stability : promise::order);
    if (!moved) return moved;
    if (!went_along(from, std::index_sequence_for<Structs...>{})) {
      return ::testing::AssertionFailure() << "a struct is not with its keys";
    }
    return ::testing::AssertionSuccess();
  }

 private:
  struct row {
    A a;
    B b;
  };

  template <class T>
  static bool went_along(const column<u32>& from, const column<T>& before, const buffer<T>& after) {
    const column<T> found = after.read();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!same_bytes(found[i], before[from[i]])) return false;
    }
    return after.intact();
  }
  template <std::size_t... I>
  bool went_along(const column<u32>& from, std::index_sequence<I...>) const {
    return a.intact() && b.intact() && indices.intact() &&
           (went_along(from, std::get<I>(structs_), std::get<I>(structs)) && ...);
  }

  column<A> a_;
  column<B> b_;
  std::tuple<column<Structs>...> structs_;

 public:
  buffer<A> a;
  buffer<B> b;
  buffer<u32> indices;
  std::tuple<buffer<Structs>...> structs;
};

class hybrid_layout : public gpu_test {
 protected:
  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {0, 1, 2, 33, 1025, 5000};
    return {0, 1, 2, 33, 255, 256, 257, 1025, 20000, (1 << 18) - 1, (1 << 18) + 1, 1 << 20};
  }
};

/// Orders the rows of a zip upwards by their second key, and is opaque.
struct by_second {
  template <class Row>
  GPUSORT_HOST_DEVICE bool operator()(const Row& a, const Row& b) const {
    return thrust::get<1>(a) < thrust::get<1>(b);
  }
};

constexpr auto up_and_down = [](const auto& a, const auto& b, const auto& c, const auto& d) {
  return a != c ? a < c : b > d;
};

TEST_F(hybrid_layout, two_keys_beside_structs_of_odd_sizes) {
  const auto order = order_by(asc(element<0>), desc(element<1>));
  for (std::size_t n : sizes()) {
    for (const bool stable : {false, true}) {
      const hybrid<u32, std::int32_t, record<12>, record<20>> rows(n);
      rows.apply([&](auto... ranges) {
        stable ? gpusort::stable_sort_by_key(par_gpu, ranges..., order)
               : gpusort::sort_by_key(par_gpu, ranges..., order);
      });
      ASSERT_TRUE(rows.are_sorted(up_and_down, stable)) << n;
    }
  }
}

TEST_F(hybrid_layout, in_any_memory) {
  const auto order = order_by(asc(element<0>), desc(element<1>));
  for (const memory_kind kind : every_memory_kind) {
    const hybrid<u32, std::int32_t, record<12>, record<20>> rows(3000, kind);
    rows.apply([&](auto... ranges) { gpusort::stable_sort_by_key(par_gpu, ranges..., order); });
    ASSERT_TRUE(rows.are_sorted(up_and_down, true)) << name_of(kind);
  }
}

TEST_F(hybrid_layout, keys_of_more_than_128_bits_beside_three_arrays_of_structs) {
  const auto order = order_by(asc(element<0>), desc(element<1>));
  for (std::size_t n : sizes()) {
    const hybrid<uint128, uint128, record<36>, record<100>, record<20, 1>> rows(n);
    rows.apply([&](auto... ranges) { gpusort::stable_sort_by_key(par_gpu, ranges..., order); });
    ASSERT_TRUE(rows.are_sorted(up_and_down, true)) << n;
  }
}

struct sample {
  std::uint16_t age;
  char rest[18];
};

TEST_F(hybrid_layout, structs_may_be_columns_of_keys) {
  const std::size_t n = 3000;
  const column<u32> keys = generate<u32>(distribution::few_distinct, n, seed());
  column<sample> samples(n);
  for (std::size_t i = 0; i < n; ++i) {
    samples[i] = {static_cast<std::uint16_t>(random_at(seed(), i)), {}};
    std::memcpy(samples[i].rest, &i, sizeof(i));
  }
  const buffer<u32> a(keys, 1);
  const buffer<sample> b(samples, 1);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  gpusort::sort(par_gpu, first, first + n,
                order_by(asc(element<0>), desc(element<1>, &sample::age)));
  const column<u32> sorted = a.read();
  const column<sample> moved = b.read();
  column<u32> from(n);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&from[i], moved[i].rest, sizeof(u32));
  for (std::size_t i = 1; i < n; ++i) {
    ASSERT_TRUE(sorted[i - 1] < sorted[i] ||
                (sorted[i - 1] == sorted[i] && moved[i - 1].age >= moved[i].age));
  }
  ASSERT_TRUE(moved_with_places(keys, sorted, from, reference_less{}, promise::order));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(moved[i].age, samples[from[i]].age);
}

TEST_F(hybrid_layout, values_may_be_a_zip_before_the_default_comparator_and_a_projection) {
  for (std::size_t n : sizes()) {
    for (const bool stable : {false, true}) {
      column<sample> samples(n);
      for (std::size_t i = 0; i < n; ++i) {
        samples[i] = {static_cast<std::uint16_t>(random_at(seed(), i) % 99), {}};
      }
      const buffer<sample> keys(samples, 1);
      const buffer<u32> a(places_of<u32>(n), 1);
      const buffer<u64> b(places_of<u64>(n), 1);
      const auto values = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
      if (stable) {
        gpusort::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), values, {}, &sample::age);
      } else {
        gpusort::sort_by_key(par_gpu, keys.begin(), keys.end(), values, {}, &sample::age);
      }
      const auto by_age = [](const sample& x, const sample& y) { return x.age < y.age; };
      const auto promised = stable ? promise::stability : promise::order;
      ASSERT_TRUE(moved_with_places(samples, keys.read(), a.read(), by_age, promised)) << n;
      ASSERT_TRUE(moved_with_places(samples, keys.read(), b.read(), by_age, promised)) << n;
    }
  }
}

TEST_F(hybrid_layout, columns_that_overlap_are_refused) {
  const std::size_t n = 100;
  const buffer<u32> a(generate<u32>(distribution::uniform, 3 * n, seed()), 1);
  const auto zip = [](u32* x, u32* y) {
    return thrust::make_zip_iterator(thrust::make_tuple(x, y));
  };
  u32* const data = a.begin();
  const auto is_refused = [&](u32* x, u32* y, u32* value) {
    const auto first = zip(x, y);
    try {
      gpusort::sort_by_key(par_gpu, first, first + n, value, by_second{});
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  const column<u32> before = a.read();
  EXPECT_TRUE(is_refused(data, data + n - 1, data + 2 * n));
  EXPECT_TRUE(is_refused(data, data + n, data + 2 * n - 1));
  const auto twice = zip(data, data);
  EXPECT_THROW(gpusort::sort(par_gpu, twice, twice + n, by_second{}), std::invalid_argument);
  EXPECT_THROW(gpusort::sort_copy(par_gpu, twice, twice + n, zip(data, data + n), by_second{}),
               std::invalid_argument);
  const column<u32> after = a.read();
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  EXPECT_FALSE(is_refused(data, data + n, data + 2 * n));
  gpusort::argsort(par_gpu, twice, twice + n, data + n, by_second{});
  const auto columns = zip(data, data + n);
  gpusort::sort_copy(par_gpu, columns, columns + n, columns, by_second{});
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, data + n, data + 2 * n));
}

/// Mimics the iterators of std::views::zip, of every step-th element.
template <class A, class B>
class standard_zip {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::tuple<A, B>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = std::tuple<A&, B&>;

  standard_zip(A* a, B* b, difference_type step = 1) : a_(a), b_(b), step_(step) {}
  reference operator*() const { return {*a_, *b_}; }
  reference operator[](difference_type i) const { return *(*this + i); }
  standard_zip operator+(difference_type i) const {
    return {a_ + i * step_, b_ + i * step_, step_};
  }
  difference_type operator-(const standard_zip& other) const { return (a_ - other.a_) / step_; }

 private:
  A* a_;
  B* b_;
  difference_type step_;
};

TEST_F(hybrid_layout, zips_of_the_standard_library_in_any_memory) {
  const auto order = order_by(desc(element<1>), asc(element<0>));
  for (const memory_kind kind : every_memory_kind) {
    for (const std::size_t n : {1, 2, 1000}) {
      const column<u32> a = generate<u32>(distribution::few_distinct, n, seed());
      const column<float> b = generate<float>(distribution::deterministic_duplicates, n, seed());
      const buffer<u32> first(a, 1, gpu_memory{kind});
      const buffer<float> second(b, 1, gpu_memory{kind});
      const buffer<u32> from(places_of<u32>(n), 1, gpu_memory{kind});
      const standard_zip<u32, float> rows(first.begin(), second.begin());
      const auto last = rows + static_cast<std::ptrdiff_t>(n);
      gpusort::stable_sort_by_key(par_gpu, rows, last, from.begin(), order);
      EXPECT_TRUE(gpusort::is_sorted(par_gpu, rows, last, order)) << name_of(kind);
      const column<u32> indices = from.read(), sorted = first.read();
      const column<float> also_sorted = second.read();
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(sorted[i] == a[indices[i]] && also_sorted[i] == b[indices[i]]) << i;
        if (i == 0 || also_sorted[i - 1] > also_sorted[i]) continue;
        ASSERT_TRUE(also_sorted[i - 1] == also_sorted[i] && sorted[i - 1] <= sorted[i]) << i;
      }
      EXPECT_TRUE(first.intact() && second.intact() && from.intact());
    }
  }
}

TEST_F(hybrid_layout, zips_of_the_standard_library_over_no_arrays_are_refused) {
  const buffer<u32> a(100, 1);
  const buffer<float> b(100, 1);
  const standard_zip<u32, float> every_other(a.begin(), b.begin(), 2);
  EXPECT_THROW(gpusort::sort(par_gpu, every_other, every_other + 50), std::invalid_argument);
}

TEST_F(hybrid_layout, under_a_comparator_of_rows) {
  for (std::size_t n : sizes()) {
    const hybrid<u32, u32, record<12>> rows(n);
    rows.apply(
        [&](auto... ranges) { gpusort::stable_sort_by_key(par_gpu, ranges..., by_second{}); });
    ASSERT_TRUE(rows.are_sorted([](u32, u32 b, u32, u32 d) { return b < d; }, true)) << n;
  }
}

TEST_F(hybrid_layout, keys_are_argsorted_explained_and_tested) {
  const auto order = order_by(asc(element<0>), desc(element<1>));
  for (std::size_t n : sizes()) {
    const hybrid<u32, std::int32_t> rows(n);
    const auto first = rows.keys(), last = rows.keys_end();
    const column<u32> a = rows.a.read();
    const column<std::int32_t> b = rows.b.read();
    gpusort::argsort(par_gpu, first, last, rows.indices.begin(), order);
    const column<u32> found = rows.indices.read();
    column<u32> expected = places_of<u32>(n);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](u32 i, u32 j) { return up_and_down(a[i], b[i], a[j], b[j]); });
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin())) << n;
    ASSERT_GE(gpusort::scratch_bytes(par_gpu, first, last, order),
              gpusort::explain(par_gpu, first, last, order).scratch_bytes);
    gpusort::sort(par_gpu, first, last, order);
    ASSERT_TRUE(gpusort::is_sorted(par_gpu, first, last, order)) << n;
  }
}

}  // namespace
}  // namespace kit
