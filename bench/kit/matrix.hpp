// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "program.hpp"
#include "sorters.hpp"

namespace bench {

inline constexpr kit::distribution benchmark_distributions[] = {
    kit::distribution::uniform,
    kit::distribution::gaussian,
    kit::distribution::bucket,
    kit::distribution::staggered,
    kit::distribution::g_group,
    kit::distribution::deterministic_duplicates,
    kit::distribution::randomized_duplicates,
    kit::distribution::sorted,
    kit::distribution::reverse,
    kit::distribution::almost_sorted,
    kit::distribution::all_equal,
    kit::distribution::few_distinct,
    kit::distribution::organ_pipe};

/// Names how much of the matrix a quick run takes of a type.
enum class weight {
  main,  // all sizes; all distributions at 2^24 and 2^28
  side,  // some sizes; all distributions at 2^24
  few,   // some sizes, few distributions
};

/// Returns the inputs of a type with elements of that many bytes.
inline std::vector<input> inputs(const program& p, weight w, std::size_t element_bytes) {
  const std::size_t most_bytes = p.most_bytes();
  std::vector<input> chosen;
  const auto add = [&](kit::distribution d, int log2n) {
    if (element_bytes << log2n <= most_bytes) chosen.push_back({d, log2n});
  };
  const auto add_uniform = [&](std::initializer_list<int> sizes) {
    for (int log2n : sizes) add(kit::distribution::uniform, log2n);
  };
  const auto add_others = [&](int log2n) {
    for (auto d : benchmark_distributions) {
      if (d != kit::distribution::uniform) add(d, log2n);
    }
  };
  if (!p.quick()) {
    for (int log2n = 10; log2n <= 28; ++log2n) {
      add(kit::distribution::uniform, log2n);
      if (log2n % 2 == 0) add_others(log2n);
    }
  } else if (w == weight::main) {
    add_uniform({10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28});
    add_others(24);
    add_others(28);
  } else if (w == weight::side) {
    add_uniform({10, 12, 14, 16, 18, 20, 24, 28});
    add_others(24);
  } else {
    add_uniform({12, 16, 20, 22, 24, 26, 28});
    for (auto d : {kit::distribution::sorted, kit::distribution::all_equal,
                   kit::distribution::few_distinct}) {
      add(d, 22);
    }
  }
  return chosen;
}

/// Adds `less` (Thrust and CUB then take radix sort) on an arithmetic type.
template <bool Stable, class Key, class Value>
void add_less(program& p, const case_name& name, input where) {
  p.add<gpusort_sorter, Stable, Key, Value>(name, where, gpusort::less{});
  p.add<thrust_sorter, Stable, Key, Value>(name, where, thrust::less<Key>{});
  p.add<cub_radix_sorter, Stable, Key, Value>(name, where, no_value{});
}

/// Adds a comparator nobody sees through (Thrust and CUB then take merge sort).
template <bool Stable, class Key, class Value>
void add_opaque(program& p, const case_name& name, input where) {
  p.add<gpusort_sorter, Stable, Key, Value>(name, where, opaque_less{});
  p.add<thrust_sorter, Stable, Key, Value>(name, where, opaque_less{});
  p.add<cub_merge_sorter, Stable, Key, Value>(name, where, opaque_less{});
}

/// Adds sorts of keys, or keys with values, by both comparators.
template <bool Stable, class Key, class Value = no_value>
void add_sorts(program& p, const char* operation, const char* type, weight w) {
  constexpr std::size_t element_bytes =
      sizeof(Key) + (std::is_same_v<Value, no_value> ? 0 : sizeof(Value));
  for (const input& where : inputs(p, w, element_bytes)) {
    add_less<Stable, Key, Value>(p, {operation, "", type, "less", "", 0}, where);
  }
  for (const input& where : inputs(p, w, element_bytes)) {
    add_opaque<Stable, Key, Value>(p, {operation, "", type, "opaque", "", 0}, where);
  }
}

/// Adds sorts of numbers by a comparator that is no order of numbers.
template <class Key>
void add_sorts_by_product(program& p, const char* type) {
  for (int log2n : {20, 24, 28}) {
    const case_name name{"sort", "", type, "by_product", "", 0};
    const input where{kit::distribution::uniform, log2n};
    if (sizeof(Key) << log2n > p.most_bytes()) continue;
    p.add<gpusort_sorter, false, Key, no_value>(name, where, by_product{});
    p.add<thrust_sorter, false, Key, no_value>(name, where, by_product{});
  }
}

/// Records by a functor and by order_by, for which Thrust's sort by the functor is the reference.
template <int Bytes>
void add_record_sorts(program& p, weight w) {
  using type = record<Bytes>;
  const std::string name = "record" + std::to_string(Bytes);
  for (const input& where : inputs(p, w, Bytes)) {
    add_opaque<false, type, no_value>(p, {"sort", "", name, "opaque", "", 0}, where);
    p.add<gpusort_sorter, false, type, no_value>({"sort", "", name, "order_by", "", 0}, where,
                                                 gpusort::order_by(gpusort::asc(&type::key)));
  }
}

}  // namespace bench
