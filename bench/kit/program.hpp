// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/version.cuh>
#include <exception>
#include <gpusort/version.hpp>
#include <string>

#include "measure.hpp"
#include "problem.hpp"
#include "report.hpp"

namespace bench {

/// Names what a run covers: everything, or a representative part that spares the device.
enum class scope { full, quick };

/// Reports the entry of n elements that took that long.
inline void report(benchmark::State& state, const timing& t, std::size_t n,
                   std::size_t element_bytes) {
  for (auto _ : state) state.SetIterationTime(t.median);
  state.counters["keys_per_second"] = static_cast<double>(n) / t.median;
  state.counters["bytes_per_second"] = static_cast<double>(element_bytes * n) / t.median;
  state.counters["fastest_us"] = 1e6 * t.fastest;
  state.counters["slowest_us"] = 1e6 * t.slowest;
  state.counters["device_us"] = 1e6 * t.device_median;
  state.counters["samples"] = t.repetitions;
}

/// Registers cases and owns the memory they sort in.
class program {
 public:
  explicit program(scope s) : scope_(s) {}

  bool quick() const { return scope_ == scope::quick; }

  /// Returns the largest input: 16 GiB, or what leaves room for the copies and scratch of all who
  /// sort it.
  std::size_t most_bytes() const {
    constexpr std::size_t most = std::size_t{1} << 34;
    std::size_t free_bytes = 0, total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) return most;
    return std::min(most, total_bytes / 8);
  }

  /// Adds one case: `Sorter` sorts `where` by `compare`. The name's implementation, distribution
  /// and size are filled in here.
  template <template <bool, class, class, class> class Sorter, bool Stable, class Key, class Value,
            class Compare>
  void add(case_name name, input where, Compare compare) {
    using sorter = Sorter<Stable, Key, Value, Compare>;
    name.implementation = sorter::name;
    name.distribution = where.name();
    name.log2n = where.log2n;
    add_case(name, [this, where, compare](benchmark::State& state) {
      run<sorter, Stable, Key, Value>(state, where, compare);
    });
  }

  /// Adds a case of another kind: `run(state)` measures, verifies and reports; what it throws is
  /// its failure.
  template <class Run>
  void add_case(const case_name& name, Run run) {
    benchmark::RegisterBenchmark(name.str().c_str(),
                                 [run](benchmark::State& state) {
                                   try {
                                     run(state);
                                   } catch (const std::exception& error) {
                                     (void)cudaGetLastError();
                                     state.SkipWithError(error.what());
                                   }
                                 })
        ->UseManualTime()
        ->Iterations(1)  // the repetitions are ours: Google Benchmark would calibrate first
        ->Unit(benchmark::kMicrosecond);
  }

  /// Returns the seconds that the repetitions of a case may take together.
  double budget() const { return quick() ? 0.01 : 0.03; }

 private:
  template <class Sorter, bool Stable, class Key, class Value, class Compare>
  void run(benchmark::State& state, input where, Compare compare) {
    const std::size_t n = std::size_t{1} << where.log2n;
    const auto p = memory_.make<Key, Value>(where.distribution, n, where.misleads_samples);
    Sorter sort(memory_, p, compare);
    const timing t = measure(
        budget(), [&] { memory_.restore(p); }, [&] { sort(); });
    const std::string fault = memory_.fault_in<checked_order<Compare>>(sort.result(), n, Stable);
    if (!fault.empty()) return state.SkipWithError(fault.c_str());
    report(state, t, n, sizeof(Key) + (p.has_values ? sizeof(Value) : 0));
    sort.describe(state);
  }

  scope scope_;
  workspace memory_;
};

namespace detail {

/// Takes `flag` out of the arguments; true if it was there.
inline bool take_flag(int& argc, char** argv, const char* flag) {
  bool found = false;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], flag) == 0) {
      found = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  return found;
}

inline bool only_lists(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--benchmark_list_tests", 22) == 0) return true;
  }
  return false;
}

inline std::string dotted(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

inline void add_context() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const auto add = [](const char* key, const std::string& value) {
    benchmark::AddCustomContext(key, value);
  };
  add("device", properties.name);
  add("compute_capability",
      std::to_string(properties.major) + '.' + std::to_string(properties.minor));
  add("driver_supports_cuda", dotted(driver));
  add("cuda_runtime", dotted(runtime));
  add("cub", std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                 std::to_string(CUB_SUBMINOR_VERSION));
  add("gpusort", std::to_string(GPUSORT_VERSION_MAJOR) + '.' +
                     std::to_string(GPUSORT_VERSION_MINOR) + '.' +
                     std::to_string(GPUSORT_VERSION_PATCH));
  std::printf("%s, CUDA %s, CUB %d.%d.%d\n", properties.name, dotted(runtime).c_str(),
              CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
}

/// Keeps the device busy until its clocks have left idle.
inline void warm_up() {
  using clock = std::chrono::steady_clock;
  buffer memory;
  constexpr std::size_t bytes = std::size_t{64} << 20;
  void* const to = memory.reserve(bytes);
  const auto end = clock::now() + std::chrono::milliseconds(300);
  while (clock::now() < end) {
    check(cudaMemset(to, 0, bytes), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}

}  // namespace detail

/// Serves as the main function of every benchmark program. `register_cases(program&)` says what
/// there is. Arguments: Google Benchmark's, and --quick (or GPUSORT_BENCH_QUICK=1).
template <class RegisterCases>
int run(int argc, char** argv, RegisterCases register_cases) try {
  const char* const wish = std::getenv("GPUSORT_BENCH_QUICK");
  const bool quick = detail::take_flag(argc, argv, "--quick") ||
                     (wish != nullptr && *wish != '\0' && *wish != '0');
  const bool lists = detail::only_lists(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;

  program cases(quick ? scope::quick : scope::full);
  register_cases(cases);
  table_reporter reporter(!quick);
  if (!lists) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      std::printf("no CUDA device: nothing is measured\n");
      return 0;
    }
    detail::add_context();
    benchmark::AddCustomContext("matrix", quick ? "quick" : "full");
    detail::warm_up();
  }
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return reporter.failed() ? 1 : 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace bench
