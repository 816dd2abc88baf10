// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// One block sorting a whole small input, or a sample. The warps of one multiprocessor wait for
/// each other's instructions, so few of them with many items each are faster than many with few:
/// measured for 1024 u32 in cycles, 8 items 5257, 4 items 6401, 2 items 7900. At least 2, because
/// lanes trade halves.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct large_tile {
  static constexpr int items_per_thread = ElementBytes <= 8 ? 8 : ElementBytes <= 16 ? 4 : 2;
  static constexpr int threads_per_block =
      static_cast<int>(max_tile_items(ElementBytes, shared_memory_of(Arch))) / items_per_thread;
  static_assert(threads_per_block >= 32 && threads_per_block <= 1024);
};

/// One bucket among many, of elements of more than 8 bytes, or one segment: 4 warps, so that
/// barriers wait for few and 16 blocks fit on a multiprocessor. Sample sort has others for the
/// rest.
template <std::size_t ElementBytes>
struct bucket_tile {
  static constexpr int threads_per_block = ElementBytes <= 16 ? 128 : 256;
  static constexpr int items_per_thread = ElementBytes <= 8 ? 8 : ElementBytes <= 16 ? 4 : 2;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
