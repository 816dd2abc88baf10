// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ought to be slow: keys that mislead the samples of a seed that is known, and comparators
// that are slow, look keys up, or are nearly `<`. At every power of two.
#include "kit/matrix.hpp"

namespace {

/// `<`, by so many instructions more that comparisons are all that counts.
struct slow_less {
  static constexpr int rounds = 30;

  GPUSORT_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const {
    // No compiler knows that this changes nothing: a state that is not 0 never becomes 0.
    return (a | vanishes(a)) < (b | vanishes(b));
  }

 private:
  static GPUSORT_HOST_DEVICE std::uint32_t vanishes(std::uint32_t x) {
    std::uint64_t state = x | std::uint64_t{1} << 32;
    for (int i = 0; i < rounds; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
    }
    return state == 0 ? 1 : 0;
  }
};

constexpr int log_table = 22;
__device__ std::uint32_t table[1 << log_table];

__global__ void fill_table_kernel() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = static_cast<std::uint32_t>(kit::random_at(7, i));
}

/// By what a table of 16 MB says of a key.
struct by_table {
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return table[a >> (32 - log_table)] < table[b >> (32 - log_table)];
  }
};

/// `<`, but that one key in a thousand is below all others.
struct nearly_less {
  static GPUSORT_HOST_DEVICE std::uint64_t rank(std::uint32_t key) {
    return key % 1000 == 7 ? key : std::uint64_t{1} << 32 | key;
  }
  GPUSORT_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const {
    return rank(a) < rank(b);
  }
};

/// Takes its samples where everybody knows.
template <bool Stable, class Key, class Value, class Compare>
class deterministic_sorter {
 public:
  static constexpr const char* name = "gpusort_deterministic";

  deterministic_sorter(bench::workspace&, const bench::problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {}

  void operator()() const {
    const auto policy = gpusort::par_gpu.with(gpusort::deterministic);
    if constexpr (Stable) {
      gpusort::stable_sort(policy, p_.keys, p_.keys + p_.n, compare_);
    } else {
      gpusort::sort(policy, p_.keys, p_.keys + p_.n, compare_);
    }
  }

  bench::sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }
  void describe(benchmark::State&) const {}

 private:
  bench::problem<Key, Value> p_;
  Compare compare_;
};

constexpr int least_log2n = 10, most_log2n = 26;

using key = std::uint32_t;

/// `of_thrust` is what Thrust knows `compare` as.
template <bool Stable, class Compare, class OfThrust>
void add_sorts(bench::program& p, const char* order, bool misleads_samples, Compare compare,
               OfThrust of_thrust) {
  using bench::no_value;
  const bench::case_name name{Stable ? "stable_sort" : "sort", "", "u32", order, "", 0};
  for (int log2n = least_log2n; log2n <= most_log2n; ++log2n) {
    const bench::input where{kit::distribution::uniform, log2n, misleads_samples};
    p.add<bench::gpusort_sorter, Stable, key, no_value>(name, where, compare);
    if (misleads_samples) p.add<deterministic_sorter, Stable, key, no_value>(name, where, compare);
    p.add<bench::thrust_sorter, Stable, key, no_value>(name, where, of_thrust);
  }
}

template <class Compare>
void add_comparator(bench::program& p, const char* order, Compare compare) {
  add_sorts<false>(p, order, false, compare, compare);
  add_sorts<true>(p, order, false, compare, compare);
}

}  // namespace

template <>
inline constexpr bool bench::is_another_order<by_table> = true;
template <>
inline constexpr bool bench::is_another_order<nearly_less> = true;

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    const bench::opaque_less opaque;
    add_sorts<false>(p, "less", true, gpusort::less{}, thrust::less<key>{});
    add_sorts<false>(p, "opaque", true, opaque, opaque);
    add_sorts<true>(p, "opaque", true, opaque, opaque);
    add_comparator(p, "slow", slow_less{});
    fill_table_kernel<<<(1 << log_table) / 256, 256>>>();
    add_comparator(p, "by_table", by_table{});
    add_comparator(p, "nearly_less", nearly_less{});
  });
}
