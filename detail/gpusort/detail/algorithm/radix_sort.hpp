// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/cub_radix_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/kernel/partition_bools.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tuning/partition_bools.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class T>
struct type_tag {
  using type = T;
};

template <class Key>
constexpr auto radix_key() {
  if constexpr (!is_integer_key_v<Key> || is_int128<Key>::value) {
    return type_tag<Key>{};
  } else if constexpr (is_signed_key_v<Key>) {
    return type_tag<std::make_signed_t<unsigned_of_size_t<sizeof(Key)>>>{};
  } else {
    return type_tag<unsigned_of_size_t<sizeof(Key)>>{};
  }
}

/// Stands for what CUB sorts in place of Key: integers of one size and signedness share their
/// kernels. Floats it orders as order_bits does, -0.0 equal to +0.0, halves included.
template <class Key>
using radix_key_t = typename decltype(radix_key<Key>())::type;

/// The bytes of a value, in words as wide as its alignment allows.
template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) raw_words {
  using word = unsigned_of_size_t<(Alignment < 8 ? Alignment : 8)>;
  word words[Size / sizeof(word)];
};

template <class Value>
constexpr auto radix_value() {
  if constexpr (std::is_same_v<Value, no_value>) {
    return type_tag<cub::NullType>{};
  } else if constexpr (sizeof(Value) == alignof(Value) && sizeof(Value) <= 8) {
    return type_tag<unsigned_of_size_t<sizeof(Value)>>{};
  } else {
    return type_tag<raw_words<sizeof(Value), alignof(Value)>>{};
  }
}

/// Stands for what CUB moves in place of Value: values of one size and alignment share their
/// kernels.
template <class Value>
using radix_value_t = typename decltype(radix_value<Value>())::type;

/// The bits of the keys that a radix sort looks at: all, or [begin, end).
struct bit_range {
  int begin;
  int end;

  template <class Key>
  static constexpr bit_range all() {
    return {0, 8 * static_cast<int>(sizeof(Key))};
  }
};

/// Least significant digit first radix sort of keys, or of keys with values, by CUB.
///
/// Order: ascending, or descending, as less and greater. Stable either way, so deterministic.
/// Any input takes ceil(bits / 8) passes on sm_80 and later.
/// Scratch: n elements, and what CUB counts with: 1 KB for each of its tiles of some thousands of
/// elements, for 2^28 elements at most: 28 MB for 1-byte keys, 38 MB for 4, 48 MB for 8, 102 MB for
/// 16; less than 4% of the keys from 4 bytes on.
/// Launches: 2 and one for each pass and 2^28 elements, as many memsets, and a copy where the last
/// pass of a sort in place ends in scratch. No synchronization; capturable.
template <class Key, class Value = no_value, bool Descending = false>
class radix_sort {
  static_assert(is_arithmetic_key_v<Key> && !is_bool_v<Key>,
                "keys whose bits the library can read");

 public:
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  /// Returns the scratch bytes of a sort in place, or from one array to another.
  static std::size_t scratch_bytes(std::uint64_t n, bool in_place,
                                   bit_range bits = bit_range::all<Key>()) {
    if (n == 0) return 0;
    return in_place ? in_place_layout(n, bits, nullptr).bytes : copy_bytes(n, bits);
  }

  /// Sorts n keys, with their values, from `in` to `out`: the same arrays, for both keys
  /// and values, or ones that overlap nothing of `in`. Values are ignored without a value type.
  static void run(cudaStream_t stream, const Key* keys_in, const Value* values_in, Key* keys_out,
                  Value* values_out, std::uint64_t n, void* scratch,
                  bit_range bits = bit_range::all<Key>()) {
    if (n == 0) return;
    if (keys_in != keys_out) {
      linked::copy(stream,
                   {as_key(keys_in), as_value(values_in), as_key(keys_out), as_value(values_out)},
                   {n, bits.begin, bits.end}, scratch, copy_bytes(n, bits));
      return;
    }
    const in_place_layout parts(n, bits, scratch);
    keys_buffer keys(as_key(keys_out), parts.keys);
    values_buffer values(as_value(values_out), parts.values);
    sort_buffers(stream, keys, values, n, bits, parts.temporary, parts.temporary_bytes);
    copy_to(stream, keys, n);
    if constexpr (has_values) copy_to(stream, values, n);
  }

  // What other algorithms sort with: two buffers each, the current one holding the input before and
  // the result afterwards.
  using cub_key = radix_key_t<Key>;
  using cub_value = radix_value_t<Value>;
  using linked = cub_radix_sort<cub_key, cub_value, Descending>;
  using keys_buffer = cub::DoubleBuffer<cub_key>;
  using values_buffer = cub::DoubleBuffer<cub_value>;

