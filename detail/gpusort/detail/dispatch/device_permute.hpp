// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/apply_permutation.hpp>
#include <gpusort/detail/algorithm/check_permutation.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/dispatch/requirements/permutation.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>
#include <limits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Exchanges two elements, as bytes.
template <class T>
struct swap_elements {
  using piece = unsigned_of_size_t<(alignof(T) < 8 ? alignof(T) : 8)>;

  T* elements;

  template <class Index>
  GPUSORT_DEVICE void operator()(Index i, Index j) const {
    piece* const a = reinterpret_cast<piece*>(elements + i);
    piece* const b = reinterpret_cast<piece*>(elements + j);
    for (std::size_t k = 0; k < sizeof(T) / sizeof(piece); ++k) {
      const piece held = a[k];
      a[k] = b[k];
      b[k] = held;
    }
  }
};

/// Ranges of n > 0 elements, to be moved as the indices say where these are a permutation, which
/// is_wanted tells. Inverse: an element goes where its index says; otherwise it comes from there.
template <bool Inverse, class Index>
struct permutation_request {
  const Index* indices;
  std::uint64_t n;
  kernel::predicate is_wanted;
  cudaStream_t stream;

  /// Moves by way of a copy in `memory`.
  template <class T>
  void move_through(void* memory, T* elements) const {
    using move = gather<T, Index>;
    T* const copy = static_cast<T*>(memory);
    if constexpr (Inverse) {
      relocate(stream, elements, copy, static_cast<std::size_t>(n) * sizeof(T));
      move::run_inverse(stream, copy, indices, n, elements, is_wanted);
    } else {
      move::run(stream, elements, indices, n, copy, is_wanted);
      move::copy_back(stream, copy, n, elements, is_wanted);
    }
  }

  /// Moves by swaps along the cycles. Throws gpusort::out_of_memory, and nothing has moved then.
  template <class... Ts>
  void move_by_cycles(const memory_source& memory, Ts*... elements) const {
    if (n > (std::numeric_limits<Index>::max)()) throw out_of_memory();
    scratch_cursor sizes(nullptr);
    if (Inverse) sizes.take<Index>(n);
    const std::size_t order_bytes = sizes.used();
    const std::size_t cycle_bytes =
        (std::max)({apply_permutation<Index, swap_elements<Ts>>::scratch_bytes(n)...});
    const auto scratch = scratch_buffer::or_throw(memory, order_bytes + cycle_bytes, stream);
    const Index* order = indices;
    if constexpr (Inverse) {
      order = scratch.template as<Index>();
      invert_permutation(stream, indices, n, scratch.template as<Index>(), is_wanted);
    }
    (apply_permutation<Index, swap_elements<Ts>>::run(
         stream, order, n, {elements}, scratch.template as<char>(order_bytes), is_wanted),
     ...);
  }
};

/// Moves nothing where the indices are no permutation, of which std::invalid_argument tells where
/// it `reports`, and waits to know.
template <bool Inverse, class Call, class Index, class... Ts>
void permute_on_device(const Call& call, const Index* indices, std::uint64_t n, bool reports,
                       Ts*... elements) {
  const nvtx_range name("gpusort::apply_permutation");
  using check_indices = check_permutation<Index>;
  const auto marks =
      scratch_buffer::or_throw(call.memory, check_indices::scratch_bytes(n), call.stream);
  const permutation_request<Inverse, Index> request{
      indices, n, check_indices::run(call.stream, indices, n, marks.data()), call.stream};
  scratch_buffer copy;
  if constexpr (!Call::in_place) {
    copy = scratch_buffer(call.memory, (std::max)({bytes_of<Ts>(n)...}), call.stream);
  }
  if (copy.data() != nullptr) {
    (request.move_through(copy.data(), elements), ...);
  } else {
    request.move_by_cycles(call.memory, elements...);
  }
  if (!reports) return;
  std::uint32_t is_permutation = 0;
  check(cudaMemcpyAsync(&is_permutation, request.is_wanted.word, sizeof(is_permutation),
                        cudaMemcpyDeviceToHost, call.stream),
        "reading a result");
  check(cudaStreamSynchronize(call.stream), "waiting for a result");
  if ((is_permutation & 1) == 0) refuse_indices();
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
