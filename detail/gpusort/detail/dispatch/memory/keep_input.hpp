// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>
#include <type_traits>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/iterators.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A copy on the host of a range in host memory.
template <class Iterator>
class kept_copy {
 public:
  using value_type = value_t<Iterator>;

  /// Throws gpusort::out_of_memory.
  kept_copy(Iterator first, std::uint64_t n)
      : first_(first), n_(n), memory_(host::scratch::of<value_type>(n)) {
    if (!memory_) throw out_of_memory();
    for_each(
        [](const auto& range, std::size_t i, value_type* own) { host::take_out(range, i, own); });
  }

  value_type* data() const { return memory_.template as<value_type>(); }

  void put_back() const {
    for_each(
        [](const auto& range, std::size_t i, value_type* own) { host::put_back(range, i, own); });
  }

 private:
  template <class Move>
  void for_each(Move move) const {
    const auto range = host_iterator(first_);
    host::for_each_piece(static_cast<std::size_t>(n_), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) move(range, i, data() + i);
    });
  }

  Iterator first_;
  std::uint64_t n_;
  host::scratch memory_;
};

template <class Iterator>
bool is_on_host([[maybe_unused]] const Iterator& first) {
#if GPUSORT_CUDA
  return kind_of_range(first).on_host();
#else
  return true;
#endif
}

/// Whether a range may also be where the host does not reach it.
#if GPUSORT_CUDA
template <class Iterator>
inline constexpr bool may_be_elsewhere_v =
    may_be_on_device<Iterator>::value || is_scattered_v<Iterator>;
#else
template <class Iterator>
inline constexpr bool may_be_elsewhere_v = false;
#endif

template <class Body>
void on_kept_copies(std::uint64_t, Body body) {
  body();
}

/// Calls body with copies of those ranges of n > 0 elements that are in host memory, and with the
/// others as they are; then puts the copies back.
template <class Body, class Iterator, class... Rest>
void on_kept_copies(std::uint64_t n, Body body, Iterator first, Rest... rest) {
  const auto with_rest = [&](auto range) {
    on_kept_copies(
        n, [&](auto... others) { body(range, others...); }, rest...);
  };
  if (is_on_host(first)) {
    const kept_copy<Iterator> copy(first, n);
    with_rest(copy.data());
    return copy.put_back();
  }
  if constexpr (may_be_elsewhere_v<Iterator>) {
#if GPUSORT_CUDA
    if constexpr (is_contiguous_v<Iterator>) {
      with_rest(address_of(first));
    } else {
      with_rest(first);
    }
#endif
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
