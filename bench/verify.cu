// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpusort::verify adds to a sort.
#include "kit/matrix.hpp"

namespace {

template <bool Stable, class Key, class Value, class Compare>
class verified_sorter {
 public:
  static constexpr const char* name = "gpusort_verified";

  verified_sorter(bench::workspace&, const bench::problem<Key, Value>& p, Compare compare)
      : p_(p), compare_(compare) {}

  void operator()() const {
    gpusort::sort(gpusort::par_gpu.with(gpusort::verify), p_.keys, p_.keys + p_.n, compare_);
  }

  bench::sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }
  void describe(benchmark::State&) const {}

 private:
  bench::problem<Key, Value> p_;
  Compare compare_;
};

template <class Key>
void add_verified(bench::program& p, const char* type) {
  for (const bench::input& where : bench::inputs(p, bench::weight::few, sizeof(Key))) {
    const bench::case_name name{"verify", "", type, "less", "", 0};
    p.add<bench::gpusort_sorter, false, Key, bench::no_value>(name, where, gpusort::less{});
    p.add<verified_sorter, false, Key, bench::no_value>(name, where, gpusort::less{});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    add_verified<std::uint32_t>(p, "u32");
    add_verified<std::uint64_t>(p, "u64");
  });
}
