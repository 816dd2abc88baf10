// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Arrays of several devices as one, to which a kernel of any of them stores. An index is an
/// address, counted in elements; every array begins at a multiple of their size. With `is_rank` it
/// is the rank of an element in all arrays one after the other, for what may be in any of them.
template <class Key, class Held = as_is>
struct peer_array {
  using value_type = typename Held::template type<Key>;
  static constexpr int max_peers = 16;
  static constexpr std::uint64_t is_rank = std::uint64_t{1} << 63;

  int peers;
  std::uint64_t ends[max_peers];     // the ranks of an array are below this
  std::uint64_t offsets[max_peers];  // of an index from the rank

  static std::uint64_t index_of(const Key* p) {
    return reinterpret_cast<std::uintptr_t>(p) / sizeof(Key);
  }

  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const {
    if (i >= is_rank) i = index_of_rank(i - is_rank);
    *reinterpret_cast<Key*>(i * sizeof(Key)) = Held::template decode<Key>(x);
  }

 private:
  GPUSORT_HOST_DEVICE std::uint64_t index_of_rank(std::uint64_t rank) const {
    int peer = 0;
    while (peer + 1 < peers && ends[peer] <= rank) ++peer;
    return rank + offsets[peer];
  }
};

/// The array of several devices' arrays.
template <class Array>
struct peers_of;
template <class Key, class Held>
struct peers_of<key_array<Key, Held>> {
  using key = Key;
  using type = peer_array<Key, Held>;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
