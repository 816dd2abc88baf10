// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"

namespace bench {

/// Names how long the runs are that are merged.
enum class run_lengths {
  even,
  one_long,   // the middle run has 99%
  geometric,  // each run is half as long as the one before it, as long as there are elements
};

/// Runs made of n elements of a distribution, cut up, each piece sorted.
struct merge_input {
  kit::distribution distribution;
  run_lengths lengths;
  int runs;
  int log2n;

  std::size_t n() const { return std::size_t{1} << log2n; }

  const char* name() const {
    return lengths == run_lengths::one_long    ? "one_long_run"
           : lengths == run_lengths::geometric ? "geometric_runs"
                                               : kit::name_of(distribution);
  }

  /// Returns where each run begins, and where the last one ends.
  std::vector<std::size_t> begins() const {
    const auto k = static_cast<std::size_t>(runs);
    std::vector<std::size_t> all(k + 1, n());
    all[0] = 0;
    for (std::size_t i = 0; i + 1 < k; ++i) {
      const std::size_t left = n() - all[i], others = n() / 100 / (k - 1);
      const std::size_t length = lengths == run_lengths::even        ? left / (k - i)
                                 : lengths == run_lengths::geometric ? left - left / 2
                                 : i == k / 2                        ? n() - (k - 1) * others
                                                                     : others;
      all[i + 1] = all[i] + length;
    }
    return all;
  }
};

/// Runs, one after the other, and where the merged order goes. The spare arrays are for peers that
/// merge in rounds.
template <class Key, class Value = no_value>
struct merge_problem {
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  Key* keys;  // nobody writes them
  Value* values;
  Key* out_keys;
  Value* out_values;
  Key* spare_keys;
  Value* spare_values;
  std::vector<std::size_t> begins;

  std::size_t runs() const { return begins.size() - 1; }
  std::size_t n() const { return begins.back(); }
};

/// The arrays after all problems of a program that merges. Values are the places of the input, so
/// that a stable merge has those of equal keys ascending.
class merge_workspace {
 public:
  /// Makes a problem; making the same one again costs nothing.
  template <class Key, class Value>
  merge_problem<Key, Value> make(const merge_input& where) {
    constexpr bool has_values = merge_problem<Key, Value>::has_values;
    const std::size_t n = where.n();
    Key* const keys = keys_.reserve_for<Key>(n);
    Value* const values = has_values ? values_.reserve_for<Value>(n) : nullptr;
    const merge_problem<Key, Value> p{keys,
                                      values,
                                      out_keys_.reserve_for<Key>(n),
                                      has_values ? out_values_.reserve_for<Value>(n) : nullptr,
                                      spare_keys_.reserve_for<Key>(n),
                                      has_values ? spare_values_.reserve_for<Value>(n) : nullptr,
                                      where.begins()};
    const std::string wanted = std::string(__PRETTY_FUNCTION__) + kit::name_of(where.distribution) +
                               where.name() + std::to_string(where.runs) + '/' +
                               std::to_string(where.log2n);
    if (wanted != made_) {
      made_.clear();
      detail::fill_kernel<<<detail::grid_for(n), 256>>>(keys, values, n, where.distribution, seed);
      check(cudaGetLastError(), "making the input");
      for (std::size_t i = 0; i < p.runs(); ++i) {
        thrust::sort(thrust::cuda::par_nosync, keys + p.begins[i], keys + p.begins[i + 1]);
      }
      checksum_ = inspector_.inspect<Key, Value>(keys, values, n).checksum;
      made_ = wanted;
    }
    return p;
  }

  /// Forgets a result, lest it passes for that of the next peer.
  template <class Key, class Value>
  void clear(const merge_problem<Key, Value>& p) {
    check(cudaMemsetAsync(p.out_keys, 0, p.n() * sizeof(Key)), "cudaMemsetAsync");
  }

  /// Puts the runs where the result goes.
  template <class Key, class Value>
  void restore(const merge_problem<Key, Value>& p) {
    copy_on_device(p.out_keys, p.keys, p.n());
    if constexpr (p.has_values) copy_on_device(p.out_values, p.values, p.n());
  }

  /// Returns what is wrong with the merged order; empty: nothing.
  template <class Key, class Value>
  std::string fault_in(const merge_problem<Key, Value>& p, bool stable) {
    return inspector_.fault_in(sorted_output<Key, Value>{p.out_keys, p.out_values}, p.n(),
                               checksum_, stable);
  }

  /// Returns how long cudaMemcpyAsync takes for the bytes that a merge of this problem reads and
  /// writes.
  template <class Key, class Value>
  double copy_seconds(const merge_problem<Key, Value>& p) {
    const std::size_t bytes = p.n() * (sizeof(Key) + (p.has_values ? sizeof(Value) : 0));
    double& seconds = copy_seconds_[bytes];
    if (seconds == 0) {
      const auto copy = [&] {
        restore(p);
        check(cudaStreamSynchronize(nullptr), "cudaMemcpyAsync");
      };
      seconds = measure(
                    0.03, [] {}, copy)
                    .median;
    }
    return seconds;
  }

 private:
  static constexpr std::uint64_t seed = 20100729;

  buffer keys_, values_, out_keys_, out_values_, spare_keys_, spare_values_;
  inspector inspector_;
  std::string made_;
  unsigned long long checksum_ = 0;
  std::map<std::size_t, double> copy_seconds_;
};

/// Adds one case: `Merger` merges `where` by `compare`. The name's distribution and size are filled
/// in here. Counts besides the time what part of a copy's bandwidth it reaches.
template <class Merger, class Key, class Value, class Compare>
void add_merge(program& p, merge_workspace& memory, case_name name, merge_input where,
               Compare compare) {
  name.distribution = where.name();
  name.log2n = where.log2n;
  const double budget = p.budget();
  p.add_case(name, [&memory, where, compare, budget](benchmark::State& state) {
    const auto problem = memory.make<Key, Value>(where);
    const double copy_seconds = memory.copy_seconds(problem);
    memory.clear(problem);
    Merger merger;
    const auto restore = [&] {
      if constexpr (Merger::is_in_place) memory.restore(problem);
    };
    const timing t = measure(budget, restore, [&] { merger(problem, compare); });
    const std::string fault = memory.fault_in(problem, Merger::is_stable);
    if (!fault.empty()) return state.SkipWithError(fault.c_str());
    report(state, t, where.n(), sizeof(Key) + (problem.has_values ? sizeof(Value) : 0));
    state.counters["runs"] = where.runs;
    state.counters["copy_us"] = 1e6 * copy_seconds;
    state.counters["fraction_of_copy"] = copy_seconds / t.median;
  });
}

}  // namespace bench
