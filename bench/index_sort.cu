// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Container-free sorting: fetch, compare and swap on an array, and on a structure of two, against
// the network of paper 004 with the same functions, and against gpusort::sort on the bare array.
#include <gpusort/index_sort.hpp>

#include "kit/matrix.hpp"
#include "papers/bitonic_network.hpp"

namespace {

using index_type = std::uint32_t;

template <class Key>
struct fetch_key {
  const Key* keys;
  __host__ __device__ Key operator()(index_type i) const { return keys[i]; }
};

template <class Key, class Compare>
struct compare_keys {
  const Key* keys;
  Compare compare;
  __host__ __device__ bool operator()(index_type i, index_type j) const {
    return compare(keys[i], keys[j]);
  }
};

template <class T>
__host__ __device__ void exchange(T* data, index_type i, index_type j) {
  const T x = data[i], y = data[j];
  data[i] = y;
  data[j] = x;
}

template <class Key, class Value>
struct swap_records {
  Key* keys;
  Value* values;
  __host__ __device__ void operator()(index_type i, index_type j) const {
    exchange(keys, i, j);
    if constexpr (!std::is_same_v<Value, bench::no_value>) exchange(values, i, j);
  }
};

/// Has what the sorters of this program have in common.
template <class Key, class Value, class Compare>
class index_sorter {
 public:
  index_sorter(bench::workspace&, const bench::problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {}

  bench::sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }
  void describe(benchmark::State&) const {}

 protected:
  index_type n() const { return static_cast<index_type>(p_.n); }
  fetch_key<Key> fetch() const { return {p_.keys}; }
  compare_keys<Key, Compare> comparing() const { return {p_.keys, compare_}; }
  swap_records<Key, Value> swap() const { return {p_.keys, p_.values}; }

  bench::problem<Key, Value> p_;
  Compare compare_;
};

template <bool, class Key, class Value, class Compare>
struct by_fetch : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "gpusort";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    gpusort::sort(gpusort::par_gpu, 0, this->n(), this->fetch(), this->compare_, this->swap());
  }
};

template <bool, class Key, class Value, class Compare>
struct by_fetch_in_place : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "gpusort_in_place";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    gpusort::sort(gpusort::par_gpu.with(gpusort::in_place), 0, this->n(), this->fetch(),
                  this->compare_, this->swap());
  }
};

template <bool, class Key, class Value, class Compare>
struct by_fetch_network : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "paper_network";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    papers::bitonic_network(cudaStream_t{}, index_type{0}, this->p_.n, this->fetch(),
                            this->compare_, this->swap());
    bench::check(cudaStreamSynchronize(cudaStream_t{}), "waiting");
  }
};

template <bool, class Key, class Value, class Compare>
struct by_comparison : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "gpusort";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    gpusort::sort(gpusort::par_gpu, 0, this->n(), this->comparing(), this->swap());
  }
};

template <bool, class Key, class Value, class Compare>
struct by_comparison_network : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "paper_network";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    papers::bitonic_network(cudaStream_t{}, index_type{0}, this->p_.n, this->comparing(),
                            this->swap());
    bench::check(cudaStreamSynchronize(cudaStream_t{}), "waiting");
  }
};

/// The container's own sort, of the same bytes.
template <bool, class Key, class Value, class Compare>
struct of_arrays : index_sorter<Key, Value, Compare> {
  static constexpr const char* name = "gpusort_on_arrays";
  using index_sorter<Key, Value, Compare>::index_sorter;
  void operator()() const {
    const auto& p = this->p_;
    if constexpr (std::is_same_v<Value, bench::no_value>) {
      gpusort::sort(gpusort::par_gpu, p.keys, p.keys + p.n, this->compare_);
    } else {
      gpusort::sort_by_key(gpusort::par_gpu, p.keys, p.keys + p.n, p.values, this->compare_);
    }
  }
};

template <class Value>
void add_sizes(bench::program& p, const char* type) {
  using key = std::uint32_t;
  const bench::case_name less{"index_sort_by_fetch", "", type, "less", "", 0};
  const bench::case_name opaque{"index_sort_by_fetch", "", type, "opaque", "", 0};
  const bench::case_name compared{"index_sort_by_comparison", "", type, "opaque", "", 0};
  for (int log2n = 10; log2n <= 26; log2n += 2) {
    const bench::input where{kit::distribution::uniform, log2n};
    p.add<by_fetch, false, key, Value>(less, where, gpusort::less{});
    p.add<of_arrays, false, key, Value>(less, where, gpusort::less{});
    p.add<by_fetch, false, key, Value>(opaque, where, bench::opaque_less{});
    p.add<by_fetch_in_place, false, key, Value>(opaque, where, bench::opaque_less{});
    p.add<by_fetch_network, false, key, Value>(opaque, where, bench::opaque_less{});
    p.add<of_arrays, false, key, Value>(opaque, where, bench::opaque_less{});
    p.add<by_comparison, false, key, Value>(compared, where, bench::opaque_less{});
    p.add<by_comparison_network, false, key, Value>(compared, where, bench::opaque_less{});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    add_sizes<bench::no_value>(p, "u32");
    add_sizes<std::uint64_t>(p, "u32_u64");
  });
}
