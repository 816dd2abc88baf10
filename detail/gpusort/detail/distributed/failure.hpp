// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <new>
#include <stdexcept>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Says what went wrong on a rank, in a form that can be sent.
struct failure {
  enum kind_of_failure : std::int32_t { none, memory, argument, cuda, other };

  std::int32_t kind = none;
  std::int32_t code = 0;  // of CUDA
  char text[248] = {};

  static failure of(const std::exception_ptr& error) noexcept {
    failure f;
    try {
      std::rethrow_exception(error);
    } catch (const cuda_error& e) {
      f.set(cuda, e.what());
      f.code = e.code();
    } catch (const out_of_memory& e) {
      f.set(memory, e.what());
    } catch (const std::bad_alloc&) {
      f.set(memory, "out of memory");
    } catch (const std::invalid_argument& e) {
      f.set(argument, e.what());
    } catch (const std::exception& e) {
      f.set(other, e.what());
    } catch (...) {
      f.set(other, "an exception that is no std::exception");
    }
    return f;
  }

  void set(std::int32_t what, const char* why) noexcept {
    kind = what;
    std::strncpy(text, why, sizeof(text) - 1);
  }
};

class out_of_memory_on_rank : public out_of_memory {
 public:
  out_of_memory_on_rank(std::size_t rank, const std::string& what)
      : text_("gpusort: on rank " + std::to_string(rank) + ": " + what) {}
  const char* what() const noexcept override { return text_.what(); }

 private:
  std::runtime_error text_;  // whose copies do not throw
};

/// Throws the error that all ranks throw for a failure of one.
[[noreturn]] inline void throw_failure(const failure& f, std::size_t rank) {
  if (f.kind == failure::memory) throw out_of_memory_on_rank(rank, f.text);
  const std::string text = "gpusort: on rank " + std::to_string(rank) + ": " + f.text;
  if (f.kind == failure::argument) throw std::invalid_argument(text);
  if (f.kind == failure::cuda) throw cuda_error(f.code, text);
  throw rank_error(rank, text);
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
