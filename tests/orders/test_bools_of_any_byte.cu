// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On the routes of a device. For the device that is the CPU the compiler traps what is read as a
// bool (device_on_cpu/CMakeLists.txt).
#include "bools_of_any_byte.hpp"

#include <gpusort/detail/algorithm/radix_sort.hpp>

#include "../kit/device.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

class bools_of_any_byte : public gpu_test {
 protected:
  static std::vector<std::size_t> sizes() {
    if (small_sizes_only()) return {1, 100, 4099, 20011};
    return {1, 2, 100, 1000, 4099, 70000, 300007, 3000000};
  }
};

TEST_F(bools_of_any_byte, are_sorted) {
  for (std::size_t n : sizes()) {
    expect_bools_sort(par_gpu, n);
    expect_bools_sort(par_gpu, n, gpusort::greater{}, false);
  }
}

TEST_F(bools_of_any_byte, are_sorted_stably) {
  for (std::size_t n : sizes()) expect_bools_sort_stably(par_gpu, n);
}

TEST_F(bools_of_any_byte, are_sorted_by_key) {
  for (std::size_t n : sizes()) expect_bools_sort_by_key(par_gpu, n);
}

TEST_F(bools_of_any_byte, are_true_or_false_to_a_comparator) {
  for (std::size_t n : sizes()) expect_bools_sort_stably(par_gpu, n, trues_first{}, false);
}

/// Expects the partition itself, in place and not, with one value and none.
template <class Value, bool Descending>
void expect_partition(std::size_t n, bool in_place, const std::vector<Value>& values) {
  using sorter = gpusort::detail::radix_sort<bool, Value, Descending>;
  const bytes in = bytes_of_bools(n);
  const buffer<unsigned char> keys(column_of(in), 1), keys_out(n, 1);
  const buffer<Value> of_keys(column_of(values), 1), values_out(n, 1);
  const auto& to = in_place ? keys : keys_out;
  const auto& values_to = in_place ? of_keys : values_out;
  const buffer<unsigned char> scratch(sorter::scratch_bytes(n, in_place));
  sorter::run(nullptr, reinterpret_cast<const bool*>(keys.data()), of_keys.data(),
              reinterpret_cast<bool*>(to.data()), values_to.data(), n, scratch.data());
  EXPECT_EQ(vector_of(to.read()), stably_sorted(in, !Descending)) << n;
  std::vector<Value> expected = values;
  std::stable_partition(expected.begin(), expected.end(),
                        [&](const Value& v) { return (in[v.place] == 0) != Descending; });
  const auto found = values_to.read();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i].place, expected[i].place) << n;
  EXPECT_TRUE(to.intact() && values_to.intact() && scratch.intact());
}

struct placed {
  std::uint64_t place;
  unsigned char more[8];
};

TEST_F(bools_of_any_byte, are_partitioned) {
  for (std::size_t n : sizes()) {
    std::vector<placed> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i].place = i;
    for (bool in_place : {true, false}) {
      expect_partition<placed, false>(n, in_place, values);
      expect_partition<placed, true>(n, in_place, values);
    }
  }
}

}  // namespace
}  // namespace kit
