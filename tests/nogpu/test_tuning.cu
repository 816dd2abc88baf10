// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of sample sort fit every generation: what its kernels have in shared memory, made of
// each generation's numbers, is as small as that generation's blocks. The other algorithms'
// numbers: tests/host/test_tuning.cpp.
#include <gtest/gtest.h>

#include <gpusort/detail/algorithm/sample_sort.hpp>

#include "../kit/values.hpp"

namespace {

using namespace gpusort::detail;
using tuning::architecture;

constexpr int most_threads = 1024;

template <class T, class Numbers, architecture Arch>
void fits() {
  using numbers = Numbers;
  using large_tile = tuning::large_tile<sizeof(T), Arch>;
  using sample_sorter =
      tile::block_sort<T, large_tile::threads_per_block, large_tile::items_per_thread, false>;
  using bucket_sorter = typename numbers::template bucket_sorter<T>;
  using few_bucket_sorter = typename numbers::template few_bucket_sorter<T>;
  constexpr std::size_t most = tuning::shared_memory_of(Arch);
  constexpr std::size_t k = std::size_t{1} << numbers::max_log_buckets;

  EXPECT_LE(sizeof(typename sample_sorter::storage) + sizeof(kernel::fit_storage) +
                sizeof(kernel::distinct_splitters),
            most);
  EXPECT_LE(kernel::tree_bytes<T>(k) + k * sizeof(std::uint32_t), most);
  EXPECT_LE(sizeof(kernel::scatter_storage<numbers, T>), most);
  if constexpr (numbers::has_pages) {
    using paging = typename numbers::paging;
    constexpr std::size_t buckets = std::size_t{1} << paging::max_log_buckets;
    constexpr std::size_t of_block =
        kernel::tree_bytes<T>(buckets) + sizeof(kernel::page_storage<paging, T>);
    EXPECT_LE(of_block, most);
    if (Arch != architecture::sm_75) EXPECT_LE(paging::blocks_resident * (of_block + 1024), most);
  }
  EXPECT_LE(sizeof(typename bucket_sorter::storage), most);
  EXPECT_LE(sizeof(typename few_bucket_sorter::storage), most);
  using compare = gpusort::detail::by_stored_value<gpusort::less>;
  using cluster_storage = kernel::cluster_storage<numbers, T, compare>;
  EXPECT_LE(sizeof(cluster_storage), most);
  EXPECT_LE(cluster_storage::threads(numbers::cluster_max_n), numbers::cluster_threads);
  if constexpr (numbers::single_launch_max_n > 0) {
    EXPECT_LE(sizeof(kernel::single_launch_storage<numbers, T>), most);
  }

  EXPECT_LE(numbers::threads_per_block, most_threads);
  EXPECT_LE(numbers::single_launch_threads, most_threads);
  EXPECT_LE(numbers::cluster_threads, most_threads);
  EXPECT_LE(bucket_sorter::threads_per_block, most_threads);
  EXPECT_LE(few_bucket_sorter::threads_per_block, most_threads);
  EXPECT_LE(numbers::max_log_buckets + 2, ceil_log2(numbers::sample_items_per_tile))
      << "an oversample of 4 for every bucket";
  EXPECT_LE(numbers::target_bucket, numbers::bucket_items_per_tile);
  EXPECT_LE(numbers::one_level_target_bucket, numbers::bucket_items_per_tile);
}

template <class T, template <std::size_t, architecture> class Numbers = tuning::sample_sort>
void fits_every_generation() {
  SCOPED_TRACE(sizeof(T));
  fits<T, Numbers<sizeof(T), architecture::sm_75>, architecture::sm_75>();
  fits<T, Numbers<sizeof(T), architecture::sm_80>, architecture::sm_80>();
  fits<T, Numbers<sizeof(T), architecture::sm_90>, architecture::sm_90>();
  fits<T, Numbers<sizeof(T), architecture::sm_100>, architecture::sm_100>();
  fits<T, Numbers<sizeof(T), architecture::sm_120>, architecture::sm_120>();
}

/// So many blocks are resident as launch bounds ask for.
template <class Numbers, class Sorter, class Storage, architecture Arch>
void bucket_sorts_fit() {
  constexpr std::size_t of_block = sizeof(Storage);
  constexpr int threads = Sorter::threads_per_block;
  constexpr int blocks = (Numbers::bucket_threads_resident + threads - 1) / threads;
  EXPECT_LE(of_block, tuning::shared_memory_of(Arch));
  EXPECT_LE(blocks * (of_block + 1024), tuning::shared_memory_of(Arch) + 1024);
  EXPECT_LE(blocks * threads, tuning::threads_per_multiprocessor(Arch));
}

/// Buckets of numbers, and the slots that these are mapped to.
template <class T, architecture Arch>
void proxmap_sort_fits() {
  SCOPED_TRACE(sizeof(T));
  using numbers = tuning::sample_sort_of_numbers<sizeof(T), Arch>;
  using sorter = typename numbers::template bucket_sorter<T>;
  using few_sorter = typename numbers::template few_bucket_sorter<T>;
  bucket_sorts_fit<numbers, sorter, typename tile::proxmap_sort<T, sorter>::storage, Arch>();
  bucket_sorts_fit<numbers, few_sorter, typename tile::proxmap_sort<T, few_sorter>::storage,
                   Arch>();
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    bucket_sorts_fit<numbers, sorter, typename tile::learnt_number_sort<T, sorter>::storage,
                     Arch>();
    bucket_sorts_fit<numbers, few_sorter, typename tile::learnt_number_sort<T, few_sorter>::storage,
                     Arch>();
  }
}