  static std::size_t temporary_bytes(std::uint64_t n, bit_range bits) {
    keys_buffer keys(nullptr, nullptr);
    values_buffer values(nullptr, nullptr);
    return sort_buffers(nullptr, keys, values, n, bits, nullptr, 0);
  }

  /// Sorts between two buffers; without `temporary` it returns the bytes that it needs.
  static std::size_t sort_buffers(cudaStream_t stream, keys_buffer& keys, values_buffer& values,
                                  std::uint64_t n, bit_range bits, void* temporary,
                                  std::size_t bytes) {
    return linked::in_buffers(stream, keys, values, {n, bits.begin, bits.end}, temporary, bytes);
  }

 private:
  static constexpr const char* doing = "radix sort";

  struct in_place_layout {
    cub_key* keys;
    cub_value* values = nullptr;
    std::size_t temporary_bytes;
    unsigned char* temporary;
    std::size_t bytes;

    in_place_layout(std::uint64_t n, bit_range bits, void* scratch) {
      scratch_cursor cursor(scratch);
      keys = cursor.take<cub_key>(n);
      if constexpr (has_values) values = cursor.take<cub_value>(n);
      temporary_bytes = radix_sort::temporary_bytes(n, bits);
      temporary = cursor.take<unsigned char>(temporary_bytes);
      bytes = cursor.used();
    }
  };

  static std::size_t copy_bytes(std::uint64_t n, bit_range bits) {
    return linked::copy(nullptr, {}, {n, bits.begin, bits.end}, nullptr, 0);
  }

  template <class T>
  static void copy_to(cudaStream_t stream, cub::DoubleBuffer<T>& buffer, std::uint64_t n) {
    if (buffer.selector == 0) return;
    check(
        cudaMemcpyAsync(buffer.d_buffers[0], buffer.d_buffers[1],
                        static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice, stream),
        doing);
  }

  static cub_key* as_key(Key* p) { return reinterpret_cast<cub_key*>(p); }
  static const cub_key* as_key(const Key* p) { return reinterpret_cast<const cub_key*>(p); }
  static cub_value* as_value(Value* p) { return reinterpret_cast<cub_value*>(p); }
  static const cub_value* as_value(const Value* p) { return reinterpret_cast<const cub_value*>(p); }
};

/// Partitions bools, whose one digit is whether their byte is 0, where CUB's digits are bits of the
/// key. Scratch: 8 bytes for each block of the launch, and n elements for a sort in
/// place. Launches: 2, and a copy of each column that is sorted in place. No synchronization;
/// capturable.
template <class Value, bool Descending>
class radix_sort<bool, Value, Descending> {
  using tuning = detail::tuning::partition_bools;
  using value = std::conditional_t<std::is_same_v<Value, no_value>, no_value, stored_t<Value>>;

 public:
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  static std::size_t scratch_bytes(std::uint64_t n, bool in_place) {
    return n == 0 ? 0 : layout(n, in_place, nullptr).bytes;
  }

  static void run(cudaStream_t stream, const bool* keys_in, const Value* values_in, bool* keys_out,
                  Value* values_out, std::uint64_t n, void* scratch) {
    if (n == 0) return;
    const bool in_place = keys_in == keys_out;
    const layout parts(n, in_place, scratch);
    auto* const keys = in_place ? parts.keys : reinterpret_cast<std::uint8_t*>(keys_out);
    auto* const values = in_place ? parts.values : reinterpret_cast<value*>(values_out);
    constexpr int threads = tuning::threads_per_block;
    const kernel::bool_shares in{reinterpret_cast<const std::uint8_t*>(keys_in), n, parts.share,
                                 Descending};
    const std::uint64_t blocks = ceil_div(n, parts.share);
    launch(kernel::count_first_bools_kernel<tuning>, blocks, threads, 0, stream, in, parts.counts);
    launch(kernel::partition_bools_kernel<tuning, value>, blocks, threads, 0, stream, in,
           reinterpret_cast<const value*>(values_in), keys, values, parts.counts);
    if (!in_place) return;
    relocate(stream, keys, keys_out, n);
    if constexpr (has_values) relocate(stream, values, values_out, n * sizeof(Value));
  }

 private:
  struct layout {
    std::uint64_t share;  // of a block
    unsigned long long* counts;
    std::uint8_t* keys = nullptr;
    value* values = nullptr;
    std::size_t bytes;

    layout(std::uint64_t n, bool in_place, void* scratch) {
      const std::uint64_t most =
          most_resident_blocks(tuning::threads_per_block, 0, tuning::blocks_resident);
      share = round_up<std::uint64_t>(ceil_div(n, most), tuning::items_per_tile);
      scratch_cursor cursor(scratch);
      counts = cursor.take<unsigned long long>(ceil_div(n, share));
      if (in_place) keys = cursor.take<std::uint8_t>(n);
      if constexpr (has_values) {
        if (in_place) values = cursor.take<value>(n);
      }
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
