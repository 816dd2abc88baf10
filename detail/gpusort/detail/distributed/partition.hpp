// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Returns where splitters divide the sorted range of a local object: a search of all of them at
/// once, that takes samples of each one's window and orders them together with the splitters.
template <class Local, class Key>
std::vector<std::uint64_t> divide(Local& local, const std::vector<Key>& splitters) {
  constexpr std::uint64_t samples_per_window = 64;
  const std::size_t k = splitters.size();
  std::vector<window> windows(k, window{0, local.n(), 0, 0});
  const host::scratch memory = host::scratch::of<Key>(k * (1 + samples_per_window));
  if (k != 0 && !memory) throw out_of_memory();
  Key* const keys = memory.as<Key>();
  host::relocate_n(keys, splitters.data(), k);  // first, so before samples that are equivalent
  std::vector<std::uint32_t> order(k * (1 + samples_per_window));
  std::vector<std::uint32_t> splitter_of(order.size());
  for (;;) {
    std::size_t count = k;
    for (std::size_t j = 0; j < k; ++j) {
      window& w = windows[j];
      w.count = (std::min)(w.high - w.low, samples_per_window);
      w.first = count - k;
      std::fill_n(splitter_of.begin() + static_cast<std::ptrdiff_t>(count), w.count,
                  static_cast<std::uint32_t>(j));
      count += w.count;
    }
    if (count == k) break;
    local.sample(windows.data(), k, keys + k);
    local.order(keys, count, order.data());
    std::vector<std::uint64_t> before(k);  // samples of each window before its splitter
    std::vector<bool> is_passed(k);
    for (std::size_t i = 0; i < count; ++i) {
      if (order[i] < k) {
        is_passed[order[i]] = true;
      } else if (!is_passed[splitter_of[order[i]]]) {
        ++before[splitter_of[order[i]]];
      }
    }
    for (std::size_t j = 0; j < k; ++j) {
      const window w = windows[j];
      if (before[j] > 0) windows[j].low = w.position(before[j] - 1) + 1;
      if (before[j] < w.count) windows[j].high = w.position(before[j]);
    }
  }
  std::vector<std::uint64_t> offsets(k + 2, 0);
  for (std::size_t j = 0; j < k; ++j) offsets[j + 1] = (std::max)(offsets[j], windows[j].low);
  offsets[k + 1] = local.n();
  return offsets;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
