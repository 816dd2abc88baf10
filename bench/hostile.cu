// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys that mislead the samples of a seed that is known, at every power of two.
#include "kit/matrix.hpp"

namespace {

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
void add_sorts(bench::program& p, const char* order, Compare compare, OfThrust of_thrust) {
  using bench::no_value;
  const bench::case_name name{Stable ? "stable_sort" : "sort", "", "u32", order, "", 0};
  for (int log2n = least_log2n; log2n <= most_log2n; ++log2n) {
    const bench::input where{kit::distribution::uniform, log2n, true};
    p.add<bench::gpusort_sorter, Stable, key, no_value>(name, where, compare);
    p.add<deterministic_sorter, Stable, key, no_value>(name, where, compare);
    p.add<bench::thrust_sorter, Stable, key, no_value>(name, where, of_thrust);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    const bench::opaque_less opaque;
    add_sorts<false>(p, "less", gpusort::less{}, thrust::less<key>{});
    add_sorts<false>(p, "opaque", opaque, opaque);
    add_sorts<true>(p, "opaque", opaque, opaque);
  });
}
