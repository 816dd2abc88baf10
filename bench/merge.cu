// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging: two runs, many, in place, and the figures of paper 003.
#include <thrust/functional.h>

#include <initializer_list>
#include <string>

#include "kit/mergers.hpp"
#include "papers/figures.hpp"

namespace {

using bench::merge_input;
using bench::no_value;
using bench::run_lengths;
using kit::distribution;

/// Names the case after who merges.
template <class Merger, class Key, class Value, class Compare>
void add(bench::program& p, bench::merge_workspace& memory, bench::case_name name,
         const merge_input& where, Compare compare) {
  name.implementation = Merger::name;
  bench::add_merge<Merger, Key, Value>(p, memory, name, where, compare);
}

/// Tells whether inputs of n elements fit where the program's others do.
template <class Key, class Value>
bool fits(const bench::program& p, int log2n) {
  return (sizeof(Key) + sizeof(Value)) << log2n <= p.most_bytes();
}

// -- two runs -------------------------------------------------------------------------------------

template <class Key, class Value>
void add_merges_of(bench::program& p, bench::merge_workspace& memory, const char* operation,
                   const char* type, const merge_input& where) {
  const bench::case_name less{operation, "", type, "less", "", 0};
  add<bench::gpusort_merger, Key, Value>(p, memory, less, where, gpusort::less{});
  add<bench::thrust_merger, Key, Value>(p, memory, less, where, thrust::less<Key>{});
  const bench::case_name opaque{operation, "", type, "opaque", "", 0};
  add<bench::gpusort_merger, Key, Value>(p, memory, opaque, where, bench::opaque_less{});
  add<bench::thrust_merger, Key, Value>(p, memory, opaque, where, bench::opaque_less{});
}

template <class Key, class Value = no_value>
void add_merges(bench::program& p, bench::merge_workspace& memory, const char* operation,
                const char* type) {
  for (int log2n = 16; log2n <= 28 && fits<Key, Value>(p, log2n); log2n += p.quick() ? 2 : 1) {
    add_merges_of<Key, Value>(p, memory, operation, type,
                              {distribution::uniform, run_lengths::even, 2, log2n});
  }
  for (auto d : {distribution::staggered, distribution::sorted, distribution::all_equal,
                 distribution::few_distinct}) {
    add_merges_of<Key, Value>(p, memory, operation, type, {d, run_lengths::even, 2, 26});
  }
  add_merges_of<Key, Value>(p, memory, operation, type,
                            {distribution::uniform, run_lengths::one_long, 2, 26});
}

// -- many runs ------------------------------------------------------------------------------------

template <class Key, class Value, class Compare, class ThrustCompare>
void add_multiway_merge(bench::program& p, bench::merge_workspace& memory, const char* type,
                        const char* comparator, const merge_input& where, Compare compare,
                        ThrustCompare thrust_compare) {
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  const std::string operation = has_values ? "multiway_merge_by_key_of_" : "multiway_merge_of_";
  const bench::case_name name{operation + std::to_string(where.runs), "", type, comparator, "", 0};
  add<bench::gpusort_multiway_merger, Key, Value>(p, memory, name, where, compare);
  add<bench::thrust_rounds_merger, Key, Value>(p, memory, name, where, thrust_compare);
  add<bench::thrust_sort_merger, Key, Value>(p, memory, name, where, thrust_compare);
}

template <class Key, class Value = no_value>
void add_multiway_merges(bench::program& p, bench::merge_workspace& memory, const char* type,
                         std::initializer_list<run_lengths> shapes) {
  for (int k : {2, 4, 16, 64, 256, 4096}) {
    for (auto lengths : shapes) {
      for (int log2n : {24, 28}) {
        if (!fits<Key, Value>(p, log2n)) continue;
        const merge_input where{distribution::uniform, lengths, k, log2n};
        add_multiway_merge<Key, Value>(p, memory, type, "less", where, gpusort::less{},
                                       thrust::less<Key>{});
        if (lengths != run_lengths::even && p.quick()) continue;
        add_multiway_merge<Key, Value>(p, memory, type, "opaque", where, bench::opaque_less{},
                                       bench::opaque_less{});
      }
    }
  }
}

// -- in place -------------------------------------------------------------------------------------

template <class Key>
void add_inplace_merges(bench::program& p, bench::merge_workspace& memory, const char* type) {
  const bench::case_name name{"inplace_merge", "", type, "less", "", 0};
  const auto add_one = [&](const merge_input& where) {
    add<bench::gpusort_inplace_merger, Key, no_value>(p, memory, name, where, gpusort::less{});
    add<bench::thrust_copying_merger, Key, no_value>(p, memory, name, where, thrust::less<Key>{});
  };
  for (int log2n = 16; log2n <= 28; log2n += p.quick() ? 4 : 2) {
    add_one({distribution::uniform, run_lengths::even, 2, log2n});
  }
  add_one({distribution::sorted, run_lengths::even, 2, 26});
  add_one({distribution::all_equal, run_lengths::even, 2, 26});
  add_one({distribution::uniform, run_lengths::one_long, 2, 26});
}

}  // namespace

int main(int argc, char** argv) {
  bench::merge_workspace memory;
  return bench::run(argc, argv, [&](bench::program& p) {
    using std::uint32_t;
    using std::uint64_t;
    add_merges<uint32_t>(p, memory, "merge", "u32");
    add_merges<uint64_t>(p, memory, "merge", "u64");
    add_merges<uint32_t, uint32_t>(p, memory, "merge_by_key", "u32_u32");
    add_merges<uint64_t, uint64_t>(p, memory, "merge_by_key", "u64_u64");
    const auto all = {run_lengths::even, run_lengths::one_long, run_lengths::geometric};
    add_multiway_merges<uint32_t>(p, memory, "u32", all);
    add_multiway_merges<uint64_t>(p, memory, "u64", all);
    add_multiway_merges<uint32_t, uint32_t>(p, memory, "u32_u32", {run_lengths::even});
    add_multiway_merges<uint64_t, uint64_t>(p, memory, "u64_u64", {run_lengths::even});
    add_inplace_merges<uint32_t>(p, memory, "u32");
    add_inplace_merges<uint64_t>(p, memory, "u64");
    bench::add_selection_figures(p, memory);
    bench::add_merge_figures(p, memory);
  });
}
