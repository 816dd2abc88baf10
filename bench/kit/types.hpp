// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "../../tests/kit/generate.hpp"

namespace bench {

/// A struct like those of users: a 32-bit key and a payload, no alignment asked for.
template <int Bytes>
struct record {
  static_assert(Bytes % 4 == 0 && Bytes > 4);
  static constexpr int payload_words = Bytes / 4 - 1;

  std::uint32_t key;
  std::uint32_t payload[payload_words];
};

/// Stands for the values of a sort without any.
struct no_value {};

/// A comparator that no library can see through.
struct opaque_less {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a < b;
  }
  template <int Bytes>
  GPUSORT_HOST_DEVICE bool operator()(const record<Bytes>& a, const record<Bytes>& b) const {
    return a.key < b.key;
  }
};

/// A comparator that orders numbers neither ascending nor descending.
struct by_product {
  static GPUSORT_HOST_DEVICE std::uint64_t product(std::uint64_t key) {
    return key * 0x9E3779B97F4A7C15ull;
  }
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return product(a) < product(b);
  }
};

/// Whether a comparator orders otherwise than `<`.
template <class Compare>
inline constexpr bool is_another_order = std::is_same_v<Compare, by_product>;

/// Stands for what an output's order is checked by.
template <class Compare>
using checked_order = std::conditional_t<is_another_order<Compare>, Compare, opaque_less>;

}  // namespace bench

template <int Bytes>
struct kit::value_maker<bench::record<Bytes>> {
  using type = bench::record<Bytes>;
  static GPUSORT_HOST_DEVICE type make(std::uint64_t rank, std::uint64_t index) {
    type r;
    r.key = static_cast<std::uint32_t>(rank >> 32);
    for (int i = 0; i < type::payload_words; ++i) {
      r.payload[i] = static_cast<std::uint32_t>(index) + static_cast<std::uint32_t>(i);
    }
    return r;
  }
};

template <int Bytes>
struct kit::value_hash<bench::record<Bytes>> {
  static GPUSORT_HOST_DEVICE std::uint64_t hash(const bench::record<Bytes>& r) {
    std::uint64_t h = r.key;
    for (std::uint32_t word : r.payload) h = (h ^ word) * 0x9FB21C651E98DF25ull;
    return scramble(h);
  }
};
