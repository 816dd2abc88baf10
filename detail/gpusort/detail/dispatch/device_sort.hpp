// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/algorithm/key_inference.hpp>
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/dispatch/sort_layouts.hpp>
#include <gpusort/detail/router/estimates.hpp>
#include <gpusort/detail/router/launches.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/packed_record.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/zip_array.hpp>
#include <gpusort/detail/tile/columns_array.hpp>
#include <tuple>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A problem's elements with their indices, where they are few.
template <class Problem>
struct problem_with_indices {
  static constexpr router::problem value = router::with_indices(Problem::value);
};

inline plan plan_of(const router::problem& problem, const router::decision& decision,
                    std::uint64_t n, int passes, std::size_t scratch_bytes, code_origin origin) {
  const router::two_estimates estimates = router::estimates_of(problem, n, decision);
  return {decision.algorithm,
          decision.reason,
          passes,
          scratch_bytes,
          estimates.chosen,
          estimates.next_best,
          router::launches_of(problem, decision),
          origin,
          current_device_properties().is_for_older_device};
}

/// A sort on the current device: plans it, takes the scratch, runs it, or runs what needs less.
template <class Problem, class Key, class Compare, class... Values>
class device_sort {
 public:
  using request = sort_request<Key, Compare, Values...>;

  static plan plan_for(std::uint64_t n) {
    const router::decision decision = choose_route(problem, n, abilities<>());
    const int moves = decision.with_indices               ? problem.value_ranges
                      : moved == router::layout::elements ? 0
                                                          : 1 + problem.value_ranges;
    return plan_of(problem, decision, n, router::passes(decision.algorithm, n, digits) + moves,
                   prepare<false>(decision, true, n).bytes, origin_of(decision.algorithm));
  }

  /// Returns the scratch bytes of the plan, without its estimates, which every sort of host memory
  /// would compile.
  static std::size_t scratch_bytes(std::uint64_t n) {
    return prepare<false>(choose_route(problem, n, abilities<>()), true, n).bytes;
  }

  /// Throws std::invalid_argument where a forced route cannot do the sort, and
  /// gpusort::out_of_memory where no route has the scratch it needs; then nothing has been touched.
  static void run(const request& r, const memory_source& memory) {
    for (;;) {
      try {
        const router::abilities device = abilities<>();
        router::decision chosen = choose_route(problem, r.n, device);
        reject_impossible(chosen.algorithm, r.n);
        if (chosen.algorithm == route::nothing) return copy_keys(r);
        while (chosen.algorithm != route::bitonic_sort) {
          if (r.is_aligned || chosen.with_indices) {
            const nvtx_range range(name_of(chosen.algorithm));
            const prepared sort = prepare<true>(chosen, r.in == r.keys, r.n);
            const scratch_buffer scratch = scratch_for(sort, memory, r.stream);
            if (scratch) return sort.to_run()(r, scratch.data(), scratch.size());
          }
          chosen = choose_without_scratch(problem, r.n, device, chosen);
          if (chosen.algorithm == route::nothing) throw out_of_memory();
        }
        return sort_in_place(r);
      } catch (const launch_refused& refused) {
        do_without(refused);
      }
    }
  }

  /// Finds the order only: out[i] becomes the index of the i-th element.
  template <class Index>
  static void run_indices(const request& r, Index* out, const memory_source& memory) {
    until_launches_fit([&] {
      const router::decision chosen = choose_route(problem, r.n, abilities<Index>());
      const nvtx_range range(name_of(chosen.algorithm));
      reject_impossible(chosen.algorithm, r.n);
      if (chosen.algorithm == route::nothing) return iota(r.stream, out, r.n);
      const auto sort = prepare_indices<Index>(chosen.algorithm, r.n);
      scratch_cursor sizes(nullptr);
      sizes.take<unsigned char>(sort.bytes);
      const std::size_t bytes = round_up<std::size_t>(sizes.used(), scratch_cursor::alignment);
      constexpr bool are_keys_moved = moved == router::layout::keys_with_indices;
      if (are_keys_moved) sizes.take<Key>(r.n);
      const auto scratch = scratch_buffer::or_throw(memory, sizes.used(), r.stream);
      request own = r;
      if (are_keys_moved) own.keys = scratch.template as<Key>(bytes);
      sort.to_run()(own, out, scratch.data(), bytes);
    });
  }

