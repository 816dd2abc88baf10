// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting pinned host memory on 1, 2, 4, ... devices: 2e9 and 2^33 numbers of 32 bits, next to what
// the links take to carry them up, and then down.
//
//   measure_host [--rows FILE] [--devices N] [--seconds S] [--elements INSTEAD]
#include <sys/mman.h>

#include <gpusort/devices.hpp>
#include <gpusort/external.hpp>
#include <gpusort/gpusort.hpp>
#include <thread>

#include "inputs.hpp"

namespace {

using namespace many_devices;

/// Runs body(begin, end, thread) on many threads.
template <class Body>
void in_parallel(std::uint64_t n, Body body) {
  const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < cores; ++i) {
    threads.emplace_back([=] { body(n / cores * i, i + 1 == cores ? n : n / cores * (i + 1)); });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Host memory whose pages many threads make, pinned afterwards: sooner than the driver would.
class host_memory {
 public:
  explicit host_memory(std::size_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    madvise(memory_, bytes, MADV_HUGEPAGE);
    auto* const data = static_cast<unsigned char*>(memory_);
    in_parallel(bytes / 4096, [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t page = begin; page < end; ++page) data[page * 4096] = 0;
    });
    check(cudaHostRegister(memory_, bytes, cudaHostRegisterPortable), "pinning host memory");
  }
  host_memory(const host_memory&) = delete;
  host_memory& operator=(const host_memory&) = delete;
  ~host_memory() {
    (void)cudaHostUnregister(memory_);
    munmap(memory_, bytes_);
  }
  std::uint32_t* data() const { return static_cast<std::uint32_t*>(memory_); }

 private:
  void* memory_;
  std::size_t bytes_;
};

void fill(std::uint32_t* data, std::uint64_t n) {
  in_parallel(n, [=](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      data[i] = element_of<std::uint32_t>(key_at(distribution::uniform, i), i);
    }
  });
}

void verify(const std::uint32_t* data, std::uint64_t n) {
  std::uint64_t wrong = 0, sum = 0;
  in_parallel(n, [=, &wrong, &sum](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t descents = 0, difference = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      descents += i > 0 && data[i] < data[i - 1];
      difference +=
          sum_of(data[i]) - sum_of(element_of<std::uint32_t>(key_at(distribution::uniform, i), i));
    }
    __atomic_fetch_add(&wrong, descents, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum, difference, __ATOMIC_RELAXED);
  });
  if (wrong != 0 || sum != 0) throw std::runtime_error("the result is wrong");
}

/// Times all of it up, each device a part, and when that is there down again.
double links_seconds(const host_memory& memory, std::uint64_t bytes, int devices) {
  const std::uint64_t part = bytes / static_cast<std::uint64_t>(devices) / 256 * 256;
  std::vector<device_bytes> on_device;
  std::vector<device_stream> streams;
  for (int device = 0; device < devices; ++device) {
    on_device.emplace_back(device, part);
    streams.emplace_back(device);
  }
  auto* const host = reinterpret_cast<unsigned char*>(memory.data());
  const auto copy = [&](bool is_up) {
    for (int device = 0; device < devices; ++device) {
      choose(device);
      const auto i = static_cast<std::size_t>(device);
      unsigned char *const at_host = host + part * i, *const there = on_device[i].data();
      check(cudaMemcpyAsync(is_up ? there : at_host, is_up ? at_host : there, part,
                            cudaMemcpyDefault, streams[i]),
            "copying over a link");
    }
    wait_for(devices);
  };
  return median_seconds(
      devices, 1, [] {},
      [&] {
        copy(true);
        copy(false);
      });
}

/// Counts of devices are known when the program runs, lists of them when it is compiled.
void sort_on(int devices, std::uint32_t* data, std::uint64_t n) {
  const auto sort = [&](const auto& policy) { gpusort::sort(policy, data, data + n); };
  using gpusort::par_gpu;
  switch (devices) {
    case 1:
      return sort(par_gpu.with(gpusort::max_device_bytes()));
    case 2:
      return sort(par_gpu.on_devices({0, 1}));
    case 4:
      return sort(par_gpu.on_devices({0, 1, 2, 3}));
    default:
      return sort(par_gpu.on_devices());
  }
}

void measure(rows& out, const host_memory& memory, std::uint64_t n, const std::string& name,
             int devices, int repetitions) {
  const double links = links_seconds(memory, n * sizeof(std::uint32_t), devices);
  const double sort = median_seconds(
      devices, repetitions, [&] { fill(memory.data(), n); },
      [&] { sort_on(devices, memory.data(), n); });
  verify(memory.data(), n);
  const std::string what = "host to host, " + name + " u32, pinned";
  out.add(what, devices, 1e3 * sort, "ms");
  out.add(what + ": what its links take", devices, 1e3 * links, "ms");
  out.add(what + ": share of its links", devices, links / sort, "");
}

}  // namespace

int main(int argc, char** argv) try {
  const options given(argc, argv);
  rows out(given.text("--rows"));
  const deadline end(given.number("--seconds", 110));
  const int devices =
      std::min<int>(count_devices(), static_cast<int>(given.number("--devices", 8)));
  if (devices == 0) {
    std::puts("no CUDA device: nothing is measured");
    return EXIT_SUCCESS;
  }
  const std::uint64_t n = given.number("--elements", 2'000'000'000);
  {
    const host_memory memory(n * sizeof(std::uint32_t));
    const std::string name = n == 2'000'000'000 ? "2e9" : std::to_string(n);
    for (int count : counts_up_to(devices)) {
      if (!end.has_passed()) measure(out, memory, n, name, count, 3);
    }
  }
  if (given.text("--elements") == nullptr && !end.has_passed()) {
    constexpr std::uint64_t more = std::uint64_t{1} << 33;
    const host_memory memory(more * sizeof(std::uint32_t));
    measure(out, memory, more, "2^33", devices, 1);
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_host: %s\n", e.what());
  return EXIT_FAILURE;
}
