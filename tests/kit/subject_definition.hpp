// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of `subject`. A file that includes this instantiates the library, and the kit's
// kernels, for its subjects: `template struct kit::subject<T, Compare>;`. Once in all files for
// each.
#pragma once

#include "subject.hpp"

namespace kit {

/// Holds what the device's checker counts; all zero for a range that keeps every promise but the
/// multiset.
struct device_tally {
  unsigned long long disorders;
  unsigned long long instabilities;
  unsigned long long first;
  unsigned long long sum;
  unsigned long long second_sum;
};

inline constexpr int check_threads = 256;

inline unsigned check_blocks(std::size_t n) {
  const std::size_t blocks = (n + check_threads - 1) / check_threads;
  return static_cast<unsigned>(blocks < 4096 ? blocks : 4096);
}

template <class T>
__global__ void generate_kernel(T* out, std::size_t n, distribution d, std::uint64_t seed) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    if constexpr (is_record<T>) {
      value_maker<T>::write(out[i], rank_at(d, i, n, seed), i);
    } else {
      out[i] = value_at<T>(d, i, n, seed);
    }
  }
}

template <class T>
__global__ void checksum_kernel(const T* values, std::size_t n, device_tally* tally) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  checksum c;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    c.add(values[i]);
  }
  atomicAdd(&tally->sum, static_cast<unsigned long long>(c.sum));
  atomicAdd(&tally->second_sum, static_cast<unsigned long long>(c.second_sum));
}

template <class T, class Compare>
__global__ void order_kernel(const T* values, std::size_t n, Compare comp, device_tally* tally) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i + 1 < n; i += stride) {
    if (comp(values[i + 1], values[i])) {
      atomicAdd(&tally->disorders, 1ull);
      atomicMin(&tally->first, static_cast<unsigned long long>(i));
    } else if constexpr (is_record<T>) {
      if (!comp(values[i], values[i + 1]) && index_of(values[i]) >= index_of(values[i + 1])) {
        atomicAdd(&tally->instabilities, 1ull);
      }
    }
  }
}

/// Runs `fill(tally on the device)` and reads the tally back.
template <class Fill>
device_tally tally_on_device(Fill fill) {
  device_tally* tally = nullptr;
  device_tally result{0, 0, ~0ull, 0, 0};
  cuda_ok(cudaMalloc(&tally, sizeof(result)));
  cuda_ok(cudaMemcpy(tally, &result, sizeof(result), cudaMemcpyDefault));
  fill(tally);
  cuda_ok(cudaDeviceSynchronize());
  cuda_ok(cudaMemcpy(&result, tally, sizeof(result), cudaMemcpyDefault));
  cuda_ok(cudaFree(tally));
  return result;
}

template <class T, class Compare>
void subject<T, Compare>::generate(T* out, std::size_t n, distribution d, std::uint64_t seed) {
  if (n == 0) return;
  launch(check_blocks(n), check_threads, 0, generate_kernel<T>, out, n, d, seed);
  cuda_ok(cudaDeviceSynchronize());
}

template <class T, class Compare>
checksum subject<T, Compare>::sum(const T* values, std::size_t n) {
  checksum c;
  c.count = n;
  if (n == 0) return c;
  const device_tally t = tally_on_device([&](device_tally* tally) {
    launch(check_blocks(n), check_threads, 0, checksum_kernel<T>, values, n, tally);
  });
  c.sum = t.sum;
  c.second_sum = t.second_sum;
  return c;
}

template <class T, class Compare>
findings subject<T, Compare>::examine(const checksum& before, const T* values, std::size_t n,
                                      Compare comp, promise promised) {
  findings f;
  f.elements_kept = sum(values, n) == before;
  if (promised == promise::permutation || n < 2) return f;
  const auto order = reference<Compare>::of(comp);
  const device_tally t = tally_on_device([&](device_tally* tally) {
    launch(check_blocks(n), check_threads, 0, order_kernel<T, std::decay_t<decltype(order)>>,
           values, n, order, tally);
  });
  f.ordered = t.disorders == 0;
  f.where = t.disorders == 0 ? n : t.first;
  if (promised == promise::stability && positions_fit<T>(n)) f.stable = t.instabilities == 0;
  return f;
}

template <class Policy, class T, class Compare>
void run_under(const Policy& policy, bool stable, T* first, T* last, Compare comp) {
  if (stable) {
    gpusort::stable_sort(policy, first, last, comp);
  } else {
    gpusort::sort(policy, first, last, comp);
  }
}

template <class T, class Compare>
void subject<T, Compare>::run(const call& c, T* first, T* last, Compare comp) {
  if (c.algorithm == automatic) {
    if (c.allocator) {
      run_under(gpusort::par_gpu(*c.allocator).on(c.stream), c.stable, first, last, comp);
    } else if (c.nosync) {
      run_under(gpusort::par_gpu_nosync.on(c.stream), c.stable, first, last, comp);
    } else {
      run_under(gpusort::par_gpu.on(c.stream), c.stable, first, last, comp);
    }
    return;
  }
  visit_algorithm(c.algorithm, [&](const auto& entry) {
    using entry_type = std::decay_t<decltype(entry)>;
    if constexpr (is_possible<T, Compare>(entry_type{})) {
      const auto under = [&](const auto& policy) {
        if constexpr (entry_type::stable) {
          run_under(policy, c.stable, first, last, comp);
        } else {
          gpusort::sort(policy, first, last, comp);
        }
      };
      if (c.allocator) {  // always synchronous, so that the allocator has everything back
        under(gpusort::par_gpu(*c.allocator).on(c.stream).with(entry.tag));
        return;
      }
      // Without an allocator never synchronous, to compile each once; a synchronous call waits
      // here.
      under(gpusort::par_gpu_nosync.on(c.stream).with(entry.tag));
      if (!c.nosync) {
        const cudaError_t status = cudaStreamSynchronize(c.stream);
        if (status != cudaSuccess) {
          throw gpusort::cuda_error(static_cast<int>(status), cudaGetErrorString(status));
        }
      }
    }
  });
}

}  // namespace kit
