// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting on several devices of one process: the option gpusort::devices, which
/// `policy.on_devices({0, 1})` adds, for ranges in host memory; and gpusort::shards, ranges that
/// lie on several devices, with sort, stable_sort, sort_balanced, sort_by_key, stable_sort_by_key,
/// is_sorted, merge and select of them. A header of its own, as few programs need it.
///
/// Common to these calls:
/// - Each device sorts its part; splitters are selected so that every part of the result has as
///   many elements as it is to have, exactly, whatever the elements are; parts are exchanged, and
///   each device merges what it has got. Equivalent elements are ordered by shard and position.
/// - Devices that reach each other's memory (cudaDeviceCanAccessPeer) are allowed to, each two of
///   those of the call, for good, and copy directly; others copy through page-locked host memory.
///   Kernels reach into another device's scratch, never into a shard there: that is only copied, by
///   cudaMemcpyPeerAsync, also where peer access does not open it, as memory of cudaMallocAsync.
/// - Elements, comparators and projections: as those of <gpusort/sort.hpp>. Whatever the comparator
///   answers, the shards together end as a permutation of their input, with the counts that they
///   should have.
/// - Scratch, on each device: that of its own sort, at least n_i E bytes and little besides, where
///   n_i is the larger of its count before and after; two indices for each element more where there
///   are several ranges of values. Keys without values take n_i E bytes more where there is memory
///   for them and devices reach each other: they are merged from where they are, not copied first;
///   or, where sort exchanges buckets, a third more, and 2 bytes for each element. Only scratch of
///   the library's own is shared so; an allocator of the policy is called with the device current
///   that the memory is for. `gpusort::scratch` and `in_place` are for one device and do not
///   compile.
/// - Synchronization: work begins after what is on the policy's stream, which may belong to any
///   device; without a stream, after what each device has on its default stream. Calls wait for
///   their result under any policy. None can be captured into a graph.
/// - Compiled without nvcc, and on a machine without a device, the same is done on the CPU.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | shards make no sense |
/// | gpusort::cuda_error | CUDA reports an error; the text names the device |
/// | gpusort::out_of_memory | scratch cannot be allocated; the text names the device |
/// | a comparator's exception | it throws on the CPU |
///
/// After an exception each shard is a permutation of its input, unless a device is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/distributed/shards.hpp>
#include <gpusort/detail/distributed/spread_sort.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {

/// Spreads sort, stable_sort, sort_by_key and stable_sort_by_key of ranges in host memory over
/// several devices.
///
/// Each device gets an equal part. Where the range and its scratch are more than they have memory
/// for together, sort and stable_sort work in pieces, over the links of all devices, as those of
/// <gpusort/external.hpp> do over one; that takes host memory for the range once more. Ranges in
/// the memory of one device, and in managed memory, stay where they are: half of a range would go
/// to another device and back in more time than it is sorted at home. Short ranges go to the first
/// device named, or the current one where none is, and so do all other calls, on host and managed
/// memory and by index. These too wait for their result under any policy, and where the policy's
/// stream is another device's they wait for that first. Common: see the top of this file.
///
/// Under keep_input a page-locked range is copied to memory that is not, and goes to the devices at
/// the speed of that.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | a device is absent or named twice; by any call |
/// | std::invalid_argument | without a device: a number is negative; by any call |
/// | gpusort::out_of_memory | keys with values do not fit on all devices together |
/// | gpusort::out_of_memory | the host has too little memory for pieces |
class devices : public detail::option<devices> {
 public:
  /// Names all devices of the process.
  constexpr devices() noexcept = default;
  /// @param numbers  the devices, each once, at most 64
  constexpr devices(std::initializer_list<int> numbers) noexcept : list_(numbers) {}

 private:
  template <class>
  friend struct detail::spread_call;

  detail::distributed::device_list list_;
};

/// A range in the memory of one device; a part of what is sorted.
template <class T>
struct shard {
  T* data;
  /// Its elements.
  std::uint64_t n;
  /// Number of elements that there is memory for.
  std::uint64_t room;

  /// @param first  the beginning of the range; may be null where it is empty
  /// @param count  its elements
  constexpr shard(T* first, std::uint64_t count) noexcept : shard(first, count, count) {}
  /// @overload
  /// @param most  how many elements there is memory for
  constexpr shard(T* first, std::uint64_t count, std::uint64_t most) noexcept
      : data(first), n(count), room(most) {}
};

/// Ranges on several devices, one after the other a sequence. Several may be on one device.
template <class T>
using sharded = std::vector<shard<T>>;

/// Makes a sequence of shards: `shards({shard(p, n), shard(q, m)})`, or
/// `shards<float>({{p, n}, {q, m}})`.
///
/// @param list  the shards, in their order
/// @return the sequence
template <class T>
sharded<T> shards(std::initializer_list<shard<T>> list) {
  return sharded<T>(list);
}

