// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Makes `thrust::sort(gpusort::par_gpu, ...)`, `thrust::stable_sort`, `thrust::sort_by_key`,
/// `thrust::stable_sort_by_key`, `thrust::merge` and `thrust::merge_by_key` run gpusort's sorts and
/// merges, whatever stream, allocator and options the policy has. Every other Thrust algorithm runs
/// in Thrust, under the same policy.
///
/// Common to all calls:
/// - Parameters and results are Thrust's. For what gpusort takes, stability, scratch,
///   synchronization and exceptions are those of gpusort's function of the same name, in
///   <gpusort/sort.hpp> and <gpusort/merge.hpp>.
/// - `thrust::sort_by_key` keeps equal keys in order where that costs nothing.
/// - Elements that gpusort cannot take (see `gpusort::is_trivially_relocatable`) are sorted and
///   merged by Thrust, and keys of different types are merged by Thrust, which compares them as
///   they are. Under gpusort::verify and on_devices such calls are refused at compile time.
#pragma once

#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA

#include <thrust/pair.h>

#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/merge.hpp>
#include <gpusort/sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace thrust_hooks {

// Thrust calls these unqualified, with a non-const lvalue of the policy. They take the very type of
// the policy: a better match than Thrust's own functions, which take a base of it, and than
// gpusort's, which take it as const and are found as well.

/// Tells whether gpusort's sorts would compile for such elements.
template <class... Iterators>
inline constexpr bool are_ours = ((is_trivially_relocatable_v<detail::value_t<Iterators>> &&
                                   sizeof(detail::value_t<Iterators>) <= 4096) &&
                                  ...);

/// Tells whether gpusort's merges take what goes from two ranges to one, without converting it.
template <class Out, class In1, class In2>
inline constexpr bool is_our_column = std::is_same_v<detail::value_t<In1>, detail::value_t<In2>>&&
    std::is_same_v<detail::value_t<In1>, detail::merged_t<Out, In1>>&& are_ours<In1>;

/// Returns the policy as Thrust's, for what gpusort does not take; Thrust proves nothing.
template <class Policy>
auto& unproved(Policy& policy) {
  static_assert(
      !detail::has_option<Policy, verify_t> && !detail::is_spread<Policy>,
      "gpusort: verify and on_devices are for what gpusort sorts and merges, and this goes to "
      "Thrust: its elements are not trivially relocatable, or keys of a merge differ in their "
      "types");
  return theirs(policy);
}

/// Tells whether equivalent keys keep the order of their values, as they do under Thrust's own
/// policies, whose radix sort is then ours. gpusort::sort_by_key may be faster.
template <class Policy, class Key, class Compare>
constexpr bool is_stable_under_thrust() {
  using forced = detail::forced_algorithm<Policy>;
  using order = decltype(detail::canonical<Key>(std::declval<const Compare&>()));
  return detail::is_arithmetic_key_v<Key> && detail::is_less_or_greater_v<order> &&
         !detail::has_option<Policy, in_place_t> &&
         (std::is_void_v<forced> || std::is_same_v<forced, algorithm::radix_sort_t>);
}

