// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who sorts 32-bit keys in the figures of paper 003, and the time that each takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "block_merge_sort.hpp"
#include "library_sorters.hpp"
#include "merge_sort.hpp"
#include "sample_sort.hpp"

namespace bench {

template <class Sort>
key_sorter sorter_of_paper(const std::string& name) {
  const auto scratch = std::make_shared<buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            Sort::run(nullptr, data, n, scratch->reserve(Sort::scratch_bytes(n)), opaque_less{});
          }};
}

/// Lists who is in figures 14 and 19.
inline std::vector<key_sorter> sorters_of_any_size() {
  using key = std::uint32_t;
  return {sorter_of_paper<papers::sample_sort<key, papers::first_sample_sort>>("sample_sort_first"),
          sorter_of_paper<papers::sample_sort<key>>("sample_sort_revised"),
          sorter_of_paper<papers::merge_sort<key>>("merge_sort"),
          gpusort_sorter("gpusort", gpusort::par_gpu),
          forced_sorter("gpusort_sample_sort", gpusort::algorithm::sample_sort, opaque_less{}),
          forced_sorter("gpusort_merge_sort", gpusort::algorithm::merge_sort),
          thrust_sorter()};
}

template <int Find, int Scatter>
struct sample_sort_by_counters : papers::revised_sample_sort {
  static constexpr int counters_to_find = Find;
  static constexpr int counters_to_scatter = Scatter;
};

template <int Find, int Scatter>
key_sorter sorter_by_counters() {
  using version = sample_sort_by_counters<Find, Scatter>;
  return sorter_of_paper<papers::sample_sort<std::uint32_t, version>>(
      std::to_string(Find) + "_and_" + std::to_string(Scatter) + "_counters");
}

/// Lists who is in figure 18.
inline std::vector<key_sorter> sorters_by_counters() {
  return {sorter_by_counters<1, 1>(), sorter_by_counters<2, 2>(), sorter_by_counters<4, 4>(),
          sorter_by_counters<8, 4>(), sorter_by_counters<8, 8>()};
}

template <class Split>
key_sorter sorter_by_one_block(const std::string& name) {
  const auto spare = std::make_shared<buffer>(), pieces = std::make_shared<buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            using version = papers::revised_sample_sort;
            const papers::piece all{0, static_cast<std::uint32_t>(n), false};
            papers::piece* const on_device = pieces->reserve_for<papers::piece>(1);
            check(cudaMemcpy(on_device, &all, sizeof(all), cudaMemcpyHostToDevice), "cudaMemcpy");
            gpusort::detail::launch(
                papers::sort_pieces_kernel<Split, version::threads, version::most_in_network,
                                           std::uint32_t, opaque_less>,
                1, version::threads, 0, nullptr, on_device,
                papers::two_arrays<std::uint32_t>{data, spare->reserve_for<std::uint32_t>(n)},
                opaque_less{});
            check(cudaStreamSynchronize(nullptr), "sorting by one block");
          }};
}

template <int Ways>
key_sorter merger_by_one_block(const std::string& name) {
  const auto spare = std::make_shared<buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            constexpr int threads = 256, most_in_network = 2048;
            gpusort::detail::launch(
                papers::block_merge_sort_kernel<Ways, papers::bitonic_merge, threads,
                                                most_in_network, std::uint32_t, opaque_less>,
                1, threads, 0, nullptr,
                papers::two_arrays<std::uint32_t>{data, spare->reserve_for<std::uint32_t>(n)},
                static_cast<std::uint32_t>(n), opaque_less{});
            check(cudaStreamSynchronize(nullptr), "sorting by one block");
          }};
}

/// Lists who is in figure 16.
inline std::vector<key_sorter> sorters_of_one_block() {
  return {sorter_by_one_block<papers::by_quicksort>("quicksort"),
          sorter_by_one_block<papers::revised_sample_sort::second_level>("sample_sort"),
          merger_by_one_block<2>("two_way_merge_sort"),
          merger_by_one_block<4>("four_way_merge_sort")};
}

}  // namespace bench
