// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments of an array, each sorted by a block of its own: what the tests of block.hpp share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <gpusort/block.hpp>
#include <iterator>
#include <type_traits>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"

namespace kit {

/// Names which of the sorts a kernel calls.
enum class entry {
  registers,
  registers_stable,
  memory,
  memory_stable,
  spare,
  spare_stable,
  in_place,
  by_indices,
  by_fetched_keys
};

inline constexpr entry every_entry[] = {
    entry::registers,      entry::registers_stable, entry::memory,   entry::memory_stable,
    entry::spare,          entry::spare_stable,     entry::in_place, entry::by_indices,
    entry::by_fetched_keys};

inline const char* name_of(entry e) {
  constexpr const char* names[] = {
      "registers",    "registers_stable", "memory",     "memory_stable",  "spare",
      "spare_stable", "in_place",         "by_indices", "by_fetched_keys"};
  return names[static_cast<int>(e)];
}

inline bool is_stable(entry e) {
  return e == entry::registers_stable || e == entry::memory_stable || e == entry::spare_stable;
}
inline bool takes_any_length(entry e) {
  return e != entry::registers && e != entry::registers_stable && e != entry::memory_stable;
}

/// A tile, and the order that sorts it.
template <class Key, class Value, int ThreadsPerBlock, int ItemsPerThread, class Compare>
struct tile_config {
  using key = Key;
  using value = Value;
  using compare = Compare;
  using storage = gpusort::block::sort_storage<Key, ThreadsPerBlock, ItemsPerThread, Value>;
  static constexpr bool has_values = !std::is_same_v<Value, gpusort::no_value>;
};

/// Segments as a kernel gets them: segment b is what lies between two offsets.
template <class Config>
struct segments {
  typename Config::key *keys, *spare_keys;
  typename Config::value *values, *spare_values;
  const int* offsets;
};

template <bool Stable, class Config>
__device__ void sort_in_registers(typename Config::storage& storage, const segments<Config>& s,
                                  int begin, int n, typename Config::compare compare) {
  constexpr int items = Config::storage::items_per_thread;
  using key = typename Config::key;
  key keys[items];
  typename Config::value values[items];
  const int first = static_cast<int>(threadIdx.x) * items;
  for (int i = 0; i < items; ++i) {
    if (first + i < n) keys[i] = s.keys[begin + first + i];
    if (Config::has_values && first + i < n) values[i] = s.values[begin + first + i];
  }
  const bool is_full = n == Config::storage::items_per_tile;
  if constexpr (Config::has_values) {
    if (Stable && is_full) {
      gpusort::block::stable_sort_by_key(storage, keys, values, compare);
    } else if (Stable) {
      gpusort::block::stable_sort_by_key(storage, keys, values, n, compare);
    } else if (is_full) {
      gpusort::block::sort_by_key(storage, keys, values, compare);
    } else {
      gpusort::block::sort_by_key(storage, keys, values, n, compare);
    }
  } else if (Stable && is_full) {
    gpusort::block::stable_sort(storage, keys, compare);
  } else if (Stable) {
    gpusort::block::stable_sort(storage, keys, n, compare);
  } else if (is_full) {
    gpusort::block::sort(storage, keys, compare);
  } else {
    gpusort::block::sort(storage, keys, n, compare);
  }
  for (int i = 0; i < items; ++i) {
    if (first + i < n) {
      s.keys[begin + first + i] = keys[i];
      if (Config::has_values) s.values[begin + first + i] = values[i];
    }
  }
}

template <class Config>
__device__ void sort_keys(entry e, typename Config::storage& storage, typename Config::key* first,
                          typename Config::key* last, typename Config::key* spare,
                          typename Config::compare compare) {
  namespace block = gpusort::block;
  if (e == entry::memory) block::sort(storage, first, last, compare);
  if (e == entry::memory_stable) block::stable_sort(storage, first, last, compare);
  if (e == entry::spare) block::sort(storage, first, last, spare, compare);
  if (e == entry::spare_stable) block::stable_sort(storage, first, last, spare, compare);
  if (e == entry::in_place) block::sort(first, last, compare);
}

template <class Config>
__device__ void sort_pairs(entry e, typename Config::storage& storage, typename Config::key* first,
                           typename Config::key* last, typename Config::value* values,
                           typename Config::key* spare, typename Config::value* spare_values,
                           typename Config::compare compare) {
  namespace block = gpusort::block;
  if (e == entry::memory) block::sort_by_key(storage, first, last, values, compare);
  if (e == entry::memory_stable) block::stable_sort_by_key(storage, first, last, values, compare);
  if (e == entry::spare) {
    block::sort_by_key(storage, first, last, values, spare, spare_values, compare);
  }
  if (e == entry::spare_stable) {
    block::stable_sort_by_key(storage, first, last, values, spare, spare_values, compare);
  }
  if (e == entry::in_place) block::sort_by_key(first, last, values, compare);
}

template <class Config>
__global__ void __launch_bounds__(Config::storage::threads_per_block)
    sort_segments_kernel(entry e, segments<Config> s, typename Config::compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& storage = *reinterpret_cast<typename Config::storage*>(raw);
  const int begin = s.offsets[blockIdx.x], end = s.offsets[blockIdx.x + 1];
  const auto is_before = [=](int i, int j) { return compare(s.keys[i], s.keys[j]); };
  const auto swap = [=](int i, int j) {
    exchange_values(s.keys[i], s.keys[j]);
    if constexpr (Config::has_values) exchange_values(s.values[i], s.values[j]);
  };
  switch (e) {
    case entry::registers:
      return sort_in_registers<false>(storage, s, begin, end - begin, compare);
    case entry::registers_stable:
      return sort_in_registers<true>(storage, s, begin, end - begin, compare);
    case entry::by_indices:
      return gpusort::block::sort(begin, end, is_before, swap);
    case entry::by_fetched_keys:
      return gpusort::block::sort(
          begin, end, [=](int i) { return s.keys[i]; }, compare, swap);
    default:
      if constexpr (Config::has_values) {
        sort_pairs<Config>(e, storage, s.keys + begin, s.keys + end, s.values + begin,
                           s.spare_keys + begin, s.spare_values + begin, compare);
      } else {
        sort_keys<Config>(e, storage, s.keys + begin, s.keys + end, s.spare_keys + begin, compare);
      }
  }
}

/// Returns lengths of segments: the edges of warps and of the tile, and beyond it where that may
/// be.
template <class Config>
std::vector<int> segment_lengths(bool beyond_the_tile) {
  const int tile = Config::storage::items_per_tile;
  std::vector<int> lengths = {0, 1, 2, 3, 31, 32, 33, tile / 2, tile / 2 + 1, tile - 1, tile};
  for (int& n : lengths) n = std::min(n, tile);
  if (beyond_the_tile) {
    for (int n : {tile + 1, 2 * tile + 1, 5 * tile + 7}) lengths.push_back(n);
  }
  return lengths;
}

/// Returns all of them, or two under a sanitizer.
inline std::vector<distribution> distributions() {
  if (small_sizes_only()) return {distribution::uniform, distribution::few_distinct};
  return {std::begin(every_distribution), std::end(every_distribution)};
}

inline std::vector<int> offsets_of(const std::vector<int>& lengths) {
  std::vector<int> offsets = {0};
  for (int n : lengths) offsets.push_back(offsets.back() + n);
  return offsets;
}

/// Sorts each segment by a block of its own.
template <class Config>
void sort_segments(entry e, segments<Config> s, const std::vector<int>& offsets,
                   typename Config::compare compare) {
  column<int> told(offsets.size());
  std::copy(offsets.begin(), offsets.end(), told.begin());
  const buffer<int> places(told, 0);
  s.offsets = places.data();
  constexpr int bytes = static_cast<int>(sizeof(typename Config::storage));
  const auto kernel = sort_segments_kernel<Config>;
  cuda_ok(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  launch(offsets.size() - 1, Config::storage::threads_per_block, bytes, kernel, e, s, compare);
  cuda_ok(cudaDeviceSynchronize());
}

/// Calls examine(entry, distribution, promise) for every sort, until one fails.
template <class Key, class Examine>
void for_every_entry(Examine examine) {
  for (auto e : every_entry) {
    const auto promised = is_stable(e) ? promise::stability : promise::order;
    std::vector<distribution> all = distributions();
    if (is_float<Key>) all.push_back(distribution::special);
    for (auto d : all) {
      examine(e, d, promised);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace kit
