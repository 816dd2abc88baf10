// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/gather.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Copies bytes within device memory, in stream order.
inline void relocate(cudaStream_t stream, const void* in, void* out, std::size_t bytes) {
  if (bytes == 0 || in == out) return;
  check(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, stream), "copying elements");
}

/// One scratch allocation that holds n records from its beginning and, at its end, the indices that
/// say which record goes where. Indices are read in the order in which records are written; so the
/// records may grow over indices that have been used, and no memory is taken for both.
///
/// Record i ends at (i + 1) * record_bytes; index i begins at bytes - (n - i) * index_bytes.
struct permutation_scratch {
  std::uint64_t n;
  std::size_t record_bytes;
  std::size_t index_bytes;
  std::size_t bytes;  // of the allocation

  /// Returns the bytes that are enough: n records and 3%. Records shorter than two indices do not
  /// overlap them: there would be too many launches.
  static std::size_t bytes_for(std::uint64_t n, std::size_t record_bytes, std::size_t index_bytes) {
    constexpr std::size_t alignment = 256;
    const std::size_t records = static_cast<std::size_t>(n) * record_bytes;
    const std::size_t more = record_bytes < 2 * index_bytes
                                 ? static_cast<std::size_t>(n) * index_bytes + alignment
                                 : records / 32 + 65536;
    return round_up(records + more, alignment);
  }

  std::size_t first_index_byte() const { return bytes - static_cast<std::size_t>(n) * index_bytes; }

  /// Returns where a launch that gathers from record `begin` on must end: what it writes stays
  /// below the indices that it, or a later launch, reads. At least begin + 1: with r = n - begin
  /// indices left and `bytes` at least bytes_for(), (r - 1) records and the slack hold r indices.
  /// With record_bytes >= 2 * index_bytes each launch leaves at most half of what was left, and the
  /// slack holds the indices of 1/16 of the records: so there are 5 launches at most.
  std::uint64_t launch_end(std::uint64_t begin) const {
    const std::size_t below_indices = bytes - static_cast<std::size_t>(n - begin) * index_bytes;
    return min_of<std::uint64_t>(n, below_indices / record_bytes);
  }
};

/// The shape of blocks that move pieces of records.
struct gather_shape {
  static constexpr int threads_per_block = 256;
  // Random reads wait for memory: each thread has several on the way.
  static constexpr int pieces_per_thread = 8;
  static constexpr int pieces_per_block = threads_per_block * pieces_per_thread;
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Moves n records of `per_record` pieces: out[i] = in[order[i]], or the inverse, where it
/// Scatters.
template <bool Scatters, class Piece, class Index>
void move_pieces(cudaStream_t stream, const Piece* in, const Index* order, Piece* out,
                 std::uint64_t n, std::uint64_t per_record, kernel::predicate gate);

template <bool Scatters, class Piece, class Index>
void move_pieces(cudaStream_t stream, const Piece* in, const Index* order, Piece* out,
                 std::uint64_t n, std::uint64_t per_record, kernel::predicate gate) {
  using shape = gather_shape;
  launch(kernel::gather_kernel<Scatters, shape::threads_per_block, shape::pieces_per_thread, Piece,
                               Index>,
         ceil_div<std::uint64_t>(n * per_record, shape::pieces_per_block), shape::threads_per_block,
         0, stream, in, order, out, n * per_record, static_cast<std::uint32_t>(per_record),
         ceil_div(std::uint64_t{1} << 32, per_record), gate);
}

#define GPUSORT_DETAIL_GATHER(declare, piece)                                                 \
  declare template void move_pieces<false, piece, std::uint32_t>(                             \
      cudaStream_t, const piece*, const std::uint32_t*, piece*, std::uint64_t, std::uint64_t, \
      kernel::predicate);
#if GPUSORT_HAS_LIBRARY
GPUSORT_DETAIL_GATHER(extern, uint4)
GPUSORT_DETAIL_GATHER(extern, unsigned_of_size_t<8>)
GPUSORT_DETAIL_GATHER(extern, unsigned_of_size_t<4>)
#endif

}  // namespace GPUSORT_LINKED