 private:
  static constexpr router::problem problem = Problem::value;
  static constexpr router::layout moved = router::layout_of(problem);
  static constexpr std::uint64_t max_narrow = router::max_narrow_index;

  using elements = sort_as_elements<Problem, Key, Compare, Values...>;
  template <class Index>
  using indices = sort_as_indices<Problem, Index, Key, Compare, Values...>;
  using few_with_indices =
      sort_as_indices<problem_with_indices<Problem>, std::uint32_t, Key, Compare, Values...>;

  // Whose pointers are aligned for wide moves, where elements are moved.
  using moved_key =
      std::conditional_t<moved == router::layout::elements, wide_stored_t<Key>, stored_t<Key>>;
  using first_sort = key_inference<moved_key, alignof(Key), by_stored_value<Compare>>;

  // One per 8 bits; of an encoded key, those of its fields.
  static constexpr int digits = [] {
    if constexpr (router::order_of(problem) == router::order_kind::encoded) {
      return ceil_div(encoded_bits<Compare, Key>, 8);
    } else {
      return static_cast<int>(sizeof(Key));
    }
  }();

  /// Returns where the kernels that sort were compiled: those of words, and CUB's, are linked.
  static constexpr code_origin origin_of(route chosen) {
    constexpr bool is_encoded = router::order_of(problem) == router::order_kind::encoded;
    constexpr bool is_linked_radix = (is_encoded ? problem.key_bits : 8 * sizeof(Key)) <= 64 &&
                                     (is_encoded || std::is_arithmetic_v<Key>)&&(
                                         problem.value_bytes % 4 == 0 && problem.value_bytes <= 8);
    const bool is_linked = chosen == route::radix_sort
                               ? is_linked_radix
                               : is_encoded && has_integer_key_v<Compare, Key>;
    return GPUSORT_HAS_LIBRARY && is_linked ? code_origin::library : code_origin::program;
  }

  /// Returns the abilities of the current device.
  template <class Index = std::uint32_t>
  static router::abilities abilities() {
    router::abilities device;
    device.block_bytes = tuned_block_bytes();
    if constexpr (router::may_take(problem, route::counting_sort)) {
      device.can_count = elements::counting::fits();
    }
    if constexpr (router::may_take(problem, route::single_launch_sample_sort)) {
      if constexpr (moved == router::layout::elements) {
        device.one_launch = elements::one_launch_limits();
      } else {
        device.one_launch = indices<Index>::one_launch_limits();
      }
    }
    if constexpr (router::may_carry_indices(problem)) {
      device.one_launch_with_indices = few_with_indices::one_launch_limits();
    }
    return device;
  }

  using prepared = prepared_sort<void(const request&, void* scratch, std::size_t bytes)>;
  template <class Index>
  using prepared_order =
      prepared_sort<void(const request&, Index* out, void* scratch, std::size_t bytes)>;

