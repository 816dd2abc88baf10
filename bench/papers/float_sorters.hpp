// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who sorts floats in the figures of paper 001, and the time that each takes.
#pragma once

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../kit/measure.hpp"
#include "hybrid_sort.hpp"

namespace bench {

struct float_sorter {
  const char* name;
  std::function<void(float*, std::size_t)> sort;  // returns when the result is ready
};

template <int Lists>
float_sorter hybrid_sorter(const char* name, const papers::hybrid_options& options) {
  const auto scratch = std::make_shared<buffer>();
  return {name, [=](float* data, std::size_t n) {
            using sort = papers::hybrid_sort<Lists>;
            sort::run(nullptr, data, n, options, scratch->reserve(sort::scratch_bytes(n)));
            check(cudaStreamSynchronize(nullptr), "the hybrid");
          }};
}

template <class Algorithm>
float_sorter forced_sorter(const char* name, Algorithm algorithm) {
  return {name, [=](float* data, std::size_t n) {
            gpusort::sort(gpusort::par_gpu.with(algorithm), data, data + n);
          }};
}

inline std::vector<float_sorter> device_sorters() {
  using papers::hybrid_split;
  constexpr auto buckets = hybrid_split::buckets, quicksort = hybrid_split::quicksort;
  return {hybrid_sorter<1024>("hybrid", {buckets}),
          hybrid_sorter<1024>("hybrid_shuffled", {buckets, true}),
          hybrid_sorter<1024>("hybrid_by_quicksort", {quicksort}),
          hybrid_sorter<8192>("hybrid_of_8192_lists", {buckets}),
          {"gpusort",
           [](float* data, std::size_t n) { gpusort::sort(gpusort::par_gpu, data, data + n); }},
          forced_sorter("gpusort_radix_sort", gpusort::algorithm::radix_sort),
          forced_sorter("gpusort_bitonic_sort", gpusort::algorithm::bitonic_sort),
          forced_sorter("gpusort_quicksort", gpusort::algorithm::quicksort),
          {"thrust",
           [](float* data, std::size_t n) { thrust::sort(thrust::cuda::par, data, data + n); }}};
}

inline std::vector<float_sorter> host_sorters() {
  return {{"std_sort", [](float* data, std::size_t n) { std::sort(data, data + n); }},
          {"gpusort_on_host", [](float* data, std::size_t n) {
             gpusort::detail::host::stable_sort(data, n, gpusort::less{});
           }}};
}

/// Makes floats that are spread evenly from 0 to n, as in paper 001.
inline std::vector<float> uniform_floats(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t random = gpusort::detail::mix_bits(i);
    values[i] =
        static_cast<float>(static_cast<double>(random >> 11) * 0x1p-53 * static_cast<double>(n));
  }
  return values;
}

/// Non-negative floats, on the device and on the host. What sorts throws where the result is wrong.
class float_input {
 public:
  explicit float_input(std::vector<float> values) : values_(std::move(values)), sorted_(values_) {
    std::sort(sorted_.begin(), sorted_.end());
    check(cudaMemcpy(input_.reserve(bytes()), values_.data(), bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    work_.reserve(bytes());
  }

  std::size_t n() const { return values_.size(); }
  std::size_t bytes() const { return n() * sizeof(float); }
  const std::vector<float>& values() const { return values_; }
  const std::vector<float>& sorted() const { return sorted_; }
  float* data() { return work_.reserve_for<float>(n()); }

  void restore() {
    check(cudaMemcpyAsync(data(), input_.reserve(bytes()), bytes(), cudaMemcpyDeviceToDevice),
          "restoring the input");
  }

  /// Returns seconds: a median of 7.
  double on_device(const float_sorter& sorter) {
    const timing t = measure(
        0, [&] { restore(); }, [&] { sorter.sort(data(), n()); });
    std::vector<float> found(n());
    check(cudaMemcpy(found.data(), data(), bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    verify(sorter, found);
    return t.median;
  }

  /// Returns a median of 7, of 3 where a sort takes long.
  double on_host(const float_sorter& sorter) {
    using clock = std::chrono::steady_clock;
    const int repetitions = n() <= std::size_t{1} << 22 ? 7 : 3;
    std::vector<double> seconds;
    std::vector<float> work;
    for (int i = 0; i < repetitions; ++i) {
      work = values_;
      const auto begin = clock::now();
      sorter.sort(work.data(), n());
      seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    }
    verify(sorter, work);
    return median_of(seconds);
  }

 private:
  void verify(const float_sorter& sorter, const std::vector<float>& found) const {
    if (std::memcmp(found.data(), sorted_.data(), bytes()) != 0) {
      throw std::runtime_error(std::string("the result is wrong: ") + sorter.name);
    }
  }

  std::vector<float> values_, sorted_;
  buffer input_, work_;
};

}  // namespace bench
