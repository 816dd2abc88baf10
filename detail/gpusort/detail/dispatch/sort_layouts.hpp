// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/bit_order_radix_sort.hpp>
#include <gpusort/detail/algorithm/counting_sort.hpp>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/encoded_sample_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/gather_together.hpp>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/algorithm/small_radix_sort.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/packed_record.hpp>
#include <gpusort/detail/support/rotated_record.hpp>
#include <tuple>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells how keys are stored at addresses of an alignment, how a tile holds them, and by what they
/// are compared there: as they are.
template <class Key, class Compare, std::size_t Alignment>
struct held_as_it_is : std::false_type {
  using stored = std::conditional_t<is_stored_as_itself_v<Key>, Key, raw_storage<Key, Alignment>>;
  using held = as_is;
  using compare = Compare;
};

/// Tells this of keys whose encoding is known when the sort runs, if it is.
template <class Key, class Compare, std::size_t Alignment, class = void>
struct encoded_at_run_time : held_as_it_is<Key, Compare, Alignment> {};
template <class Bits, bool AreFloats, std::size_t Alignment>
struct encoded_at_run_time<Bits, bit_order<Bits, AreFloats>, Alignment> : std::true_type {
  using stored = Bits;
  using encoding = bit_order<Bits, AreFloats>;
  using held = held_by<encoding>;
  using compare = less;
  static compare compare_of(const encoding&) { return {}; }
  static held held_of(const encoding& order) { return {order}; }
};
template <class Key, class Compare, std::size_t Alignment>
struct encoded_at_run_time<Key, Compare, Alignment, std::enable_if_t<is_rotatable_v<Key, Compare>>>
    : std::true_type {
  using by_number = order_by_number_named<Compare, Key>;
  using encoding = rotation<sizeof(Key), Alignment>;
  using stored = typename encoding::word;
  using held = held_by<encoding>;
  using compare = typename by_number::template order<typename by_number::named::type>;
  static compare compare_of(const Compare&) { return {}; }
  static held held_of(const Compare& order) {
    return {{static_cast<std::uint32_t>(by_number::offset(order))}};
  }
};

/// The radix sort of keys whose order is known when the program is compiled, or when it runs.
template <class Key, class Value, class Compare>
struct radix_sort_by : type_is<radix_sort<Key, Value, std::is_same_v<Compare, greater>>> {};
template <class Bits, class Value, bool AreFloats>
struct radix_sort_by<Bits, Value, bit_order<Bits, AreFloats>>
    : type_is<bit_order_radix_sort<Bits, AreFloats, Value>> {};

/// Runs a radix sort of a request's keys, from `values_in` to `values_out`.
template <class Radix, class Request, class Key, class Value>
void run_radix_sort(const Request& r, Key* keys_out, const Value* values_in, Value* values_out,
                    void* scratch) {
  if constexpr (is_bit_order_v<decltype(r.compare)>) {
    Radix::run(r.stream, r.compare, {r.in, values_in, keys_out, values_out}, r.n, scratch);
  } else {
    Radix::run(r.stream, r.in, values_in, keys_out, values_out, r.n, scratch);
  }
}

/// Elements are moved as they are: keys, or keys with one range of values.
template <class Problem, class Key, class Compare, class... Values>
struct sort_as_elements {
  using request = sort_request<Key, Compare, Values...>;
  static constexpr router::problem problem = Problem::value;
  static constexpr bool is_stable = problem.stable || problem.forced == route::merge_sort;
  static constexpr bool has_values = sizeof...(Values) == 1;
  static constexpr bool may_do_with_less = false;  // scratch than its routes want

  // The one range of values, if there is one.
  using value = std::tuple_element_t<0, std::tuple<Values..., no_value>>;
  // Floats and packed records compare sooner as integers, and short numbers as words.
  static constexpr bool is_short = is_arithmetic_key_v<Key> && sizeof(Key) <= 2 && !has_values;
  // Sorts across devices, whose arrays have no state, force their route.
  using at_run_time =
      std::conditional_t<is_bit_order_v<Compare> || problem.forced == route::nothing,
                         encoded_at_run_time<Key, Compare, wide_alignment<Key>()>,
                         held_as_it_is<Key, Compare, wide_alignment<Key>()>>;
  using keys_held = std::conditional_t<
      at_run_time::value, at_run_time,
      packed_or<Key, Compare, problem.stable,
                std::conditional_t<is_less_or_greater_v<Compare> && !problem.stable &&
                                       (is_float_key_v<Key> || is_short),
                                   as_ordered_bits, as_is>>>;
  using stored = typename at_run_time::stored;
  using held = typename keys_held::held;
  using array = std::conditional_t<has_values, key_value_array<stored, wide_stored_t<value>, held>,
                                   key_array<stored, held>>;
  using order_of_keys = by_stored_value<typename keys_held::compare>;
  using order = std::conditional_t<has_values, by_key<order_of_keys>, order_of_keys>;

