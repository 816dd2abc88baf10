// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/index_sort.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <type_traits>

#if GPUSORT_CUDA
#include <gpusort/detail/algorithm/apply_permutation.hpp>
#include <gpusort/detail/algorithm/index_bitonic_sort.hpp>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/kernel/fetch_keys.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <limits>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Index, class Swap>
constexpr auto require_swap() {
  require_function<Swap>();
  static_assert(sizeof(Index) <= 8, "gpusort: indices of more than 64 bits are not supported");
  static_assert(std::is_invocable_v<Swap&, Index, Index>,
                "gpusort: swap must be callable as swap(i, j) with two indices");
  require_device_call<Swap, Index, Index>();
}

template <class Index, class Compare, class Swap>
constexpr auto require_index_functions() {
  require_function<Compare>();
  static_assert(answers<Compare, Index, Index>::value || !answers<Swap, Index, Index>::value,
                "gpusort: compare comes before swap, as in sort(policy, first, last, compare, "
                "swap); swap the two arguments");
  static_assert(answers<Compare, Index, Index>::value || answers<Swap, Index, Index>::value,
                "gpusort: without a fetch, the comparator must be callable as compare(i, j) with "
                "two indices, and its result convertible to bool");
  require_device_call<Compare, Index, Index>();
  require_swap<Index, Swap>();
}

template <class Index, class Fetch>
constexpr auto require_fetch() {
  require_function<Fetch>();
#if GPUSORT_CUDA && defined(__CUDACC_EXTENDED_LAMBDA__)
  static_assert(!__nv_is_extended_device_lambda_closure_type(Fetch) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(Fetch),
                "gpusort: what a __device__ lambda returns is unknown on the host; give fetch a "
                "trailing return type, or make it __host__ __device__");
#endif
  static_assert(
      std::is_invocable_v<Fetch&, Index>,
      "gpusort: fetch must be callable as fetch(i) with an index; the arguments are fetch, "
      "compare and swap, in this order");
  static_assert(!std::is_void_v<std::invoke_result_t<Fetch&, Index>>,
                "gpusort: fetch must return the key at an index");
  require_device_call<Fetch, Index>();
}

/// Stands for what fetch returns, by value.
template <class Fetch, class Index>
using fetched_t = std::decay_t<std::invoke_result_t<Fetch&, Index>>;

#if GPUSORT_CUDA

/// The user's comparator of indices, for offsets from the first index.
template <class Index, class Compare>
struct by_index {
  Index first;
  Compare compare;
  template <class Offset>
  GPUSORT_DEVICE bool operator()(const Offset& a, const Offset& b) {
    return static_cast<bool>(compare(index_at(first, a), index_at(first, b)));
  }
};

template <class Index, class Compare>
inline constexpr bool follows_indices<by_index<Index, Compare>> = true;

template <class Index, class Swap>
struct swap_by_index {
  Index first;
  Swap swap;
  template <class Offset>
  GPUSORT_DEVICE void operator()(Offset i, Offset j) {
    swap(index_at(first, i), index_at(first, j));
  }
};

/// The keys of an index sort: what fetch returns.
template <class Index, class Fetch, class Compare>
class fetched_keys {
 public:
  fetched_keys(Index first, const Fetch& fetch, const Compare& compare)
      : first_(first), fetch_(fetch), compare_(compare) {}

  /// Writes to offsets[i] the offset of the i-th index of the order. Throws gpusort::out_of_memory.
  template <bool Stable, class Offset, class Call>
  void find_order(const Call& call, std::uint64_t n, Offset* offsets) const {
    const auto memory = scratch_buffer::or_throw(call.memory, bytes_of<key>(n), call.stream);
    key* const keys = memory.template as<key>();
    constexpr int threads = 256;
    launch(kernel::fetch_keys_kernel<threads, Index, Fetch, key>,
           ceil_div<std::uint64_t>(n, threads), threads, 0, call.stream, first_, n, fetch_, keys);
    if constexpr (offsets_move_along<Stable, Offset, Call>()) {
      iota(call.stream, offsets, n);
      using problem = problem_of<Call, Stable, false, Compare, key, Offset>;
      device_sort<problem, key, Compare, Offset>::run(
          {keys, keys, n, compare_, {offsets}, stream_of_call(call, nullptr), true}, call.memory);
    } else {
      // Offsets are in a stable order in any case.
      using problem = problem_of<Call, true, true, Compare, key>;
      device_sort<problem, key, Compare>::run_indices(
          {keys, keys, n, compare_, {}, stream_of_call(call, nullptr), true}, offsets, call.memory);
    }
  }

  template <class Swap>
  void sort_in_place(cudaStream_t stream, std::uint64_t n, const Swap& swap) const {
    fetch_bitonic_sort<Index, Fetch, Compare, Swap>::run(stream, first_, n, fetch_, compare_, swap);
  }

