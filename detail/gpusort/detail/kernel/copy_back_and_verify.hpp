// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/probe.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Copies n elements in pieces, where that is wanted. Each block copies its share, looks at the
/// pairs of neighbours in it while they are at hand, and puts what it finds in place of what the
/// probe found before.
template <int ThreadsPerBlock, class Piece, class Element, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    copy_back_and_verify_kernel(const Element* in, Element* out, std::uint64_t n, sortedness probe,
                                predicate gate, Compare compare) {
  if (!gate.is_set()) return;
  constexpr int pieces = sizeof(Element) / sizeof(Piece);
  const std::uint64_t share = ceil_div<std::uint64_t>(n, probe.blocks);
  const std::uint64_t begin = share * blockIdx.x, end = min_of(begin + share, n);
  std::uint32_t found = 0;
  // Tiles so small that the neighbours are still in the cache.
  for (std::uint64_t first = begin; first < end; first += ThreadsPerBlock) {
    const int count = static_cast<int>(min_of<std::uint64_t>(ThreadsPerBlock, end - first));
    const auto* const from = reinterpret_cast<const Piece*>(in + first);
    auto* const to = reinterpret_cast<Piece*>(out + first);
#pragma unroll 4
    for (int p = threadIdx.x; p < count * pieces; p += ThreadsPerBlock) to[p] = from[p];
    const std::uint64_t i = first + threadIdx.x;
    if (i < end && i + 1 < n) {
      found |= compare(in[i + 1], in[i]) ? not_ascending : not_descending;
    }
  }
  found = found_by_block(found);
  if (threadIdx.x == 0) probe.violations[blockIdx.x] = found;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