  static array array_at(const request& r, const Key* keys) {
    array elements{};
    elements.keys = reinterpret_cast<stored*>(const_cast<Key*>(keys));
    if constexpr (has_values) {
      elements.values = reinterpret_cast<decltype(array::values)>(std::get<0>(r.values));
    }
    if constexpr (at_run_time::value) elements.held = at_run_time::held_of(r.compare);
    return elements;
  }

  static order order_of(const Compare& compare) {
    if constexpr (has_values) {
      return {{keys_held::compare_of(compare)}};
    } else {
      return {keys_held::compare_of(compare)};
    }
  }

  /// Returns the order of short numbers, by which the sorts of their bits go.
  static auto order_of_bits([[maybe_unused]] const Compare& compare) {
    if constexpr (is_bit_order_v<Compare>) {
      return compare;
    } else {
      return bit_order_of<Key, Compare>();
    }
  }

  using counting = counting_sort<Key>;
  using radix = typename radix_sort_by<Key, value, Compare>::type;

  /// Returns the limits of sample sort's routes for few elements, on the current device.
  static router::one_launch_limits one_launch_limits() {
    return one_launch_limits_of<array, order>();
  }

  template <route R>
  static std::size_t scratch_bytes(bool is_in_place, std::uint64_t n) {
    if constexpr (R == route::counting_sort) {
      return counting::scratch_bytes(n);
    } else if constexpr (R == route::radix_sort) {
      return radix::scratch_bytes(n, is_in_place);
    } else {
      return comparison_sort<R, array, order, is_stable>::scratch_bytes(n);
    }
  }

  template <route R>
  static void run(const request& r, void* scratch, std::size_t) {
    if constexpr (R == route::counting_sort) {
      counting::run(r.stream, order_of_bits(r.compare), r.in, r.keys, r.n, scratch);
    } else if constexpr (R == route::radix_sort) {
      value* values = nullptr;
      if constexpr (has_values) values = std::get<0>(r.values);
      run_radix_sort<radix>(r, r.keys, values, values, scratch);
    } else if constexpr (R == route::small_sort && router::is_two_byte_keys(problem)) {
      using digits = small_radix_sort<Key>;
      static_assert(router::small_sort_limit(problem) <= digits::max_n);
      digits::run(r.stream, order_of_bits(r.compare), r.in, r.keys, r.n);
    } else {
      using sort = comparison_sort<R, array, order, is_stable>;
      const array in = array_at(r, r.in), out = array_at(r, r.keys);
      if constexpr (R == route::sample_sort) {
        sort::run(r.stream, in, out, r.n, order_of(r.compare), scratch, r.known);
      } else {
        sort::run(r.stream, in, out, r.n, order_of(r.compare), scratch);
      }
    }
  }
};

/// Proxies are sorted; everything else is moved once, afterwards, several columns of values
/// together where that takes less. The proxies are keys with their indices, encoded keys with
/// indices, or indices alone.
template <class Problem, class Index, class Key, class Compare, class... Values>
struct sort_as_indices {
  using request = sort_request<Key, Compare, Values...>;
  static constexpr router::problem problem = Problem::value;
  static constexpr bool keys_move_along =
      router::layout_of(problem) == router::layout::keys_with_indices;
  // Indices alone are compared by keys that stay where they are.
  using at_run_time =
      std::conditional_t<keys_move_along, encoded_at_run_time<Key, Compare, alignof(Key)>,
                         held_as_it_is<Key, Compare, alignof(Key)>>;
  using stored = typename at_run_time::stored;
  using held = typename at_run_time::held;
  using order = by_stored_value<typename at_run_time::compare>;
  static constexpr bool is_encoded = router::order_of(problem) == router::order_kind::encoded;
  // Only their order is wanted.
  static constexpr bool is_number =
      is_encoded && is_arithmetic_key_v<Key> && is_less_or_greater_v<Compare>;

