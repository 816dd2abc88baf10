// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/algorithm/apply_permutation.hpp>
#include <gpusort/detail/algorithm/index_bitonic_sort.hpp>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/requirements/index.hpp>
#include <gpusort/detail/kernel/fetch_keys.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <limits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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

  /// Writes offsets[i], that of the i-th. Throws gpusort::out_of_memory.
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

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
