// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace tune {

/// A set of numbers, by what is different in it, and the seconds it took in each column.
struct figures {
  std::string change;
  std::vector<double> seconds;

  /// Returns the mean ratio of its times to another's.
  double times(const figures& other) const {
    double sum = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i) sum += seconds[i] / other.seconds[i];
    return sum / static_cast<double>(seconds.size());
  }
};

/// Prints all, fastest first, compared with the first of them, and appends a line of JSON for each
/// figure to the file that `--json` names.
inline void report(const std::string& type, const std::vector<std::string>& columns,
                   std::vector<figures> rows, int argc, char** argv) {
  std::printf("%-8s %-48s %8s", type.c_str(), "change", "ratio");
  for (const std::string& column : columns) std::printf(" %9s", column.c_str());
  std::printf("   ms\n");
  const figures first = rows.front();
  std::stable_sort(rows.begin(), rows.end(), [&](const figures& a, const figures& b) {
    return a.times(first) < b.times(first);
  });
  for (const figures& row : rows) {
    std::printf("%-8s %-48s %8.3f", type.c_str(), row.change.c_str(), row.times(first));
    for (double s : row.seconds) std::printf(" %9.3f", 1e3 * s);
    std::printf("\n");
  }
  if (argc != 3 || std::strcmp(argv[1], "--json") != 0) return;
  std::FILE* const file = std::fopen(argv[2], "a");
  if (file == nullptr) return std::perror(argv[2]);
  for (const figures& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::fprintf(file, "{\"type\": \"%s\", \"change\": \"%s\", \"case\": \"%s\", \"ms\": %.4f}\n",
                   type.c_str(), row.change.c_str(), columns[i].c_str(), 1e3 * row.seconds[i]);
    }
  }
  std::fclose(file);
}

}  // namespace tune
