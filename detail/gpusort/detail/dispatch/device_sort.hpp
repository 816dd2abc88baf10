// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/algorithm/key_inference.hpp>
#include <gpusort/detail/dispatch/sort_as_elements.hpp>
#include <gpusort/detail/dispatch/sort_as_indices.hpp>
#include <gpusort/detail/dispatch/visit_route.hpp>
#include <gpusort/detail/router/estimates.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/tile/columns_array.hpp>
#include <limits>
#include <tuple>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A problem's elements with their indices, where they are few.
template <class Problem>
struct problem_with_indices {
  static constexpr router::problem value = router::with_indices(Problem::value);
};

/// A sort on the current device: plans it, takes the scratch, runs it, or runs what needs less.
template <class Problem, class Key, class Compare, class... Values>
class device_sort {
 public:
  using request = sort_request<Key, Compare, Values...>;

  static plan plan_for(std::uint64_t n) {
    const router::decision decision = router::choose(problem, n, abilities<>());
    const int moves = decision.with_indices               ? problem.value_ranges
                      : moved == router::layout::elements ? 0
                                                          : 1 + problem.value_ranges;
    const router::two_estimates estimates = router::estimates_of(problem, n, decision);
    return {decision.algorithm,
            decision.reason,
            router::passes(decision.algorithm, n, digits) + moves,
            scratch_bytes(decision, true, n),
            estimates.chosen,
            estimates.next_best};
  }

  /// Returns the scratch bytes of the plan, without its estimates, which every sort of host memory
  /// would compile.
  static std::size_t scratch_bytes(std::uint64_t n) {
    return scratch_bytes(router::choose(problem, n, abilities<>()), true, n);
  }

  /// Throws std::invalid_argument where a forced route cannot do the sort, and
  /// gpusort::out_of_memory where no route has the scratch it needs; then nothing has been touched.
  static void run(const request& r, const memory_source& memory) {
    until_launches_fit([&] {
      const router::abilities device = abilities<>();
      router::decision chosen = router::choose(problem, r.n, device);
      reject_impossible(chosen.algorithm, r.n);
      if (chosen.algorithm == route::nothing) return copy_keys(r);
      while (chosen.algorithm != route::bitonic_sort) {
        if (ran(chosen, r, memory)) return;
        chosen = router::without_scratch(problem, r.n, device, chosen);
        if (chosen.algorithm == route::nothing) throw out_of_memory();
      }
      sort_in_place(r);
    });
  }

