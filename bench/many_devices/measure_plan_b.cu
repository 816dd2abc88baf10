// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sort of shards on several devices whose exchange is the first level of sample sort, against
// gpusort::sort of one shard on one device, and what its phases take, with several numbers of
// buckets, groups of copies and tiles of the exchange. "times": the keys per second of one device.
//
//   measure_plan_b [log2 of the elements of a shard] [devices]
#include <gpusort/gpusort.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <stdexcept>
#include <vector>

namespace {

using namespace gpusort::detail;

constexpr int repetitions = 7;
constexpr int phases = 4;

void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Orders by a function that the library does not see through.
struct by_function {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class T>
__global__ void fill(T* data, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n; i += stride) {
    data[i] = static_cast<T>(mix_bits(seed + i));
  }
}

template <class T>
__global__ void examine(const T* data, std::uint64_t n, unsigned long long* sum_and_disorder) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned long long sum = 0, disorder = 0;
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n; i += stride) {
    sum += mix_bits(data[i]);
    disorder += i > 0 && data[i] < data[i - 1];
  }
  atomicAdd(sum_and_disorder, sum);
  atomicAdd(sum_and_disorder + 1, disorder);
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

template <class T>
struct shard_memory {
  int device;
  std::uint64_t n;
  cudaStream_t stream = nullptr;
  T* data = nullptr;
  unsigned long long* found = nullptr;
  cudaEvent_t passed[phases];

  shard_memory(int on_device, std::uint64_t elements) : device(on_device), n(elements) {
    require(cudaSetDevice(device));
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    require(cudaMalloc(&data, n * sizeof(T)));
    require(cudaMallocManaged(&found, 2 * sizeof(*found)));
    for (cudaEvent_t& e : passed) require(cudaEventCreate(&e));
  }
  void refill(std::uint64_t seed) {
    require(cudaSetDevice(device));
    fill<<<1024, 256, 0, stream>>>(data, n, seed + n * device);
    wait();
  }
  void wait() const { require(cudaStreamSynchronize(stream)); }
  unsigned long long sum(unsigned long long* disorder) {
    require(cudaSetDevice(device));
    found[0] = found[1] = 0;
    examine<<<1024, 256, 0, stream>>>(data, n, found);
    wait();
    *disorder += found[1];
    return found[0];
  }
  T at(std::uint64_t i) const {
    T x;
    require(cudaMemcpy(&x, data + i, sizeof(T), cudaMemcpyDefault));
    return x;
  }
};

template <class Work>
double milliseconds(Work work) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  work();
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

template <class T>
using shards_of = std::vector<shard_memory<T>>;

/// Sums of all shards, and whether they are in order together.
template <class T>
unsigned long long examined(shards_of<T>& shards, bool must_be_sorted) {
  unsigned long long sum = 0, disorder = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    sum += shards[i].sum(&disorder);
    if (i > 0) disorder += shards[i].at(0) < shards[i - 1].at(shards[i - 1].n - 1);
  }
  if (must_be_sorted && disorder != 0) throw std::runtime_error("not in order");
  return sum;
}

template <class T, class Compare>
double measure_one(shards_of<T>& shards, Compare compare) {
  std::vector<double> times;
  require(cudaSetDevice(shards[0].device));
  for (int i = 0; i <= repetitions; ++i) {
    shards[0].refill(i);
    const double time = milliseconds([&] {
      gpusort::sort(gpusort::par_gpu.on(shards[0].stream), shards[0].data,
                    shards[0].data + shards[0].n, compare);
    });
    if (i > 0) times.push_back(time);
  }
  return median(times);
}

/// Tiles of the exchange.
template <int Threads, int Items, int Resident>
struct shape {
  static constexpr int max_log_buckets = 10;
  static constexpr int threads_per_block = Threads;
  static constexpr int items_per_thread = Items;
  static constexpr int blocks_resident = Resident;
  static constexpr int items_per_tile = Threads * Items;
  static constexpr int items_per_chunk = 4 * items_per_tile;
};

/// Measures half of each shard to the next device, all at once.
template <class T>
void measure_links(shards_of<T>& shards) {
  std::vector<T*> received;
  const std::size_t bytes = shards[0].n / 2 * sizeof(T);
  for (auto& m : shards) {
    require(cudaSetDevice(m.device));
    received.push_back(nullptr);
    require(cudaMalloc(&received.back(), bytes));
  }
  std::vector<double> times;
  for (int i = 0; i <= repetitions; ++i) {
    const double time = milliseconds([&] {
      for (std::size_t d = 0; d < shards.size(); ++d) {
        const std::size_t to = (d + 1) % shards.size();
        require(cudaMemcpyPeerAsync(received[to], shards[to].device, shards[d].data,
                                    shards[d].device, bytes, shards[d].stream));
      }
      for (auto& m : shards) m.wait();
    });
    if (i > 0) times.push_back(time);
  }
  std::printf(
      "copying half of each shard to the next device, all at once: %.3f ms, %.0f GB/s each\n",
      median(times), bytes / median(times) / 1e6);
  for (T* p : received) require(cudaFree(p));
}

