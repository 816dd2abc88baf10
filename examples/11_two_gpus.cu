// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts on all GPUs of this machine: numbers in host memory by one option, and sensor readings that
// lie on the GPUs already, as shards. With one GPU the shards are all on that one.
//
//   11_two_gpus [numbers in host memory]
#include <gpusort/devices.hpp>
#include <gpusort/gpusort.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "example.hpp"

/// Mixes by SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

void sort_host_vector(std::size_t n, bool has_device) {
  using gpusort::par_gpu;
  std::vector<std::uint32_t> input(n), numbers(n);
  for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<std::uint32_t>(mix(i));
  const auto restore = [&] { std::copy(input.begin(), input.end(), numbers.begin()); };

  const double one = example::milliseconds(
      restore, [&] { gpusort::sort(par_gpu, numbers.begin(), numbers.end()); });
  std::vector<std::uint32_t> expected = numbers;
  const double all = example::milliseconds(
      restore, [&] { gpusort::sort(par_gpu.on_devices(), numbers.begin(), numbers.end()); });
  std::printf("%zu numbers in host memory: %.1f ms on one %s, %.1f ms on all\n", n, one,
              has_device ? "GPU" : "CPU", all);
  example::verify(std::is_sorted(numbers.begin(), numbers.end()), "the numbers are sorted");
  example::verify(numbers == expected, "they are those that one device has sorted");
}

struct reading {
  std::uint64_t time;  // in ns
  std::uint32_t sensor;
  float value;
};

/// Memory of one GPU, or of the host where there is none.
class readings {
 public:
  readings(int device, std::size_t n, bool has_device) : device_(device), n_(n) {
    if (!has_device) {
      on_host_.resize(n);
    } else {
      cudaSetDevice(device);
      if (cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(reading)) != cudaSuccess) {
        throw std::runtime_error("there is not so much memory on the GPU");
      }
    }
  }
  readings(readings&& other) noexcept
      : device_(other.device_), n_(other.n_), on_host_(std::move(other.on_host_)) {
    std::swap(data_, other.data_);
  }
  readings& operator=(readings&&) = delete;
  ~readings() {
    cudaSetDevice(device_);
    cudaFree(data_);
  }

  reading* data() { return data_ != nullptr ? data_ : on_host_.data(); }
  std::size_t size() const { return n_; }
  void write(const std::vector<reading>& from) {
    if (data_ == nullptr)
      on_host_ = from;
    else
      cudaMemcpy(data_, from.data(), n_ * sizeof(reading), cudaMemcpyHostToDevice);
  }
  std::vector<reading> read() const {
    std::vector<reading> to = on_host_;
    to.resize(n_);
    if (data_ != nullptr) {
      cudaMemcpy(to.data(), data_, n_ * sizeof(reading), cudaMemcpyDeviceToHost);
    }
    return to;
  }

 private:
  int device_;
  std::size_t n_;
  reading* data_ = nullptr;
  std::vector<reading> on_host_;
};

/// Sorts what each GPU has measured by time over all of them; what has the same time stays in the
/// order of GPUs, and of arrival.
void sort_shards(std::size_t n_each, int devices) {
  std::vector<readings> parts;
  gpusort::sharded<reading> shards;
  constexpr int shard_count = 2;
  for (int i = 0; i < std::max(shard_count, devices); ++i) {
    const std::size_t n = n_each + 1000 * static_cast<std::size_t>(i);  // each has its own length
    std::vector<reading> made(n);
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t random = mix(j * 64 + static_cast<std::size_t>(i));
      made[j] = {random % n_each, static_cast<std::uint32_t>(i), 1e-6f * static_cast<float>(j)};
    }
    parts.emplace_back(devices > 0 ? i % devices : 0, n, devices > 0);
    parts.back().write(made);
  }
  for (readings& part : parts) shards.emplace_back(part.data(), part.size());

  gpusort::stable_sort(gpusort::par_gpu, shards, gpusort::order_by(gpusort::asc<&reading::time>()));

  std::vector<reading> all;
  for (const readings& part : parts) {
    const std::vector<reading> read = part.read();
    all.insert(all.end(), read.begin(), read.end());
  }
  const auto is_before = [](const reading& a, const reading& b) {
    if (a.time != b.time) return a.time < b.time;
    return a.sensor != b.sensor ? a.sensor < b.sensor : a.value < b.value;
  };
  std::printf("%zu readings in %zu shards on %d GPUs\n", all.size(), shards.size(), devices);
  example::verify(std::is_sorted(all.begin(), all.end(), is_before),
                  "readings are in the order of time, GPU and arrival");
  std::vector<std::size_t> of_sensor(parts.size());
  for (const reading& r : all) ++of_sensor[r.sensor];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    example::verify(of_sensor[i] == parts[i].size(), "no reading is missing");
  }
}

std::size_t parse_count(const char* text) {
  char* end = nullptr;
  const unsigned long long count = std::strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
  if (!is_number || count == 0) throw std::invalid_argument("usage: 11_two_gpus [numbers]");
  return count;
}

int main(int argc, char** argv) try {
  const bool has_device = example::has_device();
  int devices = 0;
  if (has_device) cudaGetDeviceCount(&devices);
  if (!has_device) std::puts("No GPU on this machine: on the CPU, with fewer elements.");
  if (devices == 1) std::puts("One GPU on this machine: it is all of them.");
  const std::size_t n = argc > 1 ? parse_count(argv[1]) : has_device ? 100'000'000 : 2'000'000;
  sort_host_vector(n, has_device);
  sort_shards(n / 20, devices);
} catch (const std::exception& e) {
  std::fprintf(stderr, "11_two_gpus: %s\n", e.what());
  return EXIT_FAILURE;
}
