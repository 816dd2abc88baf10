// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/segmented_sort.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <tuple>

#if GPUSORT_CUDA
#include <algorithm>
#include <cstddef>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/segmented_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>
#include <type_traits>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// Holds what is sorted, in memory that the current device reaches, and the offsets of its
/// segments.
template <class Offset, class Key, class Compare, class... Values>
struct segmented_request {
  Key* keys;
  std::uint64_t n;
  segment_offsets<Offset> offsets;
  Compare compare;
  std::tuple<Values*...> values;
  call_stream stream;
};

/// Most bytes of what is moved at every pass; of larger keys and values the indices are sorted, and
/// each is moved once.
inline constexpr std::size_t max_segmented_bytes = 64;
/// Most bytes of keys that are sorted with their indices, rather than looked up at each comparison.
inline constexpr std::size_t max_key_bytes_with_indices = 16;

/// Tells how keys, or keys with one range of values, are sorted. KeepsOrder: equivalent ones can be
/// told apart, and must keep their order, which is then that of their indices.
template <bool KeepsOrder, class Key, class... Values>
struct segmented_layout {
  static constexpr bool is_aligned = ((alignof(Key) <= 16) && ... && (alignof(Values) <= 16));

  template <class... Parts>
  static constexpr std::size_t element_bytes() {
    if constexpr (sizeof...(Parts) == 1) {
      return sizeof(Key);
    } else {
      return sizeof(key_value<stored_t<Parts>...>);
    }
  }
  static constexpr bool are_elements =
      !KeepsOrder && is_aligned && element_bytes<Key, Values...>() <= max_segmented_bytes;
};

/// Alignment of a column: wide moves, where elements are moved. A constant of its own, as nvcc
/// takes 400 MB for each alias template that evaluates it.
template <class Layout, class T>
inline constexpr std::size_t segmented_alignment = Layout::are_elements ? wide_alignment<T>() : 1;

/// Elements are sorted as they are: keys, or keys with values.
template <class Offset, class Key, class Compare, class... Values>
struct segmented_elements {
  using request = segmented_request<Offset, Key, Compare, Values...>;
  static constexpr bool has_values = sizeof...(Values) == 1;
  using stored = wide_stored_t<Key>;
  using value = std::tuple_element_t<0, std::tuple<Values..., no_value>>;
  // Floats compare sooner as integers, and short numbers as words.
  static constexpr bool is_short = is_arithmetic_key_v<Key> && sizeof(Key) <= 2 && !has_values;
  using held =
      std::conditional_t<is_less_or_greater_v<Compare> && (is_float_key_v<Key> || is_short),
                         as_ordered_bits, as_is>;
  using array = std::conditional_t<has_values, key_value_array<stored, wide_stored_t<value>, held>,
                                   key_array<stored, held>>;
  using order =
      std::conditional_t<has_values, by_key<by_stored_value<Compare>>, by_stored_value<Compare>>;
  using algorithm = tuned_segmented_sort<array, order>;

  static void run(const request& r, const memory_source& memory) {
    const auto scratch =
        scratch_buffer::or_throw(memory, algorithm::scratch_bytes(r.n, r.offsets.k), r.stream);
    auto* const keys = reinterpret_cast<stored*>(r.keys);
    if constexpr (has_values) {
      auto* const values = reinterpret_cast<wide_stored_t<value>*>(std::get<0>(r.values));
      algorithm::run(r.stream, array{keys, values}, r.n, r.offsets, order{{r.compare}},
                     scratch.data());
    } else {
      algorithm::run(r.stream, array{keys}, r.n, r.offsets, order{r.compare}, scratch.data());
    }
  }
};

/// Indices are sorted, with the keys where these are small; everything else is moved once,
/// afterwards.
template <bool KeepsOrder, class Index, class Offset, class Key, class Compare, class... Values>
struct segmented_indices {
  using request = segmented_request<Offset, Key, Compare, Values...>;
  using stored = stored_t<Key>;
  using order = by_stored_value<Compare>;
  static constexpr bool keys_move_along =
      alignof(Key) <= 16 && sizeof(Key) <= max_key_bytes_with_indices;
  using array =
      std::conditional_t<keys_move_along, key_value_array<stored, Index>, key_array<Index>>;
  using indices_order =
      std::conditional_t<keys_move_along,
                         std::conditional_t<KeepsOrder, by_key_then_value<order>, by_key<order>>,
                         std::conditional_t<KeepsOrder, by_pointee_then_index<stored, order>,
                                            by_pointee<stored, order>>>;
  using algorithm = tuned_segmented_sort<array, indices_order>;

  static void run(const request& r, const memory_source& memory) {
    scratch_cursor sizes(nullptr);
    sizes.take<Index>(r.n);
    const std::size_t index_bytes = sizes.used();
    std::size_t bytes = algorithm::scratch_bytes(r.n, r.offsets.k);
    const auto moves = [&](std::size_t size) {
      bytes = (std::max)(bytes, static_cast<std::size_t>(r.n) * size);
    };
    if (!keys_move_along) moves(sizeof(Key));
    (moves(sizeof(Values)), ...);
    const auto scratch = scratch_buffer::or_throw(memory, index_bytes + bytes, r.stream);
    Index* const indices = scratch.template as<Index>();
    void* const rest = scratch.template as<char>(index_bytes);
    iota(r.stream, indices, r.n);  // of elements outside the segments too
    auto* const keys = reinterpret_cast<stored*>(r.keys);
    if constexpr (keys_move_along) {
      algorithm::run(r.stream, array{keys, indices}, r.n, r.offsets, indices_order{{r.compare}},
                     rest);
    } else {
      algorithm::run(r.stream, array{indices}, r.n, r.offsets, indices_order{keys, {r.compare}},
                     rest);
      move(r, r.keys, indices, rest);
    }
    std::apply([&](auto*... values) { (move(r, values, indices, rest), ...); }, r.values);
  }