template <class T, class Compare, class Shape>
void measure_all(shards_of<T>& memory, Compare compare, const peer_sort_options& options,
                 double one) {
  using keys = peer_sort<T, Compare>;
  using sort = peer_sample_sort<typename keys::array, typename keys::order, Shape>;
  std::vector<typename sort::shard> shards;
  for (auto& m : memory) shards.push_back(keys::shard_at(m.device, m.stream, m.data, m.n));
  if (!sort::is_possible(shards)) throw std::runtime_error("devices reach no other");
  std::vector<double> times, of_phase[phases];
  int counts = 0;
  for (int i = 0; i <= repetitions; ++i) {
    for (auto& m : memory) m.refill(i);
    const unsigned long long sum = examined(memory, false);
    const double time = milliseconds([&] {
      const auto observe = [&](const auto& shard, peer_sort_phase phase) {
        counts += phase == peer_sort_phase::counted;
        for (auto& m : memory) {
          if (m.stream == shard.stream) {
            require(cudaEventRecord(m.passed[static_cast<int>(phase)], m.stream));
          }
        }
      };
      if (!sort::run(shards, typename sort::order{compare}, options, observe)) {
        throw std::runtime_error("another sort is to be taken");
      }
      for (auto& m : memory) m.wait();
    });
    if (examined(memory, true) != sum) throw std::runtime_error("other elements");
    if (i == 0) continue;
    times.push_back(time);
    for (int phase = 1; phase < phases; ++phase) {
      float longest = 0;
      for (auto& m : memory) {
        float took = 0;
        require(cudaEventElapsedTime(&took, m.passed[phase - 1], m.passed[phase]));
        longest = std::max(longest, took);
      }
      of_phase[phase].push_back(longest);
    }
  }
  const double all = median(times);
  std::printf(
      "  %4d x %-2d 2^%-2d %-9s %d groups %7.3f ms, %5.3f times; counted %.3f, exchanged %.3f, "
      "sorted %.3f%s\n",
      Shape::threads_per_block, Shape::items_per_thread, options.log_buckets,
      options.counting == peer_counting::always ? "counted" : "estimated", options.groups, all,
      memory.size() * one / all, median(of_phase[1]), median(of_phase[2]), median(of_phase[3]),
      counts > (repetitions + 1) * static_cast<int>(memory.size()) &&
              options.counting != peer_counting::always
          ? " (estimates were not enough)"
          : "");
  std::fflush(stdout);
}

template <class T, class Compare, class... Shapes>
void measure(const char* name, int log_n, int devices, Compare compare) {
  shards_of<T> shards;
  for (int d = 0; d < devices; ++d) shards.emplace_back(d, std::uint64_t{1} << log_n);
  measure_links(shards);
  const double one = measure_one(shards, compare);
  std::printf("%s, 2^%d on each of %d devices; one device alone with its shard %.3f ms\n", name,
              log_n, devices, one);
  using standard = typename tuning::peer_sample_sort<sizeof(T)>::exchange;
  for (int log_buckets : {8, 9, 10}) {
    measure_all<T, Compare, standard>(shards, compare, {log_buckets, peer_counting::always, 0},
                                      one);
    for (int groups : {0, 2, 4, 8}) {
      const peer_sort_options estimated{log_buckets, peer_counting::never, groups};
      measure_all<T, Compare, standard>(shards, compare, estimated, one);
      (measure_all<T, Compare, Shapes>(shards, compare, estimated, one), ...);
    }
  }
  std::printf("  one device alone again %.3f ms\n", measure_one(shards, compare));
  for (auto& m : shards) {
    require(cudaFree(m.data));
    require(cudaFree(m.found));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int log_n = argc > 1 ? std::atoi(argv[1]) : 28;
    int devices = 0;
    require(cudaGetDeviceCount(&devices));
    if (argc > 2) devices = std::min(devices, std::atoi(argv[2]));
    measure<std::uint32_t, gpusort::less, shape<1024, 16, 1>, shape<384, 16, 2>>(
        "u32 by less", log_n, devices, {});
    measure<std::uint32_t, by_function, shape<1024, 16, 1>>("u32 by a function", log_n, devices,
                                                            {});
#if !defined(GPUSORT_BENCH_ONLY_U32)
    measure<std::uint64_t, gpusort::less>("u64 by less", log_n - 1, devices, {});
#endif
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