  /// Prepares the route that was chosen for n elements, where that does not sort in place. Runs:
  /// with its function, not only its bytes.
  template <bool Runs>
  static prepared prepare(const router::decision& chosen, bool is_in_place, std::uint64_t n) {
    if constexpr (router::may_carry_indices(problem)) {
      if (chosen.with_indices) {
        return visit_route<prepared, problem_with_indices<Problem>>(chosen.algorithm, [&](auto r) {
          return prepared_by<Runs, few_with_indices, r.value>(chosen, is_in_place, n);
        });
      }
    }
    return visit_route<prepared, Problem>(chosen.algorithm, [&](auto r) {
      if constexpr (r.value == route::bitonic_sort) {
        return prepared{};
      } else if constexpr (moved == router::layout::elements) {
        return prepared_by<Runs, elements, r.value>(chosen, is_in_place, n);
      } else {
        if (n <= max_narrow) {
          return prepared_by<Runs, indices<std::uint32_t>, r.value>(chosen, is_in_place, n);
        }
        if constexpr (router::takes_many(problem, r.value)) {
          return prepared_by<Runs, indices<std::uint64_t>, r.value>(chosen, is_in_place, n);
        } else {
          return prepared{};
        }
      }
    });
  }

  /// Prepares a route of a way of moving elements. Key inference has no form with less scratch.
  template <bool Runs, class Layout, route R>
  static prepared prepared_by(const router::decision& chosen, bool is_in_place, std::uint64_t n) {
    prepared sort;
    if constexpr (router::may_infer_key(problem)) {
      if (chosen.infers_key) {
        const std::size_t bytes = Layout::template scratch_bytes<R>(true, n);
        sort.bytes =
            key_inference_result(nullptr).bytes + (std::max)(first_sort::scratch_bytes(n), bytes);
        sort.least_bytes = sort.bytes;
        if constexpr (Runs) sort.run = &run_by_inferred_key<Layout, R>;
        return sort;
      }
    }
    sort.bytes = Layout::template scratch_bytes<R>(is_in_place, n);
    sort.least_bytes = sort.bytes;
    if constexpr (Layout::may_do_with_less) {
      sort.least_bytes = Layout::template least_scratch_bytes<R>(is_in_place, n);
    }
    if constexpr (Runs) sort.run = &Layout::template run<R>;
    return sort;
  }

  /// Prepares a route that only finds the order.
  template <class Index>
  static prepared_order<Index> prepare_indices(route chosen, std::uint64_t n) {
    return visit_route<prepared_order<Index>, Problem>(chosen, [&](auto r) {
      prepared_order<Index> sort;
      if constexpr (r.value != route::bitonic_sort) {
        sort.bytes = indices<Index>::template sort_bytes<r.value>(n);
        sort.least_bytes = sort.bytes;
        sort.run = &indices<Index>::template sort_indices<r.value>;
      }
      return sort;
    });
  }

  /// Returns the scratch that a sort wants, or the least; null where there is none.
  static scratch_buffer scratch_for(const prepared& sort, const memory_source& memory,
                                    cudaStream_t stream) {
    scratch_buffer scratch(memory, sort.bytes, stream);
    if (scratch || sort.least_bytes >= sort.bytes) return scratch;
    return scratch_buffer(memory, sort.least_bytes, stream);
  }

  /// Tries the order that a sample teaches first; the route leaves what is in order.
  template <class Layout, route R>
  static void run_by_inferred_key(const request& given, void* scratch, std::size_t bytes) {
    request r = given;
    relocate(r.stream, r.in, r.keys, r.n * sizeof(Key));
    r.in = r.keys;
    const key_inference_result found(scratch);
    void* const rest = static_cast<unsigned char*>(scratch) + found.bytes;
    first_sort::run(r.stream.without_completion(), reinterpret_cast<moved_key*>(r.keys), r.n,
                    {r.compare}, found, rest, bytes - found.bytes);
    r.known = found.probe;
    Layout::template run<R>(r, rest, bytes - found.bytes);
  }

