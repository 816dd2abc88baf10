// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/library.hpp>
#include <stdexcept>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Begins texts of errors on this host thread, while it lives, with the name of a public function.
class public_call {
 public:
  explicit public_call(const char* name) noexcept : outer_(current()) { current() = name; }
  ~public_call() { current() = outer_; }
  public_call(const public_call&) = delete;
  public_call& operator=(const public_call&) = delete;

  static const char* name() noexcept { return current(); }

 private:
  static const char*& current() noexcept {
    static thread_local const char* name = nullptr;
    return name;
  }

  const char* outer_;
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Returns "gpusort::sort: <what>" in a call of that name.
GPUSORT_LINKABLE std::string error_text(const std::string& what);

/// Throws std::invalid_argument. `what` says what is wrong, and what to do.
[[noreturn]] GPUSORT_LINKABLE void refuse(const char* what);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE std::string error_text(const std::string& what) {
  const char* const name = public_call::name();
  return name == nullptr ? "gpusort: " + what : std::string("gpusort::") + name + ": " + what;
}

GPUSORT_LINKABLE void refuse(const char* what) { throw std::invalid_argument(error_text(what)); }
#endif

}  // namespace GPUSORT_LINKED

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
