// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge sort of sorts that have no scratch for more than a copy of their elements: by its own
// interface, and as what gpusort::sort descends to.
#include <gpusort/detail/algorithm/grid_merge_sort.hpp>
#include <gpusort/gpusort.hpp>

#include "../kit/algorithm_properties.hpp"

namespace {

using gpusort::detail::grid_merge_sort;

struct by_grid_merge_sort {
  static constexpr kit::promise promised = kit::promise::order;
  static constexpr bool only_in_place = false;
  static constexpr std::size_t several_tiles = 20011;
  static constexpr std::size_t fixed_scratch = 1 << 18;

  template <class T>
  static std::vector<std::size_t> sizes() {
    std::vector<std::size_t> all = kit::edge_sizes();
    for (std::size_t edge : {512, 1024, 2048, 4096}) {
      for (std::size_t n : {edge - 1, edge, edge + 1}) all.push_back(n);
    }
    for (const auto& some : {kit::medium_sizes(), kit::large_sizes()}) {
      for (std::size_t n : some) {
        if (n * sizeof(T) <= std::size_t{1} << 24) all.push_back(n);
      }
    }
    return all;
  }
  static std::vector<std::size_t> sizes_for_liars() { return {2, 1000, 4097, 20021}; }

  template <class Array, class Compare>
  static std::size_t scratch_bytes(std::uint64_t n) {
    return grid_merge_sort<Array, Compare>::scratch_bytes(n);
  }
  template <class Input, class Array, class Compare>
  static void run(cudaStream_t stream, Input in, Array out, std::size_t n, Compare comp,
                  void* scratch) {
    grid_merge_sort<Array, Compare>::run(stream, in, out, n, comp, scratch);
  }
};

/// Numbers are sorted by another kernel where their order may be that of numbers.
using maybe_numeric = gpusort::detail::by_stored_value<kit::reference_less>;
using numbers = kit::sorted_by<by_grid_merge_sort, std::uint32_t, maybe_numeric>;
using records = kit::sorted_by<by_grid_merge_sort, kit::record<32, 16>, kit::reference_less>;
using elements = ::testing::Types<numbers, records>;
using in_any_order = kit::sorted_by<by_grid_merge_sort, std::uint32_t, kit::reference_less>;
using with_values = kit::carried_by<by_grid_merge_sort, std::uint32_t>;

class short_scratch : public kit::gpu_test {};

TEST_F(short_scratch, takes_a_copy_of_the_range) {
  const std::size_t n = kit::small_sizes_only() ? 30011 : 3000017;
  const auto input = kit::generate<std::uint64_t>(kit::distribution::uniform, n, kit::seed());
  const kit::buffer<std::uint64_t> range(input, 1);
  const kit::buffer<unsigned char> scratch(n * sizeof(std::uint64_t) * 103 / 100 + (1 << 18));
  const auto policy = gpusort::par_gpu.with(gpusort::scratch(scratch.data(), scratch.size()));
  const kit::opaque compare(kit::behavior::descending);
  gpusort::sort(policy, range.data(), range.data() + n, compare);
  const auto f = kit::examine(input, range.read(), compare, kit::promise::order);
  EXPECT_TRUE(f.ok() && range.intact() && scratch.intact()) << f;
}

}  // namespace

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(grid_merge_sort, algorithm_on_elements, elements);
INSTANTIATE_TYPED_TEST_SUITE_P(grid_merge_sort, algorithm_under_orders, in_any_order);
INSTANTIATE_TYPED_TEST_SUITE_P(grid_merge_sort, algorithm_with_values, with_values);
INSTANTIATE_TYPED_TEST_SUITE_P(grid_merge_sort, algorithm_in_graphs, in_any_order);
}  // namespace kit
