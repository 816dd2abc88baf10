// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many segments in one call, against CUB's, which gets its second buffer and temporary storage.
#include <algorithm>
#include <cmath>
#include <cub/device/device_segmented_sort.cuh>
#include <gpusort/segmented_sort.hpp>
#include <string>
#include <vector>

#include "kit/program.hpp"

namespace {

using bench::no_value;

enum class lengths { even, uniform, power_law };

const char* name_of(lengths l) {
  constexpr const char* names[] = {"even_segments", "uniform_segments", "power_law_segments"};
  return names[static_cast<int>(l)];
}

/// Returns k + 1 offsets of segments that n elements are divided among.
std::vector<int> offsets_of(lengths l, std::size_t k, std::size_t n) {
  std::vector<double> ends(k + 1, 0.0);
  for (std::size_t i = 0; i < k; ++i) {
    const double random = (kit::random_at(20260101, i) >> 11) * 0x1p-53 + 0x1p-53;
    const double length = l == lengths::even      ? 1
                          : l == lengths::uniform ? random
                                                  : std::min(1 / random, 1e6);
    ends[i + 1] = ends[i] + length;
  }
  std::vector<int> offsets(k + 1);
  for (std::size_t i = 0; i <= k; ++i) {
    offsets[i] = static_cast<int>(ends[i] / ends[k] * static_cast<double>(n));
  }
  offsets[k] = static_cast<int>(n);
  return offsets;
}

template <class Key>
__global__ void find_disorder_kernel(const Key* keys, std::size_t n, const int* offsets, int k,
                                     unsigned* found) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = 1 + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (!(keys[i] < keys[i - 1])) continue;
    int low = 0, high = k;  // the first offset that is i or more
    while (low < high) {
      const int middle = (low + high) / 2;
      if (static_cast<std::size_t>(offsets[middle]) < i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (static_cast<std::size_t>(offsets[low]) != i) *found = 1;
  }
}

/// The memory of all cases; values are the places of the input.
class segments {
 public:
  template <class Key, class Value>
  bench::problem<Key, Value> make(lengths l, std::size_t k, std::size_t n) {
    k_ = static_cast<int>(k);
    const auto offsets = offsets_of(l, k, n);
    bench::check(cudaMemcpy(offsets_.reserve_for<int>(k + 1), offsets.data(), (k + 1) * sizeof(int),
                            cudaMemcpyHostToDevice),
                 "copying the offsets");
    return memory.make<Key, Value>(kit::distribution::uniform, n);
  }

  const int* offsets() { return offsets_.reserve_for<int>(0); }
  int k() const { return k_; }

  template <class Key, class Value>
  std::string fault_in(const bench::sorted_output<Key, Value>& out, std::size_t n) {
    // Says whether an output that is in order only by segments is a permutation.
    const std::string fault = memory.fault_in(out, n, false);
    if (fault == "the output is no permutation of the input") return fault;
    auto* const found = found_.reserve_for<unsigned>(1);
    bench::check(cudaMemset(found, 0, sizeof(unsigned)), "cudaMemset");
    find_disorder_kernel<<<2048, 256>>>(out.keys, n, offsets(), k_, found);
    unsigned is_wrong = 0;
    bench::check(cudaMemcpy(&is_wrong, found, sizeof(is_wrong), cudaMemcpyDeviceToHost),
                 "inspecting the output");
    return is_wrong != 0 ? "a segment is not in order" : "";
  }

  bench::workspace memory;

