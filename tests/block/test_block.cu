// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys inside a kernel.
#include <gpusort/block.hpp>

#include "block_segments.hpp"

namespace {

using gpusort::no_value;
using kit::distribution;
using kit::entry;
using kit::opaque;

template <class Key, int ThreadsPerBlock, int ItemsPerThread, class Compare>
using keys_config = kit::tile_config<Key, no_value, ThreadsPerBlock, ItemsPerThread, Compare>;

/// Sorts segments of all lengths and examines each.
template <class Config>
void sort_and_examine(entry e, distribution d, typename Config::compare compare,
                      kit::promise promised) {
  using key = typename Config::key;
  const std::vector<int> offsets =
      kit::offsets_of(kit::segment_lengths<Config>(kit::takes_any_length(e)));
  const auto n = static_cast<std::size_t>(offsets.back());
  kit::column<key> input(n);
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const auto length = static_cast<std::size_t>(offsets[b + 1] - offsets[b]);
    const kit::column<key> part = kit::generate<key>(d, length, kit::seed() + b);
    std::copy(part.begin(), part.end(), input.begin() + offsets[b]);
  }
  const kit::buffer<key> data(input, 1), spare(n);
  kit::sort_segments<Config>(e, {data.data(), spare.data(), nullptr, nullptr, nullptr}, offsets,
                             compare);

  const kit::column<key> output = data.read();
  ASSERT_TRUE(data.intact() && spare.intact());
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const auto f =
        kit::examine(kit::part_of(input, offsets[b], offsets[b + 1]),
                     kit::part_of(output, offsets[b], offsets[b + 1]), compare, promised);
    ASSERT_TRUE(f.ok()) << kit::name_of(e) << ", " << d << ", n = " << offsets[b + 1] - offsets[b]
                        << ": " << f;
  }
}

template <class Config>
class block_sort_of : public kit::gpu_test {};
using configs = ::testing::Types<
    keys_config<std::uint8_t, 64, 4, gpusort::less>,
    keys_config<std::int16_t, 64, 4, gpusort::greater>,
    keys_config<std::int32_t, 256, 8, gpusort::greater>, keys_config<float, 64, 20, gpusort::less>,
    keys_config<std::uint64_t, 128, 8, opaque>, keys_config<std::uint32_t, 96, 16, opaque>,
    keys_config<kit::record<12>, 64, 5, opaque>, keys_config<kit::record<32>, 64, 1, opaque>,
    keys_config<kit::record<100>, 64, 3, opaque>, keys_config<kit::record<256>, 128, 2, opaque>>;
TYPED_TEST_SUITE(block_sort_of, configs);

TYPED_TEST(block_sort_of, any_length_and_distribution) {
  kit::for_every_entry<typename TypeParam::key>(
      [](auto e, auto d, auto promised) { sort_and_examine<TypeParam>(e, d, {}, promised); });
}

template <class Config>
class block_sort_liars : public kit::gpu_test {};
using liar_configs = ::testing::Types<keys_config<std::uint64_t, 128, 8, opaque>,
                                      keys_config<std::uint32_t, 96, 16, opaque>,
                                      keys_config<kit::record<100>, 64, 3, opaque>>;
TYPED_TEST_SUITE(block_sort_liars, liar_configs);

TYPED_TEST(block_sort_liars, keep_a_permutation) {
  const kit::shared_counter counter;
  for (auto e : kit::every_entry) {
    for (auto behavior : kit::every_inconsistent_comparator) {
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      sort_and_examine<TypeParam>(e, distribution::uniform, inconsistent,
                                  kit::promise::permutation);
      if (this->HasFatalFailure()) return;
    }
  }
}

}  // namespace
