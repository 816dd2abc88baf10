// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which generation's numbers are selected, and the numbers that a C++ compiler can read. Those of
// sample sort: tests/routing/test_tuning_cpu.cu. That it compiles is the test.
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <gpusort/detail/tuning/bitonic_sort.hpp>
#include <gpusort/detail/tuning/block_tiles.hpp>
#include <gpusort/detail/tuning/counting_sort.hpp>
#include <gpusort/detail/tuning/merge.hpp>
#include <gpusort/detail/tuning/merge_sort.hpp>
#include <gpusort/detail/tuning/multiway_merge.hpp>
#include <gpusort/detail/tuning/small_radix_sort.hpp>
#include <utility>

namespace {

using namespace gpusort::detail;
using tuning::architecture;

constexpr std::size_t static_shared_memory = 48 * 1024;
constexpr int most_threads = 1024;

// A generation is that of the last architecture that is not newer.
static_assert(tuning::generation_of(700) == architecture::sm_75);
static_assert(tuning::generation_of(750) == architecture::sm_75);
static_assert(tuning::generation_of(800) == architecture::sm_80);
static_assert(tuning::generation_of(890) == architecture::sm_80);
static_assert(tuning::generation_of(900) == architecture::sm_90);
static_assert(tuning::generation_of(1000) == architecture::sm_100);
static_assert(tuning::generation_of(1030) == architecture::sm_100);
static_assert(tuning::generation_of(1200) == architecture::sm_120);
static_assert(tuning::generation_of(1210) == architecture::sm_120);

// It is, of several, one whose numbers fit all.
static_assert(tuning::weakest_of({900}) == 900);
static_assert(tuning::weakest_of({750, 800, 860, 890, 900}) == 750);
static_assert(tuning::weakest_of({900, 1000}) == 900);
static_assert(tuning::weakest_of({1000, 900}) == 900);
static_assert(tuning::weakest_of({900, 1000, 1200}) == 1200);  // newer, with less shared memory
static_assert(tuning::weakest_of({1200, 860}) == 860);

// A compiler that knows no architectures is as one that compiles for the measured one.
static_assert(tuning::selected_architecture() == architecture::sm_90);
static_assert(tuning::shared_memory_of(architecture::sm_75) == 64 * 1024);
static_assert(tuning::shared_memory_of(architecture::sm_80) == 99 * 1024);
static_assert(tuning::shared_memory_of(architecture::sm_90) == 227 * 1024);
static_assert(tuning::shared_memory_of(architecture::sm_100) == 227 * 1024);
static_assert(tuning::shared_memory_of(architecture::sm_120) == 99 * 1024);

template <std::size_t Bytes, architecture Arch>
constexpr bool large_tile_fits() {
  using tile = tuning::large_tile<Bytes, Arch>;
  constexpr std::size_t items = tile::threads_per_block * tile::items_per_thread;
  static_assert(tile_bytes(items, Bytes) + 4 * (tile::threads_per_block + 1) <=
                tuning::shared_memory_of(Arch));
  static_assert(tile::threads_per_block >= 32 && tile::threads_per_block <= most_threads);
  return true;
}

/// Returns the bytes of a tile that threads walk through in chunks, reading ahead of its end, and
/// of a boundary for each.
template <class Tuning>
constexpr std::size_t chunked_tile_bytes(std::size_t element_bytes) {
  constexpr std::size_t threads = Tuning::threads_per_block, items = Tuning::items_per_thread;
  return (threads + 1) * (items * element_bytes + 4);
}

/// The shape for few runs.
template <class Tuning>
struct few_runs_of : Tuning {
  static constexpr int threads_per_block = Tuning::threads_per_block_of_few;
  static constexpr int items_per_thread = Tuning::items_per_thread_of_few;
};

template <std::size_t Bytes, architecture Arch>
constexpr bool multiway_tile_fits() {
  using merge = tuning::multiway_merge<Bytes, Arch>;
  using sort = tuning::merge_sort<Bytes, Arch>;
  static_assert(chunked_tile_bytes<sort>(Bytes) <= tuning::shared_memory_of(Arch));
  static_assert(sort::threads_per_block <= most_threads);
  constexpr std::size_t bytes_per_piece = 3 * 4 + 24;  // where it is, and a handle
  constexpr std::size_t pieces = (merge::max_ways + 1) * bytes_per_piece;
  constexpr std::size_t most = tuning::shared_memory_of(Arch) - pieces;
  using few = few_runs_of<merge>;
  static_assert(chunked_tile_bytes<merge>(Bytes) + merge::threads_per_block <= most);
  static_assert(chunked_tile_bytes<few>(Bytes) + few::threads_per_block <= most);
  static_assert(few::threads_per_block <= most_threads);
  static_assert(merge::threads_per_block <= most_threads);
  return true;
}

/// Tells whether what is the same everywhere fits everywhere.
template <std::size_t Bytes>
constexpr bool tiles_fit() {
  using bucket = tuning::bucket_tile<Bytes>;
  using merge = tuning::merge<Bytes>;
  using bitonic = tuning::bitonic_sort<Bytes>;
  static_assert(tile_bytes(bucket::threads_per_block * bucket::items_per_thread, Bytes) <=
                static_shared_memory);
  static_assert(chunked_tile_bytes<merge>(Bytes) <= static_shared_memory);
  static_assert(!bitonic::in_registers ||
                tile_bytes(bitonic::items_per_tile, Bytes) <= static_shared_memory);
  static_assert(bucket::threads_per_block <= most_threads);
  static_assert(merge::threads_per_block <= most_threads);
  static_assert(bitonic::sort_threads <= most_threads);
  static_assert(bitonic::merge_threads <= most_threads);
  return true;
}

template <std::size_t... Sizes>
constexpr bool fit_of_all_sizes(std::index_sequence<Sizes...>) {
  return ((multiway_tile_fits<Sizes + 1, architecture::sm_75>() &&
           multiway_tile_fits<Sizes + 1, architecture::sm_80>() &&
           multiway_tile_fits<Sizes + 1, architecture::sm_90>() &&
           multiway_tile_fits<Sizes + 1, architecture::sm_100>() &&
           multiway_tile_fits<Sizes + 1, architecture::sm_120>() &&
           large_tile_fits<Sizes + 1, architecture::sm_75>() &&
           large_tile_fits<Sizes + 1, architecture::sm_80>() &&
           large_tile_fits<Sizes + 1, architecture::sm_90>() &&
           large_tile_fits<Sizes + 1, architecture::sm_100>() &&
           large_tile_fits<Sizes + 1, architecture::sm_120>() && tiles_fit<Sizes + 1>()) &&
          ...);
}

static_assert(fit_of_all_sizes(std::make_index_sequence<64>{}));

template <class Tuning>
constexpr bool launch_bounds_fit_the_oldest() {
  static_assert(Tuning::threads_per_block * Tuning::blocks_resident <=
                tuning::threads_per_multiprocessor(architecture::sm_75));
  static_assert(Tuning::threads_for_few * Tuning::blocks_resident <=
                tuning::threads_per_multiprocessor(architecture::sm_75));
  return true;
}

static_assert(launch_bounds_fit_the_oldest<tuning::counting_sort<1>>());
static_assert(launch_bounds_fit_the_oldest<tuning::counting_sort<2>>());
static_assert(tuning::small_radix_sort<16>::threads_per_block <= most_threads);

}  // namespace
