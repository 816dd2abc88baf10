// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>

namespace papers {

namespace detail = gpusort::detail;

/// Exchanges, in each thread, the element that it owns with one of `others`, which no thread owns:
/// a permutation however the exchanges are ordered.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    exchange_kernel(float* owned, std::uint32_t owners, float* others, std::uint32_t other_count,
                    std::uint64_t seed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * Threads + threadIdx.x;
  if (i >= owners) return;
  const std::uint64_t other = (detail::mix_bits(seed + i) >> 32) * other_count >> 32;
  owned[i] = atomicExch(others + other, owned[i]);
}

/// Shuffles by atomic exchanges: the elements of each half, one after the other, are exchanged with
/// random ones of the other half. Not each permutation is as likely as another: it is to part
/// neighbours. The paper does not print its kernel. Source: paper 001, section 5.1.
inline void shuffle(cudaStream_t stream, float* data, std::uint32_t n, std::uint64_t seed) {
  constexpr int threads = 256;
  const std::uint32_t half = n / 2, rest = n - half;
  if (half == 0) return;
  const auto exchange_all = [&](float* owned, std::uint32_t owners, float* others,
                                std::uint32_t other_count, std::uint64_t numbers) {
    detail::launch(exchange_kernel<threads>, detail::ceil_div<std::size_t>(owners, threads),
                   threads, 0, stream, owned, owners, others, other_count, numbers);
  };
  exchange_all(data, half, data + half, rest, seed);
  exchange_all(data + half, rest, data, half, detail::mix_bits(~seed));
}

}  // namespace papers
