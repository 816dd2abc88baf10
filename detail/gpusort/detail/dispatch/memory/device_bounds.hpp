// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/memory_location.hpp>
#include <gpusort/detail/dispatch/segment_offsets.hpp>
#include <gpusort/detail/support/segment_offsets.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether the host has all offsets of k > 0 segments.
template <class Bounds>
bool are_on_host(const Bounds& bounds) {
  return kind_of_range(bounds.begins).on_host() &&
         (Bounds::are_neighbours || kind_of_range(bounds.ends).on_host());
}

/// The offsets of k > 0 segments where kernels read them.
template <class Bounds>
class device_bounds {
 public:
  template <class Call>
  device_bounds(const Bounds& bounds, const Call& call)
      : begins_(bounds.begins, kind_of_range(bounds.begins),
                bounds.k + (Bounds::are_neighbours ? 1 : 0), call.memory, call.stream),
        ends_(bounds.ends, Bounds::are_neighbours ? pointer_kind{} : kind_of_range(bounds.ends),
              Bounds::are_neighbours ? 0 : bounds.k, call.memory, call.stream),
        k_(bounds.k) {}

  void load() const {
    begins_.load();
    ends_.load();
  }
  void store() const {}
  bool is_copy() const { return begins_.is_copy() || ends_.is_copy(); }

  segment_offsets<typename Bounds::offset> get() const {
    const auto* const begins = begins_.data();
    return {begins, Bounds::are_neighbours ? begins + 1 : ends_.data(), k_};
  }

 private:
  device_range<typename Bounds::begin_iterator, 1> begins_;
  device_range<typename Bounds::end_iterator, 1> ends_;
  std::uint64_t k_;
};

/// Bounds as with_device_ranges takes them.
template <class Bounds>
struct used_bounds {
  static constexpr access how = access::read;

  const Bounds& bounds;

  void add_to(memory_location& location) const {
    location.add(kind_of_range(bounds.begins));
    if (!Bounds::are_neighbours) location.add(kind_of_range(bounds.ends));
  }
  template <class Call>
  device_bounds<Bounds> on_device(const Call& call) const {
    return {bounds, call};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
