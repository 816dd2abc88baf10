// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/predicate.hpp>
#include <gpusort/detail/support/order_by.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Writes the word of each record's key that begins at bit `lowest`, and the record's index. With
/// `order`, record i is in[order[i]]; without (null), in[i], and the index i is stored.
template <int ThreadsPerBlock, class Record, class Compare, class Word, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    encode_kernel(const Record* in, std::uint64_t n, Compare compare, int lowest,
                  const Index* order, Word* words, Index* indices) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  const Index from = order != nullptr ? order[i] : static_cast<Index>(i);
  words[i] = encode_word<Word>(compare, in[from], lowest);
  if (order == nullptr) indices[i] = from;
}

/// Writes the long keys of n records, where the gate is set: of each, as many words as a key has.
template <int ThreadsPerBlock, class Record, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    encode_long_kernel(predicate gate, const Record* in, std::uint64_t n, Compare compare,
                       std::uint64_t* words) {
  constexpr int words_per_key = sizeof(long_key_t<Compare, Record>) / 8;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n * words_per_key || !gate.is_set()) return;
  const int end = static_cast<int>(i % words_per_key + 1) * 64;
  words[i] = encode_word<std::uint64_t>(compare, in[i / words_per_key],
                                        key_format<Compare, Record>::bits - end);
}

/// Writes 0, 1, ... n - 1.
template <int ThreadsPerBlock, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock) iota_kernel(Index* out, std::uint64_t n) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i < n) out[i] = static_cast<Index>(i);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
