// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sort inside a kernel of your own. A service keeps how long each request took, server by server;
// wanted are each server's requests, the slowest first, and the time within which 99 of 100 were
// answered. One block has one server: it sorts the server's requests where they are, then reads the
// answer off, without another launch and without a call of the library on the host.
#include <gpusort/block.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>
#include <vector>

#include "example.hpp"

struct request {
  float milliseconds;
  std::uint32_t id;
};

constexpr int threads_per_block = 256;
constexpr int items_per_thread = 8;

/// Sorts the requests [offsets[s], offsets[s + 1]) of server s.
__global__ void slowest_first(request* requests, const int* offsets, float* percentiles) {
  using storage = gpusort::block::sort_storage<request, threads_per_block, items_per_thread>;
  __shared__ storage tile;
  request* const first = requests + offsets[blockIdx.x];
  request* const last = requests + offsets[blockIdx.x + 1];
  // What fits in the tile is sorted there; the requests of a busier server in place.
  gpusort::block::sort(tile, first, last, [](const request& a, const request& b) {
    return b.milliseconds < a.milliseconds;
  });
  if (threadIdx.x == 0 && first != last) {
    percentiles[blockIdx.x] = first[(last - first) / 100].milliseconds;
  }
}

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// A copy of a vector on the device.
template <class T>
class on_device {
 public:
  explicit on_device(const std::vector<T>& values) : size_(values.size()) {
    check(cudaMalloc(&data_, size_ * sizeof(T)));
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  ~on_device() { cudaFree(data_); }

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

int main() try {
  if (!example::has_device()) {
    std::puts("No GPU on this machine; a sort inside a kernel needs one.");
    return EXIT_SUCCESS;
  }
  // Most servers have some hundred requests, every hundredth has more than a tile.
  constexpr int servers = 5000;
  std::mt19937 random(2026);
  std::lognormal_distribution<float> duration(3, 1);
  std::vector<int> offsets{0};
  for (int s = 0; s < servers; ++s) {
    const int count = s % 100 == 99 ? 5000 : static_cast<int>(random() % 1500);
    offsets.push_back(offsets.back() + count);
  }
  std::vector<request> requests(offsets.back());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i] = {duration(random), static_cast<std::uint32_t>(i)};
  }

  const on_device<int> ends(offsets);
  const on_device<request> sorted(requests);
  const on_device<float> percentiles(std::vector<float>(servers, 0.0f));
  slowest_first<<<servers, threads_per_block>>>(sorted.data(), ends.data(), percentiles.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());

  // Computes the percentiles on the host.
  const std::vector<request> result = sorted.read();
  const std::vector<float> answers = percentiles.read();
  float worst = 0;
  for (int s = 0; s < servers; ++s) {
    const int begin = offsets[s], end = offsets[s + 1];
    std::vector<std::uint32_t> ids;
    for (int i = begin; i < end; ++i) {
      ids.push_back(result[i].id);
      example::verify(result[i].milliseconds == requests[result[i].id].milliseconds,
                      "requests are whole");
      example::verify(i == begin || result[i].milliseconds <= result[i - 1].milliseconds,
                      "the slowest first");
    }
    std::sort(ids.begin(), ids.end());
    for (int i = begin; i < end; ++i) {
      example::verify(ids[i - begin] == static_cast<std::uint32_t>(i), "every request is there");
    }
    if (begin == end) continue;
    example::verify(answers[s] == result[begin + (end - begin) / 100].milliseconds,
                    "the percentile is that of the sorted requests");
    worst = std::max(worst, answers[s]);
  }
  std::printf("%zu requests of %d servers; of the worst one 99 of 100 took %.0f ms at most\n",
              requests.size(), servers, worst);
} catch (const std::exception& e) {
  std::fprintf(stderr, "08_block_sort: %s\n", e.what());
  return EXIT_FAILURE;
}
