// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting more than the call may have of the device: 64-bit numbers in host memory, against what
// two trips over the bus take, each number going up and down at the same time.
//
//   measure_external [GB of numbers] [GB of device memory]
#include <gpusort/external.hpp>

#include <cuda_runtime.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "measure.hpp"

namespace {

using namespace host_bench;

void fill(std::uint64_t* data, std::size_t n) {
  in_parallel(n, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) data[i] = number_at(i);
  });
}

/// Tells whether the result is sorted, and has the sum of the input.
bool is_right(const std::uint64_t* data, std::size_t n) {
  std::vector<std::uint64_t> wrong(1, 0);
  std::vector<std::uint64_t> sums(1, 0);
  in_parallel(n, [&wrong, &sums, data](std::size_t begin, std::size_t end) {
    std::uint64_t disorder = 0, sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      disorder += i > 0 && data[i] < data[i - 1];
      sum += data[i] - number_at(i);
    }
    __atomic_fetch_add(&wrong[0], disorder, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sums[0], sum, __ATOMIC_RELAXED);
  });
  return wrong[0] == 0 && sums[0] == 0;
}

/// Times all of `data` up and down again, twice, at the same time on two streams: no sort whose
/// every element crosses the bus twice is faster.
double two_trips(std::uint64_t* data, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{256} << 20;
  cudaStream_t up, down;
  check(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));
  void* device = nullptr;
  check(cudaMalloc(&device, 2 * piece));
  auto* const host = reinterpret_cast<char*>(data);
  char* const second = static_cast<char*>(device) + piece;
  check(cudaMemcpy(device, host, piece, cudaMemcpyDefault));
  check(cudaMemcpy(second, host, piece, cudaMemcpyDefault));
  const double elapsed = seconds([&] {
    for (int trip = 0; trip < 2; ++trip) {
      for (std::size_t i = 0; i + piece <= bytes; i += piece) {
        check(cudaMemcpyAsync(device, host + (bytes / piece - 1) * piece - i, piece,
                              cudaMemcpyDefault, up));
        check(cudaMemcpyAsync(host + i, second, piece, cudaMemcpyDefault, down));
      }
    }
    check(cudaStreamSynchronize(up));
    check(cudaStreamSynchronize(down));
  });
  check(cudaFree(device));
  check(cudaStreamDestroy(up));
  check(cudaStreamDestroy(down));
  return elapsed;
}

void measure(const char* what, std::uint64_t* data, std::size_t n, std::uint64_t limit,
             double bound) {
  const auto policy = gpusort::par_gpu.with(gpusort::max_device_bytes(limit));
  gpusort::release_scratch();
  for (const char* run : {"makes its buffer", "has its buffer", "has its buffer"}) {
    fill(data, n);
    const double elapsed = seconds([&] { gpusort::sort(policy, data, data + n); });
    if (!is_right(data, n)) throw std::runtime_error("the result is wrong");
    std::printf("%-9s %-17s %7.3f s %7.2f GB/s %6.1f%% of two trips\n", what, run, elapsed,
                1e-9 * static_cast<double>(n * sizeof(std::uint64_t)) / elapsed,
                100 * bound / elapsed);
    std::fflush(stdout);
  }
}

/// Measures what makes a second buffer, one step after the other: its pages, by all cores, and
/// pinning them.
void measure_making(std::size_t bytes) {
  constexpr std::size_t huge = std::size_t{2} << 20, segment = std::size_t{128} << 20;
  auto* const data = static_cast<char*>(std::aligned_alloc(huge, bytes / huge * huge));
  if (data == nullptr) throw std::runtime_error("no memory");
  madvise(data, bytes / huge * huge, MADV_HUGEPAGE);
  const double touching = seconds([&] {
    in_parallel(bytes / huge, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * huge; i < end * huge; i += 4096) data[i] = 0;
    });
  });
  const double pinning = seconds([&] {
    for (std::size_t i = 0; i + segment <= bytes; i += segment) {
      check(cudaHostRegister(data + i, segment, cudaHostRegisterPortable));
    }
  });
  const double unpinning = seconds([&] {
    for (std::size_t i = 0; i + segment <= bytes; i += segment) {
      check(cudaHostUnregister(data + i));
    }
  });
  std::free(data);
  std::printf("pages of a buffer %.3f s, pinning it %.3f s, and back %.3f s\n", touching, pinning,
              unpinning);
}

}  // namespace

int main(int argc, char** argv) try {
  const double gigabytes = argc > 1 ? std::atof(argv[1]) : 16;
  const double allowed = argc > 2 ? std::atof(argv[2]) : 4;
  const auto n = static_cast<std::size_t>(gigabytes * 1e9) / sizeof(std::uint64_t);
  const auto limit = static_cast<std::uint64_t>(allowed * 1e9);
  const std::size_t bytes = n * sizeof(std::uint64_t);

  {
    // A virtual machine gets memory from its host when it is first touched, 3 GB/s: not to be
    // measured here.
    const std::unique_ptr<std::uint64_t[]> all(new std::uint64_t[2 * n]);
    fill(all.get(), 2 * n);
  }
  std::uint64_t* pinned = nullptr;
  check(cudaMallocHost(&pinned, bytes));
  two_trips(pinned, bytes);
  const double bound = two_trips(pinned, bytes);
  std::printf(
      "%.1f GB of 64-bit numbers, %.1f GB of device memory; two trips take %.3f s, %.1f GB/s "
      "each way\n",
      gigabytes, allowed, bound, 2e-9 * static_cast<double>(bytes) / bound);
  measure_making(bytes);
  measure("pinned", pinned, n, limit, bound);
  check(cudaFreeHost(pinned));

  const std::unique_ptr<std::uint64_t[]> pageable(new std::uint64_t[n]);
  measure("pageable", pageable.get(), n, limit, bound);
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_external: %s\n", e.what());
  return EXIT_FAILURE;
}
