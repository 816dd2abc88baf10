// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/algorithm/counting_sort.hpp>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/encoded_sample_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/key_inference.hpp>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/algorithm/small_radix_sort.hpp>
#include <gpusort/detail/dispatch/element_sort.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/tile/columns_array.hpp>
#include <limits>
#include <tuple>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// What is sorted, in memory that the current device reaches: n keys of `in` into `keys`, which may
/// be the same array, and the values beside them.
template <class Key, class Compare, class... Values>
struct sort_request {
  const Key* in;
  Key* keys;
  std::uint64_t n;
  Compare compare;
  std::tuple<Values*...> values;
  call_stream stream;  // without a completion where the call does not wait, or does more than sort
  bool is_aligned;     // to wide_alignment of each type, where layout_of() is elements
  kernel::probe_result known = {};  // what a key inference has found of the order, if there was one
};

/// Elements are moved as they are: keys, or keys with one range of values.
template <class Problem, class Key, class Compare, class... Values>
struct sort_as_elements {
  using request = sort_request<Key, Compare, Values...>;
  using stored = wide_stored_t<Key>;
  static constexpr router::problem problem = Problem::value;
  static constexpr bool has_values = sizeof...(Values) == 1;

  // The one range of values, if there is one.
  using value = std::tuple_element_t<0, std::tuple<Values..., no_value>>;
  // Floats compare sooner as integers, and short integers as words.
  static constexpr bool is_short = is_integer_key_v<Key> && sizeof(Key) <= 2 && !has_values;
  using held = std::conditional_t<is_less_or_greater_v<Compare> && !problem.stable &&
                                      (is_float_key_v<Key> || is_short),
                                  as_ordered_bits, as_is>;
  using array = std::conditional_t<has_values, key_value_array<stored, wide_stored_t<value>, held>,
                                   key_array<stored, held>>;
  using order =
      std::conditional_t<has_values, by_key<by_stored_value<Compare>>, by_stored_value<Compare>>;
  using comparison_sort = element_sort<Problem, array, order, Problem::value.stable>;

  static array array_at(const request& r, const Key* keys) {
    auto* const k = reinterpret_cast<stored*>(const_cast<Key*>(keys));
    if constexpr (has_values) {
      return {k, reinterpret_cast<decltype(array::values)>(std::get<0>(r.values))};
    } else {
      return {k};
    }
  }

  static order order_of(const request& r) {
    if constexpr (has_values) {
      return {{r.compare}};
    } else {
      return {r.compare};
    }
  }

  static constexpr bool is_descending = std::is_same_v<Compare, greater>;
  using counting = counting_sort<Key, is_descending>;
  using radix = radix_sort<Key, value, is_descending>;

  static std::size_t scratch_bytes(route chosen, bool is_in_place, std::uint64_t n) {
    if constexpr (comparison_sort::takes(route::counting_sort)) {
      if (chosen == route::counting_sort) return counting::scratch_bytes(n);
    }
    if constexpr (comparison_sort::takes(route::radix_sort)) {
      if (chosen == route::radix_sort) return radix::scratch_bytes(n, is_in_place);
    }
    return comparison_sort::scratch_bytes(chosen, n);
  }

  static void run(route chosen, const request& r, void* scratch) {
    if constexpr (comparison_sort::takes(route::counting_sort)) {
      if (chosen == route::counting_sort) {
        return counting::run(r.stream, r.in, r.keys, r.n, scratch);
      }
    }
    if constexpr (router::is_two_byte_keys(problem)) {
      using digits = small_radix_sort<array, is_descending>;
      static_assert(router::small_sort_limit(problem) <= digits::max_n);
      if (chosen == route::small_sort) {
        return digits::run(r.stream, array_at(r, r.in), array_at(r, r.keys), r.n);
      }
    }
    if constexpr (comparison_sort::takes(route::radix_sort)) {
      if (chosen == route::radix_sort) {
        value* values = nullptr;
        if constexpr (has_values) values = std::get<0>(r.values);
        return radix::run(r.stream, r.in, values, r.keys, values, r.n, scratch);
      }
    }
    comparison_sort::run(chosen, r.stream, array_at(r, r.in), array_at(r, r.keys), r.n, order_of(r),
                         scratch, r.known);
  }
};

