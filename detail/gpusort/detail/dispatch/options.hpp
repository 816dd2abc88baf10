// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/error.hpp>
#include <tuple>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
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
    host::for_each_index(static_cast<std::size_t>(n_),
                         [&](std::size_t i) { move(range, i, data() + i); });
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

// The options of a policy, and what they ask of the operation of a call:
//
//   keep_input   overwrites_input(), require_disjoint(), overwritten(), on(ranges...)
//   verify       is_empty(), proof(): verify.hpp
//   on_devices   on_several(call), where may_spread: false where nothing has been done
//   limits       in_pieces(call), where may_be_in_pieces
//   none         has_work<Call>(), which refuses what cannot be done; with_device(call),
//                without_device<Call>()
//
// Where a range is_backwards, forwards() does the same on a device from its other end.

/// States what an operation does not have unless it says so.
struct operation_traits {
  static constexpr bool is_backwards = false;
  static constexpr bool may_spread = false;
  static constexpr bool may_be_in_pieces = false;

  bool overwrites_input() const { return true; }
  bool is_empty() const { return false; }
  void require_disjoint() const {}
};

template <class Call, class Operation>
void run_call(const Call& call, const Operation& operation);

/// Works on copies of ranges in host memory, and then moves what has become of them into the
/// ranges, which cannot fail.
template <class Call, class Operation>
void run_keeping_input(const Call& call, const Operation& operation) {
  const auto& plain = without_option(call);
  if (!operation.overwrites_input()) return run_call(plain, operation);
  operation.require_disjoint();
  const auto run_on = [&](auto... ranges) { run_call(plain, operation.on(ranges...)); };
  std::apply([&](auto... ranges) { on_kept_copies(operation.n, run_on, ranges...); },
             operation.overwritten());
}

/// Runs run(the call without verify), and proves what it has done.
template <class Call, class Proof, class Run>
void run_proven(const Call& caller, const Proof& proof, const Run& run) {
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(caller, [&](const Call& call) {
      const device_scope<Call> scope(call, proof.owner(), true);
      const unsigned long long sum = proof.before(call);
      run(without_option(call));
      proof.after(call, sum);
    });
  }
#endif
  proof.template without_device<Call>([&] { run(without_option(caller)); });
}

template <class Call, class Operation>
void run_on_several(const Call& call, const Operation& operation) {
  if constexpr (Operation::may_spread) {
#if GPUSORT_CUDA
    if constexpr (Operation::is_backwards) {
      if (device_count() > 0) return run_call(call, operation.forwards());
    } else
#endif
    {
      if (operation.on_several(call)) return;
    }
  }
  run_call(without_option(call), operation);
}

/// Runs an operation under the options of a call, from the outermost one on: the input is kept, the
/// result proven, the work spread over devices, or done in pieces.
template <class Call, class Operation>
void run_call(const Call& call, const Operation& operation) {
  if constexpr (Call::keeps_input) {
    run_keeping_input(call, operation);
  } else if constexpr (Call::is_verified) {
    const auto run = [&](const auto& plain) { run_call(plain, operation); };
    if (operation.is_empty()) return run(without_option(call));
    run_proven(call, operation.proof(), run);
  } else if constexpr (Call::is_spread) {
    run_on_several(call, operation);
  } else {
    if (!operation.template has_work<Call>()) return;
#if GPUSORT_CUDA
    if (device_count() > 0) {
      if constexpr (Operation::is_backwards) {
        return run_call(call, operation.forwards());
      } else if constexpr (Call::is_limited && Operation::may_be_in_pieces) {
        return run_on_device(call, [&](const Call& own) { operation.in_pieces(own); });
      } else {
        if (is_at_home(call)) return operation.with_device(call);
        return run_on_device(call, [&](const Call& own) { operation.with_device(own); });
      }
    }
#endif
    operation.template without_device<Call>();
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
