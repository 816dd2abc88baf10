// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 002's question on today's hardware: how long records take to be sorted by their first
// field, by the number of their 32-bit fields and by how they lie in memory. Prints a table for
// each layout, and writes all times as JSON, of which bench/records/draw makes plots.
//
//   measure_records [--n N] [--json FILE]
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gpusort/detail/support/launch.hpp>
#include <map>
#include <stdexcept>

#include "../../tests/kit/random.hpp"
#include "session.hpp"

namespace record_bench {
namespace {

constexpr int threads_per_block = 256;
constexpr std::uint64_t seed = 20110713;

GPUSORT_DEVICE word& word_of(const papers::record_arrays& records, std::uint64_t i, int field) {
  if (field < records.column_count) return records.columns[field][i];
  return records
      .rows[i * records.words_per_row + static_cast<unsigned>(field - records.column_count)];
}

/// Fills uniform keys; the other fields are of use for the checksum only.
__global__ void fill_kernel(papers::record_arrays records, int fields, std::uint64_t n) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int field = 0; field < fields; ++field) {
    word_of(records, i, field) =
        static_cast<word>(kit::random_at(seed + static_cast<unsigned>(field), i));
  }
}

struct findings {
  unsigned long long checksum;  // of the multiset: sum of hashes of whole records
  unsigned out_of_order;
};

__global__ void inspect_kernel(papers::record_arrays records, int fields, std::uint64_t n,
                               findings* found) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  std::uint64_t hash = 0;
  for (int field = 0; field < fields; ++field) {
    hash = kit::scramble(hash + word_of(records, i, field));
  }
  atomicAdd(&found->checksum, static_cast<unsigned long long>(hash));
  if (i > 0 && word_of(records, i, 0) < word_of(records, i - 1, 0)) {
    atomicOr(&found->out_of_order, 1u);
  }
}

findings inspect(const record_shape& shape, word* base, findings* found) {
  bench::check(cudaMemset(found, 0, sizeof(*found)), "cudaMemset");
  gpusort::detail::launch(inspect_kernel, shape.n / threads_per_block + 1, threads_per_block, 0,
                          nullptr, shape.arrays(base), shape.fields, shape.n, found);
  findings result;
  bench::check(cudaMemcpy(&result, found, sizeof(result), cudaMemcpyDeviceToHost),
               "inspecting records");
  return result;
}

double nanoseconds_per_record(const entry& e) {
  return 1e9 * e.median / static_cast<double>(e.shape.n);
}

}  // namespace

record_memory session::prepare(const record_shape& shape) {
  word* const input = input_.reserve_for<word>(shape.words());
  const std::string wanted = name_of(shape.how) + std::to_string(shape.fields);
  if (wanted != prepared_) {
    prepared_.clear();
    gpusort::detail::launch(fill_kernel, shape.n / threads_per_block + 1, threads_per_block, 0,
                            nullptr, shape.arrays(input), shape.fields, shape.n);
    checksum_ = inspect(shape, input, findings_.reserve_for<findings>(1)).checksum;
    prepared_ = wanted;
  }
  return {shape, records_.reserve_for<word>(shape.words()),
          spare_.reserve_for<word>(shape.words())};
}

std::string session::fault_in(const record_shape& shape, word* sorted) {
  const findings found = inspect(shape, sorted, findings_.reserve_for<findings>(1));
  if (found.checksum != checksum_) return "not the records that there were";
  if (found.out_of_order) return "not in order";
  return {};
}

