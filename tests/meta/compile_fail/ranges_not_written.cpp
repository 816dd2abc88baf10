// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/gpusort.hpp>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

/// Makes an object for each index, as an iterator over computed elements does.
template <class Made>
struct maker {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Made;
  using reference = Made;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  const int* p;

  Made operator*() const;
  Made operator[](difference_type n) const;
  maker& operator++();
  maker& operator--();
  maker operator++(int);
  maker operator--(int);
  maker& operator+=(difference_type n);
  maker& operator-=(difference_type n);
  maker operator+(difference_type n) const;
  maker operator-(difference_type n) const;
  friend maker operator+(difference_type n, maker m) { return m + n; }
  difference_type operator-(maker o) const;
  bool operator==(maker o) const;
  bool operator!=(maker o) const;
  bool operator<(maker o) const;
  bool operator>(maker o) const;
  bool operator<=(maker o) const;
  bool operator>=(maker o) const;
};

struct with_const_member {
  const int key;
  int value;
};
struct by_key {
  GPUSORT_HOST_DEVICE bool operator()(const with_const_member& a,
                                      const with_const_member& b) const {
    return a.key < b.key;
  }
};

// expect: its iterators make objects
// expect: sort_copy
void f(maker<std::pair<int, int>> p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

// expect: its iterators make objects
void f(maker<long> p, int* keys) {
  gpusort::stable_sort_by_key(gpusort::par_gpu, keys, keys + 1, p);
}

// expect: its iterators make objects
void f(const int* p, maker<int> out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, p + 1, p + 2, out);
}

// expect: std::vector<bool> cannot be written to
void f(std::vector<bool>& v) { gpusort::sort(gpusort::par_gpu, v.begin(), v.end()); }

// expect: volatile
void f(volatile int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

// expect: trivially relocatable
void f(std::vector<std::unique_ptr<int>>& v) {
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end());
}

// expect: const member
void f(with_const_member* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, by_key()); }
