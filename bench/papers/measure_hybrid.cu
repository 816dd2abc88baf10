// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 001's figures 2, 7 and 8 on today's hardware: the passes of its vector merge sort, the
// hybrid of bucket sort and vector merge sort against other sorts of uniform floats, and the time
// of its phases.
//
//   measure_hybrid [--json FILE]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

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
class event_clock {
 public:
  explicit event_clock(std::size_t phases) : events_(phases + 1) {
    for (cudaEvent_t& event : events_) check(cudaEventCreate(&event), "cudaEventCreate");
  }
  event_clock(const event_clock&) = delete;
  event_clock& operator=(const event_clock&) = delete;
  ~event_clock() {
    for (cudaEvent_t event : events_) (void)cudaEventDestroy(event);
  }

  void begin() {
    next_ = 0;
    mark();
  }
  void mark() { check(cudaEventRecord(events_.at(next_++), nullptr), "cudaEventRecord"); }

  double seconds(std::size_t phase) {
    float milliseconds = 0;
    check(cudaEventSynchronize(events_[phase + 1]), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&milliseconds, events_[phase], events_[phase + 1]),
          "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  std::vector<cudaEvent_t> events_;
  std::size_t next_ = 0;
};

/// Runs what marks the ends of `phases` phases; returns the median of 7 of each.
template <class Run>
std::vector<double> seconds_of_phases(std::size_t phases, Run run) {
  event_clock clock(phases);
  std::vector<std::vector<double>> seconds(phases);
  constexpr int repetitions = 7;
  for (int i = 0; i <= repetitions; ++i) {  // the first one loads the kernels
    run(clock);
    for (std::size_t phase = 0; phase < phases; ++phase) {
      const double time = clock.seconds(phase);
      if (i > 0) seconds[phase].push_back(time);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& of_phase : seconds) medians.push_back(bench::median_of(of_phase));
  return medians;
}

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
  const char* const names[] = {"upload",  "shuffle", "histogram", "bucketing",
                               "merging", "gather",  "download"};
  const std::size_t n = input.n();
  const pinned_floats from(input.values()), to(input.values());
  bench::buffer memory;
  void* const scratch = memory.reserve(sort::scratch_bytes(n));
  papers::hybrid_options options;
  options.is_shuffled = true;
  const std::vector<double> seconds = seconds_of_phases(std::size(names), [&](event_clock& clock) {
    clock.begin();
    check(cudaMemcpyAsync(input.data(), from.data(), input.bytes(), cudaMemcpyHostToDevice),
          "uploading");
    clock.mark();
    sort::run(nullptr, input.data(), n, options, scratch,
              [&](papers::hybrid_phase) { clock.mark(); });
    check(cudaMemcpyAsync(to.data(), input.data(), input.bytes(), cudaMemcpyDeviceToHost),
          "downloading");
    clock.mark();
  });
  if (std::memcmp(to.data(), input.sorted().data(), input.bytes()) != 0) {
    throw std::runtime_error("the hybrid's result is wrong");
  }
  for (std::size_t phase = 0; phase < seconds.size(); ++phase) {
    table.add("figure_8", power_of_two(log2n), names[phase], n, seconds[phase]);
  }
}

/// Measures the passes of the vector merge sort over one list, which the split avoids: the last one
/// is a single thread's.
void measure_figure_2(bench::figure_table& table) {
  constexpr int log2_vectors = 18;  // an even number of passes, so that they end where they began
  bench::float_input input(bench::uniform_floats(std::size_t{4} << log2_vectors));
  const std::uint32_t one_list[] = {static_cast<std::uint32_t>(input.n()), 0, 0};
  bench::buffer numbers, spare;
  auto* const on_device = numbers.reserve_for<std::uint32_t>(std::size(one_list));
  check(cudaMemcpy(on_device, one_list, sizeof(one_list), cudaMemcpyHostToDevice), "cudaMemcpy");
  const papers::list_table lists{1, on_device, on_device + 1, on_device + 2, nullptr};
  const papers::list_totals totals{1u << log2_vectors, 1u << log2_vectors};
  const std::vector<double> seconds = seconds_of_phases(log2_vectors + 1, [&](event_clock& clock) {
    input.restore();
    clock.begin();
    papers::vector_merge_sort(nullptr, lists, totals, reinterpret_cast<float4*>(input.data()),
                              spare.reserve_for<float4>(totals.vectors), [&] { clock.mark(); });
  });
  std::vector<float> found(input.n());
  check(cudaMemcpy(found.data(), input.data(), input.bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  if (found != input.sorted()) throw std::runtime_error("the vector merge sort's result is wrong");
  for (int pass = 0; pass <= log2_vectors; ++pass) {
    table.add("figure_2", std::to_string(1 << (log2_vectors - pass)) + " lists", "pass", input.n(),
              seconds[static_cast<std::size_t>(pass)]);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::figure_table table(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  table.attempt("figure_2", [&] { measure_figure_2(table); });
  for (int log2n = 18; log2n <= 24; ++log2n) {
    bench::float_input input(bench::uniform_floats(std::size_t{1} << log2n));
    table.attempt("figure_8", [&] { measure_figure_8(table, input, log2n); });
    measure_figure_7(table, input, log2n);
  }
  return table.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_hybrid: %s\n", e.what());
  return EXIT_FAILURE;
}
