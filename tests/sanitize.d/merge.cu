// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/inplace_merge.hpp>
#include <gpusort/detail/algorithm/merge.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

using array = gpusort::detail::key_array<std::uint32_t>;
using order = gpusort::detail::by_stored_value<opaque>;

/// Many tiles are few here.
struct in_pieces : gpusort::detail::tuning::merge<4> {
  static constexpr int max_tiles_without_pieces = 4;
};

template <class... Tuning>
void merge_two(std::size_t n) {
  using merge = gpusort::detail::merge<array, array, array, order, Tuning...>;
  const std::size_t middle = n / 3;
  const std::vector<std::uint32_t> values = runs({0, middle, n});
  const device_array<std::uint32_t> in(values), out(n);
  const scratch memory(merge::scratch_bytes(middle, n - middle));
  merge::run(nullptr, array{in.data()}, middle, array{in.data() + middle}, n - middle,
             array{out.data()}, {}, memory.data());
  expect(out.read() == sorted(values), "not merged");
}

SANITIZE_CASE(merge, "cut_runs_kernel", "cut_pieces_kernel", "merge_kernel") {
  merge_two<>(40009);
  merge_two<in_pieces>(40009);
}

SANITIZE_CASE(inplace_merge, "inplace_merge_split_kernel", "inplace_merge_rotate_kernel",
              "inplace_merge_finish_kernel") {
  using merge = gpusort::detail::inplace_merge<array, order>;
  constexpr std::size_t n = 20011, middle = n / 3;
  expect_sorted(runs({0, middle, n}), merge::scratch_bytes(n),
                [](std::uint32_t* data, void* memory) {
                  merge::run(nullptr, array{data}, middle, n, {}, memory);
                });
}

}  // namespace
}  // namespace sanitize