 private:
  using key = fetched_t<Fetch, Index>;

  /// Whether offsets are sorted with the keys, as values. An order that the library sees through
  /// is read off the keys instead, and large keys are pointed at.
  template <bool Stable, class Offset, class Call>
  static constexpr bool offsets_move_along() {
    if constexpr (Call::forced == route::radix_sort || Call::forced == route::counting_sort) {
      return false;
    } else {
      constexpr router::problem only = problem_of<Call, true, true, Compare, key>::value;
      constexpr router::problem beside =
          problem_of<Call, Stable, false, Compare, key, Offset>::value;
      return router::order_of(only) == router::order_kind::opaque &&
             router::layout_of(beside) == router::layout::elements;
    }
  }

  Index first_;
  Fetch fetch_;
  Compare compare_;
};

/// An index sort without keys: offsets are compared.
template <class Index, class Compare>
class compared_indices {
 public:
  compared_indices(Index first, const Compare& compare) : first_(first), compare_(compare) {}

  template <bool Stable, class Offset, class Call>
  void find_order(const Call& call, std::uint64_t n, Offset* offsets) const {
    using problem = problem_of<Call, Stable, false, order, Offset>;
    iota(call.stream, offsets, n);
    device_sort<problem, Offset, order>::run(
        {offsets, offsets, n, {first_, compare_}, {}, stream_of_call(call, nullptr), true},
        call.memory);
  }

  template <class Swap>
  void sort_in_place(cudaStream_t stream, std::uint64_t n, const Swap& swap) const {
    index_bitonic_sort<Index, Compare, Swap>::run(stream, first_, n, compare_, swap);
  }

 private:
  using order = by_index<Index, Compare>;

  Index first_;
  Compare compare_;
};

/// Finds the order while nothing is moved, then swaps. Where there is no scratch nothing has
/// happened, and gpusort::out_of_memory is thrown.
template <bool Stable, class Offset, class Call, class Index, class Keys, class Swap>
void sort_by_order(const Call& call, Index first, std::uint64_t n, const Keys& keys,
                   const Swap& swap) {
  using apply = apply_permutation<Offset, swap_by_index<Index, Swap>>;
  const auto order = scratch_buffer::or_throw(call.memory, bytes_of<Offset>(n), call.stream);
  Offset* const offsets = order.template as<Offset>();
  keys.template find_order<Stable>(call, n, offsets);
  const auto scratch = scratch_buffer::or_throw(call.memory, apply::scratch_bytes(n), call.stream);
  apply::run(call.stream, offsets, n, {first, swap}, scratch.data());
}

template <bool Stable, class Call, class Index, class Keys, class Swap>
void index_sort_on_device(const Call& call, Index first, std::uint64_t n, const Keys& keys,
                          const Swap& swap) {
  device_scope<Call> section(call, {}, false);
  if constexpr (Call::in_place || Call::forced == route::bitonic_sort) {
    keys.sort_in_place(call.stream, n, swap);
  } else {
    try {
      if (n <= (std::numeric_limits<std::uint32_t>::max)()) {
        sort_by_order<Stable, std::uint32_t>(call, first, n, keys, swap);
      } else if constexpr (sizeof(Index) > 4) {
        sort_by_order<Stable, std::uint64_t>(call, first, n, keys, swap);
      }
    } catch (const out_of_memory&) {
      if constexpr (Stable || Call::deterministic) {
        throw;  // the network would leave equivalent elements in another order
      } else {
        keys.sort_in_place(call.stream, n, swap);
      }
    }
  }
  section.finish();
}

#endif

template <class Index, class Bound>
Index index_bound(Bound bound) {
  if constexpr (std::is_signed_v<Bound> && !std::is_signed_v<Index>) {
    if (bound < 0) {
      refuse(
          "a bound is negative, and the common type of the bounds is unsigned; pass signed bounds");
    }
  }
  return static_cast<Index>(bound);
}

template <class Index>
struct index_range {
  Index first;
  std::uint64_t n;

  template <class First, class Last>
  index_range(First from, Last to) : first(index_bound<Index>(from)) {
    const Index last = index_bound<Index>(to);
    if (last < first) {
      refuse("last is before first; pass the first index and then the one after the last");
    }
    n = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
};

template <bool Stable, class Call>
void reject_stable_in_place() {
  if constexpr (Stable && (Call::in_place || Call::forced == route::bitonic_sort)) {
    refuse(stable_in_place);
  }
}

/// Proves that the indexed elements ascend.
template <class Operation>
struct proof_of_indexed {
  const Operation& sort;

#if GPUSORT_CUDA

  pointer_kind owner() const { return {}; }

