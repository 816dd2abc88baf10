// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of sample sort fit every generation: what its kernels have in shared memory, made of
// each generation's numbers, is as small as that generation's blocks. The other algorithms'
// numbers: tests/routing/test_tuning.cpp. That it compiles is the test.
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>

#include "../kit/values.hpp"

namespace {

using namespace gpusort::detail;
using tuning::architecture;

constexpr int most_threads = 1024;

template <class T, class Numbers, architecture Arch>
constexpr bool fits() {
  using numbers = Numbers;
  using large_tile = tuning::large_tile<sizeof(T), Arch>;
  using sample_sorter =
      tile::block_sort<T, large_tile::threads_per_block, large_tile::items_per_thread, false>;
  using bucket_sorter = typename numbers::buckets::template sorter<T>;
  using few_bucket_sorter = typename numbers::buckets::template few_sorter<T>;
  constexpr std::size_t most = tuning::shared_memory_of(Arch);
  constexpr std::size_t k = std::size_t{1} << numbers::distribution::max_log_buckets;

  static_assert(sizeof(typename sample_sorter::storage) + sizeof(kernel::fit_storage) +
                    sizeof(kernel::distinct_splitters) <=
                most);
  static_assert(kernel::tree_bytes<T>(k) + k * sizeof(std::uint32_t) <= most);
  static_assert(sizeof(kernel::scatter_storage<typename numbers::distribution, T>) <= most);
  static_assert(sizeof(T) != 4 ||
                kernel::tree_bytes<T>(k) +
                        sizeof(kernel::scatter_storage<typename numbers::distribution, T>) <=
                    most);
  if constexpr (numbers::paging::is_used) {
    using paging = typename numbers::paging;
    constexpr std::size_t buckets = std::size_t{1} << paging::max_log_buckets;
    constexpr std::size_t of_block =
        kernel::tree_bytes<T>(buckets) + sizeof(kernel::page_storage<paging, T>);
    static_assert(of_block <= most);
    static_assert(Arch == architecture::sm_75 ||
                  paging::blocks_resident * (of_block + 1024) <= most);
  }
  static_assert(sizeof(typename bucket_sorter::storage) <= most);
  static_assert(sizeof(typename few_bucket_sorter::storage) <= most);
  using compare = gpusort::detail::by_stored_value<gpusort::less>;
  using cluster_storage = kernel::cluster_storage<typename numbers::cluster, T, compare>;
  static_assert(sizeof(cluster_storage) <= most);
  static_assert(cluster_storage::threads(numbers::cluster::max_n) <=
                numbers::cluster::threads_per_block);
  if constexpr (numbers::single_launch::max_n > 0) {
    static_assert(sizeof(kernel::single_launch_storage<numbers, T>) <= most);
  }

  static_assert(numbers::distribution::threads_per_block <= most_threads);
  static_assert(numbers::single_launch::threads_per_block <= most_threads);
  static_assert(numbers::cluster::threads_per_block <= most_threads);
  static_assert(bucket_sorter::threads_per_block <= most_threads);
  static_assert(few_bucket_sorter::threads_per_block <= most_threads);
  static_assert(
      numbers::distribution::max_log_buckets + 2 <= ceil_log2(numbers::sampling::items_per_tile),
      "an oversample of 4 for every bucket");
  static_assert(numbers::buckets::target <= numbers::buckets::items_per_tile);
  static_assert(numbers::buckets::one_level_target <= numbers::buckets::items_per_tile);
  return true;
}

template <class T, template <std::size_t, architecture> class Numbers = tuning::sample_sort>
constexpr bool fits_every_generation() {
  return fits<T, Numbers<sizeof(T), architecture::sm_75>, architecture::sm_75>() &&
         fits<T, Numbers<sizeof(T), architecture::sm_80>, architecture::sm_80>() &&
         fits<T, Numbers<sizeof(T), architecture::sm_90>, architecture::sm_90>() &&
         fits<T, Numbers<sizeof(T), architecture::sm_100>, architecture::sm_100>() &&
         fits<T, Numbers<sizeof(T), architecture::sm_120>, architecture::sm_120>();
}

/// Tells whether as many blocks are resident as launch bounds ask for.
template <class Numbers, class Sorter, class Storage, architecture Arch>
constexpr bool bucket_sorts_fit() {
  constexpr int of_block = sizeof(Storage);
  constexpr int most = tuning::shared_memory_of(Arch);
  constexpr int threads = Sorter::threads_per_block;
  constexpr int blocks = (Numbers::buckets::threads_resident + threads - 1) / threads;
  static_assert(of_block <= most);
  static_assert(blocks * (of_block + 1024) <= most + 1024);
  static_assert(blocks * threads <= tuning::threads_per_multiprocessor(Arch));
  return true;
}

/// Tells whether buckets of numbers fit, and the slots that these are mapped to.
template <class T, architecture Arch>
constexpr bool proxmap_sort_fits() {
  using numbers = tuning::sample_sort_of_numbers<sizeof(T), Arch>;
  using sorter = typename numbers::buckets::template sorter<T>;
  using few_sorter = typename numbers::buckets::template few_sorter<T>;
  bucket_sorts_fit<numbers, sorter, typename tile::proxmap_sort<T, sorter>::storage, Arch>();
  bucket_sorts_fit<numbers, few_sorter, typename tile::proxmap_sort<T, few_sorter>::storage,
                   Arch>();
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    bucket_sorts_fit<numbers, sorter, typename tile::inferred_number_sort<T, sorter>::storage,
                     Arch>();
    bucket_sorts_fit<numbers, few_sorter,
                     typename tile::inferred_number_sort<T, few_sorter>::storage, Arch>();
  }
  return true;
}

