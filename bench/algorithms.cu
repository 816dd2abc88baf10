// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every algorithm forced, next to the router's choice: where one overtakes another. Thrust is in
// bench_sort_u32 and bench_sort_u64.
#include "kit/matrix.hpp"

namespace {

struct small_sort {
  static constexpr const char* name = "small_sort";
  static constexpr auto option = gpusort::algorithm::small_sort;
};
struct radix_sort {
  static constexpr const char* name = "radix_sort";
  static constexpr auto option = gpusort::algorithm::radix_sort;
};
struct sample_sort {
  static constexpr const char* name = "sample_sort";
  static constexpr auto option = gpusort::algorithm::sample_sort;
};
struct quicksort {
  static constexpr const char* name = "quicksort";
  static constexpr auto option = gpusort::algorithm::quicksort;
};
struct merge_sort {
  static constexpr const char* name = "merge_sort";
  static constexpr auto option = gpusort::algorithm::merge_sort;
};
struct bitonic_sort {
  static constexpr const char* name = "bitonic_sort";
  static constexpr auto option = gpusort::algorithm::bitonic_sort;
};

template <class Algorithm>
struct forced {
  template <bool, class Key, class Value, class Compare>
  class sorter {
   public:
    static constexpr const char* name = Algorithm::name;

    sorter(bench::workspace&, const bench::problem<Key, Value>& p, Compare compare)
        : p_(p), compare_(compare) {}

    void operator()() const {
      gpusort::sort(gpusort::par_gpu.with(Algorithm::option), p_.keys, p_.keys + p_.n, compare_);
    }

    bench::sorted_output<Key, Value> result() const { return {p_.keys, p_.values}; }
    void describe(benchmark::State&) const {}

   private:
    bench::problem<Key, Value> p_;
    Compare compare_;
  };
};

constexpr int most_for_one_block = 13;
constexpr int most_for_a_network = 24;

template <class Key>
void add_algorithms(bench::program& p, const char* type) {
  using bench::no_value;
  const bench::case_name less{"algorithm", "", type, "less", "", 0};
  const bench::case_name opaque{"algorithm", "", type, "opaque", "", 0};
  for (int log2n = 10; log2n <= 28; log2n += p.quick() ? 2 : 1) {
    const bench::input where{kit::distribution::uniform, log2n};
    p.add<bench::gpusort_sorter, false, Key, no_value>(less, where, gpusort::less{});
    p.add<forced<radix_sort>::sorter, false, Key, no_value>(less, where, gpusort::less{});
    p.add<forced<sample_sort>::sorter, false, Key, no_value>(less, where, gpusort::less{});

    p.add<bench::gpusort_sorter, false, Key, no_value>(opaque, where, bench::opaque_less{});
    if (log2n <= most_for_one_block) {
      p.add<forced<small_sort>::sorter, false, Key, no_value>(opaque, where, bench::opaque_less{});
    }
    p.add<forced<sample_sort>::sorter, false, Key, no_value>(opaque, where, bench::opaque_less{});
    p.add<forced<quicksort>::sorter, false, Key, no_value>(opaque, where, bench::opaque_less{});
    p.add<forced<merge_sort>::sorter, false, Key, no_value>(opaque, where, bench::opaque_less{});
    if (log2n <= most_for_a_network) {
      p.add<forced<bitonic_sort>::sorter, false, Key, no_value>(opaque, where,
                                                                bench::opaque_less{});
    }
  }
}

/// Adds cases where quicksort's pivots, or sample sort's splitters, meet other than uniform keys.
void add_distributions(bench::program& p) {
  using bench::no_value;
  const bench::case_name opaque{"algorithm", "", "u32", "opaque", "", 0};
  for (auto d : bench::benchmark_distributions) {
    if (d == kit::distribution::uniform) continue;  // among the sizes
    const bench::input where{d, 26};
    p.add<forced<quicksort>::sorter, false, std::uint32_t, no_value>(opaque, where,
                                                                     bench::opaque_less{});
    p.add<forced<sample_sort>::sorter, false, std::uint32_t, no_value>(opaque, where,
                                                                       bench::opaque_less{});
  }
}

/// Records by the comparator, which compares a member, and by sample sort alone, as if it did not.
template <int Bytes>
void add_records(bench::program& p) {
  using type = bench::record<Bytes>;
  using bench::no_value;
  const bench::case_name name{"algorithm", "", "record" + std::to_string(Bytes), "opaque", "", 0};
  for (int log2n = 20; log2n <= 26; log2n += p.quick() ? 2 : 1) {
    const bench::input where{kit::distribution::uniform, log2n};
    p.add<bench::gpusort_sorter, false, type, no_value>(name, where, bench::opaque_less{});
    p.add<forced<sample_sort>::sorter, false, type, no_value>(name, where, bench::opaque_less{});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    add_algorithms<std::uint32_t>(p, "u32");
    add_algorithms<std::uint64_t>(p, "u64");
    add_distributions(p);
    add_records<32>(p);
    add_records<64>(p);
    add_records<128>(p);
  });
}
