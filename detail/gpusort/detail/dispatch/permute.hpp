// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/permute.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <limits>
#include <tuple>
#include <type_traits>

#if GPUSORT_CUDA
#include <algorithm>
#include <cstddef>
#include <gpusort/detail/algorithm/apply_permutation.hpp>
#include <gpusort/detail/algorithm/check_permutation.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/error.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class IndexIterator>
constexpr auto require_indices() {
  require_random_access<IndexIterator>();
  using index = value_t<IndexIterator>;
  static_assert(std::is_integral_v<index> && (sizeof(index) == 4 || sizeof(index) == 8),
                "gpusort: the indices of a permutation are integers of 4 or 8 bytes");
}

[[noreturn]] inline void refuse_indices() {
  refuse("the indices are no permutation; each from 0 to n - 1 has to be there once");
}

#if GPUSORT_CUDA

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
/// gate tells. Inverse: an element goes where its index says; otherwise it comes from there.
template <bool Inverse, class Index>
struct permutation_request {
  const Index* indices;
  std::uint64_t n;
  kernel::predicate gate;
  cudaStream_t stream;

  /// Moves by way of a copy in `memory`.
  template <class T>
  void move_through(void* memory, T* elements) const {
    using move = gather<T, Index>;
    T* const copy = static_cast<T*>(memory);
    if constexpr (Inverse) {
      relocate(stream, elements, copy, static_cast<std::size_t>(n) * sizeof(T));
      move::run_inverse(stream, copy, indices, n, elements, gate);
    } else {
      move::run(stream, elements, indices, n, copy, gate);
      move::copy_back(stream, copy, n, elements, gate);
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
      invert_permutation(stream, indices, n, scratch.template as<Index>(), gate);
    }
    (apply_permutation<Index, swap_elements<Ts>>::run(stream, order, n, {elements},
                                                      scratch.template as<char>(order_bytes), gate),
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
  check(cudaMemcpyAsync(&is_permutation, request.gate.word, sizeof(is_permutation),
                        cudaMemcpyDeviceToHost, call.stream),
        "reading a result");
  check(cudaStreamSynchronize(call.stream), "waiting for a result");
  if ((is_permutation & 1) == 0) refuse_indices();
}

#endif

/// The order of elements of which none is before another.
struct no_element_before {
  template <class A, class B>
  GPUSORT_HOST_DEVICE bool operator()(const A&, const B&) const {
    return false;
  }
};

/// Moves n > 0 elements of each range as the indices say. Where it `must_report`, throws
/// std::invalid_argument for indices that are no permutation; otherwise that is done where the host
/// has the indices.
template <bool Inverse, class IndexIterator, class... Iterators>
struct permute_operation : operation_traits {
  using index = value_t<IndexIterator>;

  std::uint64_t n;
  bool must_report;
  IndexIterator indices;
  std::tuple<Iterators...> ranges;

  void require_disjoint() const {
    std::apply([&](const auto&... first) { reject_overlaps(n, indices, first...); }, ranges);
  }
  const std::tuple<Iterators...>& overwritten() const { return ranges; }
  template <class... Ranges>
  permute_operation<Inverse, IndexIterator, Ranges...> on(Ranges... first) const {
    return {{}, n, must_report, indices, std::tuple<Ranges...>(first...)};
  }

  auto proof() const {
    return proof_in_place(columns<Iterators...>{ranges, n}, no_offsets{}, no_element_before{});
  }

  template <class Call>
  bool has_work() const {
    if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<index>::max)())) {
      refuse("the index type is too small for the range; pass indices of 8 bytes");
    }
    require_disjoint();
    return true;
  }

#if GPUSORT_CUDA

  template <class Call>
  void with_device(const Call& call) const {
    const pointer_kind kind = kind_of_range(indices);
    const bool reports = must_report || kind.on_host();
    const auto move = [&](completion*, const auto& order, const auto&... moved) {
      using bits = unsigned_of_size_t<sizeof(index)>;
      permute_on_device<Inverse>(call, reinterpret_cast<const bits*>(order.data()), n, reports,
                                 moved.data()...);
    };
    std::apply(
        [&](const auto&... first) {
          with_device_ranges(call, {}, move, use<access::read>(indices, n, kind),
                             use<access::update>(first, n)...);
        },
        ranges);
  }

#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, IndexIterator, Iterators...>(no_element_before{}, [&](auto) {
      const bool is_permutation = std::apply(
          [&](const auto&... first) {
            return host::apply_permutation<Inverse>(host_iterator(indices), n,
                                                    host_iterator(first)...);
          },
          ranges);
      if (!is_permutation) refuse_indices();
    });
  }
};

/// Moves n elements of each range as the indices say.
template <bool Inverse, class Call, class IndexIterator, class... Iterators>
void permute_ranges(const Call& call, std::uint64_t n, IndexIterator indices, Iterators... first) {
  if (n == 0) return;
  run_call(call, permute_operation<Inverse, IndexIterator, Iterators...>{
                     {}, n, Call::is_verified, indices, std::tuple<Iterators...>(first...)});
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
