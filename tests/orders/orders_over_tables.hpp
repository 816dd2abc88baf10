// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders that people write over tables: elements are indices, and the comparator reads what they
// point to, begin[a + 1] too. Such an address of signed elements is right only if the element is
// one to the compiler, and not a sum of the library's (docs/decisions, 23).
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <string>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/random.hpp"

namespace over_tables {

struct point {
  float x, y;
};

/// Tables of `rows` rows, of which many are equivalent in each order.
struct tables {
  const int* begin;   // of rows of a sparse matrix, and of strings; one more than rows
  const char* text;   // the strings
  const int* cell;    // of particles
  const int* source;  // of edges of a graph
  const int* target;
  const point* points;
};

enum class order { row_length, string, cell, edge, point };
inline constexpr order every_order[] = {order::row_length, order::string, order::cell, order::edge,
                                        order::point};

/// Whether row a is before row b. Forced into the comparators, so that there are addresses made of
/// their elements.
template <class Element>
__host__ __device__ __forceinline__ bool is_before(order by, const tables& t, Element a,
                                                   Element b) {
  switch (by) {
    case order::row_length:
      return t.begin[a + 1] - t.begin[a] < t.begin[b + 1] - t.begin[b];
    case order::string: {
      const int a_count = t.begin[a + 1] - t.begin[a], b_count = t.begin[b + 1] - t.begin[b];
      for (int i = 0; i < a_count && i < b_count; ++i) {
        const char x = t.text[t.begin[a] + i], y = t.text[t.begin[b] + i];
        if (x != y) return x < y;
      }
      return a_count < b_count;
    }
    case order::cell:
      return t.cell[a] < t.cell[b];
    case order::edge:
      if (t.source[a] != t.source[b]) return t.source[a] < t.source[b];
      return t.target[a] < t.target[b];
    case order::point:
      if (t.points[a].x != t.points[b].x) return t.points[a].x < t.points[b].x;
      return t.points[a].y < t.points[b].y;
  }
  return false;
}

/// An order that is known when the call is compiled, as most are.
template <order By>
struct by_table {
  tables t;
  template <class Element>
  __host__ __device__ bool operator()(Element a, Element b) const {
    return is_before(By, t, a, b);
  }
};

/// Orders by a function that is called, so that a call's kernels hold the code of all orders once,
/// and compile in minutes.
template <class Element>
__host__ __device__ __noinline__ bool is_before_when_called(order by, const tables& t, Element a,
                                                            Element b) {
  return is_before(by, t, a, b);
}

/// Orders by a number, with any table. Row lengths, whose addresses are sums, are forced into the
/// kernels.
struct by_any_table {
  order by;
  tables t;
  template <class Element>
  __host__ __device__ bool operator()(const Element& a, const Element& b) const {
    if (by == order::row_length) return is_before(order::row_length, t, a, b);
    return is_before_when_called(by, t, a, b);
  }
};

/// Returns a column that the host and the device read.
template <class T>
kit::buffer<T> shared(const std::vector<T>& values) {
  kit::column<T> column(values.size());
  std::copy(values.begin(), values.end(), column.begin());
  return {column, 0, kit::gpu_memory{kit::memory_kind::managed}};
}

class filled_tables {
 public:
  explicit filled_tables(std::size_t rows) : filled_tables(columns(rows)) {}

  tables get() const {
    return {begin_.data(),  text_.data(),   cell_.data(),
            source_.data(), target_.data(), points_.data()};
  }

 private:
  struct columns {
    std::vector<int> begin{0}, cell, source, target;
    std::vector<char> text;
    std::vector<point> points;

    explicit columns(std::size_t rows) {
      std::uint64_t drawn = 0;
      const auto below = [&](int bound) {
        return static_cast<int>(kit::random_at(kit::seed(), drawn++) % bound);
      };
      for (std::size_t row = 0; row < rows; ++row) {
        const int length = below(5);
        for (int i = 0; i < length; ++i) text.push_back(static_cast<char>('a' + below(2)));
        begin.push_back(begin.back() + length);
        cell.push_back(below(50));
        source.push_back(below(20));
        target.push_back(below(20));
        points.push_back({static_cast<float>(below(30)), static_cast<float>(below(30))});
      }
      text.push_back('.');
    }
  };

  explicit filled_tables(const columns& c)
      : begin_(shared(c.begin)),
        cell_(shared(c.cell)),
        source_(shared(c.source)),
        target_(shared(c.target)),
        text_(shared(c.text)),
        points_(shared(c.points)) {}

  kit::buffer<int> begin_, cell_, source_, target_;
  kit::buffer<char> text_;
  kit::buffer<point> points_;
};

/// Returns as many rows as an element can tell apart, on each route.
template <class Element>
std::vector<std::size_t> row_counts() {
  std::vector<std::size_t> counts;
  for (std::size_t n : {100, 900, 3000, 8000, 9000, 30000, 100000, 300000, 3000000}) {
    if (n < std::size_t{1} << std::numeric_limits<Element>::digits) counts.push_back(n);
  }
  return counts;
}

/// Returns all rows, in no order.
template <class Element>
kit::column<Element> shuffled_rows(std::size_t n) {
  kit::column<Element> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = kit::random_at(kit::seed() + 1, i) % (i + 1);
    rows[i] = rows[j];
    rows[j] = static_cast<Element>(i);
  }
  return rows;
}

/// Whether `found` are the rows in an order, and where it is to be stable, those of `input`.
template <class Element, class Compare>
::testing::AssertionResult are_ordered(kit::column<Element> input,
                                       const kit::column<Element>& found, Compare compare,
                                       bool is_stable) {
  std::stable_sort(input.begin(), input.end(), compare);
  std::vector<bool> seen(input.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto row = static_cast<std::size_t>(found[i]);
    if (row >= seen.size() || seen[row]) return ::testing::AssertionFailure() << "lost rows";
    seen[row] = true;
    if (is_stable && found[i] != input[i]) {
      return ::testing::AssertionFailure() << "another row than it should be at " << i;
    }
    if (compare(found[i], input[i]) || compare(input[i], found[i])) {
      return ::testing::AssertionFailure() << "out of order at " << i;
    }
  }
  return ::testing::AssertionSuccess();
}

/// Sorts rows by call(first, last), and looks at them.
template <class Element, class Compare, class Call>
void expect_ordered(const kit::column<Element>& input, Compare compare, bool is_stable,
                    const char* what, Call call) {
  const kit::buffer<Element> rows(input, 0);
  call(rows.data(), rows.data() + rows.size());
  EXPECT_TRUE(are_ordered(input, rows.read(), compare, is_stable) && rows.intact())
      << what << " of " << input.size();
}

}  // namespace over_tables
