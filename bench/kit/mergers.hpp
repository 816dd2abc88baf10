// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/merge.h>

#include <chrono>
#include <gpusort/execution_policy.hpp>
#include <gpusort/merge.hpp>
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

  template <class Key, class Value, class Compare>
  void operator()(const merge_problem<Key, Value>& p, Compare compare) const {
    const auto first = p.begins.begin(), last = p.begins.end();
    if constexpr (p.has_values) {
      gpusort::multiway_merge_by_key(gpusort::par_gpu, p.keys, first, last, p.values, p.out_keys,
                                     p.out_values, compare);
    } else {
      gpusort::multiway_merge(gpusort::par_gpu, p.keys, first, last, p.out_keys, compare);
    }
  }
};

/// Neighbouring runs in rounds, each from one array to another, so that the last one ends in the
/// output. With few runs Thrust is faster if it waits in each call, with many if it does not: the
/// first call finds out.
class thrust_rounds_merger {
 public:
  static constexpr const char* name = "thrust";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Value, class Compare>
  void operator()(const merge_problem<Key, Value>& p, Compare compare) {
    if (!has_chosen_) {
      waits_ =
          seconds(thrust::cuda::par, p, compare) < seconds(thrust::cuda::par_nosync, p, compare);
      has_chosen_ = true;
    }
    if (waits_) {
      merge_in_rounds(thrust::cuda::par, p, compare);
    } else {
      merge_in_rounds(thrust::cuda::par_nosync, p, compare);
    }
  }

 private:
  template <class Key, class Value>
  struct arrays {
    Key* keys;
    Value* values;
  };

  /// Returns the seconds of the second call.
  template <class Policy, class Key, class Value, class Compare>
  static double seconds(const Policy& policy, const merge_problem<Key, Value>& p, Compare compare) {
    using clock = std::chrono::steady_clock;
    merge_in_rounds(policy, p, compare);
    const auto begin = clock::now();
    merge_in_rounds(policy, p, compare);
    return std::chrono::duration<double>(clock::now() - begin).count();
  }

  template <class Policy, class Key, class Value, class Compare>
  static void merge_in_rounds(const Policy& policy, const merge_problem<Key, Value>& p,
                              Compare compare) {
    int rounds = 0;
    for (std::size_t runs = p.runs(); runs > 1; runs = (runs + 1) / 2) ++rounds;
    const arrays<Key, Value> out{p.out_keys, p.out_values}, spare{p.spare_keys, p.spare_values};
    arrays<Key, Value> from{p.keys, p.values};
    std::vector<std::size_t> begins = p.begins;
    for (; rounds > 0; --rounds) {
      const arrays<Key, Value>& to = rounds % 2 == 1 ? out : spare;
      begins = merge_neighbours(policy, from, begins, to, compare);
      from = to;
    }
    check(cudaStreamSynchronize(nullptr), "thrust::merge");
  }

  /// Returns where the merged runs begin.
  template <class Policy, class Key, class Value, class Compare>
  static std::vector<std::size_t> merge_neighbours(const Policy& policy,
                                                   const arrays<Key, Value>& from,
                                                   const std::vector<std::size_t>& begins,
                                                   const arrays<Key, Value>& to, Compare compare) {
    std::vector<std::size_t> merged{0};
    for (std::size_t i = 0; i + 1 < begins.size(); i += 2) {
      const std::size_t first = begins[i], middle = begins[i + 1];
      const std::size_t last = i + 2 < begins.size() ? begins[i + 2] : middle;
      if constexpr (std::is_same_v<Value, no_value>) {
        thrust::merge(policy, from.keys + first, from.keys + middle, from.keys + middle,
                      from.keys + last, to.keys + first, compare);
      } else {
        thrust::merge_by_key(policy, from.keys + first, from.keys + middle, from.keys + middle,
                             from.keys + last, from.values + first, from.values + middle,
                             to.keys + first, to.values + first, compare);
      }
      merged.push_back(last);
    }
    return merged;
  }

  bool has_chosen_ = false, waits_ = false;
};

/// Does what users do who have many runs and no multiway merge: forgets that they are sorted.
struct thrust_sort_merger {
  static constexpr const char* name = "thrust_sort";
  static constexpr bool is_in_place = false, is_stable = true;

  template <class Key, class Value, class Compare>
  void operator()(const merge_problem<Key, Value>& p, Compare compare) const {
    copy_on_device(p.out_keys, p.keys, p.n());
    Key* const last = p.out_keys + p.n();
    if constexpr (p.has_values) {
      copy_on_device(p.out_values, p.values, p.n());
      thrust::stable_sort_by_key(thrust::cuda::par, p.out_keys, last, p.out_values, compare);
    } else {
      thrust::stable_sort(thrust::cuda::par, p.out_keys, last, compare);
    }
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
    thrust::merge(thrust::cuda::par, p.out_keys, middle, middle, last, p.spare_keys, compare);
    copy_on_device(p.out_keys, p.spare_keys, p.n());
    check(cudaStreamSynchronize(nullptr), "copying back");
  }
};

}  // namespace bench