/// Stand-ins are sorted; everything else is moved once, afterwards. The stand-ins are keys with
/// their places, encoded keys with places, or places alone.
///
/// IsLarge: there are more than a launch sorts.
template <class Problem, class Index, bool IsLarge, class Key, class Compare, class... Values>
struct sort_as_places {
  using request = sort_request<Key, Compare, Values...>;
  using stored = stored_t<Key>;
  using order = by_stored_value<Compare>;
  using encoding = key_encoding<Compare, Key>;
  static constexpr router::problem problem = Problem::value;
  static constexpr bool keys_move_along =
      router::layout_of(problem) == router::layout::keys_with_indices;
  static constexpr bool is_encoded = router::order_of(problem) == router::order_kind::encoded;

  using array =
      std::conditional_t<keys_move_along, key_value_array<stored, Index>, key_array<Index>>;
  // Ties are decided by place where the sort is to be stable, so no algorithm need be.
  using places_order = std::conditional_t<
      keys_move_along, std::conditional_t<problem.stable, by_key_then_value<order>, by_key<order>>,
      std::conditional_t<problem.stable, by_pointee_then_index<stored, order>,
                         by_pointee<stored, order>>>;
  using comparison_sort = element_sort<Problem, array, places_order, false>;

  static constexpr int columns = sizeof...(Values) + (keys_move_along ? 0 : 1);

  /// What sorting the stand-ins takes, besides the places themselves.
  static std::size_t sort_bytes(route chosen, std::uint64_t n) {
    if constexpr (is_encoded) {
      if (chosen == route::radix_sort) return encoded::order_scratch_bytes(n);  // with the places
      return few::scratch_bytes(n);
    } else {
      if constexpr (comparison_sort::takes(route::radix_sort)) {
        if (chosen == route::radix_sort) return radix::scratch_bytes(n, true);
      }
      return comparison_sort::scratch_bytes(chosen, n);
    }
  }

  /// Sorting and moving take the same memory one after the other. The places are at its end, and
  /// records that are moved last may grow over them.
  static std::size_t scratch_bytes(route chosen, bool is_in_place, std::uint64_t n) {
    const std::size_t places = static_cast<std::size_t>(n) * sizeof(Index);
    std::size_t bytes = sort_bytes(chosen, n) + places;
    const auto moved = [&](std::size_t record_bytes) {
      const std::size_t moving =
          columns == 1 ? permutation_scratch::bytes_for(n, record_bytes, sizeof(Index))
                       : static_cast<std::size_t>(n) * record_bytes + places;
      bytes = std::max(bytes, moving);
    };
    if (!keys_move_along && is_in_place) moved(sizeof(Key));
    (moved(sizeof(Values)), ...);
    return round_up<std::size_t>(bytes, scratch_cursor::alignment);
  }

  static void run(route chosen, const request& r, void* scratch, std::size_t bytes) {
    auto* const memory = static_cast<unsigned char*>(scratch);
    auto* const places =
        reinterpret_cast<Index*>(memory + bytes - static_cast<std::size_t>(r.n) * sizeof(Index));
    sort_places(chosen, r, places, scratch, bytes);
    if constexpr (!keys_move_along) move_column(r, r.in, r.keys, places, scratch, bytes);
    std::apply(
        [&](auto*... values) { (move_column(r, values, values, places, scratch, bytes), ...); },
        r.values);
  }

  /// places[i] becomes the place that the i-th element comes from. Moves the keys where they move
  /// along, and nothing else.
  static void sort_places(route chosen, const request& r, Index* places, void* scratch,
                          std::size_t bytes) {
    if constexpr (comparison_sort::takes(route::radix_sort)) {
      if (chosen == route::radix_sort) return radix_places(r, places, scratch, bytes);
    }
    auto* const in = reinterpret_cast<stored*>(const_cast<Key*>(r.in));
    if constexpr (is_encoded) {
      if constexpr (!IsLarge && comparison_sort::takes(route::sample_sort)) {
        few::order(r.stream.without_completion(), r.in, r.n, r.compare, places, scratch);
      }
    } else if constexpr (keys_move_along) {
      const array out{reinterpret_cast<stored*>(r.keys), places};
      comparison_sort::run(chosen, r.stream.without_completion(),
                           key_index_array<stored, Index>{in}, out, r.n, places_order{{r.compare}},
                           scratch);
    } else {
      comparison_sort::run(chosen, r.stream.without_completion(), index_sequence_array<Index>{},
                           array{places}, r.n, places_order{in, {r.compare}}, scratch, r.known);
    }
  }