  static void reject_impossible(route chosen, std::uint64_t n) {
    if (chosen == route::small_sort &&
        n > max_tile_items(router::tile_element_bytes(problem), tuned_block_bytes())) {
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

  static void copy_keys(const request& r) {
    if (r.in == r.keys) return;
    check(cudaMemcpyAsync(r.keys, r.in, r.n * sizeof(Key), cudaMemcpyDeviceToDevice, r.stream),
          "copying the range to be sorted");
  }

  static void sort_in_place(const request& r) {
    const nvtx_range range(name_of(route::bitonic_sort));
    copy_keys(r);
    if constexpr (!problem.stable) {
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
      // Who has not asked for the network meets it where not even a copy of the range fits.
      using network = std::conditional_t<problem.in_place || problem.forced == route::bitonic_sort,
                                         network_of<typename decltype(array)::value_type>,
                                         network_of_single_steps>;
      bitonic_sort<decltype(array), order, network>::run(r.stream, array, r.n, compare);
    }
  }
};

/// A sort of records by field, where the fields are: of a zip of contiguous ranges.
template <class Problem, class Compare, class Iterator>
struct field_sort {
  static constexpr bool is_possible() { return false; }
};

template <class Problem, class Compare, class First, class... Rest>
struct field_sort<Problem, Compare, thrust::zip_iterator<thrust::tuple<First, Rest...>>> {
  using zip = thrust::zip_iterator<thrust::tuple<First, Rest...>>;

  /// Whether the routes take columns: records that are moved at every pass, in an order that is
  /// known by comparisons only.
  static constexpr bool is_possible() {
    constexpr router::problem p = Problem::value;
    return is_contiguous_v<First> && (is_contiguous_v<Rest> && ...) &&
           router::layout_of(p) == router::layout::elements &&
           router::order_of(p) == router::order_kind::opaque && !p.in_place &&
           p.forced == route::nothing;
  }

  static plan plan_for(std::uint64_t n) {
    const router::decision chosen = choose(n);
    return plan_of(Problem::value, chosen, n, router::passes(chosen.algorithm, n, 0),
                   prepare<false>(chosen.algorithm, n).bytes, code_origin::program);
  }

  struct request {
    const zip& first;
    std::uint64_t n;
    const Compare& compare;
    call_stream stream;
  };

  static void run(const request& r, const memory_source& memory) {
    until_launches_fit([&] {
      const route chosen = choose(r.n).algorithm;
      if (chosen == route::nothing) return;
      const nvtx_range range(name_of(chosen));
      const prepared sort = prepare<true>(chosen, r.n);
      const auto scratch = scratch_buffer::or_throw(memory, sort.bytes, r.stream);
      sort.to_run()(r, scratch.data());
    });
  }

 private:
  using others = std::index_sequence_for<Rest...>;
  using rows_held = packed_or<value_t<zip>, Compare, Problem::value.stable, as_is>;
  using array = zip_array<value_t<zip>, typename rows_held::held, value_t<First>, value_t<Rest>...>;
  using order = by_stored_value<typename rows_held::compare>;

  static router::decision choose(std::uint64_t n) {
    router::abilities device;
    device.block_bytes = tuned_block_bytes();
    device.one_launch = one_launch_limits_of<array, order>();
    return choose_route(Problem::value, n, device);
  }

  using prepared = prepared_sort<void(const request&, void* scratch)>;

  template <bool Runs>
  static prepared prepare(route chosen, std::uint64_t n) {
    return visit_route<prepared, Problem>(chosen, [&](auto r) {
      prepared sort;
      if constexpr (r.value != route::bitonic_sort) {
        sort.bytes = by_route<r.value>::scratch_bytes(n);
        sort.least_bytes = sort.bytes;
        if constexpr (Runs) sort.run = &run_route<r.value>;
      }
      return sort;
    });
  }

  template <route R>
  using by_route = comparison_sort<R, array, order, Problem::value.stable>;

  template <route R>
  static void run_route(const request& r, void* scratch) {
    const array records = array_at(r.first, others{});
    by_route<R>::run(r.stream, records, records, r.n, order{rows_held::compare_of(r.compare)},
                     scratch);
  }

  template <std::size_t... Is>
  static array array_at(const zip& first, std::index_sequence<Is...>) {
    const auto& c = first.get_iterator_tuple();
    return {address_of(thrust::get<0>(c)), {address_of(thrust::get<Is + 1>(c))...}};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
