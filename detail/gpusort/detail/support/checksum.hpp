// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif

// What `verify` adds up: 64 bits for each element, whose sum does not depend on the order. Made
// against mistakes, not against somebody who looks for two multisets of one sum.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline constexpr std::uint64_t checksum_seed = 0x9E3779B97F4A7C15ull;

/// Adds a word by one multiplication, as memory is to be the limit. The two halves meet the word in
/// different positions: words that are exchanged within an element, or between two, change the sum.
GPUSORT_HOST_DEVICE inline std::uint64_t add_word(std::uint64_t sum, std::uint32_t word) {
  const std::uint32_t low = static_cast<std::uint32_t>(sum) ^ word;
  const std::uint32_t high = static_cast<std::uint32_t>(sum >> 32) ^ (word << 16 | word >> 16);
  return std::uint64_t{low} * high + sum;
}

/// Mixes the sum of an element's words once more. One multiplication makes of small numbers a
/// polynomial of degree two, and many sets of numbers have one sum of such.
GPUSORT_HOST_DEVICE inline std::uint64_t mixed_checksum(std::uint64_t sum) {
  sum ^= sum >> 29;
  sum = (sum & 0xFFFFFFFFu) * (sum >> 32) + sum;
  sum ^= sum >> 32;
  return sum;
}

/// Adds the bytes of an element, padding included: elements are moved as bytes.
template <class T>
struct element_checksum {
  static GPUSORT_HOST_DEVICE std::uint64_t add(std::uint64_t sum, const T& x) {
#if defined(__CUDA_ARCH__)
    for (const auto word : reinterpret_cast<const raw_storage<T>&>(x).words) {
      sum = add_word(sum, word);
    }
#else
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&x);
    for (std::size_t i = 0; i < sizeof(T); i += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes + i, sizeof(T) - i < sizeof(word) ? sizeof(T) - i : sizeof(word));
      sum = add_word(sum, word);
    }
#endif
    return sum;
  }
};

// Pairs and tuples member by member, as a proxy iterator makes them anew.

template <class A, class B>
struct element_checksum<std::pair<A, B>> {
  static GPUSORT_HOST_DEVICE std::uint64_t add(std::uint64_t sum, const std::pair<A, B>& x) {
    return element_checksum<B>::add(element_checksum<A>::add(sum, x.first), x.second);
  }
};

#if GPUSORT_CUDA

template <class A, class B>
struct element_checksum<cuda::std::pair<A, B>> {
  static GPUSORT_HOST_DEVICE std::uint64_t add(std::uint64_t sum, const cuda::std::pair<A, B>& x) {
    return element_checksum<B>::add(element_checksum<A>::add(sum, x.first), x.second);
  }
};

template <class... Ts>
struct element_checksum<cuda::std::tuple<Ts...>> {
  static GPUSORT_HOST_DEVICE std::uint64_t add(std::uint64_t sum,
                                               const cuda::std::tuple<Ts...>& x) {
    return add(sum, x, std::index_sequence_for<Ts...>{});
  }

 private:
  template <std::size_t... Is>
  static GPUSORT_HOST_DEVICE std::uint64_t add(std::uint64_t sum, const cuda::std::tuple<Ts...>& x,
                                               std::index_sequence<Is...>) {
    ((sum = element_checksum<Ts>::add(sum, cuda::std::get<Is>(x))), ...);
    return sum;
  }
};

#else

template <class... Ts>
struct element_checksum<std::tuple<Ts...>> {
  static std::uint64_t add(std::uint64_t sum, const std::tuple<Ts...>& x) {
    std::apply(
        [&](const Ts&... members) { ((sum = element_checksum<Ts>::add(sum, members)), ...); }, x);
    return sum;
  }
};

#endif

/// Whether values that are equal member by member have equal checksums, so that elements may also
/// be moved as values.
template <class T>
struct has_exact_checksum
    : std::bool_constant<is_arithmetic_key_v<T> || std::has_unique_object_representations_v<T>> {};
template <class A, class B>
struct has_exact_checksum<std::pair<A, B>>
    : std::conjunction<has_exact_checksum<A>, has_exact_checksum<B>> {};
#if GPUSORT_CUDA
template <class A, class B>
struct has_exact_checksum<cuda::std::pair<A, B>>
    : std::conjunction<has_exact_checksum<A>, has_exact_checksum<B>> {};
template <class... Ts>
struct has_exact_checksum<cuda::std::tuple<Ts...>> : std::conjunction<has_exact_checksum<Ts>...> {};
template <class... Ts>
struct has_exact_checksum<std::tuple<Ts...>> : std::false_type {};
#else
template <class... Ts>
struct has_exact_checksum<std::tuple<Ts...>> : std::conjunction<has_exact_checksum<Ts>...> {};
#endif

/// Holds what one pass over elements finds.
struct pass_record {
  static constexpr unsigned long long nowhere = ~0ull;
  static constexpr unsigned long long empty_sum =
      ~0ull;  // on a device: one memset for both members

  unsigned long long sum = 0;
  unsigned long long first_wrong = nowhere;  // the first index that is out of order
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
