// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace gpusort {

/// Says that a CUDA call, or a kernel of an earlier call, has failed.
///
/// Thrown by the call that met the error.
///
/// @post The range being sorted is a permutation of its input unless the context itself is lost.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(int code, const std::string& what) : std::runtime_error(what), code_(code) {}

  /// @return the value of the `cudaError_t` that caused it
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Says that no route fits in the memory that there is.
///
/// @post The range is a permutation of its input.
class out_of_memory : public std::bad_alloc {
 public:
  const char* what() const noexcept override {
    return "gpusort: out of memory on the device or the host, even for the route with the least "
           "scratch; free some, or see gpusort::scratch_bytes and <gpusort/external.hpp>";
  }
};

/// Says that a result under `gpusort::verify` is not right: not in order by the comparator, which
/// may also be no strict weak order, or not the elements that there were.
class verification_failed : public std::runtime_error {
 public:
  /// Position where everything is in order, and elements are missing, doubled or changed.
  static constexpr std::uint64_t npos = ~std::uint64_t{0};

  verification_failed(std::uint64_t position, const std::string& what)
      : std::runtime_error(what), position_(position) {}

  /// @return the first position in the result, counted from 0, whose element belongs before its
  /// predecessor; npos where there is none
  std::uint64_t position() const noexcept { return position_; }

 private:
  std::uint64_t position_;
};

/// Says on every rank of a distributed call what another one, or this one, has thrown: an exception
/// of a type that is not declared here, such as a comparator's.
///
/// @post The range of each rank is a permutation of its input.
class rank_error : public std::runtime_error {
 public:
  rank_error(std::size_t rank, const std::string& what) : std::runtime_error(what), rank_(rank) {}

  /// @return the rank that failed, the least where several did
  std::size_t rank() const noexcept { return rank_; }

 private:
  std::size_t rank_;
};

}  // namespace gpusort
