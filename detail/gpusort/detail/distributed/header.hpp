// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Hashes bytes by FNV-1a.
inline std::uint64_t hash_bytes(const void* data, std::size_t bytes,
                                std::uint64_t hash = 0xCBF29CE484222325ull) {
  const auto* const byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001B3ull;
  return hash;
}

/// Returns a number for types, the same in all processes of one program.
template <class... Types>
std::uint64_t hash_of_types() {
#if defined(_MSC_VER)
  const std::string name = __FUNCSIG__;
#else
  const std::string name = __PRETTY_FUNCTION__;
#endif
  return hash_bytes(name.data(), name.size());
}

/// The calls that ranks make together.
enum class call_kind : std::uint32_t { sort, is_sorted, select, sample, select_splitters };

/// Holds what a rank tells the others before anything else, of the same size whatever it calls.
struct header {
  std::uint32_t has_failed = 0;
  std::uint32_t call = 0;
  std::uint64_t n = 0;
  std::uint64_t element_bytes = 0;  // of key and values together
  std::uint64_t types = 0;          // hashes
  std::uint64_t order = 0;
  std::uint64_t parameters = 0;
  std::uint32_t is_stable = 0;
  std::uint32_t is_balanced = 0;
};
static_assert(sizeof(header) == 56, "gpusort: cost.hpp counts it");

/// Returns what the headers disagree on, as a sentence that is the same on every rank; empty where
/// they agree.
inline std::string disagreement(const header* headers, std::size_t p) {
  const header& first = headers[0];
  for (std::size_t i = 1; i < p; ++i) {
    const header& other = headers[i];
    const char* what = nullptr;
    if (other.call != first.call) {
      what = "call another function; all ranks make the same calls";
    } else if (other.element_bytes != first.element_bytes || other.types != first.types) {
      what = "have elements of different types; all ranks pass the same";
    } else if (other.order != first.order) {
      what = "have different comparators or projections; all ranks pass the same";
    } else if (other.is_stable != first.is_stable) {
      what = "ask one for a stable sort and one not; all ranks make the same call";
    } else if (other.is_balanced != first.is_balanced) {
      what = "ask one for balanced counts and one not; all ranks make the same call";
    } else if (other.parameters != first.parameters) {
      what = "pass different numbers of samples, or ranks of elements; all ranks pass the same";
    }
    if (what != nullptr) {
      return "ranks 0 and " + std::to_string(i) + " " + what;
    }
  }
  return {};
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
