// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorts of the ledger: elements, how the i-th is made, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <gpusort/sort.hpp>
#include <type_traits>

namespace ledger {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Returns a number that only i decides, and that looks random.
__host__ __device__ inline u64 mix(u64 i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}

template <int Words>
struct words {
  u32 w[Words];
};
struct two_words {
  u32 a, b;
};
struct four_words {
  u32 a, b, c, d;
};
struct long_record {
  u64 key;
  u64 rest[3];
};
template <int Keys, int Rest>
struct long_keys {
  u64 key[Keys];
  u64 rest[Rest];
};
/// A name in a field of 20 bytes, with as much else as makes 32.
struct named {
  char name[20];
  u32 rest[3];
};
/// A name in a field of 120 bytes, with as much else as makes 128.
struct long_named {
  char name[120];
  u32 rest[2];
};
template <class T>
inline constexpr bool has_keys = false;
template <int Keys, int Rest>
inline constexpr bool has_keys<long_keys<Keys, Rest>> = true;

enum class input { random, in_order, equal_words };

/// Makes an element of random bits. `in_order`: of a number, those of its index. `equal_words`: of
/// keys of several words, all but the last have one of 1000 values together.
template <class T>
struct made {
  __device__ static T from(u64 i, input order) {
    if constexpr (sizeof(T) <= 8 && !std::is_class_v<T>) {
      return static_cast<T>(order == input::in_order ? i : mix(i));
    } else {
      T x;
      auto* const w = reinterpret_cast<u32*>(&x);
      for (u32 k = 0; k < sizeof(T) / 4; ++k)
        w[k] = static_cast<u32>(mix(i + (u64{k} << 40)) >> 32);
      if constexpr (has_keys<T>) {
        constexpr int last = sizeof(x.key) / sizeof(u64) - 1;
        for (int k = 0; order == input::equal_words && k < last; ++k) x.key[k] = mix(i) % 1000;
      }
      return x;
    }
  }
};
template <>
struct made<cuda::std::tuple<int, float>> {
  __device__ static cuda::std::tuple<int, float> from(u64 i, input) {
    return {static_cast<int>(mix(i)), static_cast<float>(mix(i) >> 40)};
  }
};

/// Makes a name of 1000: some letters, and a number in decimal digits.
template <class Named>
struct made_name {
  __device__ static Named from(u64 i, input) {
    Named x{{'c', 'u', 's', 't', 'o', 'm', 'e', 'r', '-'}, {}};
    u64 number = mix(i) % 1000;
    for (int digit = sizeof(x.name) - 3; digit > 8; --digit, number /= 10)
      x.name[digit] = static_cast<char>('0' + number % 10);
    for (u32& r : x.rest) r = static_cast<u32>(i);
    return x;
  }
};
template <>
struct made<named> : made_name<named> {};
template <>
struct made<long_named> : made_name<long_named> {};

struct opaque_less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct by_member {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a.w[0] < b.w[0];
  }
};
struct by_computed {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a.w[0] * 2654435761u < b.w[0] * 2654435761u;
  }
};
/// Compares names letter by letter.
struct by_letters {
  __device__ bool operator()(const long_named& a, const long_named& b) const {
    for (int i = 0; i < 120; ++i) {
      if (a.name[i] != b.name[i]) return a.name[i] < b.name[i];
    }
    return false;
  }
};
/// Orders numbers otherwise than they are ordered.
struct by_product {
  template <class T>
  __device__ bool operator()(T a, T b) const {
    return a * static_cast<T>(0x9e3779b97f4a7c15) < b * static_cast<T>(0x9e3779b97f4a7c15);
  }
};
/// Compares what a table of 16 MB has for two numbers.
struct by_table {
  const u32* table;
  static constexpr u32 entries = 1 << 22;
  __device__ bool operator()(u32 a, u32 b) const { return table[a % entries] < table[b % entries]; }
};

template <class T, class MakeOrder>
struct sort_of {
  using element = T;
  static constexpr bool has_little_scratch = false;
  static auto order() { return MakeOrder::make(); }
};
template <class Order>
struct plain {
  static Order make() { return {}; }
};

// The programs, by name: LEDGER_PROGRAM is one.
struct u16_less : sort_of<u16, plain<gpusort::less>> {};
struct u32_less : sort_of<u32, plain<gpusort::less>> {};
struct u32_less_in_little_scratch : u32_less {
  static constexpr bool has_little_scratch = true;
};
struct u64_less : sort_of<u64, plain<gpusort::less>> {};
struct u32_opaque : sort_of<u32, plain<opaque_less>> {};
struct u64_opaque : sort_of<u64, plain<opaque_less>> {};
struct u64_by_product : sort_of<u64, plain<by_product>> {};
struct words3_by_member : sort_of<words<3>, plain<by_member>> {};
struct words9_by_computed : sort_of<words<9>, plain<by_computed>> {};
struct words32_by_member : sort_of<words<32>, plain<by_member>> {};
struct tuple_less : sort_of<cuda::std::tuple<int, float>, plain<gpusort::less>> {};

struct u32_by_table {
  using element = u32;
  static constexpr bool has_little_scratch = false;
  static by_table order();
};

struct member_by_pointer {
  static auto make() { return gpusort::order_by(gpusort::asc(&four_words::c)); }
};
struct bytes16_by_pointer : sort_of<four_words, member_by_pointer> {};
struct two_members {
  static auto make() {
    return gpusort::order_by(gpusort::asc<&two_words::a>(), gpusort::asc<&two_words::b>());
  }
};
struct bytes8_by_64_bits : sort_of<two_words, two_members> {};
struct two_of_four_members {
  static auto make() {
    return gpusort::order_by(gpusort::asc<&four_words::a>(), gpusort::asc<&four_words::b>());
  }
};
struct bytes16_by_64_bits : sort_of<four_words, two_of_four_members> {};
struct one_long_member {
  static auto make() { return gpusort::order_by(gpusort::asc(&long_record::key)); }
};
struct bytes32_by_64_bits : sort_of<long_record, one_long_member> {};

/// Orders by all keys of long_keys.
template <int Keys, int Rest>
struct all_keys {
  using record = long_keys<Keys, Rest>;
  struct keys_of {
    __host__ __device__ cuda::std::array<u64, Keys> operator()(const record& r) const {
      cuda::std::array<u64, Keys> keys{};
      for (int k = 0; k < Keys; ++k) keys[static_cast<std::size_t>(k)] = r.key[k];
      return keys;
    }
  };
  static auto make() { return gpusort::order_by(gpusort::asc(keys_of{})); }
};
struct bytes64_by_192_bits : sort_of<long_keys<3, 5>, all_keys<3, 5>> {};
struct name_member {
  static auto make() { return gpusort::order_by(gpusort::asc(&named::name)); }
};
struct bytes32_by_names : sort_of<named, name_member> {};
struct long_name_member {
  static auto make() { return gpusort::order_by(gpusort::asc(&long_named::name)); }
};
struct bytes128_by_names : sort_of<long_named, long_name_member> {};
struct bytes128_by_letters : sort_of<long_named, plain<by_letters>> {};

}  // namespace ledger
