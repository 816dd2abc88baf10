// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Sorting more than the device has memory for: gpusort::max_device_bytes, and gpusort::progress
/// for work that takes long. A header of its own, as it adds a tenth to the time that a translation
/// unit with one sort takes to compile.
///
/// Under a policy with one of these options sort, stable_sort and sort_copy work in pieces where
/// the range is in host or managed memory and does not fit, and multiway_merge where the runs and
/// the output are contiguous, in host memory and of one type. Common to these calls:
/// - Pieces are sorted while the next is on its way to the device and the one before on its way
///   back; then they are merged in one round, streamed alike. Each element crosses the bus twice in
///   each direction, in multiway_merge once.
/// - Ranges that are not contiguous, such as a zip of several, are copied to ones that are, which
///   takes as much host memory as the range once more.
/// - Stability: stable where asked. The result is a permutation for any comparator.
/// - Host memory: as much again as the range (for multiway_merge only where the order is not less
///   or greater of numbers). It is kept for the next call, pinned, up to a quarter of the machine's
///   memory, until gpusort::release_scratch().
/// - Synchronization: they wait for their result also under par_gpu_nosync.
///
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | host memory cannot be pinned and the order is opaque |
///
/// Transparent orders take longer where host memory cannot be pinned. Whatever is thrown, the range
/// is a permutation of its input.
///
/// sort_by_key, segmented sorts and the other merges do not: the limit is all the memory they have,
/// and more host data than it is refused by sort_by_key with std::invalid_argument. Sort a zip of
/// the ranges, or structs of key and value. Sorts by indices take their scratch within the limit,
/// and are in place where it is too small; stable ones throw gpusort::out_of_memory.
#pragma once

#include <cstdint>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <memory>
#include <type_traits>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/external/in_pieces.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {

/// Bounds the device memory that a call takes, copies of host data included.
///
/// Where host data and its scratch need more, it is worked on in pieces; for all else, this is the
/// memory there is. Common: see the top of this file.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | it is less than about 1 MB and 1/100 of the range; by the call |
class max_device_bytes : public detail::option<max_device_bytes> {
 public:
  /// Sets no limit: the call sorts in pieces only if an allocation of device memory fails.
  constexpr max_device_bytes() noexcept = default;
  /// @param bytes  the most device memory
  constexpr explicit max_device_bytes(std::uint64_t bytes) noexcept : bytes_(bytes) {}

  /// @return the bound in bytes
  constexpr std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  std::uint64_t bytes_ = ~std::uint64_t{0};
};

/// Reports how far calls that work in pieces have come.
///
/// Such a call makes report(user, done, total) or, of an object, report(done, total), in bytes
/// brought back to the host, of all that will be. `done` grows with every report, and is `total` in
/// the last one. Calls that do not work in pieces report nothing. What the report throws
/// propagates; the range is a permutation of its input then. Common: see the top of this file.
///
/// @par Synchronization
/// Called on the calling thread, while the device works.
class progress : public detail::option<progress> {
 public:
  /// Type of a function that reports.
  using function = void (*)(void* user, std::uint64_t done, std::uint64_t total);

  /// @param callback  the function to call
  /// @param user  its first argument
  constexpr explicit progress(function callback, void* user = nullptr) noexcept
      : report_(callback), user_(user) {}

  /// @overload
  /// @param report  an object to call, which is referred to
  /// @pre The object outlives the calls.
  template <class Report, std::enable_if_t<std::is_class_v<Report> &&
                                               !std::is_same_v<std::remove_cv_t<Report>, progress>,
                                           int> = 0>
  explicit progress(Report& report) noexcept
      : report_([](void* user, std::uint64_t done, std::uint64_t total) {
          (*static_cast<Report*>(user))(done, total);
        }),
        user_(const_cast<void*>(static_cast<const void*>(std::addressof(report)))) {}

  constexpr function report() const noexcept { return report_; }
  constexpr void* user() const noexcept { return user_; }

 private:
  function report_;
  void* user_;
};

#if GPUSORT_CUDA

namespace detail {

template <class Call>
struct limited_call : with_limits<Call> {
  template <class Policy>
  explicit limited_call(const Policy& policy)
      : with_limits<Call>(stream_of(policy), memory_of(policy), max_bytes_of(policy),
                          report_of(policy)) {}

 private:
  template <class Policy>
  static std::uint64_t max_bytes_of([[maybe_unused]] const Policy& policy) {
    if constexpr (has_option<Policy, max_device_bytes>) {
      return option_of<max_device_bytes>(policy).bytes();
    } else {
      return max_device_bytes().bytes();
    }
  }
  template <class Policy>
  static progress_report report_of([[maybe_unused]] const Policy& policy) {
    if constexpr (has_option<Policy, progress>) {
      return {option_of<progress>(policy).report(), option_of<progress>(policy).user()};
    } else {
      return {};
    }
  }
};

}  // namespace detail

#endif

}  // namespace GPUSORT_ABI
}  // namespace gpusort
