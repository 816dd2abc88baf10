// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts a file of log entries that is larger than the device memory it may take. Writes the file,
// sorts it by time, and reads it again to see that it is sorted and complete.
//
//   06_external_sort [megabytes of the file [megabytes of device memory]]
#include <gpusort/gpusort.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "example.hpp"

/// Entry as it stands in the file.
struct entry {
  std::uint64_t time;  // in ns
  std::uint32_t host;
  std::uint32_t code;
};

/// Generates what many machines have sent: each in the order of time, but none as late as the
/// others.
class entry_source {
 public:
  entry next() {
    const std::uint64_t random = mix(count_);
    const auto host = static_cast<std::uint32_t>(random % 1000);
    const std::uint64_t delay = mix(host) % 1'000'000'000;
    return {count_++ * 100 + delay, host, static_cast<std::uint32_t>(random >> 40)};
  }

 private:
  /// Mixes by SplitMix64 (Steele, Lea, Flood 2014).
  static std::uint64_t mix(std::uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  std::uint64_t count_ = 0;
};

/// Does not depend on the order of the entries.
std::uint64_t checksum(const std::vector<entry>& entries) {
  std::uint64_t sum = 0;
  for (const entry& e : entries) {
    std::uint64_t x = e.time ^ (std::uint64_t{e.host} << 32 | e.code);
    x *= 0xBF58476D1CE4E5B9;
    sum += x ^ (x >> 31);
  }
  return sum;
}

void write(const std::filesystem::path& path, const std::vector<entry>& entries) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(entries.data()),
             static_cast<std::streamsize>(entries.size() * sizeof(entry)));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::vector<entry> read(const std::filesystem::path& path) {
  std::vector<entry> entries(std::filesystem::file_size(path) / sizeof(entry));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(entries.data()),
            static_cast<std::streamsize>(entries.size() * sizeof(entry)));
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return entries;
}

/// A file that is removed at the end.
class temporary_file {
 public:
  explicit temporary_file(const char* name)
      : path_(std::filesystem::temp_directory_path() / name) {}
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A line that is written over as the work goes on.
struct progress_line {
  void operator()(std::uint64_t done, std::uint64_t total) const {
    constexpr int width = 40;
    const int filled = static_cast<int>(done * width / total);
    std::printf("\r  [%-*.*s] %3llu%%", width, filled, "########################################",
                static_cast<unsigned long long>(done * 100 / total));
    if (done == total) std::puts("");
    std::fflush(stdout);
  }
};

double gigabytes_per_second(std::size_t bytes, double milliseconds) {
  return 1e-6 * static_cast<double>(bytes) / milliseconds;
}

void sort_file(const std::filesystem::path& path, std::uint64_t device_bytes) {
  std::vector<entry> entries = read(path);
  const std::vector<entry> unsorted = entries;
  progress_line line;
  // By time; what has the same time stays in the order in which it arrived.
  const auto by_time = gpusort::order_by(gpusort::asc<&entry::time>());
  const auto policy = gpusort::par_gpu.with(gpusort::max_device_bytes(device_bytes));
  gpusort::stable_sort(policy.with(gpusort::progress(line)), entries.begin(), entries.end(),
                       by_time);
  write(path, entries);

  const double ms = example::milliseconds(
      [&] { std::copy(unsorted.begin(), unsorted.end(), entries.begin()); },
      [&] { gpusort::stable_sort(policy, entries.begin(), entries.end(), by_time); });
  std::printf("  sorted in %.1f ms, %.2f GB/s\n", ms,
              gigabytes_per_second(entries.size() * sizeof(entry), ms));
}

std::uint64_t parse_megabytes(const char* text) {
  char* end = nullptr;
  const unsigned long long count = std::strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
  if (!is_number || count == 0) {
    throw std::invalid_argument("usage: 06_external_sort [file MB [device MB]]");
  }
  return count << 20;
}

int main(int argc, char** argv) try {
  const bool has_device = example::has_device();
  if (!has_device) std::puts("No GPU on this machine: on the CPU, with a smaller file.");
  const std::uint64_t file_bytes = argc > 1     ? parse_megabytes(argv[1])
                                   : has_device ? std::uint64_t{512} << 20
                                                : std::uint64_t{32} << 20;
  const std::uint64_t device_bytes = argc > 2 ? parse_megabytes(argv[2]) : file_bytes / 4;
  const std::size_t n = file_bytes / sizeof(entry);
  std::printf("A file of %zu entries, %llu MB; device memory: %llu MB\n", n,
              static_cast<unsigned long long>(file_bytes >> 20),
              static_cast<unsigned long long>(device_bytes >> 20));

  const temporary_file file("gpusort_06_external_sort.bin");
  std::vector<entry> entries(n);
  entry_source source;
  std::generate(entries.begin(), entries.end(), [&] { return source.next(); });
  const std::uint64_t expected = checksum(entries);
  write(file.path(), entries);
  entries = {};

  sort_file(file.path(), device_bytes);

  const std::vector<entry> sorted = read(file.path());
  const auto is_earlier = [](const entry& a, const entry& b) { return a.time < b.time; };
  example::verify(std::is_sorted(sorted.begin(), sorted.end(), is_earlier),
                  "all entries are in the order of time");
  example::verify(sorted.size() == n && checksum(sorted) == expected,
                  "the entries are those of the input");
  std::puts("  the file is sorted and complete");
} catch (const std::exception& e) {
  std::fprintf(stderr, "06_external_sort: %s\n", e.what());
  return EXIT_FAILURE;
}