template <architecture Arch>
void proxmap_sort_of_all_fits() {
  using gpusort::detail::key_value;
  proxmap_sort_fits<std::uint32_t, Arch>();
  proxmap_sort_fits<std::uint64_t, Arch>();
  proxmap_sort_fits<key_value<std::uint32_t, kit::uint128>, Arch>();
  proxmap_sort_fits<key_value<std::uint64_t, std::uint32_t>, Arch>();
  proxmap_sort_fits<kit::uint128, Arch>();
  proxmap_sort_fits<key_value<kit::uint128, std::uint64_t>, Arch>();
}

TEST(tuning, proxmap_sort_fits_every_generation) {
  proxmap_sort_of_all_fits<architecture::sm_75>();
  proxmap_sort_of_all_fits<architecture::sm_80>();
  proxmap_sort_of_all_fits<architecture::sm_90>();
  proxmap_sort_of_all_fits<architecture::sm_100>();
  proxmap_sort_of_all_fits<architecture::sm_120>();
}

TEST(tuning, sample_sort_of_numbers_fits_every_generation) {
  fits_every_generation<std::uint8_t>();
  fits_every_generation<std::uint16_t>();
  fits_every_generation<std::uint32_t>();
  fits_every_generation<std::uint64_t>();
  fits_every_generation<kit::uint128>();
  fits_every_generation<std::uint32_t, tuning::sample_sort_of_numbers>();
  fits_every_generation<std::uint64_t, tuning::sample_sort_of_numbers>();
  fits_every_generation<kit::uint128, tuning::sample_sort_of_numbers>();
  fits_every_generation<std::uint32_t, tuning::sample_sort_of_indices>();
  fits_every_generation<std::uint64_t, tuning::sample_sort_of_indices>();
}

TEST(tuning, sample_sort_of_records_fits_every_generation) {
  fits_every_generation<kit::record<3>>();
  fits_every_generation<kit::record<9>>();  // as little aligned as elements are
  fits_every_generation<kit::record<12>>();
  fits_every_generation<kit::record<17>>();
  fits_every_generation<kit::record<24>>();
  fits_every_generation<kit::record<32>>();
  fits_every_generation<kit::record<32, 16>>();
  fits_every_generation<kit::record<33>>();
  fits_every_generation<kit::record<48, 16>>();
  fits_every_generation<kit::record<63>>();
  fits_every_generation<kit::record<64, 16>>();
}

TEST(tuning, sample_sort_of_pairs_fits_every_generation) {
  fits_every_generation<key_value<std::uint32_t, std::uint32_t>>();
  fits_every_generation<key_value<std::uint64_t, std::uint32_t>>();
  fits_every_generation<key_value<std::uint64_t, std::uint64_t>>();
  fits_every_generation<key_value<kit::uint128, std::uint64_t>>();
}

}  // namespace