/// out[i] = in[order[i]] for records of type T, of 1 byte to 60 KB and any alignment, moved as
/// bytes in the widest pieces that their size allows, where the pointers are aligned for these,
/// else in pieces as wide as T's alignment; and the inverse. `in` and `out` do not overlap. Order:
/// that of the indices. Scratch: none. Launches: 1. Where the condition `gate` is not set when
/// the kernel runs, nothing is moved. No synchronization; capturable. Source: paper 002 (records
/// moved by groups of threads, in wide pieces).
template <class T, class Index>
struct gather {
  static void run(cudaStream_t stream, const T* in, const Index* order, std::uint64_t n, T* out,
                  kernel::predicate gate = {}) {
    with_pieces(in, out,
                [&](auto piece) { move<false, decltype(piece)>(stream, in, order, n, out, gate); });
  }

  /// Gathers where `out` is the beginning of `scratch.bytes` bytes that hold the order at their
  /// end: in 5 launches at most, 1 where they do not overlap.
  static void run_over_order(cudaStream_t stream, const T* in, const permutation_scratch& scratch,
                             T* out, kernel::predicate gate = {}) {
    const Index* const order = reinterpret_cast<const Index*>(
        reinterpret_cast<const unsigned char*>(out) + scratch.first_index_byte());
    for (std::uint64_t begin = 0; begin < scratch.n;) {
      const std::uint64_t end = scratch.launch_end(begin);
      run(stream, in, order + begin, end - begin, out + begin, gate);
      begin = end;
    }
  }

  /// Puts `records` into order: records[i] becomes what records[order[i]] was. The order lies at
  /// the end of `memory`, whose size is scratch.bytes, and is lost.
  static void run_in_place(cudaStream_t stream, T* records, const permutation_scratch& scratch,
                           void* memory, kernel::predicate gate = {}) {
    T* const buffer = static_cast<T*>(memory);
    run_over_order(stream, records, scratch, buffer, gate);
    copy_back(stream, buffer, scratch.n, records, gate);
  }

  /// Runs the inverse of run: out[order[i]] = in[i].
  static void run_inverse(cudaStream_t stream, const T* in, const Index* order, std::uint64_t n,
                          T* out, kernel::predicate gate = {}) {
    with_pieces(in, out,
                [&](auto piece) { move<true, decltype(piece)>(stream, in, order, n, out, gate); });
  }

  /// Copies n records: out[i] = in[i].
  static void copy_back(cudaStream_t stream, const T* in, std::uint64_t n, T* out,
                        kernel::predicate gate) {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    if (gate.word == nullptr) return relocate(stream, in, out, bytes);
    with_pieces(in, out, [&](auto piece) { copy<decltype(piece)>(stream, in, bytes, out, gate); });
  }

  /// Calls body(piece()) with the widest pieces that two arrays can be moved in.
  template <class Body>
  static void with_pieces(const T* a, const T* b, const Body& body) {
    const std::uintptr_t addresses =
        reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
    if (widest == narrowest || addresses % widest == 0) return body(piece_t<widest>{});
    body(piece_t<narrowest>{});
  }

 private:
  static constexpr std::size_t max_piece = 16;
  // The largest power of two that divides the size, and the part of it that alignment vouches for.
  static constexpr std::size_t divisor = sizeof(T) & (~sizeof(T) + 1);
  static constexpr std::size_t widest = divisor < max_piece ? divisor : max_piece;
  static constexpr std::size_t narrowest = alignof(T) < widest ? alignof(T) : widest;

  template <std::size_t Bytes>
  using piece_t =
      std::conditional_t<Bytes == 16, uint4, unsigned_of_size_t<Bytes == 16 ? 8 : Bytes>>;

  template <class Piece>
  static void copy(cudaStream_t stream, const T* in, std::size_t bytes, T* out,
                   kernel::predicate gate) {
    using shape = gather_shape;
    launch(kernel::copy_pieces_kernel<shape::threads_per_block, shape::pieces_per_thread, Piece>,
           ceil_div<std::uint64_t>(bytes / sizeof(Piece), shape::pieces_per_block),
           shape::threads_per_block, 0, stream, reinterpret_cast<const Piece*>(in),
           reinterpret_cast<Piece*>(out), std::uint64_t{bytes / sizeof(Piece)}, gate);
  }

  template <bool Scatters, class Piece>
  static void move(cudaStream_t stream, const T* in, const Index* order, std::uint64_t n, T* out,
                   kernel::predicate gate) {
    constexpr std::uint64_t per_record = sizeof(T) / sizeof(Piece);
    static_assert(
        (gather_shape::pieces_per_block + per_record) * per_record < (std::uint64_t{1} << 32),
        "quotients by the reciprocal are exact");
    move_pieces<Scatters>(stream, reinterpret_cast<const Piece*>(in), order,
                          reinterpret_cast<Piece*>(out), n, per_record, gate);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
