// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include "hybrid_sort.hpp"

// The hybrid on several devices: each has the whole input and makes the same histogram, whose
// pivots say which values are whose. Each then sorts its own by the hybrid. Source: paper 001,
// section 6.1.

namespace papers {

/// One of the devices, which may be named more than once. Its memory: the whole input, room for as
/// many elements, which gets the device's share, sorted, and scratch.
struct sharing_device {
  int device;
  cudaStream_t stream;
  float* input;  // shuffled where the options say so, else left as it is
  float* out;
  void* scratch;
};

/// Copies what is above `*low` and not above `*high`, in no order; a null bound is none. NaNs are
/// above all.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    keep_share_kernel(const float* in, std::uint64_t n, const float* low, const float* high,
                      float* out, std::uint32_t* kept) {
  __shared__ std::uint32_t count, begin;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * Threads;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * Threads; first < n; first += stride) {
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const std::uint64_t i = first + threadIdx.x;
    const float x = i < n ? in[i] : 0;
    const bool is_mine =
        i < n && (low == nullptr || !(x <= *low)) && (high == nullptr || x <= *high);
    const std::uint32_t slot = is_mine ? atomicAdd(&count, 1u) : 0;
    __syncthreads();
    if (threadIdx.x == 0) begin = atomicAdd(kept, count);
    __syncthreads();
    if (is_mine) out[begin + slot] = x;
  }
}

/// Sorts floats ascending by `<`, NaNs last, to as many sorted shares as there are devices, of
/// which none has an element above one of the next. A host thread for each device, as the hybrid
/// waits for lengths in the middle; no device waits for another. Any n up to 2^30.
template <int Lists = 1024>
class hybrid_on_devices {
 public:
  static std::size_t scratch_bytes(std::uint64_t n) {
    return std::max(layout(n, nullptr).bytes, hybrid_sort<Lists>::scratch_bytes(n));
  }

  /// Returns the lengths of the shares, when all are sorted.
  static std::vector<std::uint32_t> run(const std::vector<sharing_device>& devices, std::uint64_t n,
                                        const hybrid_options& options) {
    if (devices.empty() || devices.size() > Lists) {
      throw std::invalid_argument("the hybrid sorts on 1 to " + std::to_string(Lists) + " devices");
    }
    std::vector<std::future<std::uint32_t>> shares;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      shares.push_back(std::async(std::launch::async, [&devices, &options, n, i] {
        return sort_share(devices, i, n, options);
      }));
    }
    std::vector<std::uint32_t> lengths;
    std::uint64_t total = 0;
    for (auto& share : shares) total += lengths.emplace_back(share.get());
    if (total != n) throw std::runtime_error("the devices' histograms differ");
    return lengths;
  }

 private:
  static std::uint32_t sort_share(const std::vector<sharing_device>& devices, std::size_t me,
                                  std::uint64_t n, hybrid_options options) {
    constexpr int threads = 512;
    const sharing_device& mine = devices[me];
    detail::check(cudaSetDevice(mine.device), "choosing a device");
    if (n == 0) return 0;
    layout parts(n, mine.scratch);
    if (options.is_shuffled) shuffle(mine.stream, mine.input, parts.n, options.seed);
    options.is_shuffled = false;
    parts.histogram.choose_pivots(mine.stream, mine.input);
    const auto bound = [&](std::size_t device) {
      return parts.histogram.pivots() + Lists * device / devices.size() - 1;
    };
    detail::check(cudaMemsetAsync(parts.kept, 0, sizeof(*parts.kept), mine.stream),
                  "clearing a counter");
    detail::launch(keep_share_kernel<threads>, blocks_of_strides(n, threads), threads, 0,
                   mine.stream, mine.input, n, me == 0 ? nullptr : bound(me),
                   me + 1 == devices.size() ? nullptr : bound(me + 1), mine.out, parts.kept);
    std::uint32_t kept = 0;
    detail::check(cudaMemcpyAsync(&kept, parts.kept, sizeof(kept), cudaMemcpyDefault, mine.stream),
                  "reading a share's length");
    detail::check(cudaStreamSynchronize(mine.stream), "reading a share's length");
    hybrid_sort<Lists>::run(mine.stream, mine.out, kept, options, mine.scratch);
    detail::check(cudaStreamSynchronize(mine.stream), "sorting a share");
    return kept;
  }

  struct layout {
    detail::scratch_cursor cursor;
    std::uint32_t n;
    std::uint32_t* kept;
    bucket_split<Lists> histogram;
    std::size_t bytes;

    layout(std::uint64_t count, void* scratch)
        : cursor(scratch),
          n(static_cast<std::uint32_t>(count)),
          kept(cursor.take<std::uint32_t>(1)),
          histogram(cursor, n),
          bytes(cursor.used()) {}
  };
};

}  // namespace papers
