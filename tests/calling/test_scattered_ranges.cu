// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators of a program's own over device memory, whose operators only the host can call: they
// refer to elements that are no array.
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <cstddef>
#include <gpusort/gpusort.hpp>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

using gpusort::par_gpu, gpusort::par_gpu_nosync;
using u32 = std::uint32_t;

/// Element i of a range that Place finds.
template <class T, class Place, class Difference>
class found_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = Difference;
  using pointer = T*;
  using reference = T&;

  found_iterator(Place place, Difference i = 0) : place_(place), i_(i) {}

  T* base() const { return place_(i_); }  // which tells nothing of where other elements are
  reference operator*() const { return *place_(i_); }
  reference operator[](Difference n) const { return *place_(i_ + n); }
  found_iterator& operator+=(Difference n) {
    i_ += n;
    return *this;
  }
  found_iterator& operator-=(Difference n) { return *this += -n; }
  found_iterator& operator++() { return *this += 1; }
  found_iterator& operator--() { return *this += -1; }
  found_iterator operator++(int) { return ++*this - 1; }
  found_iterator operator--(int) { return --*this + 1; }
  found_iterator operator+(Difference n) const { return {place_, i_ + n}; }
  found_iterator operator-(Difference n) const { return {place_, i_ - n}; }
  Difference operator-(const found_iterator& o) const { return i_ - o.i_; }
  bool operator==(const found_iterator& o) const { return i_ == o.i_; }
  bool operator!=(const found_iterator& o) const { return i_ != o.i_; }
  bool operator<(const found_iterator& o) const { return i_ < o.i_; }
  bool operator>(const found_iterator& o) const { return o < *this; }
  bool operator<=(const found_iterator& o) const { return !(o < *this); }
  bool operator>=(const found_iterator& o) const { return !(*this < o); }

 private:
  Place place_;
  Difference i_;
};

constexpr std::size_t columns = 5;

template <class T>
struct in_column {
  T* first;
  T* operator()(std::ptrdiff_t i) const { return first + i * std::ptrdiff_t{columns}; }
};
template <class T, class Difference = std::ptrdiff_t>
using column_iterator = found_iterator<T, in_column<T>, Difference>;

struct anywhere {
  u32* const* places;
  u32* operator()(std::ptrdiff_t i) const { return places[i]; }
};
using anywhere_iterator = found_iterator<u32, anywhere, std::ptrdiff_t>;

class scattered_ranges : public gpu_test {
 protected:
  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {0, 1, 2, 3000};
    return {0, 1, 2, 3000, 400000};
  }

  static column<u32> matrix(std::size_t rows) {
    column<u32> m(rows * columns);
    for (std::size_t i = 0; i < m.size(); ++i) {
      m[i] = static_cast<u32>(random_at(seed(), i) % (rows / 2 + 1));
    }
    return m;
  }

  /// Returns the matrix whose column 3 moves with column 1, which is sorted stably.
  static std::vector<u32> expected(const column<u32>& m) {
    std::vector<u32> result(m.begin(), m.end());
    std::vector<std::size_t> order(m.size() / columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return m[a * columns + 1] < m[b * columns + 1];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t c : {1, 3}) result[i * columns + c] = m[order[i] * columns + c];
    }
    return result;
  }

  static std::vector<u32> read(const buffer<u32>& b) {
    const column<u32> c = b.read();
    return {c.begin(), c.end()};
  }

  template <class Difference, class Policy>
  static void expect_columns_sort(const Policy& policy, std::size_t rows) {
    const column<u32> in = matrix(rows);
    const buffer<u32> m(in, 1);
    const column_iterator<u32, Difference> keys({m.data() + 1}), values({m.data() + 3});
    gpusort::stable_sort_by_key(policy, keys, keys + static_cast<Difference>(rows), values);
    cuda_ok(cudaDeviceSynchronize());
    EXPECT_EQ(read(m), expected(in)) << rows;
    EXPECT_TRUE(m.intact());
  }
};