 private:
  using encoded = encoded_radix_sort<Key, Compare, Index>;
  using few = encoded_sample_sort<Key, Compare, Index>;
  using radix = radix_sort<Key, Index, std::is_same_v<Compare, greater>>;

  static void radix_places(const request& r, Index* places, void* scratch, std::size_t bytes) {
    if constexpr (is_encoded) {
      const Index* const sorted = encoded::order(r.stream, r.in, r.n, r.compare, scratch, bytes);
      relocate(r.stream, sorted, places, static_cast<std::size_t>(r.n) * sizeof(Index));
    } else {
      iota(r.stream, places, r.n);
      radix::run(r.stream, r.in, places, r.keys, places, r.n, scratch);
    }
  }

  template <class T>
  static void move_column(const request& r, const T* in, T* out, const Index* places, void* scratch,
                          std::size_t bytes) {
    if (in != out) return gather<T, Index>::run(r.stream, in, places, r.n, out);
    if constexpr (columns == 1) {
      // What key inference has put in order stays where it is: violation not_ascending is bit 0.
      gather<T, Index>::run_in_place(r.stream, out, {r.n, sizeof(T), sizeof(Index), bytes}, scratch,
                                     r.known.all);
    } else {
      T* const moved = static_cast<T*>(scratch);
      gather<T, Index>::run(r.stream, in, places, r.n, moved);
      relocate(r.stream, moved, out, static_cast<std::size_t>(r.n) * sizeof(T));
    }
  }
};

/// The same problem for few elements, sorted with their places.
template <class Problem>
struct problem_with_indices {
  static constexpr router::problem value = router::with_indices(Problem::value);
};

/// A sort on the current device: plans it, takes the scratch, runs it, or runs what needs less.
template <class Problem, class Key, class Compare, class... Values>
class device_sort {
 public:
  using request = sort_request<Key, Compare, Values...>;

  static std::size_t scratch_bytes(route chosen, bool is_in_place, std::uint64_t n) {
    if (chosen == route::nothing || chosen == route::bitonic_sort) return 0;
    if constexpr (router::may_infer_key(problem)) {
      if (router::infers_key(problem, n)) return inferred_key_bytes(chosen, n);
    }
    return route_bytes(chosen, is_in_place, n);
  }

  static plan plan_for(std::uint64_t n) {
    const router::decision decision = router::choose(problem, n, abilities());
    if constexpr (router::may_carry_indices(problem)) {
      if (decision.with_indices) {
        return {decision.algorithm, decision.reason,
                router::passes(decision.algorithm, n, radix_passes) + problem.value_ranges,
                few_with_indices::scratch_bytes(decision.algorithm, true, n)};
      }
    }
    const int moves = moved == router::layout::elements ? 0 : 1 + problem.value_ranges;
    return {decision.algorithm, decision.reason,
            router::passes(decision.algorithm, n, radix_passes) + moves,
            scratch_bytes(decision.algorithm, true, n)};
  }

  /// Only finds the order: places[i] becomes the place of the i-th element.
  template <class Index>
  static void run_places(const request& r, Index* out, const memory_source& memory) {
    until_launches_fit([&] { attempt_places(r, out, memory); });
  }

  /// Throws std::invalid_argument where a forced route cannot do the sort, and
  /// gpusort::out_of_memory where no route has the scratch it needs; then nothing has been touched.
  static void run(const request& r, const memory_source& memory) {
    until_launches_fit([&] { attempt(r, memory); });
  }

 private:
  template <class Index>
  static void attempt_places(const request& r, Index* out, const memory_source& memory) {
    const router::decision decision = router::choose(problem, r.n, abilities<Index>());
    const nvtx_range range(name_of(decision.algorithm));
    reject_impossible(decision.algorithm, r.n);
    if (decision.algorithm == route::nothing) return iota(r.stream, out, r.n);
    const std::size_t bytes = round_up<std::size_t>(
        places<Index>::sort_bytes(decision.algorithm, r.n), scratch_cursor::alignment);
    const auto scratch = scratch_buffer::or_throw(memory, bytes, r.stream);
    places<Index>::sort_places(decision.algorithm, r, out, scratch.data(), bytes);
  }