  using array =
      std::conditional_t<keys_move_along, key_value_array<stored, Index, held>, key_array<Index>>;
  // The indices point at records, or at their keys where these are longer than what is moved.
  static constexpr bool are_keys_long = !keys_move_along && has_long_key_v<Compare, Key>;
  using pointee = std::conditional_t<are_keys_long, long_key_t<Compare, Key>, stored>;
  // Kernels of one launch overlap comparisons; reading the clock between them prevents that.
  static constexpr bool are_copied(route r) {
    return r == route::sample_sort && !are_keys_long && !is_encoded &&
           sizeof(Key) > router::max_element_bytes && sizeof(Key) <= max_copied_bytes;
  }
  template <route R>
  using pointee_order =
      std::conditional_t<are_keys_long, by_stored_value<less>,
                         std::conditional_t<are_copied(R), copies_where_slow<order>, order>>;
  // Ties are decided by index where the sort is to be stable, so no algorithm need be.
  template <route R>
  using indices_order = std::conditional_t<
      keys_move_along, std::conditional_t<problem.stable, by_key_then_value<order>, by_key<order>>,
      std::conditional_t<problem.stable, by_pointee_then_index<pointee, pointee_order<R>>,
                         by_pointee<pointee, pointee_order<R>>>>;

  static constexpr int columns = sizeof...(Values) + (keys_move_along ? 0 : 1);

  /// Returns the limits of sample sort's routes for few elements, on the current device.
  static router::one_launch_limits one_launch_limits() {
    if constexpr (is_encoded) {
      return one_launch_limits_of<typename pairs::array, typename pairs::order>();
    } else {
      return one_launch_limits_of<array, indices_order<route::single_launch_sample_sort>>();
    }
  }

  /// Returns what sorting the proxies takes, besides the indices themselves.
  template <route R>
  static std::size_t sort_bytes(std::uint64_t n) {
    if constexpr (is_number && R == route::radix_sort) {
      return number_scratch(n, nullptr).bytes;
    } else if constexpr (is_encoded && R == route::radix_sort) {
      return encoded::order_scratch_bytes(n);  // with the indices
    } else if constexpr (is_encoded) {
      return encoded_by_comparisons<R, pairs>::scratch_bytes(n);
    } else if constexpr (R == route::radix_sort) {
      return radix::scratch_bytes(n, true);
    } else {
      return long_key_bytes(n) +
             comparison_sort<R, array, indices_order<R>, false>::scratch_bytes(n);
    }
  }

  static constexpr bool may_do_with_less = gather_together<Index, Values...>::is_possible();

  template <route R>
  static std::size_t scratch_bytes(bool is_in_place, std::uint64_t n) {
    const std::size_t least = least_scratch_bytes<R>(is_in_place, n);
    if constexpr (may_do_with_less) {
      if (rows::serves(n)) return (std::max)(least, bytes_with_rows(n));
    }
    return least;
  }

  /// Returns the least scratch: sorting and moving take the same memory one after the other. The
  /// indices are at its end, and records that are moved last may grow over them. With no more,
  /// values move one by one.
  template <route R>
  static std::size_t least_scratch_bytes(bool is_in_place, std::uint64_t n) {
    const std::size_t indices = static_cast<std::size_t>(n) * sizeof(Index);
    std::size_t bytes = sort_bytes<R>(n) + indices;
    const auto moved = [&](std::size_t record_bytes) {
      const std::size_t moving =
          columns == 1 ? permutation_scratch::bytes_for(n, record_bytes, sizeof(Index))
                       : static_cast<std::size_t>(n) * record_bytes + indices;
      bytes = (std::max)(bytes, moving);
    };
    if (!keys_move_along && is_in_place) moved(sizeof(Key));
    (moved(sizeof(Values)), ...);
    return round_up<std::size_t>(bytes, scratch_cursor::alignment);
  }

  template <route R>
  static void run(const request& r, void* scratch, std::size_t bytes) {
    auto* const memory = static_cast<unsigned char*>(scratch);
    auto* const indices =
        reinterpret_cast<Index*>(memory + bytes - static_cast<std::size_t>(r.n) * sizeof(Index));
    sort_indices<R>(r, indices, scratch, bytes);
    if constexpr (!keys_move_along) move_column(r, r.in, r.keys, indices, scratch, bytes);
    std::apply(
        [&](auto*... values) {
          if constexpr (may_do_with_less) {
            if (rows::serves(r.n) && bytes >= bytes_with_rows(r.n)) {
              return rows::run(r.stream, indices, r.n, scratch, values...);
            }
          }
          (move_column(r, values, values, indices, scratch, bytes), ...);
        },
        r.values);
  }