namespace detail {

template <class Call>
struct spread_call : Call {
  static constexpr bool is_spread = true;

  template <class Policy>
  explicit spread_call(const Policy& policy) : Call(make_call<Call>(policy)) {
    static_assert(!has_option<Policy, scratch>,
                  "gpusort: scratch(pointer, bytes) is memory of one device; give an allocator");
    static_assert(!has_limits<Policy>,
                  "gpusort: on_devices does not take max_device_bytes or progress");
    const distributed::device_list& named = option_of<gpusort::devices>(policy).list_;
#if GPUSORT_CUDA
    devices = named.resolve(device_count());
    if (!named.are_all) this->device = devices[0];
#else
    named.resolve(0);
#endif
  }

#if GPUSORT_CUDA
  std::vector<int> devices;
#endif
};

template <class Policy>
using enable_policy = std::enable_if_t<is_policy<Policy>::value, int>;

/// Makes the call of a policy on shards, whose memory says which devices they are on.
template <class Policy>
auto shards_call_of(const Policy& policy) {
  static_assert(!has_option<Policy, scratch>,
                "gpusort: scratch(pointer, bytes) is memory of one device; give an allocator");
  static_assert(!has_option<Policy, in_place_t>,
                "gpusort: in_place is for one device: what comes from another one needs memory");
  static_assert(!has_option<Policy, verify_t>,
                "gpusort: verify does not prove calls on shards; call is_sorted after them");
  static_assert(!has_limits<Policy>,
                "gpusort: calls on shards do not take max_device_bytes or progress");
  static_assert(!is_spread<Policy> && !has_option<Policy, keep_input_t>,
                "gpusort: calls on shards take neither on_devices, as their memory says which "
                "devices they are on, nor keep_input; leave it out");
  return make_call<one_device_call<Policy>>(policy);
}

}  // namespace detail

/// Sorts shards: the first elements are in the first shard, and so on; each keeps its count.
///
/// Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param range  the shards
/// @param compare  as in gpusort::sort, like projection
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | shards overlap, or are in host memory |
/// @par Cost
/// By an exchange of buckets that is the first level of sample sort (plan B), where devices reach
/// each other's memory, shards have 32 MB on average at least, and scratch is the library's own;
/// else as stable_sort. explain tells.
/// @par Stability
/// Not stable.
/// @par Source
/// Paper 001, whose split over two devices is by a pivot of a histogram; paper 003, section 5.2
/// (multisequence selection).
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
void sort(const Policy& policy, const sharded<T>& range, Compare compare = {},
          Projection projection = {}) {
  const detail::public_call name("sort");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  detail::distributed::sort_shards<false>(detail::shards_call_of(policy),
                                          detail::distributed::shares::kept, order, range);
}

/// Sorts shards as sort, stably.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like range, compare and projection
/// @par Cost
/// Each shard is sorted; elements that belong to another one are sent there once, and merged.
/// @par Stability
/// Stable: equivalent elements stay in the order of shard and position.
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
void stable_sort(const Policy& policy, const sharded<T>& range, Compare compare = {},
                 Projection projection = {}) {
  const detail::public_call name("stable_sort");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  detail::distributed::sort_shards<true>(detail::shards_call_of(policy),
                                         detail::distributed::shares::kept, order, range);
}

/// Sorts shards as sort; then each has as many elements as any other, the first ones one more where
/// that does not come out even.
///
/// @param policy  as in sort, like compare and projection
/// @param range  the shards, each with room for its part
/// @return the shards with the counts that they have now
/// @par Stability
/// Not stable.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | also where a shard has too little room |
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
sharded<T> sort_balanced(const Policy& policy, sharded<T> range, Compare compare = {},
                         Projection projection = {}) {
  const detail::public_call name("sort_balanced");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  detail::distributed::sort_shards<false>(detail::shards_call_of(policy),
                                          detail::distributed::shares::balanced, order, range);
  detail::distributed::balance(range);
  return range;
}

/// Sorts shards of keys as sort, and shards of values in the same way.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like compare and projection
/// @param keys  the keys
/// @param values  the values: as many shards, of as many elements, each on the device of its keys
/// @par Stability
/// Not stable.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | also where they are not |
template <class Policy, class Key, class Value, class Compare = less,
          class Projection = detail::identity, detail::enable_policy<Policy> = 0>
void sort_by_key(const Policy& policy, const sharded<Key>& keys, const sharded<Value>& values,
                 Compare compare = {}, Projection projection = {}) {
  const detail::public_call name("sort_by_key");
  const auto order = detail::order_of_sorted<Key*>(compare, projection);
  detail::distributed::sort_shards<false>(detail::shards_call_of(policy),
                                          detail::distributed::shares::kept, order, keys, values);
}

