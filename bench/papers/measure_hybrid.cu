// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 001's figures 7 and 8 on today's hardware: the hybrid of bucket sort and vector merge sort
// against other sorts of uniform floats, and the time of its phases.
//
//   measure_hybrid [--json FILE]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "figure_table.hpp"
#include "float_sorters.hpp"

namespace {

using bench::check;

std::string power_of_two(int log2n) { return "2^" + std::to_string(log2n); }

void measure_figure_7(bench::figure_table& table, bench::float_input& input, int log2n) {
  for (const bench::float_sorter& sorter : bench::device_sorters()) {
    table.measure("figure_7", power_of_two(log2n), sorter.name, input.n(),
                  [&] { return input.on_device(sorter); });
  }
  for (const bench::float_sorter& sorter : bench::host_sorters()) {
    table.measure("figure_7", power_of_two(log2n), sorter.name, input.n(),
                  [&] { return input.on_host(sorter); });
  }
}

/// Events between the phases of one run.
class phase_clock {
 public:
  static constexpr const char* names[] = {"upload",  "shuffle", "histogram", "bucketing",
                                          "merging", "gather",  "download"};
  static constexpr int phases = 7;

  phase_clock() {
    for (cudaEvent_t& event : events_) check(cudaEventCreate(&event), "cudaEventCreate");
  }
  phase_clock(const phase_clock&) = delete;
  phase_clock& operator=(const phase_clock&) = delete;
  ~phase_clock() {
    for (cudaEvent_t event : events_) (void)cudaEventDestroy(event);
  }

  void begin() {
    next_ = 0;
    mark();
  }
  void mark() { check(cudaEventRecord(events_[next_++], nullptr), "cudaEventRecord"); }

  double seconds(int phase) {
    float milliseconds = 0;
    check(cudaEventSynchronize(events_[phase + 1]), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&milliseconds, events_[phase], events_[phase + 1]),
          "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t events_[phases + 1]{};
  int next_ = 0;
};

/// Pinned host memory.
class pinned_floats {
 public:
  explicit pinned_floats(const std::vector<float>& values) {
    const std::size_t bytes = values.size() * sizeof(float);
    check(cudaMallocHost(&data_, bytes), "cudaMallocHost");
    std::memcpy(data_, values.data(), bytes);
  }
  pinned_floats(const pinned_floats&) = delete;
  pinned_floats& operator=(const pinned_floats&) = delete;
  ~pinned_floats() { (void)cudaFreeHost(data_); }

  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

void measure_figure_8(bench::figure_table& table, bench::float_input& input, int log2n) {
  using sort = papers::hybrid_sort<1024>;
  const std::size_t n = input.n();
  const pinned_floats from(input.values()), to(input.values());
  bench::buffer memory;
  void* const scratch = memory.reserve(sort::scratch_bytes(n));
  papers::hybrid_options options;
  options.is_shuffled = true;
  std::vector<double> seconds[phase_clock::phases];
  phase_clock clock;
  constexpr int repetitions = 7;
  for (int i = 0; i <= repetitions; ++i) {  // the first one loads the kernels
    clock.begin();
    check(cudaMemcpyAsync(input.data(), from.data(), input.bytes(), cudaMemcpyHostToDevice),
          "uploading");
    clock.mark();
    sort::run(nullptr, input.data(), n, options, scratch,
              [&](papers::hybrid_phase) { clock.mark(); });
    check(cudaMemcpyAsync(to.data(), input.data(), input.bytes(), cudaMemcpyDeviceToHost),
          "downloading");
    clock.mark();
    for (int phase = 0; phase < phase_clock::phases; ++phase) {
      const double time = clock.seconds(phase);
      if (i > 0) seconds[phase].push_back(time);
    }
  }
  if (std::memcmp(to.data(), input.sorted().data(), input.bytes()) != 0) {
    throw std::runtime_error("the hybrid's result is wrong");
  }
  for (int phase = 0; phase < phase_clock::phases; ++phase) {
    table.add("figure_8", power_of_two(log2n), phase_clock::names[phase], n,
              bench::median_of(seconds[phase]));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::figure_table table(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  for (int log2n = 18; log2n <= 24; ++log2n) {
    bench::float_input input(bench::uniform_floats(std::size_t{1} << log2n));
    measure_figure_8(table, input, log2n);
    measure_figure_7(table, input, log2n);
  }
  return table.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_hybrid: %s\n", e.what());
  return EXIT_FAILURE;
}
