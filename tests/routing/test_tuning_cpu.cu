// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuning of sample sort fits every generation: what its kernels have in shared memory, made of
// each generation's tuning, is as small as that generation's blocks. The other algorithms:
// tests/routing/test_tuning.cpp. That it compiles is the test.
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>
#include <gpusort/detail/router/router.hpp>
#include <gpusort/detail/tuning/quicksort.hpp>

#include "../kit/values.hpp"

namespace {

using namespace gpusort::detail;
using tuning::architecture;

constexpr int most_threads = 1024;

template <class T, class Tuning, architecture Arch>
constexpr bool fits() {
  using large_tile = tuning::large_tile<sizeof(T), Arch>;
  using sample_sorter =
      tile::block_merge_sort<T, large_tile::threads_per_block, large_tile::items_per_thread, false>;
  using throughput_sorter = typename Tuning::buckets::template sorter<T>;
  using latency_sorter = typename Tuning::buckets::template latency_sorter<T>;
  constexpr std::size_t most = tuning::shared_memory_of(Arch);
  constexpr std::size_t k = std::size_t{1} << Tuning::distribution::max_log_buckets;

  static_assert(sizeof(typename sample_sorter::storage) + sizeof(kernel::fit_storage) +
                    sizeof(kernel::distinct_splitters) <=
                most);
  static_assert(kernel::tree_bytes<T>(k) + k * sizeof(std::uint32_t) <= most);
  static_assert(sizeof(kernel::scatter_storage<typename Tuning::distribution, T>) <= most);
  static_assert(sizeof(T) != 4 ||
                kernel::tree_bytes<T>(k) +
                        sizeof(kernel::scatter_storage<typename Tuning::distribution, T>) <=
                    most);
  if constexpr (Tuning::paging::is_used) {
    using paging = typename Tuning::paging;
    constexpr std::size_t buckets = std::size_t{1} << paging::max_log_buckets;
    constexpr std::size_t of_block =
        kernel::tree_bytes<T>(buckets) + sizeof(kernel::page_storage<paging, T>);
    static_assert(of_block <= most);
    static_assert(Arch == architecture::sm_75 ||
                  paging::blocks_resident * (of_block + 1024) <= most);
  }
  static_assert(sizeof(typename throughput_sorter::storage) <= most);
  static_assert(sizeof(typename latency_sorter::storage) <= most);
  using compare = gpusort::detail::by_stored_value<gpusort::less>;
  using cluster_storage = kernel::cluster_storage<typename Tuning::cluster, T, compare>;
  static_assert(sizeof(cluster_storage) <= most);
  static_assert(cluster_storage::threads(Tuning::cluster::max_n) <=
                Tuning::cluster::threads_per_block);
  if constexpr (Tuning::single_launch::max_n > 0) {
    static_assert(sizeof(kernel::single_launch_storage<Tuning, T>) <= most);
  }

  static_assert(Tuning::distribution::threads_per_block <= most_threads);
  static_assert(Tuning::single_launch::threads_per_block <= most_threads);
  static_assert(Tuning::cluster::threads_per_block <= most_threads);
  static_assert(throughput_sorter::threads_per_block <= most_threads);
  static_assert(latency_sorter::threads_per_block <= most_threads);
  static_assert(
      Tuning::distribution::max_log_buckets + 2 <= ceil_log2(Tuning::sampling::items_per_tile),
      "an oversample of 4 for every bucket");
  static_assert(Tuning::buckets::target <= Tuning::buckets::items_per_tile);
  static_assert(Tuning::buckets::one_level_target <= Tuning::buckets::items_per_tile);
  return true;
}

template <class T, template <std::size_t, architecture> class Tuning = tuning::sample_sort>
constexpr bool fits_every_generation() {
  return fits<T, Tuning<sizeof(T), architecture::sm_75>, architecture::sm_75>() &&
         fits<T, Tuning<sizeof(T), architecture::sm_80>, architecture::sm_80>() &&
         fits<T, Tuning<sizeof(T), architecture::sm_90>, architecture::sm_90>() &&
         fits<T, Tuning<sizeof(T), architecture::sm_100>, architecture::sm_100>() &&
         fits<T, Tuning<sizeof(T), architecture::sm_120>, architecture::sm_120>();
}

/// Tells whether as many blocks are resident as launch bounds ask for.
template <class Tuning, class Sorter, class Storage, architecture Arch>
constexpr bool bucket_sorts_fit() {
  constexpr int of_block = sizeof(Storage);
  constexpr int most = tuning::shared_memory_of(Arch);
  constexpr int threads = Sorter::threads_per_block;
  constexpr int blocks = (Tuning::buckets::threads_resident + threads - 1) / threads;
  static_assert(of_block <= most);
  static_assert(blocks * (of_block + 1024) <= most + 1024);
  static_assert(blocks * threads <= tuning::threads_per_multiprocessor(Arch));
  return true;
}

/// Tells whether buckets of numbers fit, and the slots that these are mapped to.
template <class T, architecture Arch>
constexpr bool proxmap_sort_fits() {
  using of_numbers = tuning::sample_sort_of_numbers<sizeof(T), Arch>;
  using sorter = typename of_numbers::buckets::template sorter<T>;
  using latency_sorter = typename of_numbers::buckets::template latency_sorter<T>;
  bucket_sorts_fit<of_numbers, sorter, typename tile::proxmap_sort<T, sorter>::storage, Arch>();
  bucket_sorts_fit<of_numbers, latency_sorter,
                   typename tile::proxmap_sort<T, latency_sorter>::storage, Arch>();
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    bucket_sorts_fit<of_numbers, sorter, typename tile::inferred_number_sort<T, sorter>::storage,
                     Arch>();
    bucket_sorts_fit<of_numbers, latency_sorter,
                     typename tile::inferred_number_sort<T, latency_sorter>::storage, Arch>();
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

// The router must not see where quicksort's number comes from.
static_assert(router::quicksort_piece == tuning::quicksort<4>::piece_items);

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
