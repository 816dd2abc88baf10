// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <gpusort/execution_policy.hpp>
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

#include "problem.hpp"

namespace bench {

// Who is measured. Each is made for one problem, with everything its user would prepare once; its
// call returns when the result is ready; `result` says where that is, `describe` adds what is worth
// knowing to the entry.

template <bool Stable, class Key, class Value, class Compare>
class gpusort_sorter {
 public:
  static constexpr const char* name = "gpusort";

  gpusort_sorter(workspace&, const problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {}

  void operator()() const {
    Key* const last = p_.keys + p_.n;
    if constexpr (p_.has_values && Stable) {
      gpusort::stable_sort_by_key(gpusort::par_gpu, p_.keys, last, p_.values, compare_);
    } else if constexpr (p_.has_values) {
      gpusort::sort_by_key(gpusort::par_gpu, p_.keys, last, p_.values, compare_);
    } else if constexpr (Stable) {
      gpusort::stable_sort(gpusort::par_gpu, p_.keys, last, compare_);
    } else {
      gpusort::sort(gpusort::par_gpu, p_.keys, last, compare_);
    }
  }

  sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }

  void describe(benchmark::State& state) const {
    if constexpr (!p_.has_values && !Stable) {
      const gpusort::plan plan =
          gpusort::explain(gpusort::par_gpu, p_.keys, p_.keys + p_.n, compare_);
      state.SetLabel(name_of(plan.algorithm));
      state.counters["passes"] = plan.passes;
      state.counters["scratch_bytes"] = static_cast<double>(plan.scratch_bytes);
    }
  }

 private:
  problem<Key, Value> p_;
  Compare compare_;
};

template <bool Stable, class Key, class Value, class Compare>
class thrust_sorter {
 public:
  static constexpr const char* name = "thrust";

  thrust_sorter(workspace&, const problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {}

  void operator()() const {
    Key* const last = p_.keys + p_.n;
    if constexpr (p_.has_values && Stable) {
      thrust::stable_sort_by_key(thrust::cuda::par, p_.keys, last, p_.values, compare_);
    } else if constexpr (p_.has_values) {
      thrust::sort_by_key(thrust::cuda::par, p_.keys, last, p_.values, compare_);
    } else if constexpr (Stable) {
      thrust::stable_sort(thrust::cuda::par, p_.keys, last, compare_);
    } else {
      thrust::sort(thrust::cuda::par, p_.keys, last, compare_);
    }
  }

  sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }
  void describe(benchmark::State&) const {}

 private:
  problem<Key, Value> p_;
  Compare compare_;
};

/// CUB's radix sort, ascending, with the double buffer and temporary storage prepared.
template <bool Stable, class Key, class Value, class>
class cub_radix_sorter {
 public:
  static constexpr const char* name = "cub_radix";

  template <class Compare>
  cub_radix_sorter(workspace& memory, const problem<Key, Value>& p, Compare) : p_(p) {
    sort(nullptr);
    scratch_ = memory.scratch(scratch_bytes_);
  }

  void operator()() {
    sort(scratch_);
    check(cudaStreamSynchronize(nullptr), "cub::DeviceRadixSort");
  }

  sorted_output<Key, Value> result() { return {keys_.Current(), values_.Current()}; }

  void describe(benchmark::State& state) const {
    std::size_t bytes = scratch_bytes_ + p_.n * sizeof(Key);
    if constexpr (p_.has_values) bytes += p_.n * sizeof(Value);
    state.counters["scratch_bytes"] = static_cast<double>(bytes);
  }

 private:
  void sort(void* scratch) {
    const auto n = static_cast<int>(p_.n);  // CUB's 32-bit offsets are its fastest
    keys_ = {p_.keys, p_.spare_keys};
    values_ = {p_.values, p_.spare_values};
    if constexpr (p_.has_values) {
      check(cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes_, keys_, values_, n),
            "cub::DeviceRadixSort");
    } else {
      check(cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes_, keys_, n),
            "cub::DeviceRadixSort");
    }
  }

  problem<Key, Value> p_;
  cub::DoubleBuffer<Key> keys_;
  cub::DoubleBuffer<Value> values_;
  void* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
};

/// CUB's merge sort, with the temporary storage prepared.
template <bool Stable, class Key, class Value, class Compare>
class cub_merge_sorter {
 public:
  static constexpr const char* name = "cub_merge";

  cub_merge_sorter(workspace& memory, const problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {
    sort(nullptr);
    scratch_ = memory.scratch(scratch_bytes_);
  }

  void operator()() {
    sort(scratch_);
    check(cudaStreamSynchronize(nullptr), "cub::DeviceMergeSort");
  }

  sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }

  void describe(benchmark::State& state) const {
    state.counters["scratch_bytes"] = static_cast<double>(scratch_bytes_);
  }

 private:
  void sort(void* scratch) {
    const auto n = static_cast<int>(p_.n);
    // Its SortKeys and SortPairs are the stable ones under another name: one instance serves both.
    if constexpr (p_.has_values) {
      check(cub::DeviceMergeSort::StableSortPairs(scratch, scratch_bytes_, p_.keys, p_.values, n,
                                                  compare_),
            "cub::DeviceMergeSort");
    } else {
      check(cub::DeviceMergeSort::StableSortKeys(scratch, scratch_bytes_, p_.keys, n, compare_),
            "cub::DeviceMergeSort");
    }
  }

  problem<Key, Value> p_;
  Compare compare_;
  void* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace bench
