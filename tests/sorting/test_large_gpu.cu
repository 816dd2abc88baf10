// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of many millions of elements, and of more than 2^32.
#include "../kit/subject.hpp"

namespace kit {
namespace {

class large : public gpu_test {
 protected:
  void SetUp() override {
    gpu_test::SetUp();
    if (!IsSkipped() && small_sizes_only()) GTEST_SKIP() << "GPUSORT_TEST_SMALL";
  }
};

template <class T, class Compare>
void sort_huge(bool stable, std::initializer_list<distribution> shapes) {
  call how;
  how.stable = stable;
  for (std::size_t n : huge_sizes()) {
    for (auto d : shapes) ASSERT_TRUE((sorts<subject<T, Compare>>(make_case(d, n), how)));
  }
}

TEST_F(large, seen_through) {
  for (auto d : every_distribution) sort_huge<std::uint32_t, gpusort::less>(false, {d});
  sort_huge<std::uint64_t, gpusort::less>(false, {distribution::staggered});
  sort_huge<float, gpusort::greater>(false, {distribution::special});
}

TEST_F(large, opaque_32) {
  for (auto d : every_distribution) sort_huge<std::uint32_t, opaque>(false, {d});
}

TEST_F(large, opaque_others) {
  sort_huge<std::uint64_t, opaque>(
      false, {distribution::uniform, distribution::few_distinct, distribution::gaussian});
  sort_huge<record<16>, opaque>(false, {distribution::uniform, distribution::organ_pipe});
  sort_huge<record<64>, opaque>(false, {distribution::uniform});
}

TEST_F(large, stable) {
  sort_huge<record<16>, opaque>(true, {distribution::uniform, distribution::few_distinct});
}

template <class Compare>
void sort_beyond_32_bits(const call& how) {
  using bytes = subject<std::uint8_t, Compare>;
  const std::size_t n = (std::size_t{1} << 32) + 5;
  if (free_device_memory() < 5 * n + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough device memory";
  }
  for (auto d : {distribution::uniform, distribution::reverse}) {
    sort_case c = make_case(d, n);
    const auto range = make_input<bytes>(c);
    const checksum before = bytes::sum(range.data(), n);
    bytes::run(how, range.begin(), range.end(), Compare{});
    findings f = bytes::examine(before, range.data(), n, Compare{}, promise::order);
    f.zones_intact = range.intact();
    EXPECT_TRUE(f.ok()) << how << " of " << c << ": " << f;
  }
  gpusort::release_scratch();
}

TEST_F(large, beyond_32_bits_seen_through) { sort_beyond_32_bits<gpusort::less>(call{}); }

TEST_F(large, beyond_32_bits_opaque) { sort_beyond_32_bits<opaque>(call{}); }

TEST_F(large, beyond_32_bits_opaque_stable) {
  call how;
  how.stable = true;
  sort_beyond_32_bits<opaque>(how);
}

TEST_F(large, segments_beyond_32_bits) {
  using bytes = subject<std::uint8_t, opaque>;
  const std::size_t n = (std::size_t{1} << 32) + 5;
  if (free_device_memory() < 5 * n + (std::size_t{1} << 30)) {
    GTEST_SKIP() << "not enough device memory";
  }
  const auto range = make_input<bytes>(make_case(distribution::uniform, n));
  const std::int64_t around = std::int64_t{1} << 32;
  const std::vector<std::int64_t> offsets = {3,          1000,       around / 2 + 7,
                                             around - 9, around - 9, around + 2};
  const auto examine_each = [&](auto examine) {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      examine(i, range.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
  };
  std::vector<checksum> before;
  examine_each(
      [&](std::size_t, auto* data, std::size_t m) { before.push_back(bytes::sum(data, m)); });
  gpusort::segmented_sort(gpusort::par_gpu, range.begin(), range.end(), offsets.begin(),
                          offsets.end(), opaque{});
  examine_each([&](std::size_t i, auto* data, std::size_t m) {
    const findings f = bytes::examine(before[i], data, m, opaque{}, promise::order);
    EXPECT_TRUE(f.ok()) << "segment " << i << ": " << f;
  });
  EXPECT_TRUE(range.intact());
  gpusort::release_scratch();
}

}  // namespace
}  // namespace kit
