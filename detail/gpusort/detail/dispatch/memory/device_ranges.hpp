// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/detail/support/segment_offsets.hpp>
#include <tuple>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the memory kind of each column, from the driver. An empty column has none and is not
/// asked about.
template <class... Iterators>
std::array<pointer_kind, sizeof...(Iterators)> kinds_of(const columns<Iterators...>& range) {
  if (range.n == 0) {
    std::array<pointer_kind, sizeof...(Iterators)> nowhere;
    nowhere.fill({memory_kind::managed, -1});
    return nowhere;
  }
  return std::apply(
      [](const auto&... first) {
        return std::array<pointer_kind, sizeof...(Iterators)>{kind_of_range(first)...};
      },
      range.first);
}

/// Tells where all the ranges of a call are. Throws std::invalid_argument where they are on several
/// devices.
class memory_location {
 public:
  void add(pointer_kind kind) {
    reject_other_device(owner_, kind);
    if (owner_.device < 0) owner_ = kind;
    is_staged_ = is_staged_ || kind.on_host();
  }
  template <std::size_t Columns>
  void add(const std::array<pointer_kind, Columns>& kinds) {
    for (const pointer_kind& kind : kinds) add(kind);
  }

  /// Returns the kind of a range that a device owns, if there is one.
  pointer_kind owner() const { return owner_; }
  /// Whether some range is copied from or to the host.
  bool is_staged() const { return is_staged_; }

 private:
  pointer_kind owner_{memory_kind::managed, -1};
  bool is_staged_ = false;
};

enum class access { read, write, update };

/// A device_range that copies in the directions that Access needs.
template <access Access, class Range>
struct accessed_range : Range {
  using Range::Range;

  void load() const {
    if constexpr (Access != access::write) Range::load();
  }
  void store() const {
    if constexpr (Access != access::read) Range::store();
  }
};

/// A range of n elements of a call, and what the device work does with it. Elements of T, at a
/// multiple of Alignment.
template <access Access, std::size_t Alignment, class T, class Iterator>
class used_range {
 public:
  static constexpr access how = Access;

  used_range(Iterator first, std::uint64_t n, pointer_kind kind)
      : first_(first), n_(n), kind_(kind) {}

  void add_to(memory_location& location) const { location.add(kind_); }

  template <class Call>
  auto on_device(const Call& call) const {
    return accessed_range<Access, device_range<Iterator, Alignment, T>>(first_, kind_, n_,
                                                                        call.memory, call.stream);
  }

 private:
  Iterator first_;
  std::uint64_t n_;
  pointer_kind kind_;
};

template <access Access, std::size_t Alignment = 1, class Iterator>
used_range<Access, Alignment, value_t<Iterator>, Iterator> use(Iterator first, std::uint64_t n,
                                                               pointer_kind kind) {
  return {first, n, kind};
}
template <access Access, std::size_t Alignment = 1, class Iterator>
used_range<Access, Alignment, value_t<Iterator>, Iterator> use(Iterator first, std::uint64_t n) {
  return {first, n, kind_of_range(first)};
}

/// Tells what a call's device work does besides reading and writing its ranges.
struct work_traits {
  bool always_waits = false;  // also where the call would not
  bool overwrites = false;    // a range that it writes is one that it reads
};

/// Traits of a call that returns a value, or proves one.
inline constexpr work_traits waits_always{true};

/// Device work on the ranges of a call. Enters the device that owns them, takes the memory of all
/// copies that it needs, and loads. finish() stores, and waits where the call or staging has to;
/// without it nothing is stored.
///
/// Each of `used` has add_to(memory_location&), on_device(call), whose result has load(), store()
/// and is_copy(), and says `how`.
template <class Call, class... Used>
class device_work {
 public:
  device_work(const Call& call, work_traits traits, const Used&... used)
      : location_(location_of(used...)),
        overwrites_(traits.overwrites || ((Used::how == access::update) || ...)),
        scope_(call, location_.owner(), location_.is_staged() || traits.always_waits),
        ranges_{used.on_device(call)...} {
    std::apply([](const auto&... range) { (range.load(), ...); }, ranges_);
  }

  const auto& ranges() const { return ranges_; }

  /// Returns who is told when the last kernel has ended; null where more follows that kernel, or
  /// nobody waits.
  completion* awaited() {
    const bool is_copied =
        std::apply([](const auto&... range) { return (range.is_copy() || ...); }, ranges_);
    return is_copied ? nullptr : scope_.awaited();
  }

  void finish() {
    overwrite_input(overwrites_ && location_.is_staged(), [&] {
      std::apply([](const auto&... range) { (range.store(), ...); }, ranges_);
      scope_.finish();
    });
  }

 private:
  static memory_location location_of(const Used&... used) {
    memory_location location;
    (used.add_to(location), ...);
    return location;
  }

  memory_location location_;
  bool overwrites_;
  device_scope<Call> scope_;
  const std::tuple<decltype(std::declval<const Used&>().on_device(std::declval<const Call&>()))...>
      ranges_;
};

/// Does device_work that is a function: body(done, ranges...), where `done` is awaited().
template <class Call, class Body, class... Used>
void with_device_ranges(const Call& call, work_traits traits, const Body& body,
                        const Used&... used) {
  device_work<Call, Used...> work(call, traits, used...);
  std::apply([&](const auto&... range) { body(work.awaited(), range...); }, work.ranges());
  work.finish();
}

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
