// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that fails in the middle: each in turn, at each of its allocations. All are to end, with
// an error and without loss. In one process over shards; and, where nccl.h is found, as ranks over
// NCCL, each with a thread, of which every one is to throw.
//
//   measure_failures [--rows FILE] [--devices N] [--log2n N] [--seconds S]
#include <atomic>
#include <gpusort/devices.hpp>
#include <gpusort/gpusort.hpp>
#include <thread>

#include "inputs.hpp"

#if __has_include(<nccl.h>) && __has_include(<gpusort/distributed.hpp>) && \
    !defined(GPUSORT_BENCH_NO_NCCL)
#define GPUSORT_BENCH_HAS_NCCL 1
#include <gpusort/distributed.hpp>
#include <gpusort/distributed/nccl.hpp>
#else
#define GPUSORT_BENCH_HAS_NCCL 0
#endif

namespace {

using namespace many_devices;
using gpusort::par_gpu;

/// Device memory; allocation number `at` on device `victim` fails.
class failing_allocator {
 public:
  using value_type = char;

  failing_allocator(int victim, int at) : victim_(victim), left_(at) {}

  char* allocate(std::size_t bytes) {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    if (device == victim_ && left_.fetch_sub(1) == 0) {
      has_failed_ = true;
      throw std::bad_alloc();
    }
    void* p = nullptr;
    check(cudaMalloc(&p, bytes), "cudaMalloc");
    return static_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) { (void)cudaFree(p); }

  bool has_failed() const { return has_failed_; }

 private:
  int victim_;
  std::atomic<int> left_;
  std::atomic<bool> has_failed_{false};
};

gpusort::sharded<std::uint32_t> shards_of(const shard_set<std::uint32_t>& set) {
  gpusort::sharded<std::uint32_t> shards;
  for (std::size_t i = 0; i < set.shards(); ++i) shards.emplace_back(set.data(i), set.n_each());
  return shards;
}

void expect_all_elements(const shard_set<std::uint32_t>& set, const findings& before,
                         bool is_sorted) {
  const findings after = set.examine();
  if (after.sum != before.sum) throw std::runtime_error("elements were lost");
  if (is_sorted && after.descents != 0) throw std::runtime_error("the result is wrong");
}

constexpr int most_allocations = 100;

/// Returns how many allocations failed, each in a call of its own.
int fail_over_shards(const shard_set<std::uint32_t>& set, int victim) {
  int failures = 0;
  for (int at = 0; at < most_allocations; ++at) {
    set.fill(distribution::uniform);
    const findings before = set.examine();
    failing_allocator memory(victim, at);
    bool has_thrown = false;
    try {
      gpusort::stable_sort(par_gpu(memory), shards_of(set));
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    }
    gpusort::release_scratch();
    expect_all_elements(set, before, !has_thrown);
    if (!memory.has_failed()) return failures;  // there are no more
    ++failures;
  }
  return failures;
}

#if GPUSORT_BENCH_HAS_NCCL
/// Fails each allocation of a sort over NCCL, as fail_over_shards does. All ranks throw, or none: a
/// route with less memory may have been taken.
int fail_over_nccl(const shard_set<std::uint32_t>& set, int victim) {
  const auto p = set.shards();
  std::vector<ncclComm_t> comms(p);
  if (ncclCommInitAll(comms.data(), static_cast<int>(p), nullptr) != ncclSuccess) {
    throw std::runtime_error("ncclCommInitAll");
  }
  int failures = 0;
  for (int at = 0; at < most_allocations; ++at) {
    set.fill(distribution::uniform);
    const findings before = set.examine();
    failing_allocator memory(victim, at);
    std::atomic<int> thrown{0}, other{0};
    std::vector<std::thread> ranks;
    for (std::size_t r = 0; r < p; ++r) {
      ranks.emplace_back([&, r] {
        choose(set.device(r));
        const device_stream stream(set.device(r));
        try {
          auto comm =
              gpusort::distributed::nccl(comms[r], stream, std::chrono::milliseconds(10000));
          gpusort::distributed::sort(comm, par_gpu(memory).on(stream), set.data(r),
                                     set.data(r) + set.n_each());
        } catch (const std::bad_alloc&) {
          ++thrown;
        } catch (const std::exception& e) {
          std::fprintf(stderr, "rank %zu: %s\n", r, e.what());
          ++other;
        }
      });
    }
    for (std::thread& rank : ranks) rank.join();
    gpusort::release_scratch();
    if (other != 0 || (thrown != 0 && thrown != static_cast<int>(p))) {
      throw std::runtime_error("ranks have thrown different things");
    }
    expect_all_elements(set, before, thrown == 0);
    if (!memory.has_failed()) break;
    ++failures;
  }
  for (ncclComm_t comm : comms) ncclCommDestroy(comm);
  return failures;
}
#endif

}  // namespace

int main(int argc, char** argv) try {
  const options given(argc, argv);
  rows out(given.text("--rows"));
  const deadline end(given.number("--seconds", 30));
  const int devices =
      std::min<int>(count_devices(), static_cast<int>(given.number("--devices", 8)));
  if (devices == 0) {
    std::puts("no CUDA device: nothing is measured");
    return EXIT_SUCCESS;
  }
  std::vector<int> all;
  for (int device = 0; device < devices; ++device) all.push_back(device);
  const std::uint64_t log2n = std::min<std::uint64_t>(given.number("--log2n", 22), 22);
  const shard_set<std::uint32_t> set(all, std::uint64_t{1} << log2n, false);
  const auto fail_each = [&](const char* what, const auto& fail) {
    int failures = 0, victims = 0;
    for (int victim = 0; victim < devices && !end.has_passed(); ++victim, ++victims) {
      failures += fail(set, victim);
    }
    out.add(std::string("ranks that failed in turn, ") + what, devices, victims, "");
    out.add(std::string("failed allocations, ") + what + ", nothing hung or lost", devices,
            failures, "");
  };
  fail_each("shards", fail_over_shards);
#if GPUSORT_BENCH_HAS_NCCL
  if (devices > 1) fail_each("NCCL", fail_over_nccl);
#endif
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_failures: %s\n", e.what());
  return EXIT_FAILURE;
}