TEST_F(scattered_ranges, columns_of_a_matrix) {
  for (std::size_t rows : sizes()) {
    expect_columns_sort<std::ptrdiff_t>(par_gpu, rows);
    expect_columns_sort<int>(par_gpu_nosync, rows);
  }
  expect_columns_sort<int>(par_gpu.with(gpusort::verify, gpusort::keep_input), 3000);
}

// On the host nothing is read, so there is nothing to wait for.
TEST_F(scattered_ranges, columns_in_a_graph) {
  const std::size_t rows = 3000;
  const column<u32> in = matrix(rows);
  const buffer<u32> m(in, 1);
  const stream s;
  const column_iterator<u32> keys({m.data() + 1}), values({m.data() + 3});
  graph(s, [&] {
    gpusort::stable_sort_by_key(par_gpu_nosync.on(s), keys, keys + rows, values);
  }).launch(s);
  s.synchronize();
  EXPECT_EQ(read(m), expected(in));
}

TEST_F(scattered_ranges, columns_that_are_read_or_written) {
  const std::size_t rows = 3000;
  const column<u32> in = matrix(rows);
  const buffer<u32> m(in, 1), out(2 * rows);
  const column_iterator<const u32> first({m.data() + 1});
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, first, first + rows));
  gpusort::sort_copy(par_gpu, first, first + rows, out.data());
  gpusort::merge(par_gpu, out.data(), out.data() + rows / 2, out.data() + rows / 2,
                 out.data() + rows, column_iterator<u32>({m.data() + 1}));
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, first, first + rows));
  gpusort::argsort(par_gpu, first, first + rows, column_iterator<u32>({m.data() + 2}),
                   gpusort::greater{});
  std::vector<u32> sorted(rows);
  for (std::size_t i = 0; i < rows; ++i) sorted[i] = in[i * columns + 1];
  std::sort(sorted.begin(), sorted.end());
  const auto found = read(m);
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(found[i * columns + 1], sorted[i]);
    ASSERT_EQ(sorted[found[i * columns + 2]], sorted[rows - 1 - i]);
  }
}

TEST_F(scattered_ranges, elements_at_any_distances) {
  for (std::size_t n : sizes()) {
    const column<u32> in = matrix(n);
    const buffer<u32> b(in, 1);
    std::vector<u32*> places(n);  // one of each row, the rows mixed
    for (std::size_t i = 0; i < n; ++i) places[i] = b.data() + i * columns + i % columns;
    for (std::size_t i = 1; i < n; ++i) std::swap(places[i], places[random_at(7, i) % i]);
    const anywhere_iterator first({places.data()});
    const auto last = first + static_cast<std::ptrdiff_t>(n);
    const std::size_t bytes = gpusort::scratch_bytes(par_gpu, first, last);
    const buffer<unsigned char> memory(bytes);
    gpusort::sort(par_gpu.with(gpusort::scratch(memory.data(), bytes)), first, last);
    std::vector<u32> expected(in.begin(), in.end()), sorted;
    for (std::size_t i = 0; i < n; ++i) sorted.push_back(in[i * columns + i % columns]);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n; ++i) {
      expected[static_cast<std::size_t>(places[i] - b.data())] = sorted[i];
    }
    EXPECT_EQ(read(b), expected) << n;
    EXPECT_TRUE(b.intact());
  }
}

TEST_F(scattered_ranges, elements_at_any_distances_in_no_graph) {
  const buffer<u32> b(column<u32>{3, 2, 1, 0}, 0);
  std::vector<u32*> places = {b.data(), b.data() + 1, b.data() + 3};
  const anywhere_iterator first({places.data()});
  const stream s;
  graph(s, [&] {
    EXPECT_THROW(gpusort::sort(par_gpu_nosync.on(s), first, first + 3), gpusort::cuda_error);
  });
  EXPECT_EQ(read(b), (std::vector<u32>{3, 2, 1, 0}));
}

TEST_F(scattered_ranges, that_a_zip_hides_are_refused) {
  const buffer<u32> b(100, 0);
  const column_iterator<u32> keys({b.data()});
  const auto rows = thrust::make_zip_iterator(keys, b.data() + 50);
  EXPECT_THROW(gpusort::is_sorted(par_gpu, rows, rows + 10), std::invalid_argument);
}

}  // namespace
}  // namespace kit