/// @overload
/// Sorts several columns of values with the keys.
template <class Policy, class Key, class... Values, class Compare = less,
          class Projection = detail::identity, detail::enable_policy<Policy> = 0>
void sort_by_key(const Policy& policy, const sharded<Key>& keys,
                 const std::tuple<sharded<Values>...>& values, Compare compare = {},
                 Projection projection = {}) {
  const detail::public_call name("sort_by_key");
  const auto order = detail::order_of_sorted<Key*>(compare, projection);
  std::apply(
      [&](const auto&... columns) {
        detail::distributed::sort_shards<false>(detail::shards_call_of(policy),
                                                detail::distributed::shares::kept, order, keys,
                                                columns...);
      },
      values);
}

/// Sorts shards of keys and values as sort_by_key, stably.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort_by_key, like keys, values, compare and projection
/// @par Stability
/// Stable: values of equivalent keys stay in the order of shard and position.
template <class Policy, class Key, class Value, class Compare = less,
          class Projection = detail::identity, detail::enable_policy<Policy> = 0>
void stable_sort_by_key(const Policy& policy, const sharded<Key>& keys,
                        const sharded<Value>& values, Compare compare = {},
                        Projection projection = {}) {
  const detail::public_call name("stable_sort_by_key");
  const auto order = detail::order_of_sorted<Key*>(compare, projection);
  detail::distributed::sort_shards<true>(detail::shards_call_of(policy),
                                         detail::distributed::shares::kept, order, keys, values);
}

/// @overload
/// Sorts several columns of values with the keys.
template <class Policy, class Key, class... Values, class Compare = less,
          class Projection = detail::identity, detail::enable_policy<Policy> = 0>
void stable_sort_by_key(const Policy& policy, const sharded<Key>& keys,
                        const std::tuple<sharded<Values>...>& values, Compare compare = {},
                        Projection projection = {}) {
  const detail::public_call name("stable_sort_by_key");
  const auto order = detail::order_of_sorted<Key*>(compare, projection);
  std::apply(
      [&](const auto&... columns) {
        detail::distributed::sort_shards<true>(detail::shards_call_of(policy),
                                               detail::distributed::shares::kept, order, keys,
                                               columns...);
      },
      values);
}

/// Merges shards each of which is sorted: as stable_sort, without sorting them.
///
/// Common: see the top of this file.
///
/// @param policy  as in sort, like range, compare and projection
/// @pre Each shard is sorted. Where one is not, the result is a permutation.
/// @par Stability
/// Stable: as stable_sort.
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
void merge(const Policy& policy, const sharded<T>& range, Compare compare = {},
           Projection projection = {}) {
  const detail::public_call name("merge");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  detail::distributed::merge_shards(detail::shards_call_of(policy), order, range);
}

/// Tells whether no element of the sequence of shards is before its predecessor.
///
/// @param policy  as in sort, like range, compare and projection
/// @return true where the sequence is sorted
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
bool is_sorted(const Policy& policy, const sharded<T>& range, Compare compare = {},
               Projection projection = {}) {
  const detail::public_call name("is_sorted");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  return detail::distributed::are_shards_sorted(detail::shards_call_of(policy), order, range);
}

/// Finds elements by their ranks in the sorted sequence: the least has rank 0.
///
/// Common: see the top of this file. Sorts each shard by itself, but moves nothing between them.
///
/// @param policy  as in sort, like range, compare and projection
/// @param ranks  ranks that do not decrease, each less than the number of elements
/// @return the elements of those ranks
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | also for a rank that is too large, or less than the one before |
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
std::vector<T> select(const Policy& policy, const sharded<T>& range,
                      const std::vector<std::uint64_t>& ranks, Compare compare = {},
                      Projection projection = {}) {
  const detail::public_call name("select");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  return detail::distributed::select_of_shards(detail::shards_call_of(policy), order, range, ranks);
}

/// Tells what sort would do with shards, without doing it.
///
/// @param policy  as sort would get them, like range, compare and projection
/// @return the plan: which way and why, how often elements are moved, the most scratch in bytes on
/// a device, and as estimate what the exchange takes: the bytes that leave a device, if keys are
/// spread evenly, over the links' rate as measured between two H100
template <class Policy, class T, class Compare = less, class Projection = detail::identity,
          detail::enable_policy<Policy> = 0>
plan explain(const Policy& policy, const sharded<T>& range, Compare compare = {},
             Projection projection = {}) {
  const detail::public_call name("explain");
  const auto order = detail::order_of_sorted<T*>(compare, projection);
  return detail::distributed::plan_of_shards(detail::shards_call_of(policy), order, range);
}

}  // namespace GPUSORT_ABI
}  // namespace gpusort