  template <class Call>
  unsigned long long before(const Call&) const {
    return 0;
  }

  template <class Call>
  void after(const Call& call, unsigned long long) const {
    const device_record record(call);
    verification::run(call.stream, hidden_elements{}, 0, sort.range.n, sort.ascending(),
                      record.get());
    require_proof(0, record.read());
  }

#endif

  template <class Call, class Run>
  void without_device(const Run& run) const {
    sort.template with_descents<Call>([&](auto descends) {
      run();
      pass_record found;
      found.first_wrong = host::first_wrong(static_cast<std::size_t>(sort.range.n), descends);
      require_proof(0, found);
    });
  }
};

/// Sorts the elements at n indices, compared as indices.
template <bool Stable, class Index, class Compare, class Swap>
struct sort_by_index_operation : operation_traits {
  index_range<Index> range;
  Compare compare;
  Swap swap;

  proof_of_indexed<sort_by_index_operation> proof() const { return {*this}; }

  template <class Call>
  bool has_work() const {
    reject_stable_in_place<Stable, Call>();
    return range.n >= 2;
  }

#if GPUSORT_CUDA

  ascending_indices<Index, Compare> ascending() const { return {range.first, compare}; }

  template <class Call>
  void with_device(const Call& call) const {
    index_sort_on_device<Stable>(call, range.first, range.n,
                                 compared_indices<Index, Compare>(range.first, compare), swap);
  }

#endif

  template <class Call>
  void without_device() const {
    on_host<Call>(
        [&](auto compare_here, auto swap_here) {
          host::sort_by_index(range.first, range.n, compare_here, swap_here, Call::in_place);
        },
        compare, swap);
  }

  /// Calls body(descends), which tells whether the i-th element is before its predecessor.
  template <class Call, class Body>
  void with_descents(const Body& body) const {
    on_host<Call>(
        [&](auto compare_here) {
          body([&](std::size_t i) {
            return i > 0 && static_cast<bool>(compare_here(index_at(range.first, i),
                                                           index_at(range.first, i - 1)));
          });
        },
        compare);
  }
};

/// Sorts the elements at n indices by keys, which fetch makes of indices.
template <bool Stable, class Index, class Fetch, class Compare, class Swap>
struct sort_by_fetch_operation : operation_traits {
  index_range<Index> range;
  Fetch fetch;
  Compare compare;
  Swap swap;

  proof_of_indexed<sort_by_fetch_operation> proof() const { return {*this}; }

  template <class Call>
  bool has_work() const {
    reject_stable_in_place<Stable, Call>();
    return range.n >= 2;
  }

#if GPUSORT_CUDA

  ascending_fetched_keys<Index, Fetch, Compare, fetched_t<Fetch, Index>> ascending() const {
    return {range.first, fetch, compare};
  }

  template <class Call>
  void with_device(const Call& call) const {
    index_sort_on_device<Stable>(call, range.first, range.n,
                                 fetched_keys<Index, Fetch, Compare>(range.first, fetch, compare),
                                 swap);
  }

#endif

  template <class Call>
  void without_device() const {
    on_host<Call>(
        [&](auto fetch_here, auto compare_here, auto swap_here) {
          host::sort_by_fetch(range.first, range.n, fetch_here, compare_here, swap_here,
                              Call::in_place);
        },
        fetch, compare, swap);
  }

  /// Calls body(descends), which tells whether the i-th element is before its predecessor.
  template <class Call, class Body>
  void with_descents(const Body& body) const {
    on_host<Call>(
        [&](auto fetch_here, auto compare_here) {
          using key = fetched_t<Fetch, Index>;
          body([&](std::size_t i) {
            if (i == 0) return false;
            const key here = fetch_here(index_at(range.first, i));
            const key left = fetch_here(index_at(range.first, i - 1));
            return static_cast<bool>(compare_here(here, left));
          });
        },
        fetch, compare);
  }
};

template <bool Stable, class Call, class Index, class Compare, class Swap>
void sort_by_index(const Call& call, const index_range<Index>& range, const Compare& compare,
                   const Swap& swap) {
  require_route<problem_of<Call, Stable, false, Compare, Index>>();
  run_call(call, sort_by_index_operation<Stable, Index, Compare, Swap>{{}, range, compare, swap});
}

template <bool Stable, class Call, class Index, class Fetch, class Compare, class Swap>
void sort_by_fetch(const Call& call, const index_range<Index>& range, const Fetch& fetch,
                   const Compare& compare, const Swap& swap) {
  require_route<problem_of<Call, true, true, Compare, fetched_t<Fetch, Index>>>();
  run_call(call, sort_by_fetch_operation<Stable, Index, Fetch, Compare, Swap>{
                     {}, range, fetch, compare, swap});
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