void session::measure(layout how, int fields, const std::string& algorithm,
                      const sort_function& sort) {
  using clock = std::chrono::steady_clock;
  const record_memory memory = prepare({how, fields, n_});
  const word* const input = input_.reserve_for<word>(memory.shape.words());
  word* sorted = nullptr;
  std::vector<double> times;
  for (int i = -2; i < repetitions; ++i) {  // the first two load kernels and fill pools
    bench::check(cudaMemcpy(memory.records, input, memory.shape.words() * sizeof(word),
                            cudaMemcpyDeviceToDevice),
                 "restoring the records");
    bench::check(cudaDeviceSynchronize(), "restoring the records");
    const auto begin = clock::now();
    sorted = sort(memory);
    bench::check(cudaDeviceSynchronize(), "sorting");
    const double time = std::chrono::duration<double>(clock::now() - begin).count();
    if (i >= 0) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  entries_.push_back({memory.shape, algorithm, times[times.size() / 2], times.front(), times.back(),
                      fault_in(memory.shape, sorted)});
  const entry& e = entries_.back();
  std::printf("%-10s %2d fields  %-28s %9.1f us  %7.3f ns a record %s\n", name_of(how), fields,
              algorithm.c_str(), 1e6 * e.median, nanoseconds_per_record(e), e.fault.c_str());
  std::fflush(stdout);
}

namespace {

void print_table(const session& s, layout how) {
  std::vector<std::string> names;  // in the order of the measurement
  std::map<std::string, std::map<int, double>> times;
  for (const entry& e : s.entries()) {
    if (e.shape.how != how) continue;
    if (times.count(e.algorithm) == 0) names.push_back(e.algorithm);
    times[e.algorithm][e.shape.fields] = nanoseconds_per_record(e);
  }
  std::printf("\n%s, ns a record, %zu records\n%-28s", name_of(how), s.n(), "fields");
  for (int fields : field_counts) std::printf(" %7d", fields);
  std::printf("\n");
  for (const std::string& name : names) {
    std::printf("%-28s", name.c_str());
    for (int fields : field_counts) {
      const auto found = times[name].find(fields);
      if (found == times[name].end()) {
        std::printf(" %7s", "-");
      } else {
        std::printf(" %7.3f", found->second);
      }
    }
    std::printf("\n");
  }
}

void write_json(const session& s, const char* path) {
  cudaDeviceProp properties;
  bench::check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) throw std::runtime_error(std::string(path) + " cannot be written");
  std::fprintf(file, "{\n  \"context\": {\"device\": \"%s\", \"n\": %zu, \"repetitions\": %d},\n",
               properties.name, s.n(), session::repetitions);
  std::fprintf(file, "  \"times\": [");
  const char* separator = "\n";
  for (const entry& e : s.entries()) {
    std::fprintf(file,
                 "%s    {\"layout\": \"%s\", \"fields\": %d, \"algorithm\": \"%s\", "
                 "\"median_us\": %.3f, \"fastest_us\": %.3f, \"slowest_us\": %.3f, "
                 "\"fault\": \"%s\"}",
                 separator, name_of(e.shape.how), e.shape.fields, e.algorithm.c_str(),
                 1e6 * e.median, 1e6 * e.fastest, 1e6 * e.slowest, e.fault.c_str());
    separator = ",\n";
  }
  std::fprintf(file, "\n  ]\n}\n");
  if (std::fclose(file) != 0) throw std::runtime_error(std::string(path) + " cannot be written");
}

int run(int argc, char** argv) {
  std::size_t n = std::size_t{1} << 22;
  const char* json = nullptr;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && std::strcmp(argv[i], "--n") == 0) {
      n = static_cast<std::size_t>(std::strtoull(argv[i + 1], nullptr, 0));
    } else if (i + 1 < argc && std::strcmp(argv[i], "--json") == 0) {
      json = argv[i + 1];
    } else {
      throw std::invalid_argument("usage: measure_records [--n N] [--json FILE]");
    }
  }
  if (n == 0) throw std::invalid_argument("--n takes a positive number");
  session s(n);
  measure_columns(s);
  measure_short_records(s);
  measure_medium_records(s);
  measure_long_records(s);
  measure_hybrid_records(s);
  measure_grs(s);
  for (layout how : every_layout) print_table(s, how);
  if (json != nullptr) write_json(s, json);
  const auto is_wrong = [](const entry& e) { return !e.fault.empty(); };
  return std::any_of(s.entries().begin(), s.entries().end(), is_wrong) ? EXIT_FAILURE
                                                                       : EXIT_SUCCESS;
}

}  // namespace
}  // namespace record_bench

int main(int argc, char** argv) try {
  return record_bench::run(argc, argv);
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_records: %s\n", e.what());
  return EXIT_FAILURE;
}
