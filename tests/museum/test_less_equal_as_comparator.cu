// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `<=` in the place of `<` (NVIDIA/thrust#933) on every route of a device: no element is lost, the
// call returns, and the range is sorted. The routes are those that sorting/test_sort_opaque_32.cu
// compiles.
#include "../kit/subject.hpp"

namespace kit {

class less_equal_as_comparator : public gpu_test {};

TEST_F(less_equal_as_comparator, sorts_on_every_route) {
  using hidden = subject<std::uint32_t, opaque>;
  for (std::size_t n : route_sizes()) {
    for (const call& how : every_route<std::uint32_t, opaque>(n)) {
      for (auto d : some_of({distribution::few_distinct, distribution::all_equal,
                             distribution::sorted, distribution::uniform})) {
        const sort_case c = make_case(d, n);
        const auto range = make_input<hidden>(c);
        hidden::run(how, range.begin(), range.end(), opaque(behavior::less_or_equal));
        const findings f = examine_output<hidden>(c, range, opaque(), promise::order);
        ASSERT_TRUE(f.ok()) << how << " of " << c << ": " << f;
      }
    }
  }
}

}  // namespace kit
