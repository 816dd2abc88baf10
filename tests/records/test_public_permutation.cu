// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// apply_permutation and its inverse on a device: with scratch, by cycles, and with indices that are
// no permutation.
#include <algorithm>
#include <cstdint>
#include <gpusort/permutation.hpp>
#include <gpusort/sort.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/stream_test.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;

template <class Index>
column<Index> shuffled(std::size_t n) {
  column<Index> p(n);
  std::iota(p.begin(), p.end(), Index{0});
  for (std::size_t i = n; i > 1; --i) std::swap(p[i - 1], p[random_at(seed(), i) % i]);
  return p;
}

struct all_calls {
  template <class... Arguments>
  static void apply(bool inverse, const Arguments&... arguments) {
    if (inverse) {
      gpusort::apply_inverse_permutation(arguments...);
    } else {
      gpusort::apply_permutation(arguments...);
    }
  }
};

/// A range of elements of T, one of bytes, and indices.
template <class T, class Index>
class permuted_ranges {
 public:
  explicit permuted_ranges(std::size_t n, memory_kind kind = memory_kind::device,
                           memory_kind indices_kind = memory_kind::device)
      : elements_(generate<T>(distribution::uniform, n, seed())),
        bytes_(generate<std::uint8_t>(distribution::uniform, n, seed())),
        order_(shuffled<Index>(n)),
        data_(elements_, 1, gpu_memory{kind}),
        values_(bytes_, 3, gpu_memory{kind}),
        indices_(order_, 1, gpu_memory{indices_kind}) {}

  void spoil(std::size_t at, Index wrong) {
    order_[at] = wrong;
    indices_.write(order_);
  }

  template <class Policy>
  void apply(bool inverse, const Policy& policy) const {
    all_calls::apply(inverse, policy, data_.begin(), data_.end(), indices_.begin(),
                     values_.begin());
  }

  ::testing::AssertionResult is_permuted(bool inverse) const {
    const auto data = data_.read();
    const auto values = values_.read();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto there = static_cast<std::size_t>(order_[i]);
      const std::size_t to = inverse ? there : i, from = inverse ? i : there;
      if (!same_bytes(data[to], elements_[from]) || values[to] != bytes_[from]) {
        return ::testing::AssertionFailure() << to << " of " << data.size();
      }
    }
    return is_intact();
  }

  ::testing::AssertionResult is_untouched() const {
    const auto data = data_.read();
    const auto values = values_.read();
    if (!std::equal(data.begin(), data.end(), elements_.begin(), same_bytes<T>) ||
        !std::equal(values.begin(), values.end(), bytes_.begin())) {
      return ::testing::AssertionFailure() << "something moved, n = " << data.size();
    }
    return is_intact();
  }

 private:
  ::testing::AssertionResult is_intact() const {
    const auto indices = indices_.read();
    if (!std::equal(indices.begin(), indices.end(), order_.begin())) {
      return ::testing::AssertionFailure() << "the indices have changed";
    }
    if (!data_.intact() || !values_.intact() || !indices_.intact()) {
      return ::testing::AssertionFailure() << "written outside";
    }
    return ::testing::AssertionSuccess();
  }

  column<T> elements_;
  column<std::uint8_t> bytes_;
  column<Index> order_;
  buffer<T> data_;
  buffer<std::uint8_t> values_;
  buffer<Index> indices_;
};

std::vector<std::size_t> every_size() {
  std::vector<std::size_t> sizes = {0,    1,    2,    3,    31,   1023, 1024,
                                    1025, 2048, 4095, 4096, 4097, 20001};
  if (!small_sizes_only()) sizes.insert(sizes.end(), {65536, 1000003});
  return sizes;
}

template <class Types>
class permutations : public stream_test {};
using subjects =
    ::testing::Types<std::pair<std::uint32_t, std::int32_t>, std::pair<record<24>, std::uint64_t>>;
TYPED_TEST_SUITE(permutations, subjects);

template <class Types>
using ranges_of = permuted_ranges<typename Types::first_type, typename Types::second_type>;

