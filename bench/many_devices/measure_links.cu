// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the links between the devices of a host carry: copies between pairs and between all, stores
// of kernels into others' memory, NCCL's sends and receives, and copies from and to pinned memory.
// Rates are of all devices together, in the bytes that leave each.
//
//   measure_links [--rows FILE] [--bytes OUT_OF_EACH_DEVICE] [--devices N]
#include "kit.hpp"

#if __has_include(<nccl.h>) && !defined(GPUSORT_BENCH_NO_NCCL)
#define GPUSORT_BENCH_HAS_NCCL 1
#include <nccl.h>
#else
#define GPUSORT_BENCH_HAS_NCCL 0
#endif

namespace {

using namespace many_devices;

constexpr int repetitions = 5;

double gigabytes(double bytes, double seconds) { return 1e-9 * bytes / seconds; }

/// The memory and streams of all measurements: each device sends from one buffer to another's.
class fabric {
 public:
  fabric(int devices, std::size_t bytes) : devices_(devices), bytes_(bytes) {
    for (int device = 0; device < devices; ++device) {
      from_.emplace_back(device, bytes);
      to_.emplace_back(device, bytes);
      for (int i = 0; i < std::max(devices, 2); ++i) streams_.emplace_back(device);
      choose(device);
      check(cudaMemset(from_.back().data(), device + 1, bytes), "cudaMemset");
    }
  }

  int devices() const { return devices_; }
  std::size_t bytes() const { return bytes_; }
  unsigned char* from(int device) const { return from_[index(device)].data(); }
  unsigned char* to(int device) const { return to_[index(device)].data(); }
  cudaStream_t stream(int device, int i = 0) const {
    return streams_[index(device) * index(std::max(devices_, 2)) + index(i)];
  }

  template <class Work>
  double seconds(Work work) const {
    return median_seconds(
        devices_, repetitions, [] {}, work);
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int devices_;
  std::size_t bytes_;
  std::vector<device_bytes> from_, to_;
  std::vector<device_stream> streams_;
};

void copy_to_peer(const fabric& f, int from, int to, std::size_t begin, std::size_t bytes,
                  int stream) {
  choose(from);
  check(cudaMemcpyPeerAsync(f.to(to) + begin, to, f.from(from) + begin, from, bytes,
                            f.stream(from, stream)),
        "cudaMemcpyPeerAsync");
}

void measure_pairs(rows& out, const fabric& f) {
  double least = 1e9, most = 0, both = 1e9;
  for (int a = 0; a < f.devices(); ++a) {
    for (int b = 0; b < f.devices(); ++b) {
      if (a == b) continue;
      const double one_way = f.seconds([&] { copy_to_peer(f, a, b, 0, f.bytes(), 0); });
      const double rate = gigabytes(static_cast<double>(f.bytes()), one_way);
      least = std::min(least, rate);
      most = std::max(most, rate);
      if (a > b) continue;
      const double two_ways = f.seconds([&] {
        copy_to_peer(f, a, b, 0, f.bytes(), 0);
        copy_to_peer(f, b, a, 0, f.bytes(), 0);
      });
      both = std::min(both, gigabytes(2. * static_cast<double>(f.bytes()), two_ways));
    }
  }
  out.add("copy between two, one way, slowest pair", 2, least, "GB/s");
  out.add("copy between two, one way, fastest pair", 2, most, "GB/s");
  out.add("copy between two, both ways, slowest pair", 2, both, "GB/s");
}

/// Sends to each other device an equal part of `bytes()`.
struct parts {
  std::size_t others, bytes;
  explicit parts(const fabric& f)
      : others(static_cast<std::size_t>(f.devices() - 1)), bytes(f.bytes() / others / 256 * 256) {}
  double of_all() const {
    return static_cast<double>(bytes) * static_cast<double>(others * (others + 1));
  }
};

void measure_all_to_all(rows& out, const fabric& f) {
  const int p = f.devices();
  const parts part(f);
  // In round r device i sends to i + r: each link has one sender and one receiver.
  const double scheduled = f.seconds([&] {
    for (int round = 1; round < p; ++round) {
      for (int i = 0; i < p; ++i) {
        const auto begin = static_cast<std::size_t>(round - 1) * part.bytes;
        copy_to_peer(f, i, (i + round) % p, begin, part.bytes, 0);
      }
    }
  });
  out.add("copies all to all, one after the other", p, gigabytes(part.of_all(), scheduled), "GB/s");
  const double at_once = f.seconds([&] {
    for (int round = 1; round < p; ++round) {
      for (int i = 0; i < p; ++i) {
        const auto begin = static_cast<std::size_t>(round - 1) * part.bytes;
        copy_to_peer(f, i, (i + round) % p, begin, part.bytes, round);
      }
    }
  });
  out.add("copies all to all, at once", p, gigabytes(part.of_all(), at_once), "GB/s");
}

struct peers {
  uint4* to[16];
  int count;
};

/// Stores 512 bytes of each warp into one device's memory, those of the next into another's, as a
/// distribution of sorted tiles into buckets does.
__global__ void __launch_bounds__(256)
    store_to_peers_kernel(const uint4* from, peers all, std::size_t part) {
  const std::size_t total = part * static_cast<std::size_t>(all.count);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < total; i += stride) {
    const std::size_t warp = i / 32;
    const auto count = static_cast<std::size_t>(all.count);
    const std::size_t slot = warp / count * 32 + i % 32;
    if (slot < part) all.to[warp % count][slot] = from[i];
  }
}

void measure_stores(rows& out, const fabric& f) {
  const int p = f.devices();
  const parts part(f);
  const double seconds = f.seconds([&] {
    for (int i = 0; i < p; ++i) {
      choose(i);
      peers all{};
      for (int round = 1; round < p; ++round) {
        const auto begin = static_cast<std::size_t>(round - 1) * part.bytes;
        all.to[all.count++] = reinterpret_cast<uint4*>(f.to((i + round) % p) + begin);
      }
      store_to_peers_kernel<<<2048, 256, 0, f.stream(i)>>>(
          reinterpret_cast<const uint4*>(f.from(i)), all, part.bytes / sizeof(uint4));
      check(cudaGetLastError(), "storing to peers");
    }
  });
  out.add("stores of a kernel all to all", p, gigabytes(part.of_all(), seconds), "GB/s");
}

#if GPUSORT_BENCH_HAS_NCCL
void check_nccl(ncclResult_t status) {
  if (status != ncclSuccess) throw std::runtime_error(ncclGetErrorString(status));
}

/// Measures grouped sends and receives of all to all.
void measure_nccl(rows& out, const fabric& f) {
  const int p = f.devices();
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(p));
  check_nccl(ncclCommInitAll(comms.data(), p, nullptr));
  const auto exchange = [&](std::size_t bytes) {
    check_nccl(ncclGroupStart());
    for (int i = 0; i < p; ++i) {
      const ncclComm_t comm = comms[static_cast<std::size_t>(i)];
      choose(i);
      for (int round = 1; round < p; ++round) {
        const int to = (i + round) % p, from = (i + p - round) % p;
        const auto begin = static_cast<std::size_t>(round - 1) * bytes;
        check_nccl(ncclSend(f.from(i) + begin, bytes, ncclInt8, to, comm, f.stream(i)));
        check_nccl(ncclRecv(f.to(i) + begin, bytes, ncclInt8, from, comm, f.stream(i)));
      }
    }
    check_nccl(ncclGroupEnd());
  };
  const parts part(f);
  out.add("NCCL send and receive all to all, 8 bytes each", p,
          1e6 * f.seconds([&] { exchange(8); }), "us");
  for (std::size_t mb : {16, 128, 1024}) {
    const std::size_t bytes = std::min((mb << 20) / part.others / 256 * 256, part.bytes);
    const double all = static_cast<double>(bytes) / static_cast<double>(part.bytes) * part.of_all();
    out.add("NCCL send and receive all to all, " + std::to_string(mb) + " MB out of each", p,
            gigabytes(all, f.seconds([&] { exchange(bytes); })), "GB/s");
  }
  for (ncclComm_t comm : comms) check_nccl(ncclCommDestroy(comm));
}
#endif

