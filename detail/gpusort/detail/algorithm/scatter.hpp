// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/scatter.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tuning/sample_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <std::size_t Bytes>
struct bytes_of_element {
  unsigned char bytes[Bytes];
};

/// Stands for all elements of a size, aligned for the widest moves, where they are moved and not
/// compared.
template <std::size_t Bytes>
using moved_bytes = std::conditional_t<
    Bytes == 4 || Bytes == 8, unsigned_of_size_t<Bytes == 8 ? 8 : 4>,
    raw_storage<bytes_of_element<Bytes>, wide_alignment<bytes_of_element<Bytes>>()>>;
template <std::size_t Bytes>
using moved_array = key_array<moved_bytes<Bytes>>;

/// Whether elements are in arrays that those of moved_bytes stand for, moved by the shape for their
/// size, of which the library has the kernel.
template <class Shape, class In, class Out>
inline constexpr bool is_scatter_linked = false;
template <class Shape, class T>
inline constexpr bool is_scatter_linked<Shape, key_array<T>, key_array<T>> =
    std::is_same_v<Shape, typename tuning::sample_sort<sizeof(T)>::distribution> &&
    alignof(T) == alignof(moved_bytes<sizeof(T)>) &&
    (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 12 || sizeof(T) == 16 || sizeof(T) == 24 ||
     sizeof(T) == 32 || sizeof(T) == 48 || sizeof(T) == 64);

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Distributes elements, which are not compared, by the buckets that counting has stored.
template <tuning::architecture Arch, class Shape, class In, class Out, class T>
void scatter_counted(cudaStream_t stream, std::size_t chunks, const shared_memory_size& memory,
                     In in, Out out, Out equal_out, const kernel::segment_table& segments,
                     const kernel::bucket_table<T>& level);

template <tuning::architecture Arch, class Shape, class In, class Out, class T>
void scatter_counted(cudaStream_t stream, std::size_t chunks, const shared_memory_size& memory,
                     In in, Out out, Out equal_out, const kernel::segment_table& segments,
                     const kernel::bucket_table<T>& level) {
  launch_early(kernel::scatter_kernel<Arch, Shape, In, Out, T>, chunks, Shape::threads_per_block,
               memory, stream, in, out, equal_out, segments, level);
}

#define GPUSORT_DETAIL_SCATTER(declare, bytes)                                                     \
  declare template void                                                                            \
  scatter_counted<tuning::architecture::every, typename tuning::sample_sort<bytes>::distribution>( \
      cudaStream_t, std::size_t, const shared_memory_size&, moved_array<bytes>,                    \
      moved_array<bytes>, moved_array<bytes>, const kernel::segment_table&,                        \
      const kernel::bucket_table<moved_bytes<bytes>>&);
#define GPUSORT_DETAIL_SCATTERS(declare) \
  GPUSORT_DETAIL_SCATTER(declare, 4)     \
  GPUSORT_DETAIL_SCATTER(declare, 8)     \
  GPUSORT_DETAIL_SCATTER(declare, 12)    \
  GPUSORT_DETAIL_SCATTER(declare, 16)    \
  GPUSORT_DETAIL_SCATTER(declare, 24)    \
  GPUSORT_DETAIL_SCATTER(declare, 32)    \
  GPUSORT_DETAIL_SCATTER(declare, 48)    \
  GPUSORT_DETAIL_SCATTER(declare, 64)
#if GPUSORT_HAS_LIBRARY
GPUSORT_DETAIL_SCATTERS(extern)
#endif

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
