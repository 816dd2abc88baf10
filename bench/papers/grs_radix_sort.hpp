// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

#include "grs_gather.hpp"
#include "grs_move.hpp"
#include "grs_rank.hpp"
#include "record_arrays.hpp"

namespace papers {

/// GPU Radix Sort for records of 32-bit fields by the first of them: least significant digit first,
/// 4 bits a pass, in three phases: histograms and ranks of tiles, which are stored; prefix sums of
/// the histograms; records moved. Either records move in each pass (directly), or tuples of key and
/// index do, and then records once (indirectly). Stable. Up to 2^32 - 1 records. Launches: 2 and
/// those of CUB's scan for each of 8 passes; indirectly 2 more. Source: paper 002, section VI.
class grs_radix_sort {
 public:
  static std::size_t direct_scratch_bytes(std::uint64_t n) {
    return n == 0 ? 0 : pass_scratch(n, nullptr).bytes;
  }

  /// Sorts directly; `spare` has the form of `records`, and holds nothing of interest then.
  static void sort_directly(cudaStream_t stream, const record_arrays& records,
                            const record_arrays& spare, std::uint64_t n, void* scratch) {
    if (n == 0) return;
    sort_between(stream, records, spare, n, pass_scratch(n, scratch));
  }

  static std::size_t indirect_scratch_bytes(std::uint64_t n) {
    return n == 0 ? 0 : indirect_scratch(n, nullptr).pass.bytes;
  }

  /// Sorts indirectly; `out` has the form of `in`, which is left as it is.
  static void sort_indirectly(cudaStream_t stream, const record_arrays& in,
                              const record_arrays& out, std::uint64_t n, void* scratch) {
    if (n == 0) return;
    const indirect_scratch parts(n, scratch);
    // What has been sorted ends where it began: a column of keys is in the output then.
    std::uint32_t* const sorted_keys = out.keys_are_a_column() ? out.columns[0] : parts.keys[0];
    std::uint32_t* const tuples[] = {sorted_keys, parts.indices[0]};
    std::uint32_t* const others[] = {parts.keys[1], parts.indices[1]};
    detail::launch(grs_tuples_kernel<threads_to_move>,
                   detail::ceil_div<std::uint64_t>(n, threads_to_move), threads_to_move, 0, stream,
                   in.keys(), in.words_per_key(), n, tuples[0], tuples[1]);
    sort_between(stream, record_arrays::by_field(tuples, 2), record_arrays::by_field(others, 2), n,
                 parts.pass);
    const record_arrays from = in.without_keys(), to = out.without_keys();
    with_pieces(from, to, [&](auto piece) {
      detail::launch(grs_gather_kernel<threads_to_move, decltype(piece)>, tiles_of(n),
                     threads_to_move, 0, stream, from, to, n, tuples[1]);
    });
  }

 private:
  static constexpr int threads_to_rank = 64;
  static constexpr int threads_to_move = 256;
  static constexpr int passes = 32 / grs_bits_per_digit;
  static_assert(passes % 2 == 0, "the last pass writes where the first one reads");

  static std::uint64_t tiles_of(std::uint64_t n) {
    return detail::ceil_div<std::uint64_t>(n, grs_items_per_tile);
  }

  struct pass_scratch {
    std::uint16_t* ranks;
    std::uint32_t* histograms;  // by digit, then by tile; then their prefix sums
    std::uint32_t counters;
    void* scan;
    std::size_t scan_bytes = 0;
    std::size_t bytes;

    pass_scratch(std::uint64_t n, void* base) : pass_scratch(n, detail::scratch_cursor(base)) {}
    pass_scratch(std::uint64_t n, detail::scratch_cursor cursor) {
      if (n > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("offsets have 32 bits: at most 2^32 - 1 records");
      }
      counters = static_cast<std::uint32_t>(grs_digits * tiles_of(n));
      ranks = cursor.take<std::uint16_t>(n);
      histograms = cursor.take<std::uint32_t>(counters);
      sum(nullptr, nullptr, scan_bytes);
      scan = cursor.take<unsigned char>(scan_bytes);
      bytes = cursor.used();
    }

    void sum(cudaStream_t stream) const {
      std::size_t room = scan_bytes;
      sum(stream, scan, room);
    }

   private:
    void sum(cudaStream_t stream, void* temporary, std::size_t& room) const {
      detail::check(
          cub::DeviceScan::ExclusiveSum(temporary, room, histograms, histograms, counters, stream),
          "summing histograms");
    }
  };

  struct indirect_scratch {
    detail::scratch_cursor cursor;
    std::uint32_t* keys[2];
    std::uint32_t* indices[2];
    pass_scratch pass;

    indirect_scratch(std::uint64_t n, void* base)
        : cursor(base),
          keys{cursor.take<std::uint32_t>(n), cursor.take<std::uint32_t>(n)},
          indices{cursor.take<std::uint32_t>(n), cursor.take<std::uint32_t>(n)},
          pass(n, cursor) {}
  };

  /// Sorts `records` by passes there and back.
  static void sort_between(cudaStream_t stream, const record_arrays& records,
                           const record_arrays& spare, std::uint64_t n,
                           const pass_scratch& scratch) {
    record_arrays from = records, to = spare;
    for (int pass = 0; pass < passes; ++pass) {
      const grs_keys keys{from.keys(), from.words_per_key(), pass * grs_bits_per_digit};
      detail::launch(grs_rank_kernel<threads_to_rank>, tiles_of(n), threads_to_rank, 0, stream,
                     keys, n, scratch.ranks, scratch.histograms);
      scratch.sum(stream);
      with_pieces(from, to, [&](auto piece) {
        detail::launch(grs_move_kernel<threads_to_move, decltype(piece)>, tiles_of(n),
                       threads_to_move, 0, stream, from, to, keys, n, scratch.ranks,
                       scratch.histograms);
      });
      std::swap(from, to);
    }
  }

  /// Calls body(piece()) with the widest pieces, of up to 16 bytes, that rows consist of and are
  /// aligned to.
  template <class Body>
  static void with_pieces(const record_arrays& a, const record_arrays& b, const Body& body) {
    const std::uintptr_t all = sizeof(std::uint32_t) * std::uintptr_t{a.words_per_row} |
                               reinterpret_cast<std::uintptr_t>(a.rows) |
                               reinterpret_cast<std::uintptr_t>(b.rows);
    if (all % sizeof(uint4) == 0) return body(uint4{});
    if (all % sizeof(uint2) == 0) return body(uint2{});
    body(std::uint32_t{});
  }
};

}  // namespace papers
