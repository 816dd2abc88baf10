// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public merges compiled by a C++ compiler: they run on the CPU.
#include <stdexcept>

#include "../kit/environment.hpp"
#include "../kit/merge_public_api.hpp"

namespace kit {
namespace {

TEST(merge_public_api, numbers) {
  merges_public_api<std::uint32_t>(gpusort::less{}, reference_less{});
  merges_public_api<float>(gpusort::greater{}, reference_greater{});
}
TEST(merge_public_api, awkward_floats) {
  const auto runs =
      make_runs<float>(distribution::special, offsets_of(shape::ragged, 7, 5000), reference_less{});
  EXPECT_TRUE(
      merge_public_api(runs, gpusort::less{}, merged<float>::stably(runs, reference_less{})));
}
TEST(merge_public_api, records) {
  merges_public_api<record<16>>(opaque(behavior::coarse), opaque(behavior::coarse));
  merges_public_api<record<100>>(opaque(), opaque());
}
TEST(merge_public_api, inconsistent_comparators) { merge_inconsistent_comparators_public_api(); }
TEST(merge_public_api, by_key) { merge_by_key_public_api(); }
TEST(merge_public_api, iterators) { merge_iterators_public_api(); }
TEST(merge_public_api, bad_input) { merge_bad_input_public_api(); }

TEST(merge_public_api, what_a_comparator_throws_propagates) {
  const auto runs = make_runs<std::uint32_t>(distribution::uniform,
                                             offsets_of(shape::equal, 5, 9001), reference_less{});
  const guarded<std::uint32_t> data(runs.all, 0), out(9001, 0);
  const auto comp = [](std::uint32_t a, std::uint32_t b) {
    if (a % 97 == 0) throw std::runtime_error("a comparator's own");
    return a < b;
  };
  EXPECT_THROW(gpusort::multiway_merge(gpusort::par_gpu, data.begin(), runs.offsets.begin(),
                                       runs.offsets.end(), out.begin(), comp),
               std::runtime_error);
  EXPECT_TRUE(same_elements(data.read(), runs.all));
  EXPECT_THROW(
      gpusort::inplace_merge(gpusort::par_gpu, data.begin(), data.begin() + runs.offsets[1],
                             data.begin() + runs.offsets[2], comp),
      std::runtime_error);
  EXPECT_TRUE(same_multiset(data.read(), runs.all));
}

}  // namespace
}  // namespace kit