  /// Writes indices[i], the index that the i-th element comes from. Moves the keys where they move
  /// along, and nothing else.
  template <route R>
  static void sort_indices(const request& r, Index* indices, void* scratch, std::size_t bytes) {
    const call_stream stream = r.stream.without_completion();
    auto* const in = reinterpret_cast<stored*>(const_cast<Key*>(r.in));
    if constexpr (is_number && R == route::radix_sort) {
      const number_scratch parts(r.n, scratch);
      iota(r.stream, parts.unsorted, r.n);
      radix::run(r.stream, r.in, parts.unsorted, parts.keys, indices, r.n, parts.temporary);
    } else if constexpr (is_encoded && R == route::radix_sort) {
      const Index* const sorted = encoded::order(r.stream, r.in, r.n, r.compare, scratch, bytes);
      relocate(r.stream, sorted, indices, static_cast<std::size_t>(r.n) * sizeof(Index));
    } else if constexpr (is_encoded) {
      encoded_by_comparisons<R, pairs>::order(stream, r.in, r.n, r.compare, indices, scratch);
    } else if constexpr (R == route::radix_sort) {
      iota(r.stream, indices, r.n);
      run_radix_sort<radix>(r, r.keys, indices, indices, scratch);
    } else {
      using sort = comparison_sort<R, array, indices_order<R>, false>;
      void* const temporary = static_cast<unsigned char*>(scratch) + long_key_bytes(r.n);
      const auto run_from = [&](auto from, array to, const indices_order<R>& order) {
        if constexpr (R == route::sample_sort) {
          sort::run(stream, from, to, r.n, order, temporary, r.known);
        } else {
          sort::run(stream, from, to, r.n, order, temporary);
        }
      };
      if constexpr (at_run_time::value) {
        const held known = at_run_time::held_of(r.compare);
        run_from(key_index_array<stored, Index, held>{in, known},
                 {reinterpret_cast<stored*>(r.keys), indices, known}, {});
      } else if constexpr (keys_move_along) {
        run_from(key_index_array<stored, Index>{in}, {reinterpret_cast<stored*>(r.keys), indices},
                 {{r.compare}});
      } else if constexpr (are_keys_long) {
        auto* const keys = static_cast<pointee*>(scratch);
        encode_long_keys(r.stream, {r.known.all}, r.in, r.n, r.compare, keys);
        run_from(index_sequence_array<Index>{}, {indices}, {keys, {}});
      } else {
        run_from(index_sequence_array<Index>{}, {indices}, {in, pointee_order<R>{{r.compare}}});
      }
    }
  }

 private:
  using encoded = encoded_radix_sort<Key, Compare, Index>;
  using pairs = encoded_pairs<Key, Compare, Index, problem.stable>;
  template <route R, class Pairs>
  using encoded_by_comparisons =
      encoded_sample_sort<Key, Compare, Index, Pairs,
                          comparison_sort<R, typename Pairs::array, typename Pairs::order, false>>;
  using radix = typename radix_sort_by<Key, Index, Compare>::type;
  using rows = gather_together<Index, Values...>;

  /// Returns what the keys take that stay in memory, 0 where there are none.
  static std::size_t long_key_bytes(std::uint64_t n) {
    scratch_cursor cursor(nullptr);
    if constexpr (are_keys_long) cursor.take<pointee>(n);
    return cursor.used();
  }

  /// Numbers, of which only the order is wanted, are sorted from where they stay.
  struct number_scratch {
    Key* keys;
    Index* unsorted;
    unsigned char* temporary;
    std::size_t bytes;

    number_scratch(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      keys = cursor.take<Key>(n);
      unsorted = cursor.take<Index>(n);
      temporary = cursor.take<unsigned char>(radix::scratch_bytes(n, false));
      bytes = cursor.used();
    }
  };

  static std::size_t bytes_with_rows(std::uint64_t n) {
    return round_up<std::size_t>(
        rows::scratch_bytes(n) + static_cast<std::size_t>(n) * sizeof(Index),
        scratch_cursor::alignment);
  }

  template <class T>
  static void move_column(const request& r, const T* in, T* out, const Index* indices,
                          void* scratch, std::size_t bytes) {
    if (in != out) return gather<T, Index>::run(r.stream, in, indices, r.n, out);
    if constexpr (columns == 1) {
      // What key inference has put in order stays where it is: violation not_ascending is bit 0.
      gather<T, Index>::run_in_place(r.stream, out, {r.n, sizeof(T), sizeof(Index), bytes}, scratch,
                                     {r.known.all});
    } else {
      T* const moved = static_cast<T*>(scratch);
      gather<T, Index>::run(r.stream, in, indices, r.n, moved);
      relocate(r.stream, moved, out, static_cast<std::size_t>(r.n) * sizeof(T));
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
