// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 001's figure 7, its sort on two graphics cards: the hybrid on one device and shared by all
// that there are, from the input in the memory of each to a sorted share in each; and gpusort on
// one.
//
//   measure_hybrid_on_devices [--json FILE]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <gpusort/devices.hpp>
#include <memory>
#include <string>
#include <vector>

#include "figure_table.hpp"
#include "float_sorters.hpp"
#include "hybrid_on_devices.hpp"

namespace {

using bench::check;
using sort_on_devices = papers::hybrid_on_devices<1024>;

/// Holds what a device needs for its share.
class device_memory {
 public:
  device_memory(int device, const std::vector<float>& values) : device_(device) {
    choose();
    const std::size_t n = values.size(), bytes = n * sizeof(float);
    check(cudaMalloc(&input_, bytes), "cudaMalloc");
    check(cudaMalloc(&out_, bytes), "cudaMalloc");
    check(cudaMalloc(&scratch_, sort_on_devices::scratch_bytes(n)), "cudaMalloc");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaMemcpy(input_, values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() {
    (void)cudaSetDevice(device_);
    for (void* p : {static_cast<void*>(input_), static_cast<void*>(out_), scratch_}) {
      (void)cudaFree(p);
    }
    (void)cudaStreamDestroy(stream_);
  }

  void choose() const { check(cudaSetDevice(device_), "cudaSetDevice"); }
  papers::sharing_device share() const { return {device_, stream_, input_, out_, scratch_}; }

 private:
  int device_;
  float* input_ = nullptr;
  float* out_ = nullptr;
  void* scratch_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

void measure_hybrid(bench::figure_table& table, const bench::float_input& input, int devices,
                    const std::string& where, bool is_shuffled) {
  using clock = std::chrono::steady_clock;
  std::vector<std::unique_ptr<device_memory>> memory;
  std::vector<papers::sharing_device> shares;
  for (int device = 0; device < devices; ++device) {
    memory.push_back(std::make_unique<device_memory>(device, input.values()));
    shares.push_back(memory.back()->share());
  }
  papers::hybrid_options options;
  options.is_shuffled = is_shuffled;
  std::vector<double> seconds;
  std::vector<std::uint32_t> lengths;
  constexpr int repetitions = 7;
  for (int i = 0; i <= repetitions; ++i) {  // the first one loads the kernels
    const auto begin = clock::now();
    lengths = sort_on_devices::run(shares, input.n(), options);
    const std::chrono::duration<double> elapsed = clock::now() - begin;
    if (i > 0) seconds.push_back(elapsed.count());
  }
  std::vector<float> found(input.n());
  float* out = found.data();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    memory[i]->choose();
    check(cudaMemcpy(out, shares[i].out, lengths[i] * sizeof(float), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    out += lengths[i];
  }
  if (std::memcmp(found.data(), input.sorted().data(), input.bytes()) != 0) {
    throw std::runtime_error("the hybrid's result is wrong");
  }
  const std::string name = (is_shuffled ? "hybrid_shuffled_on_" : "hybrid_on_");
  table.add("on_devices", where, name + std::to_string(devices), input.n(),
            bench::median_of(seconds));
}

/// Measures ours: the input in parts, one for each device, which end as long as they were.
void measure_shards(bench::figure_table& table, const bench::float_input& input, int devices,
                    const std::string& where) {
  const std::size_t part = input.n() / static_cast<std::size_t>(devices);
  gpusort::sharded<float> shards;
  for (int device = 0; device < devices; ++device) {
    float* data = nullptr;
    check(cudaSetDevice(device), "cudaSetDevice");
    check(cudaMalloc(&data, part * sizeof(float)), "cudaMalloc");
    shards.emplace_back(data, part);
  }
  const auto copy = [&](bool is_up, float* host) {
    for (const gpusort::shard<float>& s : shards) {
      check(cudaMemcpy(is_up ? s.data : host, is_up ? host : s.data, part * sizeof(float),
                       cudaMemcpyDefault),
            "cudaMemcpy");
      host += part;
    }
  };
  using clock = std::chrono::steady_clock;
  std::vector<float> values = input.values();
  std::vector<double> seconds;
  constexpr int repetitions = 7;
  for (int i = 0; i <= repetitions; ++i) {
    copy(true, values.data());
    for (int device = 0; device < devices; ++device) {
      check(cudaSetDevice(device), "cudaSetDevice");
      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    const auto begin = clock::now();
    gpusort::sort(gpusort::par_gpu, shards);
    const std::chrono::duration<double> elapsed = clock::now() - begin;
    if (i > 0) seconds.push_back(elapsed.count());
  }
  copy(false, values.data());
  for (const gpusort::shard<float>& s : shards) check(cudaFree(s.data), "cudaFree");
  if (std::memcmp(values.data(), input.sorted().data(), input.bytes()) != 0) {
    throw std::runtime_error("gpusort's result on shards is wrong");
  }
  table.add("on_devices", where, "gpusort_on_" + std::to_string(devices), input.n(),
            bench::median_of(seconds));
}

}  // namespace

int main(int argc, char** argv) try {
  bench::figure_table table(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  for (int log2n = 18; log2n <= 26; log2n += 2) {
    const std::string where = "2^" + std::to_string(log2n);
    check(cudaSetDevice(0), "cudaSetDevice");
    bench::float_input input(bench::uniform_floats(std::size_t{1} << log2n));
    const bench::float_sorter ours{"gpusort_on_1", [](float* data, std::size_t n) {
                                     gpusort::sort(gpusort::par_gpu, data, data + n);
                                   }};
    table.add("on_devices", where, ours.name, input.n(), input.on_device(ours));
    for (int p = 1; p <= devices; p *= 2) {
      for (bool is_shuffled : {false, true}) measure_hybrid(table, input, p, where, is_shuffled);
      if (p > 1) measure_shards(table, input, p, where);
    }
    check(cudaSetDevice(0), "cudaSetDevice");
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_hybrid_on_devices: %s\n", e.what());
  return EXIT_FAILURE;
}