/// Sorts by gpusort::sort, or in Thrust.
///
/// Common: see the top of this file.
template <class Mode, class Memory, class... Options, class Iterator>
void sort(execution_policy<Mode, Memory, Options...>& policy, Iterator first, Iterator last) {
  if constexpr (are_ours<Iterator>) {
    gpusort::sort(policy, first, last);
  } else {
    sort(unproved(policy), first, last);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class Iterator, class Compare>
void sort(execution_policy<Mode, Memory, Options...>& policy, Iterator first, Iterator last,
          Compare compare) {
  if constexpr (are_ours<Iterator>) {
    gpusort::sort(policy, first, last, compare);
  } else {
    sort(unproved(policy), first, last, compare);
  }
}

/// Sorts by gpusort::stable_sort, or in Thrust.
template <class Mode, class Memory, class... Options, class Iterator>
void stable_sort(execution_policy<Mode, Memory, Options...>& policy, Iterator first,
                 Iterator last) {
  if constexpr (are_ours<Iterator>) {
    gpusort::stable_sort(policy, first, last);
  } else {
    stable_sort(unproved(policy), first, last);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class Iterator, class Compare>
void stable_sort(execution_policy<Mode, Memory, Options...>& policy, Iterator first, Iterator last,
                 Compare compare) {
  if constexpr (are_ours<Iterator>) {
    gpusort::stable_sort(policy, first, last, compare);
  } else {
    stable_sort(unproved(policy), first, last, compare);
  }
}

/// Sorts by gpusort::sort_by_key, or in Thrust; by gpusort::stable_sort_by_key where keys are
/// arithmetic, the order is less or greater, and neither in_place nor an algorithm other than
/// radix_sort is asked for.
template <class Mode, class Memory, class... Options, class Keys, class Values, class Compare>
void sort_by_key(execution_policy<Mode, Memory, Options...>& policy, Keys keys_first,
                 Keys keys_last, Values values_first, Compare compare) {
  using policy_type = execution_policy<Mode, Memory, Options...>;
  if constexpr (!are_ours<Keys, Values>) {
    sort_by_key(unproved(policy), keys_first, keys_last, values_first, compare);
  } else if constexpr (is_stable_under_thrust<policy_type, detail::value_t<Keys>, Compare>()) {
    gpusort::stable_sort_by_key(policy, keys_first, keys_last, values_first, compare);
  } else {
    gpusort::sort_by_key(policy, keys_first, keys_last, values_first, compare);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class Keys, class Values>
void sort_by_key(execution_policy<Mode, Memory, Options...>& policy, Keys keys_first,
                 Keys keys_last, Values values_first) {
  if constexpr (are_ours<Keys, Values>) {
    thrust_hooks::sort_by_key(policy, keys_first, keys_last, values_first, less{});
  } else {
    sort_by_key(unproved(policy), keys_first, keys_last, values_first);
  }
}

/// Sorts by gpusort::stable_sort_by_key, or in Thrust.
template <class Mode, class Memory, class... Options, class Keys, class Values>
void stable_sort_by_key(execution_policy<Mode, Memory, Options...>& policy, Keys keys_first,
                        Keys keys_last, Values values_first) {
  if constexpr (are_ours<Keys, Values>) {
    gpusort::stable_sort_by_key(policy, keys_first, keys_last, values_first);
  } else {
    stable_sort_by_key(unproved(policy), keys_first, keys_last, values_first);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class Keys, class Values, class Compare>
void stable_sort_by_key(execution_policy<Mode, Memory, Options...>& policy, Keys keys_first,
                        Keys keys_last, Values values_first, Compare compare) {
  if constexpr (are_ours<Keys, Values>) {
    gpusort::stable_sort_by_key(policy, keys_first, keys_last, values_first, compare);
  } else {
    stable_sort_by_key(unproved(policy), keys_first, keys_last, values_first, compare);
  }
}

/// Merges by gpusort::merge, or in Thrust.
template <class Mode, class Memory, class... Options, class In1, class In2, class Out,
          class Compare>
Out merge(execution_policy<Mode, Memory, Options...>& policy, In1 first1, In1 last1, In2 first2,
          In2 last2, Out out, Compare compare) {
  if constexpr (is_our_column<Out, In1, In2>) {
    return gpusort::merge(policy, first1, last1, first2, last2, out, compare);
  } else {
    return merge(unproved(policy), first1, last1, first2, last2, out, compare);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class In1, class In2, class Out>
Out merge(execution_policy<Mode, Memory, Options...>& policy, In1 first1, In1 last1, In2 first2,
          In2 last2, Out out) {
  if constexpr (is_our_column<Out, In1, In2>) {
    return gpusort::merge(policy, first1, last1, first2, last2, out);
  } else {
    return merge(unproved(policy), first1, last1, first2, last2, out);
  }
}

/// Merges by gpusort::merge_by_key, or in Thrust.
template <class Mode, class Memory, class... Options, class Keys1, class Keys2, class Values1,
          class Values2, class OutKeys, class OutValues, class Compare>
::thrust::pair<OutKeys, OutValues> merge_by_key(execution_policy<Mode, Memory, Options...>& policy,
                                                Keys1 keys_first1, Keys1 keys_last1,
                                                Keys2 keys_first2, Keys2 keys_last2,
                                                Values1 values_first1, Values2 values_first2,
                                                OutKeys keys_out, OutValues values_out,
                                                Compare compare) {
  if constexpr (is_our_column<OutKeys, Keys1, Keys2> &&
                is_our_column<OutValues, Values1, Values2>) {
    const auto ends =
        gpusort::merge_by_key(policy, keys_first1, keys_last1, keys_first2, keys_last2,
                              values_first1, values_first2, keys_out, values_out, compare);
    return {ends.first, ends.second};
  } else {
    return merge_by_key(unproved(policy), keys_first1, keys_last1, keys_first2, keys_last2,
                        values_first1, values_first2, keys_out, values_out, compare);
  }
}

/// @overload
template <class Mode, class Memory, class... Options, class Keys1, class Keys2, class Values1,
          class Values2, class OutKeys, class OutValues>
::thrust::pair<OutKeys, OutValues> merge_by_key(execution_policy<Mode, Memory, Options...>& policy,
                                                Keys1 keys_first1, Keys1 keys_last1,
                                                Keys2 keys_first2, Keys2 keys_last2,
                                                Values1 values_first1, Values2 values_first2,
                                                OutKeys keys_out, OutValues values_out) {
  if constexpr (is_our_column<OutKeys, Keys1, Keys2> &&
                is_our_column<OutValues, Values1, Values2>) {
    return thrust_hooks::merge_by_key(policy, keys_first1, keys_last1, keys_first2, keys_last2,
                                      values_first1, values_first2, keys_out, values_out, less{});
  } else {
    return merge_by_key(unproved(policy), keys_first1, keys_last1, keys_first2, keys_last2,
                        values_first1, values_first2, keys_out, values_out);
  }
}

}  // namespace thrust_hooks
}  // namespace GPUSORT_ABI
}  // namespace gpusort

#endif
