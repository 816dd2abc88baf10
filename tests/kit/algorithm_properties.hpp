// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an algorithm has to do by its own interface, for which it says how it is called:
//
//   struct by_some_sort {
//     static constexpr promise promised;     // what it keeps of equivalent elements
//     static constexpr bool only_in_place;
//     static constexpr std::size_t several_tiles;  // elements
//     static constexpr std::size_t fixed_scratch;  // bytes, besides those of the elements
//     template <class T> static std::vector<std::size_t> sizes();
//     static std::vector<std::size_t> sizes_for_liars();
//     template <class Array, class Compare> static std::size_t scratch_bytes(std::uint64_t n);
//     template <class Input, class Array, class Compare>
//     static void run(cudaStream_t, Input, Array, std::size_t n, Compare, void* scratch);
//   };
#pragma once

#include <gpusort/detail/support/element_order.hpp>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "device.hpp"
#include "generate.hpp"
#include "graph.hpp"
#include "orders.hpp"
#include "places.hpp"
#include "sizes.hpp"

namespace kit {

/// Sorts `input` where it is or to another range, and looks at what comes of it.
template <class Algorithm, class T, class Compare>
findings sort_and_examine(const column<T>& input, Compare comp, bool in_place,
                          promise promised = Algorithm::promised) {
  using array = gpusort::detail::key_array<T>;
  const std::size_t n = input.size();
  in_place = in_place || Algorithm::only_in_place;
  const buffer<T> in(input, n % 3);
  const buffer<T> separate(in_place ? 0 : n, n % 5);
  const buffer<T>& out = in_place ? in : separate;
  const buffer<unsigned char> scratch(Algorithm::template scratch_bytes<array, Compare>(n));
  Algorithm::run(nullptr, array{in.data()}, array{out.data()}, n, comp, scratch.data());
  findings f = examine(input, out.read(), comp, promised);
  f.zones_intact = in.intact() && out.intact() && scratch.intact();
  if (!in_place && !same_multiset(input, in.read())) f.elements_kept = false;
  return f;
}

template <class Algorithm, class T, class Compare>
findings sort_and_examine(distribution d, std::size_t n, Compare comp,
                          promise promised = Algorithm::promised) {
  return sort_and_examine<Algorithm>(generate<T>(d, n, seed()), comp, n % 2 == 0, promised);
}

// -- elements -------------------------------------------------------------------------------------

template <class Algorithm, class T, class Compare>
struct sorted_by {
  using algorithm = Algorithm;
  using value = T;
  using compare = Compare;
};

template <class Subject>
class algorithm_on_elements : public gpu_test {};
TYPED_TEST_SUITE_P(algorithm_on_elements);

TYPED_TEST_P(algorithm_on_elements, sizes_and_distributions) {
  using T = typename TypeParam::value;
  const typename TypeParam::compare comp{};
  for (std::size_t n : TypeParam::algorithm::template sizes<T>()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal,
                   distribution::sorted, distribution::reverse, distribution::staggered,
                   distribution::organ_pipe}) {
      if (n > 100003 && d != distribution::uniform && d != distribution::few_distinct) continue;
      const auto f = sort_and_examine<typename TypeParam::algorithm, T>(d, n, comp);
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST_P(algorithm_on_elements, all_distributions) {
  using T = typename TypeParam::value;
  const typename TypeParam::compare comp{};
  for (std::size_t n : {std::size_t{2001}, std::size_t{15011}, std::size_t{100003}}) {
    if (n * sizeof(T) > (std::size_t{1} << 23) || (small_sizes_only() && n > 2001)) continue;
    for (auto d : every_distribution) {
      const auto f = sort_and_examine<typename TypeParam::algorithm, T>(d, n, comp);
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST_P(algorithm_on_elements, scratch_is_little_more_than_the_elements) {
  using T = typename TypeParam::value;
  using array = gpusort::detail::key_array<T>;
  for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{100000}, std::uint64_t{1} << 33}) {
    const std::size_t bytes =
        TypeParam::algorithm::template scratch_bytes<array, typename TypeParam::compare>(n);
    EXPECT_LE(bytes, n * sizeof(T) * 105 / 100 + TypeParam::algorithm::fixed_scratch) << n;
  }
}

REGISTER_TYPED_TEST_SUITE_P(algorithm_on_elements, sizes_and_distributions, all_distributions,
                            scratch_is_little_more_than_the_elements);

// -- orders ---------------------------------------------------------------------------------------

/// Tests comparators that the library cannot see through.
template <class Subject>
class algorithm_under_orders : public gpu_test {};
TYPED_TEST_SUITE_P(algorithm_under_orders);

TYPED_TEST_P(algorithm_under_orders, inconsistent_ones_lose_nothing) {
  using T = typename TypeParam::value;
  const shared_counter counter;
  for (auto behavior : every_inconsistent_comparator) {
    const opaque inconsistent(behavior, seed(), counter.get());
    for (std::size_t n : TypeParam::algorithm::sizes_for_liars()) {
      for (auto d : {distribution::uniform, distribution::few_distinct}) {
        const auto f = sort_and_examine<typename TypeParam::algorithm, T>(d, n, inconsistent,
                                                                          promise::permutation);
        ASSERT_TRUE(f.ok()) << name_of(behavior) << ", " << d << ", n = " << n << ": " << f;
      }
    }
  }
}

TYPED_TEST_P(algorithm_under_orders, takes_any) {
  using T = typename TypeParam::value;
  for (auto behavior : {behavior::honest, behavior::descending, behavior::coarse}) {
    for (std::size_t n : {std::size_t{1000}, TypeParam::algorithm::several_tiles}) {
      const auto f = sort_and_examine<typename TypeParam::algorithm, T>(distribution::gaussian, n,
                                                                        opaque(behavior));
      ASSERT_TRUE(f.ok()) << name_of(behavior) << ", n = " << n << ": " << f;
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(algorithm_under_orders, inconsistent_ones_lose_nothing, takes_any);

// -- values ---------------------------------------------------------------------------------------

/// Returns values that say where they were.
template <class Value>
column<Value> values_that_tell_places(std::size_t n) {
  if constexpr (is_record<Value>) {
    return generate<Value>(distribution::uniform, n, seed());
  } else {
    return places_of<Value>(n);
  }
}

template <class Value>
std::uint64_t place_told_by(const Value& value) {
  if constexpr (is_record<Value>) {
    return index_of(value);
  } else {
    return value;
  }
}

template <class Algorithm, class Value>
struct carried_by {
  using algorithm = Algorithm;
  using value = Value;
};

template <class Subject>
class algorithm_with_values : public gpu_test {};
TYPED_TEST_SUITE_P(algorithm_with_values);

TYPED_TEST_P(algorithm_with_values, moves_them_with_their_keys) {
  using algorithm = typename TypeParam::algorithm;
  using Value = typename TypeParam::value;
  using array = gpusort::detail::key_value_array<std::uint32_t, Value>;
  using order = gpusort::detail::by_key<reference_less>;
  for (std::size_t n : algorithm::template sizes<Value>()) {
    for (auto d : {distribution::uniform, distribution::few_distinct}) {
      const auto input = generate<std::uint32_t>(d, n, seed());
      const auto told = values_that_tell_places<Value>(n);
      const buffer<std::uint32_t> keys(input, 1);
      const buffer<Value> values(told, 1);
      const buffer<unsigned char> scratch(algorithm::template scratch_bytes<array, order>(n));
      const array both{keys.data(), values.data()};
      algorithm::run(nullptr, both, both, n, order{}, scratch.data());
      const auto moved = values.read();
      column<std::uint64_t> places(n);
      for (std::size_t i = 0; i < n; ++i) {
        places[i] = place_told_by(moved[i]);
        ASSERT_TRUE(places[i] < n && same_bytes(moved[i], told[places[i]])) << i << " of " << n;
      }
      ASSERT_TRUE(
          moved_with_places(input, keys.read(), places, reference_less{}, algorithm::promised));
      ASSERT_TRUE(keys.intact() && values.intact() && scratch.intact()) << n;
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(algorithm_with_values, moves_them_with_their_keys);

/// Orders indices that the algorithm makes itself, by the elements that they point to.
template <class Algorithm>
void expect_indices_ordered(const column<std::uint32_t>& input) {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using by_pointee = gpusort::detail::by_pointee<std::uint32_t, reference_less>;
  const std::size_t n = input.size();
  const buffer<std::uint32_t> elements(input, 1);
  const buffer<std::uint32_t> indices(n, 1);
  const buffer<unsigned char> scratch(Algorithm::template scratch_bytes<array, by_pointee>(n));
  Algorithm::run(nullptr, gpusort::detail::index_sequence_array<std::uint32_t>{},
                 array{indices.data()}, n, by_pointee{elements.data(), {}}, scratch.data());
  EXPECT_TRUE(ordered_by_places(input, indices.read(), reference_less{}, Algorithm::promised));
  EXPECT_TRUE(elements.intact() && indices.intact() && scratch.intact()) << n;
}

// -- graphs ---------------------------------------------------------------------------------------

/// Captures one sort, and launches it on each of `inputs`, which are of one size.
template <class Algorithm, class Compare>
void expect_replayed(const std::vector<column<std::uint32_t>>& inputs) {
  using array = gpusort::detail::key_array<std::uint32_t>;
  const std::size_t n = inputs.front().size();
  buffer<std::uint32_t> data(n, 1);
  const buffer<unsigned char> scratch(Algorithm::template scratch_bytes<array, Compare>(n));
  const stream s;
  const graph g(s, [&] {
    const array range{data.data()};
    Algorithm::run(s, range, range, n, Compare{}, scratch.data());
  });
  for (const auto& input : inputs) {
    data.write(input);
    g.launch(s);
    const auto f = examine(input, data.read(), Compare{}, Algorithm::promised);
    ASSERT_TRUE(f.ok() && data.intact() && scratch.intact()) << f;
  }
}

template <class Subject>
class algorithm_in_graphs : public gpu_test {};
TYPED_TEST_SUITE_P(algorithm_in_graphs);

TYPED_TEST_P(algorithm_in_graphs, is_captured_and_repeated) {
  const std::size_t n = TypeParam::algorithm::several_tiles;
  std::vector<column<std::uint32_t>> inputs;
  for (auto d : {distribution::uniform, distribution::sorted, distribution::few_distinct,
                 distribution::uniform}) {
    inputs.push_back(generate<std::uint32_t>(d, n, seed()));
  }
  expect_replayed<typename TypeParam::algorithm, typename TypeParam::compare>(inputs);
}

REGISTER_TYPED_TEST_SUITE_P(algorithm_in_graphs, is_captured_and_repeated);

}  // namespace kit
