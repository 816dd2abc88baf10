// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compaction of a log-structured store. Such a store writes what has changed as runs sorted by key;
// a key may be in many runs, and what counts is its newest version, which may be a tombstone: the
// key has been deleted. Compaction merges all runs into one.
//
// gpusort::multiway_merge merges any number of runs in one call, and is stable: of equal keys the
// one in the earlier run comes first. So the newest run is given first, and the first version of
// each key is the one that counts.
#include <gpusort/gpusort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <unordered_map>
#include <vector>

#include "example.hpp"

struct version {
  std::uint64_t key;
  std::uint32_t value;
  std::uint32_t is_tombstone;
};

bool operator==(const version& a, const version& b) {
  return a.key == b.key && a.value == b.value && a.is_tombstone == b.is_tombstone;
}

const auto by_key = gpusort::order_by(gpusort::asc<&version::key>());

/// The runs one after the other, the newest first, and where each begins.
struct store {
  std::vector<version> versions;
  std::vector<std::size_t> offsets;
};

/// Runs of very different lengths, like those of a store: the newest are small.
store make_store(std::size_t runs, std::size_t versions_of_the_last) {
  std::mt19937_64 random(2026);
  const std::size_t keys = 2 * versions_of_the_last;
  store s;
  s.offsets.push_back(0);
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<version> written(versions_of_the_last * (run + 1) / runs);
    for (version& v : written) {
      v = {random() % keys, static_cast<std::uint32_t>(random()), random() % 8 == 0};
    }
    // Within a run a key is there once.
    std::sort(written.begin(), written.end(), by_key);
    const auto same_key = [](const version& a, const version& b) { return a.key == b.key; };
    written.erase(std::unique(written.begin(), written.end(), same_key), written.end());
    s.versions.insert(s.versions.end(), written.begin(), written.end());
    s.offsets.push_back(s.versions.size());
  }
  return s;
}

/// Returns the newest version of each key, without those that say that it is gone.
std::vector<version> live(const std::vector<version>& merged) {
  std::vector<version> kept;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const bool is_newest = i == 0 || merged[i].key != merged[i - 1].key;
    if (is_newest && !merged[i].is_tombstone) kept.push_back(merged[i]);
  }
  return kept;
}

/// Verifies against the store as it is without compaction: the runs played back, the oldest first.
void verify(const store& s, const std::vector<version>& compacted) {
  std::unordered_map<std::uint64_t, version> expected;
  for (std::size_t run = s.offsets.size() - 1; run-- > 0;) {
    for (std::size_t i = s.offsets[run]; i < s.offsets[run + 1]; ++i) {
      expected[s.versions[i].key] = s.versions[i];
    }
  }
  std::size_t deleted = 0;
  for (const auto& entry : expected) deleted += entry.second.is_tombstone;
  example::verify(compacted.size() == expected.size() - deleted, "every live key is there");
  example::verify(std::is_sorted(compacted.begin(), compacted.end(), by_key), "in order");
  for (const version& v : compacted) {
    example::verify(v == expected[v.key], "in its newest version");
  }
}

/// Compacts with the runs in a `Vector`, on the device or on the host.
template <class Vector>
void compact(const store& s) {
  const Vector runs(s.versions.begin(), s.versions.end());
  Vector merged(runs.size());
  const double merging = example::milliseconds(
      [] {},
      [&] {
        gpusort::multiway_merge(gpusort::par_gpu, runs.begin(), s.offsets.begin(), s.offsets.end(),
                                merged.begin(), by_key);
      });
  std::vector<version> result(merged.size());
  thrust::copy(merged.begin(), merged.end(), result.begin());
  const std::vector<version> compacted = live(result);
  verify(s, compacted);

  // Sorts without knowing that the runs are sorted.
  const double sorting = example::milliseconds(
      [&] { thrust::copy(runs.begin(), runs.end(), merged.begin()); },
      [&] { gpusort::stable_sort(gpusort::par_gpu, merged.begin(), merged.end(), by_key); });
  std::printf("%zu runs, %zu versions, of which %zu are live\n", s.offsets.size() - 1,
              s.versions.size(), compacted.size());
  std::printf("  gpusort::multiway_merge  %9.2f ms\n  gpusort::stable_sort     %9.2f ms\n", merging,
              sorting);
}

int main() try {
  if (example::has_device()) {
    compact<thrust::device_vector<version>>(make_store(48, 200'000));
  } else {
    std::puts("No GPU on this machine: on the CPU, and a smaller store.");
    compact<std::vector<version>>(make_store(24, 20'000));
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "05_merge_runs: %s\n", e.what());
  return EXIT_FAILURE;
}
