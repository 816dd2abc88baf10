// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Keys of more bits are compared word by word: CUB has no integers for them.
#if defined(__SIZEOF_INT128__)
inline constexpr int max_encoded_bits = 128;
#else
inline constexpr int max_encoded_bits = 64;
#endif

// A bucket's sort finds the word that is compared in records of these sizes; longer ones are sorted
// by an inferred word, with indices, first.
inline constexpr std::size_t min_word_record_bytes = 12;
inline constexpr std::size_t max_word_record_bytes = 20;

/// Returns whether a bucket's sort may find the word that is compared in records of whole words.
constexpr bool is_word_record(std::size_t bytes) {
  return min_word_record_bytes <= bytes && bytes <= max_word_record_bytes && bytes % 4 == 0;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
