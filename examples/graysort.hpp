// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of the sort benchmark (sortbenchmark.org), for the examples that sort them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

/// Record as it stands in a file.
struct alignas(4) record {
  std::uint8_t key[10];
  std::uint8_t payload[90];
};
static_assert(sizeof(record) == 100, "records are packed");

struct by_key {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    for (int i = 0; i < 10; ++i) {
      if (a.key[i] != b.key[i]) return a.key[i] < b.key[i];
    }
    return false;
  }
};

/// Record `number` of the input, from its number alone: a random key, the number in hexadecimal,
/// and filler, laid out as the benchmark's gensort does. Skewed keys begin with one of few prefixes
/// of six bytes: half of them with the first, a quarter with the second, and so on.
struct make_record {
  bool is_skewed = false;

  __host__ __device__ record operator()(std::uint64_t number) const {
    record result;
    const std::uint64_t random[2] = {mix(2 * number), mix(2 * number + 1)};
    for (int i = 0; i < 10; ++i) {
      result.key[i] = static_cast<std::uint8_t>(random[i / 8] >> (8 * (i % 8)));
    }
    if (is_skewed) {
      std::uint64_t prefix = 0;
      while (prefix < 63 && (random[0] >> prefix & 1) != 0) ++prefix;
      prefix = mix(prefix);
      for (int i = 0; i < 6; ++i) result.key[i] = static_cast<std::uint8_t>(prefix >> (8 * i));
    }
    std::uint8_t* next = result.payload;
    *next++ = 0x00;
    *next++ = 0x11;
    for (int digit = 31; digit >= 0; --digit) {
      *next++ = hexadecimal(digit < 16 ? number >> (4 * digit) : 0);
    }
    for (int i = 0; i < 4; ++i) *next++ = static_cast<std::uint8_t>(0x88 + 0x11 * i);
    for (int i = 0; i < 48; ++i) *next++ = hexadecimal(random[1] >> (4 * (i / 4)));
    for (int i = 0; i < 4; ++i) *next++ = static_cast<std::uint8_t>(0xCC + 0x11 * i);
    return result;
  }

  __host__ __device__ static std::uint8_t hexadecimal(std::uint64_t bits) {
    const auto digit = static_cast<std::uint8_t>(bits & 15);
    return static_cast<std::uint8_t>(digit < 10 ? '0' + digit : 'A' + digit - 10);
  }

  /// Returns number x of what SplitMix64 (Steele, Lea, Flood 2014) gives from seed 0.
  __host__ __device__ static std::uint64_t mix(std::uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }
};

/// FNV-1a over all bytes of a record.
struct hash_of {
  __host__ __device__ std::uint64_t operator()(const record& r) const {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (std::uint8_t byte : r.key) hash = (hash ^ byte) * 0x100000001B3;
    for (std::uint8_t byte : r.payload) hash = (hash ^ byte) * 0x100000001B3;
    return hash;
  }
};
