// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A range of small keys as aligned pieces of several, with less than a piece of keys before and
/// after them.
template <class Piece, class Key>
struct pieces {
  static constexpr int keys_per_piece = static_cast<int>(sizeof(Piece) / sizeof(Key));
  using piece = std::conditional_t<std::is_const_v<Key>, const Piece, Piece>;

  int head;
  int tail;
  std::uint64_t count;  // of pieces
  piece* first;

  GPUSORT_DEVICE pieces(Key* keys, std::uint64_t n) {
    const auto misaligned =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(keys) % sizeof(Piece));
    const int to_boundary =
        (static_cast<int>(sizeof(Piece)) - misaligned) % static_cast<int>(sizeof(Piece));
    head = static_cast<int>(min_of<std::uint64_t>(to_boundary / sizeof(Key), n));
    count = (n - head) / keys_per_piece;
    tail = static_cast<int>((n - head) % keys_per_piece);
    first = reinterpret_cast<piece*>(keys + head);
  }

  GPUSORT_DEVICE std::uint64_t tail_begin() const { return head + count * keys_per_piece; }
};

/// Calls body(piece) for all pieces, shared out among the threads of the block; each has InFlight
/// loads waiting together.
template <int InFlight, class Pieces, class Body>
GPUSORT_DEVICE void for_each_piece(const Pieces& parts, const Body& body) {
  using piece = std::remove_const_t<typename Pieces::piece>;
  const std::uint64_t threads = blockDim.x;
  for (std::uint64_t begin = threadIdx.x; begin < parts.count; begin += InFlight * threads) {
    piece x[InFlight];
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      if (begin + i * threads < parts.count) x[i] = parts.first[begin + i * threads];
    }
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      if (begin + i * threads < parts.count) body(x[i]);
    }
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
