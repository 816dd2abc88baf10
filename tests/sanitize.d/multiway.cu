// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/multiway_merge.hpp>
#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <numeric>

#include "case.hpp"

namespace sanitize {
namespace {

using array = gpusort::detail::key_array<std::uint32_t>;
using order = gpusort::detail::by_stored_value<opaque>;

const std::vector<std::size_t> offsets = {0, 7, 9000, 9000, 20011, 35003, 50021};

std::vector<gpusort::detail::sorted_run<array>> runs_at(std::uint32_t* data) {
  std::vector<gpusort::detail::sorted_run<array>> all;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    all.push_back({array{data + offsets[i]}, offsets[i + 1] - offsets[i]});
  }
  return all;
}

SANITIZE_CASE(multiway_merge, "write_table_kernel") {
  using merge = gpusort::detail::multiway_merge<array, array, array, order>;
  const std::vector<std::uint32_t> values = runs(offsets);
  const device_array<std::uint32_t> in(values), out(values.size());
  const auto parts = runs_at(in.data());
  const scratch memory(merge::scratch_bytes(parts.data(), parts.size()));
  merge::run(nullptr, parts.data(), parts.size(), array{out.data()}, {}, memory.data());
  expect(out.read() == sorted(values), "not merged");
}

SANITIZE_CASE(multiway_select, "select_cuts_kernel") {
  using select = gpusort::detail::multiway_select<array, order>;
  const std::vector<std::uint32_t> values = runs(offsets);
  const device_array<std::uint32_t> in(values);
  const auto parts = runs_at(in.data());
  const std::vector<std::uint64_t> ranks = {0, 12345, values.size()};
  const std::size_t k = parts.size();
  const device_array<std::uint64_t> cuts(k * ranks.size());
  const scratch memory(select::scratch_bytes(k, ranks.size()));
  select::run(nullptr, parts.data(), k, ranks.data(), ranks.size(), cuts.data(), {}, memory.data());
  const std::vector<std::uint64_t> found = cuts.read();
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto first = found.begin() + static_cast<std::ptrdiff_t>(r * k);
    const auto last = first + static_cast<std::ptrdiff_t>(k);
    expect(std::accumulate(first, last, std::uint64_t{0}) == ranks[r], "cuts do not add up");
  }
}

}  // namespace
}  // namespace sanitize
