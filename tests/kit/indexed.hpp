// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What index sorts are tested on: three arrays next to each other, in storage that is strided or
// permuted, reached by functors on the host and on the device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/index_sort.hpp>
#include <vector>

#include "column.hpp"
#include "generate.hpp"
#include "random.hpp"
#include "red_zones.hpp"
#include "values.hpp"

namespace kit {

template <class Key, class Index>
struct indexed_view {
  Key* keys;
  std::uint64_t* tags;
  unsigned char* bytes;
  const std::uint32_t* where;  // the place of index first + k
  Index first;
  unsigned long long* swaps;

  GPUSORT_HOST_DEVICE std::uint32_t place(Index i) const {
    return where[static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(first)];
  }
};

template <class Key, class Index>
struct fetch_indexed {
  indexed_view<Key, Index> view;
  GPUSORT_HOST_DEVICE Key operator()(Index i) const { return view.keys[view.place(i)]; }
};

template <class Key, class Index, class Compare>
struct compare_indexed {
  indexed_view<Key, Index> view;
  Compare compare;
  GPUSORT_HOST_DEVICE bool operator()(Index i, Index j) const {
    return compare(view.keys[view.place(i)], view.keys[view.place(j)]);
  }
};

template <class Key, class Index>
struct swap_indexed {
  indexed_view<Key, Index> view;
  // Not const: as a mutable lambda.
  GPUSORT_HOST_DEVICE void operator()(Index i, Index j) {
    const std::uint32_t a = view.place(i), b = view.place(j);
    exchange_values(view.keys[a], view.keys[b]);
    exchange_values(view.tags[a], view.tags[b]);
    exchange_values(view.bytes[a], view.bytes[b]);
#if defined(__CUDA_ARCH__)
    atomicAdd(view.swaps, 1ull);
#else
    __atomic_fetch_add(view.swaps, 1ull, __ATOMIC_RELAXED);
#endif
  }
};

enum class storage { in_order, strided, permuted };

/// n keys of a distribution, one for each index in [first, first + n).
template <class Key, class Index, class Memory = host_memory>
class indexed {
 public:
  indexed(distribution d, std::size_t n, Index first, storage s = storage::in_order)
      : n_(n),
        first_(first),
        places_(s == storage::strided ? 2 * n : n),
        keys_(places_, 1),
        tags_(places_, 0),
        bytes_(places_, 3),
        where_(n, 0),
        swaps_(1, 0),
        before_(generate<Key>(d, places_, seed())),
        where_before_(n) {
    column<std::uint64_t> tags(places_);
    column<unsigned char> bytes(places_);
    for (std::size_t i = 0; i < places_; ++i) {
      tags[i] = i;
      bytes[i] = byte_of(i);
    }
    for (std::size_t k = 0; k < n; ++k) {
      where_before_[k] = static_cast<std::uint32_t>(s == storage::strided ? 2 * k : k);
    }
    if (s == storage::permuted) {
      for (std::size_t k = n; k > 1; --k) {
        std::swap(where_before_[k - 1], where_before_[random_at(seed(), k) % k]);
      }
    }
    column<unsigned long long> none(1);
    none[0] = 0;
    keys_.write(before_);
    tags_.write(tags);
    bytes_.write(bytes);
    where_.write(where_before_);
    swaps_.write(none);
  }

  indexed_view<Key, Index> view() const {
    return {keys_.data(), tags_.data(), bytes_.data(), where_.data(), first_, swaps_.data()};
  }
  Index first() const { return first_; }
  Index last() const { return static_cast<Index>(first_ + static_cast<Index>(n_)); }
  fetch_indexed<Key, Index> fetch() const { return {view()}; }
  swap_indexed<Key, Index> swap() const { return {view()}; }
  template <class Compare>
  compare_indexed<Key, Index, Compare> comparing(Compare compare) const {
    return {view(), compare};
  }

  std::uint64_t swaps() const { return swaps_.read()[0]; }

  /// Whether every record is whole and there once, and nothing else was touched.
  ::testing::AssertionResult is_permutation() const {
    const auto keys = keys_.read();
    const auto tags = tags_.read();
    const auto bytes = bytes_.read();
    std::vector<bool> in_range(places_), seen(places_);
    for (std::size_t k = 0; k < n_; ++k) in_range[where_before_[k]] = true;
    for (std::size_t i = 0; i < places_; ++i) {
      const std::uint64_t tag = tags[i];
      if (tag >= places_ || seen[tag]) return failure(i) << "lost or doubled";
      seen[tag] = true;
      if (!in_range[i] && tag != i) return failure(i) << "moved, and is not of the range";
      if (bytes[i] != byte_of(tag) || std::memcmp(&keys[i], &before_[tag], sizeof(Key)) != 0) {
        return failure(i) << "torn apart";
      }
    }
    if (!keys_.intact() || !tags_.intact() || !bytes_.intact() || !where_.intact()) {
      return ::testing::AssertionFailure() << "written outside";
    }
    return ::testing::AssertionSuccess();
  }

  /// Whether it is also in order, and, where asked, equivalent records in the order they had.
  template <class Compare>
  ::testing::AssertionResult is_sorted(Compare compare, bool stable = false) const {
    const auto permutation = is_permutation();
    if (!permutation) return permutation;
    std::vector<std::size_t> number(places_);
    for (std::size_t k = 0; k < n_; ++k) number[where_before_[k]] = k;
    const auto keys = keys_.read();
    const auto tags = tags_.read();
    for (std::size_t k = 1; k < n_; ++k) {
      const std::size_t a = where_before_[k - 1], b = where_before_[k];
      if (compare(keys[b], keys[a])) return failure(k) << "out of order";
      if (stable && !compare(keys[a], keys[b]) && number[tags[a]] > number[tags[b]]) {
        return failure(k) << "not stable";
      }
    }
    return ::testing::AssertionSuccess();
  }

 private:
  static unsigned char byte_of(std::uint64_t tag) { return static_cast<unsigned char>(tag % 251); }
  ::testing::AssertionResult failure(std::size_t place) const {
    return ::testing::AssertionFailure() << "place " << place << " of " << n_ << ": ";
  }

  std::size_t n_;
  Index first_;
  std::size_t places_;
  guarded<Key, Memory> keys_;
  guarded<std::uint64_t, Memory> tags_;
  guarded<unsigned char, Memory> bytes_;
  guarded<std::uint32_t, Memory> where_;
  guarded<unsigned long long, Memory> swaps_;
  column<Key> before_;
  column<std::uint32_t> where_before_;
};

}  // namespace kit