TYPED_TEST(permutations, with_a_copy_and_by_cycles) {
  for (std::size_t n : every_size()) {
    for (bool inverse : {false, true}) {
      const ranges_of<TypeParam> copied(n), cycles(n), starved(n);
      copied.apply(inverse, par_gpu);
      EXPECT_TRUE(copied.is_permuted(inverse));
      cycles.apply(inverse, par_gpu_nosync.with(gpusort::in_place).on(this->stream_));
      cuda_ok(cudaStreamSynchronize(this->stream_));
      EXPECT_TRUE(cycles.is_permuted(inverse));
      counting_allocator allocator;
      allocator.fail(1, 2);  // the copy
      starved.apply(inverse, par_gpu(allocator));
      EXPECT_TRUE(starved.is_permuted(inverse));
      EXPECT_TRUE(allocator.clean());
    }
  }
}

TYPED_TEST(permutations, in_any_memory) {
  for (memory_kind kind : every_memory_kind) {
    for (memory_kind indices_kind : every_memory_kind) {
      for (bool inverse : {false, true}) {
        const ranges_of<TypeParam> ranges(5000, kind, indices_kind);
        ranges.apply(inverse, par_gpu.with(gpusort::keep_input, gpusort::verify));
        EXPECT_TRUE(ranges.is_permuted(inverse)) << name_of(kind) << name_of(indices_kind);
      }
    }
  }
}

TYPED_TEST(permutations, move_nothing_without_memory) {
  for (std::size_t n : {100, 5000}) {
    for (std::size_t first : {0, 1}) {
      for (bool inverse : {false, true}) {
        if (n <= 4096 && first == 1 && !inverse) continue;  // takes none
        const ranges_of<TypeParam> ranges(n);
        counting_allocator allocator;
        allocator.fail(first);
        EXPECT_THROW(ranges.apply(inverse, par_gpu(allocator)), gpusort::out_of_memory);
        EXPECT_TRUE(ranges.is_untouched());
        EXPECT_TRUE(allocator.clean());
      }
    }
  }
}

template <class Index, class Test>
void for_each_wrong_index(std::size_t n, const Test& test) {
  for (std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
    test(at, static_cast<Index>(n));
    test(at, static_cast<Index>(-1));
    test(at, static_cast<Index>(Index{1} << (8 * sizeof(Index) - 2)));
    if (at > 0) test(at, shuffled<Index>(n)[0]);  // twice
  }
}

TYPED_TEST(permutations, move_nothing_by_indices_that_are_none) {
  using index = typename TypeParam::second_type;
  for (std::size_t n : {1, 100, 5000}) {
    for_each_wrong_index<index>(n, [&](std::size_t at, index wrong) {
      for (bool inverse : {false, true}) {
        ranges_of<TypeParam> ranges(n);
        ranges.spoil(at, wrong);
        ranges.apply(inverse, par_gpu);
        EXPECT_TRUE(ranges.is_untouched());
        ranges.apply(inverse, par_gpu.with(gpusort::in_place));
        EXPECT_TRUE(ranges.is_untouched());
        EXPECT_THROW(ranges.apply(inverse, par_gpu.with(gpusort::verify)), std::invalid_argument);
        EXPECT_TRUE(ranges.is_untouched());
      }
    });
  }
}

TYPED_TEST(permutations, refuse_indices_of_the_host_that_are_none) {
  using index = typename TypeParam::second_type;
  for (memory_kind kind : {memory_kind::device, memory_kind::pageable}) {
    for_each_wrong_index<index>(100, [&](std::size_t at, index wrong) {
      for (bool inverse : {false, true}) {
        ranges_of<TypeParam> ranges(100, kind, memory_kind::pageable);
        ranges.spoil(at, wrong);
        EXPECT_THROW(ranges.apply(inverse, par_gpu_nosync), std::invalid_argument);
        EXPECT_TRUE(ranges.is_untouched());
      }
    });
  }
}

TYPED_TEST(permutations, are_captured) {
  for (std::size_t n : {100, 5000}) {
    for (bool inverse : {false, true}) {
      const ranges_of<TypeParam> ranges(n);
      const graph recorded(this->stream_,
                           [&] { ranges.apply(inverse, par_gpu_nosync.on(this->stream_)); });
      recorded.launch(this->stream_);
      EXPECT_TRUE(ranges.is_permuted(inverse));
    }
  }
}

}  // namespace
}  // namespace kit