 private:
  template <class T>
  static void move(const request& r, T* data, const Index* indices, void* memory) {
    T* const moved = static_cast<T*>(memory);
    gather<T, Index>::run(r.stream, data, indices, r.n, moved);
    relocate(r.stream, moved, data, static_cast<std::size_t>(r.n) * sizeof(T));
  }
};

template <bool KeepsOrder, class Offset, class Key, class Compare, class... Values>
void run_segmented_sort(const segmented_request<Offset, Key, Compare, Values...>& r,
                        const memory_source& memory) {
  if (r.n >> (64 - kernel::segment_lists::count_bits) != 0) {
    refuse("it takes less than 2^48 elements; sort the segments in several calls");
  }
  if constexpr (segmented_layout<KeepsOrder, Key, Values...>::are_elements) {
    segmented_elements<Offset, Key, Compare, Values...>::run(r, memory);
  } else if (r.n <= (std::numeric_limits<std::uint32_t>::max)()) {
    segmented_indices<KeepsOrder, std::uint32_t, Offset, Key, Compare, Values...>::run(r, memory);
  } else {
    segmented_indices<KeepsOrder, std::uint64_t, Offset, Key, Compare, Values...>::run(r, memory);
  }
}

/// Sorts the k > 0 segments of n keys, and of their values.
template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void segmented_sort_on_device(const Call& call, const Bounds& bounds, std::uint64_t n,
                              const Compare& compare, KeyIterator first, ValueIterators... values) {
  using key = value_t<KeyIterator>;
  using offset = typename Bounds::offset;
  constexpr bool equal_is_identical =
      is_integer_key_v<key> && is_less_or_greater_v<Compare> && sizeof...(ValueIterators) == 0;
  constexpr bool keeps_order = (Stable || Call::deterministic) && !equal_is_identical;
  using layout = segmented_layout<keeps_order, key, value_t<ValueIterators>...>;
  if (Call::in_place) {
    refuse("it has no route in place; leave out in_place");
  }
  const nvtx_range name("gpusort::segmented_sort");
  if (are_on_host(bounds)) require_offsets_within(bounds, n);
  if (n == 0) return;
  reject_overlaps(n, first, values...);
  with_device_ranges(
      call, {},
      [&](completion*, const auto& keys, const auto& offsets, const auto&... columns) {
        if (!(keys.is_aligned() && ... && columns.is_aligned())) throw out_of_memory();
        run_segmented_sort<keeps_order>(
            segmented_request<offset, key, Compare, value_t<ValueIterators>...>{
                keys.data(),
                n,
                offsets.get(),
                compare,
                {columns.data()...},
                stream_of_call(call, nullptr)},
            call.memory);
      },
      use<access::update, segmented_alignment<layout, key>>(first, n), used_bounds<Bounds>{bounds},
      use<access::update, segmented_alignment<layout, value_t<ValueIterators>>>(values, n)...);
}

#endif

/// Sorts each segment of n elements from `first` on, and in the same order the values.
template <bool Stable, class Compare, class Bounds, class KeyIterator, class... ValueIterators>
struct segmented_sort_operation : operation_traits {
  KeyIterator first;
  std::uint64_t n;
  Bounds bounds;
  Compare compare;
  std::tuple<ValueIterators...> values;

  bool overwrites_input() const { return n > 0; }
  void require_disjoint() const {
    std::apply([&](const auto&... others) { reject_overlaps(n, first, others...); }, values);
  }
  std::tuple<KeyIterator, ValueIterators...> overwritten() const {
    return std::tuple_cat(std::tuple<KeyIterator>(first), values);
  }
  template <class Keys, class... Values>
  segmented_sort_operation<Stable, Compare, Bounds, Keys, Values...> on(Keys keys,
                                                                        Values... others) const {
    return {{}, keys, n, bounds, compare, std::tuple<Values...>(others...)};
  }

  bool is_empty() const { return n == 0 || bounds.k == 0; }
  auto proof() const {
    return proof_in_place(columns<KeyIterator, ValueIterators...>{overwritten(), n}, bounds,
                          compare);
  }

  template <class Call>
  bool has_work() const {
    return bounds.k > 0;
  }

#if GPUSORT_CUDA
  template <class Call>
  void with_device(const Call& call) const {
    std::apply(
        [&](const auto&... others) {
          segmented_sort_on_device<Stable>(call, bounds, n, compare, first, others...);
        },
        values);
  }
#endif

  template <class Call>
  void without_device() const {
    using begins = typename Bounds::begin_iterator;
    using ends = typename Bounds::end_iterator;
    run_on_host<Call, KeyIterator, begins, ends, ValueIterators...>(compare, [&](auto callable) {
      require_offsets_within(bounds, n);
      if (n == 0) return;
      require_disjoint();
      std::apply(
          [&](const auto&... others) {
            host::stable_segmented_sort(host_iterator(bounds.begins), host_iterator(bounds.ends),
                                        bounds.k, callable, host_iterator(first),
                                        host_iterator(others)...);
          },
          values);
    });
  }
};

template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void sort_segments(const Call& call, KeyIterator first, std::uint64_t n, const Bounds& bounds,
                   const Compare& compare, ValueIterators... values) {
  run_call(call, segmented_sort_operation<Stable, Compare, Bounds, KeyIterator, ValueIterators...>{
                     {}, first, n, bounds, compare, std::tuple<ValueIterators...>(values...)});
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
