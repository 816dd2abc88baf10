// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/splitter_tree.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

// The sampler: a sample of a range, and the splitters in it.

/// Loads a stratified random sample of `count` elements into a tile; load(i) is one of them.
/// Block-wide, before a barrier.
template <class Items, class Load>
GPUSORT_DEVICE void load_sample(Items& sample, const Load& load, global_size count, int log_samples,
                                std::uint64_t seed) {
  tile::for_each_sample(log_samples, count, seed,
                        [&](int i, std::uint64_t index) { sample[i] = load(index); });
}

/// Ranks this block's share of a sample that all blocks of the grid hold: each of the share is
/// compared with all others. Block-wide, after a barrier.
template <class Items, class Compare>
GPUSORT_DEVICE void rank_share_of_sample(Items& sample, int samples, std::uint16_t* ranks,
                                         Compare& compare) {
  const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
  for (int mine = block * samples / blocks; mine < (block + 1) * samples / blocks; ++mine) {
    int rank = 0;
    for (int first = 0; first < samples; first += static_cast<int>(blockDim.x)) {
      const int i = first + static_cast<int>(threadIdx.x);
      const bool is_earlier =
          i < samples && tile::is_before(sample[i], i, sample[mine], mine, compare);
      rank += __syncthreads_count(is_earlier && i != mine);
    }
    if (threadIdx.x == 0) ranks[mine] = static_cast<std::uint16_t>(rank);
  }
}

/// A sample in the order of its ranks, but only every 2^log_oversample-th of it.
template <class Items>
class ranked_sample {
 public:
  /// Ranks a sample; `numbers` has room for the ranks. Should a comparator lie, some are others of
  /// the sample. Block-wide; ends with a barrier.
  GPUSORT_DEVICE ranked_sample(Items& sample, int samples, const std::uint16_t* ranks,
                               int log_oversample, std::uint16_t* numbers)
      : sample_(sample), numbers_(numbers) {
    for (int i = threadIdx.x; i < samples >> log_oversample; i += blockDim.x) {
      numbers[i] = static_cast<std::uint16_t>(i);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < samples; i += blockDim.x) {
      const int rank = __ldcg(ranks + i);
      if (rank % (1 << log_oversample) == 0) {
        numbers[rank >> log_oversample] = static_cast<std::uint16_t>(i);
      }
    }
    __syncthreads();
  }

  GPUSORT_DEVICE const auto& operator[](int i) const { return sample_[numbers_[i]]; }

 private:
  Items& sample_;
  const std::uint16_t* numbers_;
};

/// Writes every 2^log_oversample-th element of a sorted sample as the splitters of 2^log_k buckets,
/// and marks in `equal`, which is 0, for the buckets of values that take several splitters.
/// Block-wide.
template <class T, class Items, class Compare>
GPUSORT_DEVICE void write_splitters(Items& sample, int log_oversample, int log_k, T* nodes,
                                    std::uint8_t* equal, Compare& compare) {
  const int k = 1 << log_k;
  const auto splitter = [&](int rank) -> const T& { return sample[rank << log_oversample]; };
  for (int rank = 1 + threadIdx.x; rank < k; rank += blockDim.x) {
    nodes[tile::splitter_tree<T>::node_of_rank(rank, log_k)] = splitter(rank);
    const bool starts_run = rank + 1 < k && !compare(splitter(rank), splitter(rank + 1)) &&
                            (rank == 1 || compare(splitter(rank - 1), splitter(rank)));
    if (starts_run) equal[rank] = found_equal;
  }
}

/// Holds what write_distinct_splitters() takes of shared memory.
struct distinct_splitters {
  static constexpr int most = 128;
  int found;
  std::uint16_t ranks[most];
  bool repeat[most];
};

/// Writes the splitters where few differ: each of them once, or twice if it had a bucket of its
/// own, in a tree of less than log_k levels, which is returned; or 0, and nothing is written. A low
/// tree is descended sooner, and its nodes are in different banks. Block-wide, between barriers.
template <class T, class Items, class Compare>
GPUSORT_DEVICE int write_distinct_splitters(distinct_splitters& shared, Items& sample,
                                            int log_oversample, int log_k, T* nodes,
                                            std::uint8_t* equal, Compare& compare) {
  const int k = 1 << log_k;
  const auto splitter = [&](int rank) -> const T& { return sample[rank << log_oversample]; };
  const auto is_new = [&](int rank) {
    return rank < k && (rank == 1 || compare(splitter(rank - 1), splitter(rank)));
  };
  int count = 0;
  for (int base = 1; base < k; base += blockDim.x) {
    count += __syncthreads_count(is_new(base + threadIdx.x));
  }
  if (count > shared.most) return 0;
  if (threadIdx.x == 0) shared.found = 0;
  __syncthreads();
  for (int rank = 1 + threadIdx.x; rank < k; rank += blockDim.x) {
    if (!is_new(rank)) continue;
    const int i = atomicAdd(&shared.found, 1);
    if (i >= shared.most) continue;
    shared.ranks[i] = static_cast<std::uint16_t>(rank);
    shared.repeat[i] = rank + 1 < k && !compare(splitter(rank), splitter(rank + 1));
  }
  __syncthreads();
  const int distinct = min_of(shared.found, shared.most);
  int all = 0, last = 1;
  for (int i = 0; i < distinct; ++i) {
    all += 1 + shared.repeat[i];
    last = shared.ranks[i] > last ? shared.ranks[i] : last;
  }
  const int levels = ceil_log2(all + 1);
  if (levels >= log_k) return 0;
  const auto put = [&](int number, int rank) {
    nodes[tile::splitter_tree<T>::node_of_rank(number, levels)] = splitter(rank);
  };
  for (int i = threadIdx.x; i < distinct; i += blockDim.x) {
    int number = 1;
    for (int j = 0; j < distinct; ++j) {
      if (shared.ranks[j] < shared.ranks[i]) number += 1 + shared.repeat[j];
    }
    put(number, shared.ranks[i]);
    if (shared.repeat[i]) {
      put(number + 1, shared.ranks[i]);
      equal[number] = found_equal;
    }
  }
  for (int number = all + 1 + threadIdx.x; number < 1 << levels; number += blockDim.x) {
    put(number, last);
  }
  return levels;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
