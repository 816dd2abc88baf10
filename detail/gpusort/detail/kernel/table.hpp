// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/verify.hpp>
#include <gpusort/detail/support/row_keys.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Rows as verify_kernel asks for them: their indices are those of rows that ascend, equivalent
/// ones in their order.
struct indices_of_ascending_rows {
  row_keys keys;
  std::uint64_t n;

  template <class Index>
  GPUSORT_DEVICE bool is_wrong(const verified_columns<Index>& indices, std::uint64_t i) const {
    const auto here = static_cast<std::uint64_t>(indices.keys[i]);
    if (here >= n) return true;
    if (i == 0) return false;
    const auto left = static_cast<std::uint64_t>(indices.keys[i - 1]);
    if (left >= n) return false;  // it is the wrong one
    return keys(here, left) || (here < left && !keys(left, here));
  }
};

namespace kernel GPUSORT_HIDDEN {

/// Encodes the words of rows that are in that order already (null: in that of their indices).
template <int ThreadsPerBlock, class Word, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    encode_rows_kernel(const row_keys keys, std::uint64_t begin, int width,
                       const Index* __restrict__ order, std::uint64_t n, Word* __restrict__ words) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t row = order != nullptr ? std::uint64_t{order[i]} : i;
  words[i] = word_of_row<Word>(keys, row, begin, width, i);
}

/// Writes the order that sorted words leave rows in, which were in the order `from` before.
template <int ThreadsPerBlock, class Word, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    order_of_words_kernel(const Word* __restrict__ words, int rank_bits,
                          const Index* __restrict__ from, std::uint64_t n,
                          Index* __restrict__ order) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t rank = rank_of_word(words[i], rank_bits);
  order[i] = from != nullptr ? from[rank] : static_cast<Index>(rank);
}

/// Gathers bits: bit i of `out`, least significant bits first, is valid(order[i]). A warp writes
/// four whole bytes, of which the last may be filled up by zeros.
template <int ThreadsPerBlock, class Valid, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    gather_bits_kernel(Valid valid, const Index* __restrict__ order, std::uint64_t n,
                       unsigned char* __restrict__ out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const bool bit = i < n && valid(static_cast<std::uint64_t>(order[i]));
  const unsigned bits = __ballot_sync(~0u, bit);
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t byte = i / 32 * 4 + lane;
  if (lane < 4 && byte * 8 < n) out[byte] = static_cast<unsigned char>(bits >> (8 * lane));
}

/// Gathers flags, of a byte each.
template <int ThreadsPerBlock, class Valid, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    gather_flags_kernel(Valid valid, const Index* __restrict__ order, std::uint64_t n,
                        unsigned char* __restrict__ out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i < n) out[i] = valid(static_cast<std::uint64_t>(order[i]));
}

/// Writes the indices, with 0 in the place of those of no row.
template <int ThreadsPerBlock, class Index, class Row>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    row_or_first_kernel(const Index* __restrict__ indices, std::uint64_t n, std::uint64_t rows,
                        Row* __restrict__ out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  const auto row = static_cast<std::uint64_t>(indices[i]);
  out[i] = static_cast<Row>(row < rows ? row : 0);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
