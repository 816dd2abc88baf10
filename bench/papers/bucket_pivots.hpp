// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/order.hpp>

namespace papers {

namespace detail = gpusort::detail;

// Pivots: interpolated between the least and the greatest element, and refined by how many elements
// are between neighbouring ones. Source: paper 001, section 5.1.

/// The finite elements' range, and how many NaNs there are. All 0 before anything is added.
struct value_range {
  std::uint32_t greatest;   // ordered bits
  std::uint32_t not_least;  // the complement of the least one's
  std::uint32_t nans;

  GPUSORT_HOST_DEVICE double low() const { return is_empty() ? 0 : value(~not_least); }
  GPUSORT_HOST_DEVICE double high() const { return is_empty() ? 0 : value(greatest); }

 private:
  GPUSORT_HOST_DEVICE bool is_empty() const { return greatest == 0; }
  static GPUSORT_HOST_DEVICE double value(std::uint32_t bits) {
    return static_cast<double>(detail::as_ordered_bits::decode<float>(bits));
  }
};

/// Returns as many blocks as fill the device, for a kernel whose threads go through the input in
/// strides.
inline std::size_t blocks_of_strides(std::uint64_t n, int threads) {
  const auto most =
      static_cast<std::size_t>(8 * detail::current_device_properties().multiprocessors);
  return detail::min_of(most,
                        detail::ceil_div<std::uint64_t>(n, static_cast<std::uint64_t>(threads)));
}

template <int Threads>
__global__ void __launch_bounds__(Threads)
    find_range_kernel(const float* in, std::uint64_t n, value_range* range) {
  __shared__ std::uint32_t greatest, not_least, nans;
  if (threadIdx.x == 0) greatest = not_least = nans = 0;
  std::uint32_t my_greatest = 0, my_not_least = 0, my_nans = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * Threads + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * Threads) {
    const float x = in[i];
    my_nans += x != x;
    if (x - x != 0) continue;  // nor infinities, with which nothing is interpolated
    const std::uint32_t bits = detail::as_ordered_bits::encode(x);
    my_greatest = bits > my_greatest ? bits : my_greatest;
    my_not_least = ~bits > my_not_least ? ~bits : my_not_least;
  }
  __syncthreads();
  atomicMax(&greatest, my_greatest);
  atomicMax(&not_least, my_not_least);
  if (my_nans > 0) atomicAdd(&nans, my_nans);
  __syncthreads();
  if (threadIdx.x > 0) return;
  atomicMax(&range->greatest, greatest);
  atomicMax(&range->not_least, not_least);
  if (nans > 0) atomicAdd(&range->nans, nans);
}

/// Boundaries of bins of one width.
template <int Bins>
struct even_bins {
  const value_range* range;

  GPUSORT_DEVICE double operator()(int bin) const {
    const double low = range->low(), high = range->high();
    return bin == Bins ? high : low + (high - low) * bin / Bins;
  }
};

/// Boundaries of the bins between pivots.
template <int Bins>
struct bins_between_pivots {
  const value_range* range;
  const float* pivots;

  GPUSORT_DEVICE double operator()(int bin) const {
    if (bin == 0) return range->low();
    return bin == Bins ? range->high() : static_cast<double>(pivots[bin - 1]);
  }
};

/// Counts how many elements are in each of Bins bins of one width, which start at 0. Infinities are
/// in the outermost bins.
template <int Threads, int Bins>
__global__ void __launch_bounds__(Threads)
    histogram_kernel(const float* in, std::uint64_t n, const value_range* range,
                     std::uint32_t* bins) {
  __shared__ std::uint32_t counts[Bins];
  for (int bin = static_cast<int>(threadIdx.x); bin < Bins; bin += Threads) counts[bin] = 0;
  const double low = range->low(), width = range->high() - low;
  const double per_unit = width > 0 ? Bins / width : 0;
  __syncthreads();
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * Threads + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * Threads) {
    const float x = in[i];
    if (x != x) continue;
    const double above = static_cast<double>(x) - low;
    const double place = above > 0 ? above * per_unit : 0;  // infinity * 0 is no number
    atomicAdd(counts + (place < Bins ? static_cast<int>(place) : Bins - 1), 1u);
  }
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < Bins; bin += Threads) {
    if (counts[bin] > 0) atomicAdd(bins + bin, counts[bin]);
  }
}

/// Writes Lists - 1 ascending pivots that part the elements evenly if each bin's are spread evenly,
/// by one block. Never below one another, also where arithmetic rounds: the place in a bin grows
/// with the rank and ends at the next boundary.
template <int Threads, int Bins, int Lists, class Boundaries>
__global__ void __launch_bounds__(Threads)
    refine_pivots_kernel(const std::uint32_t* bins, Boundaries boundary, float* pivots) {
  using block_scan = cub::BlockScan<std::uint32_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  __shared__ std::uint32_t before[Bins + 1];
  std::uint32_t total = 0;
  for (int first = 0; first < Bins; first += Threads) {
    const int bin = first + static_cast<int>(threadIdx.x);
    const std::uint32_t count = bin < Bins ? bins[bin] : 0;
    std::uint32_t sum, all;
    block_scan(storage).ExclusiveSum(count, sum, all);
    if (bin < Bins) before[bin] = total + sum;
    total += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) before[Bins] = total;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < Lists - 1; i += Threads) {
    const double rank = static_cast<double>(total) * (i + 1) / Lists;
    int bin = 0;  // the last one that begins at the rank or below it
    for (int low = 0, high = Bins; low < high;) {
      const int middle = (low + high) / 2;
      if (before[middle] <= rank) {
        bin = middle;
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const double begin = boundary(bin), end = boundary(bin + 1);
    const double count = before[bin + 1] - before[bin];
    const double pivot = count > 0 ? begin + (end - begin) * ((rank - before[bin]) / count) : begin;
    pivots[i] = static_cast<float>(pivot < end ? pivot : end);
  }
}

}  // namespace papers
