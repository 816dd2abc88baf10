// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "call.hpp"

namespace kit {

template <class Policy, class T, class Compare>
void run_under(const Policy& policy, bool stable, T* first, T* last, Compare comp) {
  if (stable) {
    gpusort::stable_sort(policy, first, last, comp);
  } else {
    gpusort::sort(policy, first, last, comp);
  }
}

template <class T, class Compare>
void run(const call& c, T* first, T* last, Compare comp) {
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