void measure_host_links(rows& out, const fabric& f) {
  const int p = f.devices();
  std::vector<pinned_bytes> up, down;
  for (int device = 0; device < p; ++device) {
    choose(device);
    up.emplace_back(f.bytes());
    down.emplace_back(f.bytes());
  }
  const auto copy_up = [&](int device) {
    choose(device);
    check(cudaMemcpyAsync(f.to(device), up[static_cast<std::size_t>(device)].data(), f.bytes(),
                          cudaMemcpyHostToDevice, f.stream(device, 0)),
          "copying up");
  };
  const auto copy_down = [&](int device) {
    choose(device);
    check(cudaMemcpyAsync(down[static_cast<std::size_t>(device)].data(), f.from(device), f.bytes(),
                          cudaMemcpyDeviceToHost, f.stream(device, 1)),
          "copying down");
  };
  const auto bytes = static_cast<double>(f.bytes());
  for (int count : counts_up_to(p)) {
    const auto all = [&](const auto& copy) {
      return f.seconds([&] {
        for (int device = 0; device < count; ++device) copy(device);
      });
    };
    out.add("host links together, up", count, gigabytes(count * bytes, all(copy_up)), "GB/s");
    out.add("host links together, down", count, gigabytes(count * bytes, all(copy_down)), "GB/s");
    const double both = all([&](int device) {
      copy_up(device);
      copy_down(device);
    });
    out.add("host links together, up and down at once", count, gigabytes(2 * count * bytes, both),
            "GB/s");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const options given(argc, argv);
  rows out(given.text("--rows"));
  const int present = count_devices();
  const int devices = std::min<int>(present, static_cast<int>(given.number("--devices", 16)));
  if (devices == 0) {
    std::puts("no CUDA device: nothing is measured");
    return EXIT_SUCCESS;
  }
  const fabric f(devices, given.number("--bytes", std::uint64_t{1} << 30) / 256 * 256);
  if (devices > 1) {
    const bool connected = connect(devices);
    out.add("all devices reach each other's memory", devices, connected ? "yes" : "no", "");
    measure_pairs(out, f);
    measure_all_to_all(out, f);
    if (connected) measure_stores(out, f);
#if GPUSORT_BENCH_HAS_NCCL
    measure_nccl(out, f);
#else
    std::puts("compiled without nccl.h: NCCL is not measured");
#endif
  }
  measure_host_links(out, f);
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_links: %s\n", e.what());
  return EXIT_FAILURE;
}