  /// Finds the order only: out[i] becomes the index of the i-th element.
  template <class Index>
  static void run_indices(const request& r, Index* out, const memory_source& memory) {
    until_launches_fit([&] {
      const router::decision chosen = router::choose(problem, r.n, abilities<Index>());
      const nvtx_range range(name_of(chosen.algorithm));
      reject_impossible(chosen.algorithm, r.n);
      if (chosen.algorithm == route::nothing) return iota(r.stream, out, r.n);
      visit_route<Problem>(chosen.algorithm, [&](auto route_of_it) {
        constexpr route taken = route_of_it.value;
        if constexpr (taken != route::bitonic_sort) {
          scratch_cursor sizes(nullptr);
          sizes.take<unsigned char>(indices<Index>::template sort_bytes<taken>(r.n));
          const std::size_t bytes = round_up<std::size_t>(sizes.used(), scratch_cursor::alignment);
          constexpr bool are_keys_moved = moved == router::layout::keys_with_indices;
          if (are_keys_moved) sizes.take<Key>(r.n);
          const auto scratch = scratch_buffer::or_throw(memory, sizes.used(), r.stream);
          request own = r;
          if (are_keys_moved) own.keys = scratch.template as<Key>(bytes);
          indices<Index>::template sort_indices<taken>(own, out, scratch.data(), bytes);
        }
      });
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

  /// Returns the abilities of the current device.
  template <class Index = std::uint32_t>
  static router::abilities abilities() {
    router::abilities device;
    if constexpr (router::may_take(problem, route::counting_sort)) {
      device.can_count = elements::counting::fits();
    }
    if constexpr (router::may_take(problem, route::single_launch_sample_sort)) {
      if constexpr (moved == router::layout::elements) {
        device.few = elements::few_limits();
      } else {
        device.few = indices<Index>::few_limits();
      }
    }
    if constexpr (router::may_carry_indices(problem)) {
      device.few_with_indices = few_with_indices::few_limits();
    }
    return device;
  }

  /// Returns false where there is no scratch for it; then nothing has happened.
  static bool ran(const router::decision& chosen, const request& r, const memory_source& memory) {
    if (!r.is_aligned && !chosen.with_indices) return false;
    const nvtx_range range(name_of(chosen.algorithm));
    std::size_t bytes = scratch_bytes(chosen, r.in == r.keys, r.n);
    scratch_buffer scratch(memory, bytes, r.stream);
    if (!scratch) {
      const std::size_t least = least_scratch_bytes(chosen, r.in == r.keys, r.n);
      if (least >= bytes) return false;
      bytes = least;
      scratch = scratch_buffer(memory, bytes, r.stream);
      if (!scratch) return false;
    }
    visit_chosen(chosen, r.n, [&](auto sort) {
      if constexpr (router::may_infer_key(problem)) {
        if (chosen.infers_key) return run_by_inferred_key(sort, r, scratch.data(), bytes);
      }
      sort.run(r, scratch.data(), bytes);
    });
    return true;
  }

  static std::size_t scratch_bytes(const router::decision& chosen, bool is_in_place,
                                   std::uint64_t n) {
    std::size_t bytes = 0;
    visit_chosen(chosen, n, [&](auto sort) {
      bytes = sort.scratch_bytes(is_in_place || chosen.infers_key, n);
      if constexpr (router::may_infer_key(problem)) {
        if (chosen.infers_key) {
          bytes =
              key_inference_result(nullptr).bytes + (std::max)(first_sort::scratch_bytes(n), bytes);
        }
      }
    });
    return bytes;
  }

  /// Returns the least scratch of the route. Key inference has no smaller form.
  static std::size_t least_scratch_bytes(const router::decision& chosen, bool is_in_place,
                                         std::uint64_t n) {
    std::size_t bytes = ~std::size_t{0};
    visit_chosen(chosen, n, [&](auto sort) {
      if constexpr (sort.may_do_with_less) bytes = sort.least_scratch_bytes(is_in_place, n);
    });
    return bytes;
  }

  /// A route of a way of moving elements.
  template <class Layout, route R>
  struct routed_sort {
    static std::size_t scratch_bytes(bool is_in_place, std::uint64_t n) {
      return Layout::template scratch_bytes<R>(is_in_place, n);
    }
    static constexpr bool may_do_with_less = Layout::may_do_with_less;
    static std::size_t least_scratch_bytes(bool is_in_place, std::uint64_t n) {
      return Layout::template least_scratch_bytes<R>(is_in_place, n);
    }
    static void run(const request& r, void* scratch, std::size_t bytes) {
      Layout::template run<R>(r, scratch, bytes);
    }
  };

  /// Calls visit(routed_sort) of the route that was chosen for n elements; of none in place.
  template <class Visit>
  static void visit_chosen(const router::decision& chosen, std::uint64_t n, const Visit& visit) {
    if constexpr (router::may_carry_indices(problem)) {
      if (chosen.with_indices) {
        return visit_route<problem_with_indices<Problem>>(
            chosen.algorithm, [&](auto r) { visit(routed_sort<few_with_indices, r.value>{}); });
      }
    }
    visit_route<Problem>(chosen.algorithm, [&](auto r) {
      if constexpr (r.value == route::bitonic_sort) {
        return;
      } else if constexpr (moved == router::layout::elements) {
        visit(routed_sort<elements, r.value>{});
      } else {
        if (n <= max_narrow) return visit(routed_sort<indices<std::uint32_t>, r.value>{});
        if constexpr (router::takes_many(problem, r.value)) {
          visit(routed_sort<indices<std::uint64_t>, r.value>{});
        }
      }
    });
  }

  /// Tries the order that a sample teaches first; `sort` leaves what is in order.
  template <class Sort>
  static void run_by_inferred_key(Sort sort, request r, void* scratch, std::size_t bytes) {
    relocate(r.stream, r.in, r.keys, r.n * sizeof(Key));
    r.in = r.keys;
    const key_inference_result found(scratch);
    void* const rest = static_cast<unsigned char*>(scratch) + found.bytes;
    first_sort::run(r.stream.without_completion(), reinterpret_cast<moved_key*>(r.keys), r.n,
                    {r.compare}, found, rest, bytes - found.bytes);
    r.known = found.probe;
    sort.run(r, rest, bytes - found.bytes);
  }

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
      bitonic_sort<decltype(array), order>::run(r.stream, array, r.n, compare);
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
