// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/runs.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/checksum.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Returns the sum of the checksums of n elements of types Ts, one from each column.
template <class... Ts, class... Its>
std::uint64_t checksum_of(std::size_t n, Its... columns) {
  std::atomic<std::uint64_t> total{0};
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t one = checksum_seed;
      ((one = element_checksum<Ts>::add(one, element_as<Ts>(columns, i))), ...);
      sum += mixed_checksum(one);
    }
    total += sum;
  });
  return total;
}

/// Returns the first i in [0, n) for which is_wrong(i), or pass_record::nowhere.
template <class IsWrong>
unsigned long long first_wrong(std::size_t n, const IsWrong& is_wrong) {
  std::atomic<unsigned long long> first{pass_record::nowhere};
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    while (i < end && !is_wrong(i)) ++i;
    if (i == end) return;
    unsigned long long least = first;
    while (i < least && !first.compare_exchange_weak(least, i)) {
    }
  });
  return first;
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
