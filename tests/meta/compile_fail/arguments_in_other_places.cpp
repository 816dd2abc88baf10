// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <gpusort/gpusort.hpp>
#include <string>
#include <vector>

struct record {
  int key;
  std::string* name;
};

struct name_of {
  GPUSORT_HOST_DEVICE std::string operator()(const record& r) const;
};

struct move_only {
  move_only();
  move_only(move_only&&) = default;
  GPUSORT_HOST_DEVICE bool operator()(int a, int b) const { return a < b; }
};

struct compare {
  GPUSORT_HOST_DEVICE bool operator()(int i, int j) const { return i < j; }
};
struct swap {
  GPUSORT_HOST_DEVICE void operator()(int, int) const {}
};

// expect: write gpusort::order_by\(...\) around
void field(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::desc(&record::key)); }

// expect: a pointer to a member is no comparator
// expect: write \{\} before it
void member(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, &record::key); }

// expect: the comparator comes before the projection
void projection(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, &record::key, std::greater<int>());
}

// expect: are copied, and this one cannot be
void moved(int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, move_only()); }

// expect: a field must be trivially relocatable, which std::string
void string(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(name_of())); }

// expect: compare comes before swap
void indices() { gpusort::sort(gpusort::par_gpu, 0, 9, swap(), compare()); }

// expect: sort takes a policy first
void without_policy() { gpusort::sort(0, 9, compare(), swap()); }

// expect: sort_copy takes 3 iterators
void output(const int* p, int* out) {
  gpusort::sort_copy(gpusort::par_gpu, p, p + 1, std::less<int>(), out);
}

// expect: merge takes 5 iterators
void output_of_merge(const int* p, int* out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, p + 1, p + 2, std::less<int>(), out);
}

// expect: two iterators of one type
void ends(std::vector<int>& v) { gpusort::sort(gpusort::par_gpu, v.begin(), v.cend()); }
