// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/random.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns a seed for each call: where samples are taken must not be known to whoever makes the
/// input. Calls under `deterministic` as well: they keep the order of equivalent elements, so their
/// result does not depend on it. The process's first seed is from the system, and from the clock
/// where the system has none.
inline std::uint64_t next_sample_seed() {
  static std::atomic<std::uint64_t> calls = [] {
    std::uint64_t entropy =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::uint64_t random = 0;
    if (getentropy(&random, sizeof(random)) == 0) entropy ^= random;
    return mix_bits(entropy);
  }();
  return mix_bits(calls.fetch_add(1, std::memory_order_relaxed));
}

/// The seed of a call's samples. A kernel in which one block takes a sample adds what nobody knows
/// before it runs, so that neither the process that makes the input nor the replay of a graph tells
/// where samples are taken; not where a test has chosen the seed.
struct sample_seed {
  std::uint64_t bits;
  bool is_chosen;

  sample_seed(std::uint64_t chosen) : bits(chosen), is_chosen(true) {}
  static sample_seed next() { return {next_sample_seed(), false}; }

 private:
  sample_seed(std::uint64_t known_bits, bool is_all_of_it)
      : bits(known_bits), is_chosen(is_all_of_it) {}
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
