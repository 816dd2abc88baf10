// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/predicate.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Records of `pieces_per_record` pieces: out[i] = in[order[i]], or, where it Scatters,
/// out[order[i]] = in[i]. Consecutive threads write, or read, consecutive pieces, whatever the
/// length of a record; so that side is coalesced, and a record of the other belongs to neighbouring
/// threads.
///
/// Nothing happens where gate is a condition that is not set.
///
/// A block owns pieces_per_block pieces of that side. Numbers within it stay below
/// pieces_per_block + pieces_per_record; reciprocal is ceil(2^32 / pieces_per_record), and the
/// product with it gives exact quotients while
/// (pieces_per_block + pieces_per_record) * pieces_per_record < 2^32.
template <bool Scatters, int ThreadsPerBlock, int PiecesPerThread, class Piece, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    gather_kernel(const Piece* __restrict__ in, const Index* __restrict__ order,
                  Piece* __restrict__ out, std::uint64_t pieces, std::uint32_t pieces_per_record,
                  std::uint64_t reciprocal, predicate gate) {
  if (!gate.is_set()) return;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * (ThreadsPerBlock * PiecesPerThread);
  const std::uint64_t first_record = begin / pieces_per_record;
  const std::uint32_t first_piece =
      static_cast<std::uint32_t>(begin - first_record * pieces_per_record);
  constexpr std::uint64_t pieces_per_block = ThreadsPerBlock * PiecesPerThread;
  const std::uint64_t left = pieces - begin;
  const std::uint32_t last =
      static_cast<std::uint32_t>(left < pieces_per_block ? left : pieces_per_block) - 1;

  // Past the end the last piece is read again, so that no read waits for a branch.
  std::uint64_t ordered[PiecesPerThread];
#pragma unroll
  for (int k = 0; k < PiecesPerThread; ++k) {
    const std::uint32_t offset = static_cast<std::uint32_t>(k * ThreadsPerBlock) + threadIdx.x;
    const std::uint32_t q = first_piece + (offset < last ? offset : last);
    const std::uint32_t record = static_cast<std::uint32_t>((q * reciprocal) >> 32);
    ordered[k] = std::uint64_t{order[first_record + record]} * pieces_per_record +
                 (q - record * pieces_per_record);
  }
  Piece held[PiecesPerThread];
#pragma unroll
  for (int k = 0; k < PiecesPerThread; ++k) {
    const std::uint32_t offset = static_cast<std::uint32_t>(k * ThreadsPerBlock) + threadIdx.x;
    held[k] = in[Scatters ? begin + (offset < last ? offset : last) : ordered[k]];
  }
#pragma unroll
  for (int k = 0; k < PiecesPerThread; ++k) {
    const std::uint32_t offset = static_cast<std::uint32_t>(k * ThreadsPerBlock) + threadIdx.x;
    if (offset <= last) out[Scatters ? ordered[k] : begin + offset] = held[k];
  }
}

/// Copies out[i] = in[i], where gate is set.
template <int ThreadsPerBlock, int PiecesPerThread, class Piece>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    copy_pieces_kernel(const Piece* __restrict__ in, Piece* __restrict__ out, std::uint64_t pieces,
                       predicate gate) {
  if (!gate.is_set()) return;
  const std::uint64_t first =
      std::uint64_t{blockIdx.x} * (ThreadsPerBlock * PiecesPerThread) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < PiecesPerThread; ++k) {
    const std::uint64_t i = first + k * ThreadsPerBlock;
    if (i < pieces) out[i] = in[i];
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
