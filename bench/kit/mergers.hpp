// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/merge.h>

#include <gpusort/execution_policy.hpp>
#include <gpusort/merge.hpp>
#include <utility>
#include <vector>

#include "merging.hpp"

namespace bench {

// Who is measured. A call returns when the merged order is in the problem's output; what its user
// would prepare once it prepares in its first call, which is not timed.

/// gpusort::merge and merge_by_key of two runs.
struct gpusort_merger {
  static constexpr const char* name = "gpusort";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Value, class Compare>
  void operator()(const merge_problem<Key, Value>& p, Compare compare) const {
    Key *const middle = p.keys + p.begins[1], *const last = p.keys + p.n();
    if constexpr (p.has_values) {
      gpusort::merge_by_key(gpusort::par_gpu, p.keys, middle, middle, last, p.values,
                            p.values + p.begins[1], p.out_keys, p.out_values, compare);
    } else {
      gpusort::merge(gpusort::par_gpu, p.keys, middle, middle, last, p.out_keys, compare);
    }
  }
};

/// thrust::merge and merge_by_key of two runs.
struct thrust_merger {
  static constexpr const char* name = "thrust";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Value, class Compare>
  void operator()(const merge_problem<Key, Value>& p, Compare compare) const {
    Key *const middle = p.keys + p.begins[1], *const last = p.keys + p.n();
    if constexpr (p.has_values) {
      thrust::merge_by_key(thrust::cuda::par, p.keys, middle, middle, last, p.values,
                           p.values + p.begins[1], p.out_keys, p.out_values, compare);
    } else {
      thrust::merge(thrust::cuda::par, p.keys, middle, middle, last, p.out_keys, compare);
    }
  }
};

/// All runs in one call.
struct gpusort_multiway_merger {
  static constexpr const char* name = "gpusort";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Compare>
  void operator()(const merge_problem<Key>& p, Compare compare) {
    std::vector<std::pair<const Key*, const Key*>> runs;
    for (std::size_t i = 0; i < p.runs(); ++i) {
      runs.emplace_back(p.keys + p.begins[i], p.keys + p.begins[i + 1]);
    }
    gpusort::multiway_merge(gpusort::par_gpu, runs.begin(), runs.end(), p.out_keys, compare);
  }
};

/// Neighbouring runs in rounds, each from one array to the other, so that the last one ends in the
/// output. thrust::merge does not wait here: with many runs that would be most of the time.
struct thrust_rounds_merger {
  static constexpr const char* name = "thrust";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Compare>
  void operator()(const merge_problem<Key>& p, Compare compare) const {
    std::vector<std::size_t> begins = p.begins;
    const Key* from = p.keys;
    bool is_last_to_out = false;  // of an even number of rounds the first goes to the spare array
    for (std::size_t runs = p.runs(); runs > 1; runs = (runs + 1) / 2) {
      is_last_to_out = !is_last_to_out;
    }
    Key* to = is_last_to_out ? p.out_keys : p.spare_keys;
    Key* next = is_last_to_out ? p.spare_keys : p.out_keys;
    while (begins.size() > 2) {
      std::vector<std::size_t> merged{0};
      for (std::size_t i = 0; i + 1 < begins.size(); i += 2) {
        const bool has_partner = i + 2 < begins.size();
        const std::size_t end = has_partner ? begins[i + 2] : begins[i + 1];
        thrust::merge(thrust::cuda::par_nosync, from + begins[i], from + begins[i + 1],
                      from + begins[i + 1], from + end, to + begins[i], compare);
        merged.push_back(end);
      }
      begins = merged;
      from = to;
      std::swap(to, next);
    }
    check(cudaStreamSynchronize(nullptr), "thrust::merge");
  }
};

/// What users do who have many runs and no multiway merge: forget that they are sorted.
struct thrust_sort_merger {
  static constexpr const char* name = "thrust_sort";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Compare>
  void operator()(const merge_problem<Key>& p, Compare compare) const {
    copy_on_device(p.out_keys, p.keys, p.n());
    thrust::stable_sort(thrust::cuda::par, p.out_keys, p.out_keys + p.n(), compare);
  }
};

struct gpusort_inplace_merger {
  static constexpr const char* name = "gpusort";
  static constexpr bool is_in_place = true, is_stable = true;

  template <class Key, class Compare>
  void operator()(const merge_problem<Key>& p, Compare compare) const {
    gpusort::inplace_merge(gpusort::par_gpu, p.out_keys, p.out_keys + p.begins[1],
                           p.out_keys + p.n(), compare);
  }
};

/// Thrust has no inplace_merge: a merge into an array that is at hand, and a copy back.
struct thrust_copying_merger {
  static constexpr const char* name = "thrust";
  static constexpr bool is_in_place = true, is_stable = true;

  template <class Key, class Compare>
  void operator()(const merge_problem<Key>& p, Compare compare) const {
    Key *const middle = p.out_keys + p.begins[1], *const last = p.out_keys + p.n();
    thrust::merge(thrust::cuda::par_nosync, p.out_keys, middle, middle, last, p.spare_keys,
                  compare);
    copy_on_device(p.out_keys, p.spare_keys, p.n());
    check(cudaStreamSynchronize(nullptr), "thrust::merge");
  }
};

}  // namespace bench
