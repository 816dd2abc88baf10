// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/gather.hpp>
#include <gpusort/detail/kernel/table.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// out[i] = in[order[i]] for elements whose width is known at run time, and for bits.
///
/// `in` and `out` do not overlap. Scratch: none. Launches: 1. No synchronization; capturable.
/// Source: paper 002 (records moved by groups of threads, in wide pieces).
template <class Index>
struct gather_column {
  /// Gathers elements of 1 to max_column_width bytes, at any address.
  static void bytes(cudaStream_t stream, const void* in, std::size_t width, const Index* order,
                    std::uint64_t n, void* out) {
    // What the width and both addresses are multiples of.
    const std::uintptr_t all =
        reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out) | width;
    if (all % 16 == 0) return pieces<uint4>(stream, in, width, order, n, out);
    if (all % 8 == 0) return pieces<std::uint64_t>(stream, in, width, order, n, out);
    if (all % 4 == 0) return pieces<std::uint32_t>(stream, in, width, order, n, out);
    if (all % 2 == 0) return pieces<std::uint16_t>(stream, in, width, order, n, out);
    pieces<std::uint8_t>(stream, in, width, order, n, out);
  }

  /// Gathers bits of a bitmap, least significant ones first: those of valid(order[i]). The last
  /// byte is filled up by zeros.
  template <class Valid>
  static void bits(cudaStream_t stream, Valid valid, const Index* order, std::uint64_t n,
                   unsigned char* out) {
    launch(kernel::gather_bits_kernel<threads_per_block, Valid, Index>, blocks(n),
           threads_per_block, 0, stream, valid, order, n, out);
  }

  /// Writes flags, a byte for each row.
  template <class Valid>
  static void flags(cudaStream_t stream, Valid valid, const Index* order, std::uint64_t n,
                    unsigned char* out) {
    launch(kernel::gather_flags_kernel<threads_per_block, Valid, Index>, blocks(n),
           threads_per_block, 0, stream, valid, order, n, out);
  }

  /// Writes the indices, with 0 in the place of those that are not one of `rows` rows.
  template <class Row>
  static void rows_or_first(cudaStream_t stream, const Index* indices, std::uint64_t n,
                            std::uint64_t rows, Row* out) {
    launch(kernel::row_or_first_kernel<threads_per_block, Index, Row>, blocks(n), threads_per_block,
           0, stream, indices, n, rows, out);
  }

 private:
  static constexpr int threads_per_block = 256;
  // Random reads wait for memory: each thread has several on the way.
  static constexpr int pieces_per_thread = 8;

  static std::uint64_t blocks(std::uint64_t n) {
    return ceil_div<std::uint64_t>(n, threads_per_block);
  }

  template <class Piece>
  static void pieces(cudaStream_t stream, const void* in, std::size_t width, const Index* order,
                     std::uint64_t n, void* out) {
    constexpr std::uint64_t per_block = threads_per_block * pieces_per_thread;
    static_assert((per_block + max_column_width) * max_column_width < (std::uint64_t{1} << 32),
                  "quotients by the reciprocal are exact");
    const std::uint64_t per_element = width / sizeof(Piece);
    launch(kernel::gather_kernel<false, threads_per_block, pieces_per_thread, Piece, Index>,
           ceil_div<std::uint64_t>(n * per_element, per_block), threads_per_block, 0, stream,
           static_cast<const Piece*>(in), order, static_cast<Piece*>(out), n * per_element,
           static_cast<std::uint32_t>(per_element), ceil_div(std::uint64_t{1} << 32, per_element),
           kernel::predicate{});
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
