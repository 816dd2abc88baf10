// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving records by a permutation, of any size and alignment, also over the permutation itself; and
// the bounds that this rests on, which need no GPU. And is_sorted.
#include <algorithm>
#include <cstring>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/is_sorted.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/permutation.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using detail::permutation_scratch;

permutation_scratch scratch_for(std::uint64_t n, std::size_t record_bytes,
                                std::size_t index_bytes) {
  return {n, record_bytes, index_bytes,
          permutation_scratch::bytes_for(n, record_bytes, index_bytes)};
}

TEST(permutation_scratch, launches_stay_below_the_indices_they_read) {
  const std::uint64_t sizes[] = {
      1, 2, 3, 7, 100, 4097, 1000003, std::uint64_t{1} << 28, (std::uint64_t{1} << 33) + 5};
  for (std::size_t record_bytes : {1, 3, 4, 8, 12, 15, 16, 17, 24, 32, 64, 100, 128, 4096}) {
    for (std::size_t index_bytes : {4, 8}) {
      for (std::uint64_t n : sizes) {
        const permutation_scratch s = scratch_for(n, record_bytes, index_bytes);
        ASSERT_GE(s.bytes, n * record_bytes);
        ASSERT_EQ(s.first_index_byte() % index_bytes, 0u);
        int launches = 0;
        for (std::uint64_t begin = 0; begin < n; ++launches) {
          const std::uint64_t end = s.launch_end(begin);
          ASSERT_GT(end, begin);
          ASSERT_LE(end, n);
          ASSERT_LE(end * record_bytes, s.bytes - (n - begin) * index_bytes);
          begin = end;
        }
        if (record_bytes < 2 * index_bytes) {
          EXPECT_EQ(launches, 1);
        } else {
          EXPECT_LE(launches, 5) << record_bytes << ", " << index_bytes << ", " << n;
          EXPECT_LE(s.bytes, n * record_bytes + n * record_bytes / 20 + (16 << 20));
        }
      }
    }
  }
}

TEST(permutation_scratch, gathers_over_the_order) {
  // The launches one after the other, each reading all its indices as late as it may: after all its
  // writes.
  constexpr std::size_t n = 30000;
  using rec = record<16>;
  const permutation_scratch s = scratch_for(n, sizeof(rec), 8);
  const column<rec> in = generate<rec>(distribution::uniform, n, 1);
  std::vector<unsigned char> memory(s.bytes);
  const auto place = [](std::uint64_t i) { return (i * 7919 + 13) % n; };
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t from = place(i);
    std::memcpy(memory.data() + s.first_index_byte() + 8 * i, &from, 8);
  }
  for (std::uint64_t begin = 0; begin < n;) {
    const std::uint64_t end = s.launch_end(begin);
    std::memset(memory.data() + begin * sizeof(rec), 0xEE, (end - begin) * sizeof(rec));
    std::vector<std::uint64_t> order(end - begin);
    std::memcpy(order.data(), memory.data() + s.first_index_byte() + 8 * begin, 8 * (end - begin));
    for (std::uint64_t i = begin; i < end; ++i) {
      ASSERT_EQ(order[i - begin], place(i));
      std::memcpy(memory.data() + i * sizeof(rec), &in[order[i - begin]], sizeof(rec));
    }
    begin = end;
  }
}

TEST(gather, quotients_by_the_reciprocal_are_exact) {
  for (std::uint64_t d = 1; d <= 4096; ++d) {
    const std::uint64_t reciprocal = detail::ceil_div(std::uint64_t{1} << 32, d);
    for (std::uint64_t q = 0; q < 2048 + d; ++q) ASSERT_EQ((q * reciprocal) >> 32, q / d);
  }
}

template <class T>
column<T> gathered(const column<T>& in, const column<std::uint64_t>& order) {
  column<T> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[order[i]];
  return out;
}