template <architecture Arch>
constexpr bool proxmap_sort_of_all_fits() {
  return proxmap_sort_fits<std::uint32_t, Arch>() && proxmap_sort_fits<std::uint64_t, Arch>() &&
         proxmap_sort_fits<key_value<std::uint32_t, kit::uint128>, Arch>() &&
         proxmap_sort_fits<key_value<std::uint64_t, std::uint32_t>, Arch>() &&
         proxmap_sort_fits<kit::uint128, Arch>() &&
         proxmap_sort_fits<key_value<kit::uint128, std::uint64_t>, Arch>();
}

// Proxmap sort fits every generation.
static_assert(proxmap_sort_of_all_fits<architecture::sm_75>());
static_assert(proxmap_sort_of_all_fits<architecture::sm_80>());
static_assert(proxmap_sort_of_all_fits<architecture::sm_90>());
static_assert(proxmap_sort_of_all_fits<architecture::sm_100>());
static_assert(proxmap_sort_of_all_fits<architecture::sm_120>());

// Sample sort of numbers fits every generation.
static_assert(fits_every_generation<std::uint8_t>());
static_assert(fits_every_generation<std::uint16_t>());
static_assert(fits_every_generation<std::uint32_t>());
static_assert(fits_every_generation<std::uint64_t>());
static_assert(fits_every_generation<kit::uint128>());
static_assert(fits_every_generation<std::uint32_t, tuning::sample_sort_of_numbers>());
static_assert(fits_every_generation<std::uint64_t, tuning::sample_sort_of_numbers>());
static_assert(fits_every_generation<kit::uint128, tuning::sample_sort_of_numbers>());
static_assert(fits_every_generation<std::uint32_t, tuning::sample_sort_of_indices>());
static_assert(fits_every_generation<std::uint64_t, tuning::sample_sort_of_indices>());

// Sample sort of records fits every generation.
static_assert(fits_every_generation<kit::record<3>>());
static_assert(fits_every_generation<kit::record<9>>());  // as little aligned as elements are
static_assert(fits_every_generation<kit::record<12>>());
static_assert(fits_every_generation<kit::record<17>>());
static_assert(fits_every_generation<kit::record<24>>());
static_assert(fits_every_generation<kit::record<32>>());
static_assert(fits_every_generation<kit::record<32, 16>>());
static_assert(fits_every_generation<kit::record<33>>());
static_assert(fits_every_generation<kit::record<48, 16>>());
static_assert(fits_every_generation<kit::record<63>>());
static_assert(fits_every_generation<kit::record<64, 16>>());

// Sample sort of pairs fits every generation.
static_assert(fits_every_generation<key_value<std::uint32_t, std::uint32_t>>());
static_assert(fits_every_generation<key_value<std::uint64_t, std::uint32_t>>());
static_assert(fits_every_generation<key_value<std::uint64_t, std::uint64_t>>());
static_assert(fits_every_generation<key_value<kit::uint128, std::uint64_t>>());

}  // namespace
