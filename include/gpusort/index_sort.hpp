// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting without a container: sort and stable_sort of the elements at the indices [first, last),
/// given by functions that compare and swap them, and perhaps one that fetches a key.
///
/// Common to all calls:
/// - Bounds are integers of two types that may differ; functions are called with the type that
///   arithmetic makes of both: size_t for `0, n` with a size_t n.
/// - compare(i, j): whether the element at i belongs before the one at j. swap(i, j): exchanges the
///   two. fetch(i): the key of element i, of a trivially relocatable type and at most 4 KB; then
///   compare(a, b) compares keys, and gpusort::less and greater are transparent orders, which the
///   library reads off the keys. A __device__ lambda used as fetch needs a trailing return type.
/// - The functions are copied, as parameters of kernels, and called on the device: what they touch
///   must be within its reach, which the library cannot check. The device is that of the policy's
///   stream, without one the current one.
/// - Swaps that run at the same time have no index in common; no index is swapped with itself. A
///   swap of indices whose data share a word, such as bits, must be atomic itself. One thread may
///   swap an index several times: swap must not read through __ldg; nor must compare and fetch,
///   unless the sort is stable, as a sort without scratch is in place.
/// - compare and fetch are called while nothing is moved, except in place: there swaps come in
///   between, of other indices.
/// - At most n - 1 swaps, the fewest that lead to the order found, except in place.
/// - Whatever compare answers, the number of calls is bounded, and all that swap does is exchange:
///   the elements at the indices end as a permutation.
/// - Under deterministic, equivalent elements end in the same order in every run.
/// - Forced algorithms find the order, where they can: bitonic_sort is in_place, radix_sort wants a
///   fetch and a transparent order.
/// - On a machine without a CUDA device, or compiled without nvcc, the CPU does the same, where the
///   functions may run there.
/// - Synchronization: par_gpu returns when the result is ready, par_gpu_nosync when the work is on
///   the stream, which may be captured into a CUDA graph.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | last is before first |
/// | std::invalid_argument | a bound is negative and the indices are unsigned |
/// | std::invalid_argument | small_sort is forced for more than a block holds |
/// | gpusort::cuda_error | CUDA reports an error |
/// | gpusort::out_of_memory | scratch cannot be allocated under deterministic; nothing is swapped |
/// | a function's exception | it throws on the CPU |
#pragma once

#include <gpusort/detail/dispatch/index_sort.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Policy, class First, class Last>
using enable_index_sort =
    std::enable_if_t<is_policy<Policy>::value && are_index_bounds_v<First, Last>, int>;

template <bool Stable, class Policy, class First, class Last, class Compare, class Swap>
void sort_indices(const Policy& policy, First first, Last last, const Compare& compare,
                  const Swap& swap) {
  using index = index_t<First, Last>;
  require_index_functions<index, Compare, Swap>();
  if constexpr (is_for_kernels_v<Compare> && answers<Compare, index, index>::value &&
                is_for_kernels_v<Swap>) {
    sort_by_index<Stable>(call_of(policy), index_range<index>(first, last), compare, swap);
  }
}

template <bool Stable, class Policy, class First, class Last, class Fetch, class Compare,
          class Swap>
void sort_indices(const Policy& policy, First first, Last last, const Fetch& fetch,
                  const Compare& compare, const Swap& swap) {
  using index = index_t<First, Last>;
  require_fetch<index, Fetch>();
  using key = fetched_t<Fetch, index>;
  require_element<key>();
  require_comparator<key, Compare>();
  require_swap<index, Swap>();
  if constexpr (is_for_kernels_v<Fetch> && is_for_kernels_v<Swap>) {
    sort_by_fetch<Stable>(call_of(policy), index_range<index>(first, last), fetch,
                          canonical<key>(compare), swap);
  }
}

}  // namespace detail

/// Sorts the elements at the indices [first, last).
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param first  the first index, an integer
/// @param last  after the last index
/// @param compare  compare(i, j): whether the element at i belongs before the one at j
/// @param swap  swap(i, j): exchanges the two
/// @par Cost
/// O(n log n) comparisons and at most n - 1 swaps. In place O(n log^2 n) of both: on a device by a
/// bitonic network, on the CPU by merging by rotation.
/// @par Stability
/// Not stable: equivalent elements end in any order.
/// @par Scratch
/// | n indices | Bytes |
/// |---|---|
/// | less than 2^32 | about 11 n |
/// | 2^32 and more | about 19 n |
/// | any, without scratch or under in_place | none: the sort is in place |
/// @par Source
/// Paper 003, section 6 (the order); paper 004, section 3.4 (the calls, the network);
/// docs/internals/container_free.md (the swaps).
template <class Policy, class First, class Last, class Compare, class Swap,
          detail::enable_index_sort<Policy, First, Last> = 0>
void sort(const Policy& policy, First first, Last last, Compare compare, Swap swap) {
  const detail::public_call name("sort");
  detail::sort_indices<false>(policy, first, last, compare, swap);
}

/// @overload
/// Sorts by keys that are fetched: compare does not look at the elements at the indices.
///
/// @param fetch  fetch(i): the key of element i. Called once for each index; more than once in
/// place, and on the CPU for keys of more than 16 bytes
/// @param compare  compare(a, b): the order of keys
/// @par Scratch
/// | Order of keys of K bytes | n < 2^32 | n >= 2^32 |
/// |---|---|---|
/// | transparent | (K + 20) n | (K + 32) n |
/// | opaque | about (2 K + 8) n | about (2 K + 16) n |
/// | any, without scratch | none: the sort is in place | none: the sort is in place |
template <class Policy, class First, class Last, class Fetch, class Compare, class Swap,
          detail::enable_index_sort<Policy, First, Last> = 0>
void sort(const Policy& policy, First first, Last last, Fetch fetch, Compare compare, Swap swap) {
  const detail::public_call name("sort");
  detail::sort_indices<false>(policy, first, last, fetch, compare, swap);
}

/// Sorts the elements at the indices [first, last) stably.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like first, last, compare and swap
/// @par Cost
/// As sort, but never in place.
/// @par Stability
/// Stable: equivalent elements keep their order.
/// @par Scratch
/// As sort.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | scratch cannot be allocated on a device; nothing has been swapped |
/// | std::invalid_argument | under in_place |
template <class Policy, class First, class Last, class Compare, class Swap,
          detail::enable_index_sort<Policy, First, Last> = 0>
void stable_sort(const Policy& policy, First first, Last last, Compare compare, Swap swap) {
  const detail::public_call name("stable_sort");
  detail::sort_indices<true>(policy, first, last, compare, swap);
}

/// @overload
/// Sorts by keys that are fetched; scratch as the sort with fetch.
template <class Policy, class First, class Last, class Fetch, class Compare, class Swap,
          detail::enable_index_sort<Policy, First, Last> = 0>
void stable_sort(const Policy& policy, First first, Last last, Fetch fetch, Compare compare,
                 Swap swap) {
  const detail::public_call name("stable_sort");
  detail::sort_indices<true>(policy, first, last, fetch, compare, swap);
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