  static void attempt(const request& r, const memory_source& memory) {
    router::abilities device = abilities();
    router::decision decision = router::choose(problem, r.n, device);
    if constexpr (router::may_carry_indices(problem)) {
      if (decision.with_indices) {
        if (ran_with_indices(r, memory)) return;
        device.max_n_with_indices = 0;
        decision = router::choose(problem, r.n, device);
      }
    }
    const nvtx_range range(name_of(decision.algorithm));
    reject_impossible(decision.algorithm, r.n);
    if (decision.algorithm == route::nothing || decision.algorithm == route::bitonic_sort) {
      return sort_in_place(r);
    }
    if constexpr (router::may_infer_key(problem)) {
      if (router::infers_key(problem, r.n) && r.is_aligned) {
        const std::size_t bytes = inferred_key_bytes(decision.algorithm, r.n);
        const scratch_buffer scratch(memory, bytes, r.stream);
        if (scratch) return run_by_inferred_key(decision.algorithm, r, scratch.data(), bytes);
      }
    }
    if (ran_with_scratch(decision.algorithm, r, memory)) return;
    if constexpr (may_sort_without_bucket_ids) {
      if (decision.algorithm == route::sample_sort && ran_without_bucket_ids(r, memory)) return;
    }
    if constexpr (router::can_fall_back_to_radix_sort(problem)) {
      if (ran_with_scratch(route::radix_sort, r, memory)) return;
    }
    if constexpr (problem.stable) {
      throw out_of_memory();
    } else {
      sort_in_place(r);
    }
  }

  static std::size_t inferred_key_bytes(route chosen, std::uint64_t n) {
    return key_inference_result(nullptr).bytes +
           std::max(first_sort::scratch_bytes(n), route_bytes(chosen, true, n));
  }

  static std::size_t route_bytes(route chosen, bool is_in_place, std::uint64_t n) {
    if constexpr (moved == router::layout::elements) {
      return elements::scratch_bytes(chosen, is_in_place, n);
    } else {
      return n <= max_narrow ? places<std::uint32_t>::scratch_bytes(chosen, is_in_place, n)
                             : large_places::scratch_bytes(chosen, is_in_place, n);
    }
  }

  static void run_by_inferred_key(route chosen, request r, void* scratch, std::size_t bytes) {
    relocate(r.stream, r.in, r.keys, r.n * sizeof(Key));
    r.in = r.keys;
    const key_inference_result found(scratch);
    void* const rest = static_cast<unsigned char*>(scratch) + found.bytes;
    first_sort::run(r.stream.without_completion(), reinterpret_cast<moved_key*>(r.keys), r.n,
                    {r.compare}, found, rest, bytes - found.bytes);
    r.known = found.probe;
    run_route(chosen, r, rest, bytes - found.bytes);
  }

  static void run_route(route chosen, const request& r, void* scratch, std::size_t bytes) {
    if constexpr (moved == router::layout::elements) {
      elements::run(chosen, r, scratch);
    } else if (r.n <= max_narrow) {
      places<std::uint32_t>::run(chosen, r, scratch, bytes);
    } else {
      large_places::run(chosen, r, scratch, bytes);
    }
  }

  static constexpr router::problem problem = Problem::value;
  static constexpr router::layout moved = router::layout_of(problem);
  static constexpr std::uint64_t max_narrow = std::numeric_limits<std::uint32_t>::max();

  using elements = sort_as_elements<Problem, Key, Compare, Values...>;
  template <class Index>
  using places = sort_as_places<Problem, Index, false, Key, Compare, Values...>;
  using large_places = sort_as_places<Problem, std::uint64_t, true, Key, Compare, Values...>;

  // Whose pointers are aligned for wide moves, where elements are moved.
  using moved_key =
      std::conditional_t<moved == router::layout::elements, wide_stored_t<Key>, stored_t<Key>>;
  using first_sort = key_inference<moved_key, alignof(Key), by_stored_value<Compare>>;

  using few_with_indices =
      sort_as_places<problem_with_indices<Problem>, std::uint32_t, false, Key, Compare, Values...>;

  // False where there is no scratch for it; then nothing has happened.
  static bool ran_with_scratch(route chosen, const request& r, const memory_source& memory) {
    if (!r.is_aligned) return false;
    const std::size_t bytes = route_bytes(chosen, r.in == r.keys, r.n);
    const scratch_buffer scratch(memory, bytes, r.stream);
    if (!scratch) return false;
    run_route(chosen, r, scratch.data(), bytes);
    return true;
  }