 private:
  bench::buffer offsets_, found_;
  int k_ = 0;
};

template <class Key, class Value, class Compare>
bench::sorted_output<Key, Value> sort_with_gpusort(segments& s, const bench::problem<Key, Value>& p,
                                                   Compare compare) {
  const int* const last = s.offsets() + s.k() + 1;
  if constexpr (p.has_values) {
    gpusort::segmented_sort_by_key(gpusort::par_gpu, p.keys, p.keys + p.n, p.values, s.offsets(),
                                   last, compare);
  } else {
    gpusort::segmented_sort(gpusort::par_gpu, p.keys, p.keys + p.n, s.offsets(), last, compare);
  }
  return {p.keys, p.values};
}

template <class Key, class Value>
bench::sorted_output<Key, Value> sort_with_cub(segments& s, const bench::problem<Key, Value>& p) {
  const auto sort = [&](void* storage, std::size_t& bytes) {
    const int n = static_cast<int>(p.n);
    if constexpr (p.has_values) {
      return cub::DeviceSegmentedSort::SortPairs(storage, bytes, p.keys, p.spare_keys, p.values,
                                                 p.spare_values, n, s.k(), s.offsets(),
                                                 s.offsets() + 1);
    } else {
      return cub::DeviceSegmentedSort::SortKeys(storage, bytes, p.keys, p.spare_keys, n, s.k(),
                                                s.offsets(), s.offsets() + 1);
    }
  };
  std::size_t bytes = 0;
  bench::check(sort(nullptr, bytes), "cub::DeviceSegmentedSort");
  bench::check(sort(s.memory.scratch(bytes), bytes), "cub::DeviceSegmentedSort");
  bench::check(cudaStreamSynchronize(nullptr), "cub::DeviceSegmentedSort");
  return {p.spare_keys, p.spare_values};
}

template <class Key, class Value, class Sort>
void add_case(bench::program& p, segments& s, const bench::case_name& name, lengths l,
              std::size_t k, Sort sort) {
  const double budget = p.budget();
  p.add_case(name, [&s, name, l, k, budget, sort](benchmark::State& state) {
    const std::size_t n = std::size_t{1} << name.log2n;
    const auto problem = s.make<Key, Value>(l, k, n);
    bench::sorted_output<Key, Value> out{};
    const bench::timing t = bench::measure(
        budget, [&] { s.memory.restore(problem); }, [&] { out = sort(problem); });
    const std::string fault = s.fault_in(out, n);
    if (!fault.empty()) return state.SkipWithError(fault.c_str());
    bench::report(state, t, n, sizeof(Key) + (problem.has_values ? sizeof(Value) : 0));
    state.counters["segments"] = static_cast<double>(k);
  });
}

template <class Key, class Value = no_value>
void add_cases(bench::program& p, segments& s, const char* type, int log2n, lengths l, int log2k) {
  using problem = bench::problem<Key, Value>;
  const std::size_t k = std::size_t{1} << log2k;
  bench::case_name name{
      "segmented_sort_of_" + std::to_string(k), "gpusort", type, "less", name_of(l), log2n};
  add_case<Key, Value>(p, s, name, l, k,
                       [&s](const problem& x) { return sort_with_gpusort(s, x, gpusort::less{}); });
  name.implementation = "cub";
  add_case<Key, Value>(p, s, name, l, k, [&s](const problem& x) { return sort_with_cub(s, x); });
  name.implementation = "gpusort";
  name.compare = "opaque";
  add_case<Key, Value>(p, s, name, l, k, [&s](const problem& x) {
    return sort_with_gpusort(s, x, bench::opaque_less{});
  });
}

template <class Key, class Value = no_value>
void add_all(bench::program& p, segments& s, const char* type) {
  add_cases<Key, Value>(p, s, type, 26, lengths::even, 16);
  for (int log2k : {10, 16, 20}) {
    for (auto l : {lengths::uniform, lengths::power_law}) {
      add_cases<Key, Value>(p, s, type, 26, l, log2k);
    }
  }
  if (p.quick()) return;
  for (int log2k : {0, 12, 14, 18, 22, 24}) {
    add_cases<Key, Value>(p, s, type, 26, lengths::even, log2k);
  }
  add_cases<Key, Value>(p, s, type, 16, lengths::uniform, 10);
  add_cases<Key, Value>(p, s, type, 20, lengths::uniform, 10);
}

}  // namespace

int main(int argc, char** argv) {
  segments s;
  return bench::run(argc, argv, [&](bench::program& p) {
    using std::uint32_t;
    using std::uint64_t;
    add_all<uint32_t>(p, s, "u32");
    add_all<uint64_t>(p, s, "u64");
    add_all<uint32_t, uint32_t>(p, s, "u32_u32");
  });
}
