// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/memory/memory_location.hpp>
#include <tuple>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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

/// Runs device work on the ranges of a call: enters the device that owns them, takes the memory of
/// all copies that it needs, loads, calls body(done, ranges...), stores, and waits where the call
/// or staging has to. `done` is who is told when the last kernel has ended; null where more follows
/// that kernel, or nobody waits.
///
/// Each of `used` has add_to(memory_location&), on_device(call), whose result has load(), store()
/// and is_copy(), and says `how`. When body throws, nothing has been stored.
template <class Call, class Body, class... Used>
void with_device_ranges(const Call& call, work_traits traits, const Body& body,
                        const Used&... used) {
  memory_location location;
  (used.add_to(location), ...);
  device_scope<Call> scope(call, location.owner(), location.is_staged() || traits.always_waits);
  const std::tuple<decltype(used.on_device(call))...> ranges{used.on_device(call)...};
  const bool overwrites = traits.overwrites || ((Used::how == access::update) || ...);
  std::apply(
      [&](const auto&... range) {
        (range.load(), ...);
        const bool is_copied = (range.is_copy() || ...);
        body(is_copied ? nullptr : scope.awaited(), range...);
        overwrite_input(overwrites && location.is_staged(), [&] {
          (range.store(), ...);
          scope.finish();
        });
      },
      ranges);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