template <class T>
bool equal_bytes(const column<T>& a, const column<T>& b) {
  return std::memcmp(static_cast<const void*>(a.data()), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
class gather_of : public gpu_test {};
using records =
    ::testing::Types<record<1>, record<2>, record<3, 1>, record<4>, record<6, 2>, record<8>,
                     record<12>, record<16>, record<16, 16>, record<24>, record<40, 1>, record<64>,
                     record<100>, record<160, 4>, record<1000>, record<4095, 1>, record<4096>>;
TYPED_TEST_SUITE(gather_of, records);

template <class T, class Index>
void expect_gathered(std::size_t n, std::size_t offset) {
  const column<T> in = generate<T>(distribution::uniform, n, seed());
  const column<std::uint64_t> order = permutation<std::uint64_t>(n);
  column<Index> narrow(n);
  std::copy(order.begin(), order.end(), narrow.begin());
  const column<T> expected = gathered(in, order);

  const buffer<T> from(in, offset);
  const buffer<T> to(n, offset);
  const buffer<Index> indices(narrow, 0);
  detail::gather<T, Index>::run(nullptr, from.data(), indices.data(), n, to.data());
  EXPECT_TRUE(equal_bytes(to.read(), expected)) << "n = " << n << ", offset " << offset;
  EXPECT_TRUE(to.intact());

  const permutation_scratch s = scratch_for(n, sizeof(T), sizeof(Index));
  const buffer<unsigned char> memory(s.bytes);
  gpu_memory{}.copy(memory.data() + s.first_index_byte(), narrow.data(), n * sizeof(Index));
  detail::gather<T, Index>::run_in_place(nullptr, from.data(), s, memory.data());
  EXPECT_TRUE(equal_bytes(from.read(), expected)) << "in place, n = " << n;
  EXPECT_TRUE(from.intact() && memory.intact());
}

TYPED_TEST(gather_of, moves_records) {
  const std::size_t largest = small_sizes_only() ? 3000 : (64 << 20) / sizeof(TypeParam) / 4;
  for (std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{1000}, largest}) {
    for (std::size_t offset : {0, 1}) {
      expect_gathered<TypeParam, std::uint32_t>(n, offset);
      expect_gathered<TypeParam, std::uint64_t>(n, offset);
    }
  }
}

class is_sorted : public gpu_test {};

template <class T, class Compare>
int answer(const column<T>& values, Compare compare, cudaStream_t s = nullptr) {
  const buffer<T> range(values, 1);
  const buffer<int> flag(column<int>{7}, 0);
  detail::is_sorted<detail::key_array<T>, Compare>::run(s, {range.data()}, values.size(), compare,
                                                        flag.data());
  EXPECT_TRUE(range.intact() && flag.intact());
  return flag.read()[0];
}

TEST_F(is_sorted, finds_one_disorder_anywhere) {
  using gpusort::less;
  for (std::size_t n : {2, 33, 2048, 2049, 5000, 100003}) {
    column<std::uint32_t> values = generate<std::uint32_t>(distribution::sorted, n, seed());
    EXPECT_EQ(answer(values, less{}), 0);
    EXPECT_EQ(answer(values, gpusort::greater{}), 1);
    for (std::size_t at : {std::size_t{0}, n / 2 - 1, std::min<std::size_t>(n - 2, 2047), n - 2}) {
      std::swap(values[at], values[at + 1]);
      EXPECT_EQ(answer(values, less{}), 1) << "n = " << n << ", at " << at;
      std::swap(values[at], values[at + 1]);
    }
  }
  EXPECT_EQ(answer(column<std::uint32_t>(0), less{}), 0);
  EXPECT_EQ(answer(column<std::uint32_t>{5}, less{}), 0);
  EXPECT_EQ(answer(column<float>{0.0f, -0.0f, 0.0f}, less{}), 0);
}

TEST_F(is_sorted, of_long_elements_loads_none) {
  using rec = record<1000>;
  const auto values = generate<rec>(distribution::reverse, 3000, seed());
  const buffer<rec> range(values, 0);
  const buffer<int> flag(1);
  using order = detail::by_pointee<rec, reference_greater>;
  detail::is_sorted<detail::index_sequence_array<std::uint64_t>, order>::run(
      nullptr, {}, values.size(), {range.data(), {}}, flag.data());
  EXPECT_EQ(flag.read()[0], 0);
}

}  // namespace
}  // namespace kit
