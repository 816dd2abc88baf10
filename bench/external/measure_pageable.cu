// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting a std::vector of 32-bit numbers: against copying up, sorting and copying down by hand, at
// several sizes; and what it takes through staging rings of other measures.
//
//   measure_pageable [largest n]
#include <gpusort/gpusort.hpp>

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <stdexcept>
#include <vector>

#include "measure.hpp"

namespace {

using namespace host_bench;
using gpusort::detail::staging_ring;
using gpusort::detail::staging_shape;

constexpr int repetitions = 7;

class measured_range {
 public:
  explicit measured_range(std::size_t n) : data_(n) {
    check(cudaMalloc(&device_, n * sizeof(std::uint32_t)));
  }
  measured_range(const measured_range&) = delete;
  measured_range& operator=(const measured_range&) = delete;
  ~measured_range() { cudaFree(device_); }

  std::vector<std::uint32_t>& vector() { return data_; }
  std::uint32_t* device() const { return device_; }
  std::size_t bytes() const { return data_.size() * sizeof(std::uint32_t); }

  /// Returns the median of several sorts, in seconds, each of which is checked.
  template <class Sort>
  double median(Sort sort) {
    std::vector<double> times;
    for (int i = 0; i <= repetitions; ++i) {  // the first makes what the others find
      fill();
      const double time = seconds([&] { sort(*this); });
      if (!is_right()) throw std::runtime_error("the result is wrong");
      if (i > 0) times.push_back(time);
    }
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    return times[repetitions / 2];
  }

 private:
  static std::uint32_t key_at(std::size_t i) { return static_cast<std::uint32_t>(number_at(i)); }

  void fill() {
    std::uint32_t* const data = data_.data();
    in_parallel(data_.size(), [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) data[i] = key_at(i);
    });
  }

  /// Tells whether the result is sorted, and has the sum of the input.
  bool is_right() const {
    const std::uint32_t* const data = data_.data();
    std::uint64_t wrong = 0, sums = 0;
    in_parallel(data_.size(), [&wrong, &sums, data](std::size_t begin, std::size_t end) {
      std::uint64_t disorder = 0, sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        disorder += i > 0 && data[i] < data[i - 1];
        sum += std::uint64_t{data[i]} - key_at(i);
      }
      __atomic_fetch_add(&wrong, disorder, __ATOMIC_RELAXED);
      __atomic_fetch_add(&sums, sum, __ATOMIC_RELAXED);
    });
    return wrong == 0 && sums == 0;
  }

  std::vector<std::uint32_t> data_;
  std::uint32_t* device_ = nullptr;
};

/// Sorts with memory on the device that is there already.
void sort_by_hand(measured_range& range) {
  auto& v = range.vector();
  check(cudaMemcpy(range.device(), v.data(), range.bytes(), cudaMemcpyHostToDevice));
  thrust::sort(thrust::device, range.device(), range.device() + v.size());
  check(cudaMemcpy(v.data(), range.device(), range.bytes(), cudaMemcpyDeviceToHost));
}

void sort_vector(measured_range& range) {
  gpusort::sort(gpusort::par_gpu, range.vector().begin(), range.vector().end());
}

void compare_with_by_hand(std::size_t most) {
  std::printf("%12s %12s %12s %8s\n", "n", "by hand, ms", "gpusort, ms", "ratio");
  for (std::size_t n = std::size_t{1} << 18; n <= most; n *= n < (std::size_t{1} << 24) ? 2 : 8) {
    measured_range range(n);
    const double by_hand = range.median(sort_by_hand);
    const double ours = range.median(sort_vector);
    std::printf("%12zu %12.3f %12.3f %8.2f\n", n, 1e3 * by_hand, 1e3 * ours, by_hand / ours);
  }
}

void measure_shape(measured_range& range, const staging_shape& shape) {
  int device = 0;
  check(cudaGetDevice(&device));
  staging_ring ring(device, shape);
  if (!ring.prepare(range.bytes())) throw std::runtime_error("no pinned memory");
  auto* const host = reinterpret_cast<char*>(range.vector().data());
  auto* const on_device = reinterpret_cast<char*>(range.device());
  double up = 0, down = 0;
  const double all = range.median([&](measured_range& r) {
    up = seconds([&] {
      ring.upload(on_device, host, r.bytes(), nullptr);
      check(cudaStreamSynchronize(nullptr));
    });
    gpusort::sort(gpusort::par_gpu, r.device(), r.device() + r.vector().size());
    down = seconds([&] { ring.download(host, on_device, r.bytes(), nullptr); });
  });
  const double gigabytes = 1e-9 * static_cast<double>(range.bytes());
  std::printf("%8zu %8zu %8.1f %10.1f %10.1f %10.2f\n", shape.threads, shape.pieces,
              static_cast<double>(shape.bytes_per_piece) / (1 << 20), gigabytes / up,
              gigabytes / down, 1e3 * all);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::size_t most =
      argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : std::size_t{1} << 27;
  compare_with_by_hand(most);

  measured_range range(most);
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  std::printf("\n%8s %8s %8s %10s %10s %10s\n", "threads", "pieces", "MB each", "GB/s up",
              "GB/s down", "in all, ms");
  for (const std::size_t bytes : {megabyte / 2, megabyte, 2 * megabyte, 4 * megabyte}) {
    for (const std::size_t threads : {1, 2, 4, 8, 12, 16}) {
      measure_shape(range, {threads, 32 * megabyte / bytes, bytes});
    }
  }
  for (const std::size_t pieces : {8, 12, 24, 32}) {
    for (const std::size_t threads : {8, 16}) measure_shape(range, {threads, pieces, 2 * megabyte});
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_pageable: %s\n", e.what());
  return EXIT_FAILURE;
}