  static constexpr bool may_sort_without_bucket_ids = [] {
    if constexpr (moved == router::layout::elements &&
                  router::may_take(problem, route::sample_sort) &&
                  problem.forced == route::nothing) {
      return elements::comparison_sort::sample::may_run_without_bucket_ids;
    } else {
      return false;
    }
  }();

  static bool ran_without_bucket_ids(const request& r, const memory_source& memory) {
    using sample = typename elements::comparison_sort::sample;
    if (!r.is_aligned || r.n <= sample::max_n_in_one_launch()) return false;
    const scratch_buffer scratch(memory, sample::scratch_bytes_without_bucket_ids(r.n), r.stream);
    if (!scratch) return false;
    sample::run_without_bucket_ids(r.stream, elements::array_at(r, r.in),
                                   elements::array_at(r, r.keys), r.n, elements::order_of(r),
                                   scratch.data());
    return true;
  }

  static bool ran_with_indices(const request& r, const memory_source& memory) {
    const nvtx_range range(name_of(route::sample_sort));
    const std::size_t bytes =
        few_with_indices::scratch_bytes(route::sample_sort, r.in == r.keys, r.n);
    const scratch_buffer scratch(memory, bytes, r.stream);
    if (!scratch) return false;
    few_with_indices::run(route::sample_sort, r, scratch.data(), bytes);
    return true;
  }

  /// Of the current device.
  template <class Index = std::uint32_t>
  static router::abilities abilities() {
    router::abilities device;
    if constexpr (router::may_take(problem, route::counting_sort)) {
      device.can_count = elements::counting::fits();
    }
    if constexpr (router::may_carry_indices(problem)) {
      device.max_n_with_indices = few_with_indices::comparison_sort::sample::max_n_in_one_launch();
    }
    if constexpr (router::needs_one_launch_only(problem)) {
      if constexpr (moved == router::layout::elements) {
        device.max_n_in_one_launch = elements::comparison_sort::sample::max_n_in_one_launch();
      } else {
        device.max_n_in_one_launch = encoded_sample_sort<Key, Compare, Index>::max_n();
      }
    }
    return device;
  }

  // One per 8 bits; of an encoded key, those of its fields.
  static constexpr int radix_passes = [] {
    if constexpr (router::order_of(problem) == router::order_kind::encoded) {
      return ceil_div(key_encoding<Compare, Key>::bits, 8);
    } else {
      return static_cast<int>(sizeof(Key));
    }
  }();

  static void reject_impossible(route chosen, std::uint64_t n) {
    if (chosen == route::small_sort && n > max_tile_items(router::tile_element_bytes(problem))) {
      refuse(
          "algorithm::small_sort is forced on more elements than one block holds; force "
          "merge_sort, or nothing");
    }
    if constexpr (router::may_take(problem, route::counting_sort)) {
      if (chosen == route::counting_sort && !elements::counting::fits()) {
        refuse(
            "algorithm::counting_sort is forced on a device without room for its counters; force "
            "radix_sort, or nothing");
      }
    }
    if (chosen == route::bitonic_sort && problem.stable) {
      refuse(stable_in_place);
    }
  }

  static void sort_in_place(const request& r) {
    if (r.in != r.keys) {
      check(cudaMemcpyAsync(r.keys, r.in, r.n * sizeof(Key), cudaMemcpyDeviceToDevice, r.stream),
            "copying the range to be sorted");
    }
    if constexpr (!problem.stable) {
      if (r.n < 2) return;
      using key_order = by_stored_value<Compare>;
      using order = std::conditional_t<sizeof...(Values) == 1, by_key<key_order>, key_order>;
      auto array = std::apply(
          [&](auto*... values) {
            return array_of_columns(reinterpret_cast<stored_t<Key>*>(r.keys),
                                    reinterpret_cast<stored_t<Values>*>(values)...);
          },
          r.values);
      order compare = [&] {
        if constexpr (sizeof...(Values) == 1) {
          return order{{r.compare}};
        } else {
          return order{r.compare};
        }
      }();
      bitonic_sort<decltype(array), order>::run(r.stream, array, r.n, compare);
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
