// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/infer_order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Extracts the words that decide an inferred order, as numbers, with their indices: below them in
/// one word, or, if they are wide, in an array of their own.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    extract_words_kernel(const unsigned char* elements, std::size_t element_bytes, std::uint64_t n,
                         const inferred* found, std::uint64_t* words, std::uint32_t* indices) {
  if (!predicate{&found->is_any}.is_set()) return;
  const tile::inferred_order order = found->order;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * ThreadsPerBlock;
#pragma unroll 4
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x; i < n;
       i += stride) {
    const unsigned char* const word = elements + i * element_bytes + order.offset;
    if (order.word_bytes == 4) {
      words[i] =
          std::uint64_t{order.number_of(*reinterpret_cast<const std::uint32_t*>(word))} << 32 | i;
    } else {
      words[i] = order.number_of(*reinterpret_cast<const std::uint64_t*>(word));
      indices[i] = static_cast<std::uint32_t>(i);
    }
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
