// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 002's radix sort of records (bench/papers): layouts, directly and indirectly.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/sizes.hpp"
#include "papers/grs_radix_sort.hpp"

namespace kit {
namespace {

using papers::grs_radix_sort;
using papers::record_arrays;
using word = std::uint32_t;

enum class layout { by_field, by_record, hybrid };
enum class moves { directly, indirectly };

/// Holds what is sorted. A record is told by its fields but the key.
struct record_set {
  std::size_t n;
  int fields;
  column<word> keys;

  record_set(distribution d, std::size_t count, int field_count)
      : n(count), fields(field_count), keys(generate<word>(d, count, seed())) {}

  word at(std::size_t i, int field) const {
    return field == 0 ? keys[i] : static_cast<word>(random_at(i, static_cast<unsigned>(field)));
  }
};

/// Records on the device, the arrays of which begin `offset` words after where they are aligned.
class stored_records {
 public:
  stored_records(layout how, std::size_t n, int fields, std::size_t offset)
      : how_(how), n_(n), fields_(fields) {
    arrays_.reserve(static_cast<std::size_t>(fields));
    const auto words = static_cast<std::size_t>(fields);
    if (how == layout::by_record) {
      arrays_.emplace_back(n * words, offset);
    } else if (how == layout::hybrid) {
      arrays_.emplace_back(n, offset);
      arrays_.emplace_back(n * (words - 1), offset);
    } else {
      for (int j = 0; j < fields; ++j) arrays_.emplace_back(n, offset);
    }
  }

  void write(const record_set& from) {
    std::vector<column<word>> all;
    for (const auto& array : arrays_) all.emplace_back(array.size());
    for_each_word([&](std::size_t i, int j, std::size_t array, std::size_t at) {
      all[array][at] = from.at(i, j);
    });
    for (std::size_t a = 0; a < all.size(); ++a) arrays_[a].write(all[a]);
  }

  /// Expects record i to be what record order[i] was, and nothing to have been written elsewhere.
  void expect(const record_set& from, const std::vector<std::size_t>& order) const {
    std::vector<column<word>> all;
    for (const auto& array : arrays_) {
      EXPECT_TRUE(array.intact());
      all.push_back(array.read());
    }
    std::size_t wrong = 0;
    for_each_word([&](std::size_t i, int j, std::size_t array, std::size_t at) {
      if (all[array][at] == from.at(order[i], j) || ++wrong > 1) return;
      ADD_FAILURE() << "field " << j << " of record " << i;
    });
    ASSERT_EQ(wrong, 0u) << "words that are wrong, of " << n_ << " records of " << fields_
                         << " fields";
  }

  record_arrays arrays() const {
    switch (how_) {
      case layout::by_record:
        return record_arrays::by_record(arrays_[0].begin(), fields_);
      case layout::hybrid:
        return record_arrays::hybrid(arrays_[0].begin(), arrays_[1].begin(), fields_);
      default: {
        std::vector<word*> columns;
        for (const auto& array : arrays_) columns.push_back(array.begin());
        return record_arrays::by_field(columns.data(), fields_);
      }
    }
  }

 private:
  /// Calls visit(record, field, array, position in the array).
  template <class Visit>
  void for_each_word(Visit visit) const {
    const auto words = static_cast<std::size_t>(fields_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < words; ++j) {
        const int field = static_cast<int>(j);
        if (how_ == layout::by_record) {
          visit(i, field, 0, i * words + j);
        } else if (how_ == layout::hybrid && j > 0) {
          visit(i, field, 1, i * (words - 1) + j - 1);
        } else {
          visit(i, field, j, i);
        }
      }
    }
  }

  layout how_;
  std::size_t n_;
  int fields_;
  std::vector<buffer<word>> arrays_;
};

void expect_sorted(layout how, moves what, distribution d, std::size_t n, int fields,
                   std::size_t offset) {
  SCOPED_TRACE(::testing::Message() << d << ", n " << n << ", offset " << offset);
  const record_set input(d, n, fields);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<std::size_t> as_it_was = order;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return input.keys[a] < input.keys[b]; });

  stored_records records(how, n, fields, offset), others(how, n, fields, 0);
  records.write(input);
  const bool is_direct = what == moves::directly;
  const buffer<unsigned char> scratch(is_direct ? grs_radix_sort::direct_scratch_bytes(n)
                                                : grs_radix_sort::indirect_scratch_bytes(n));
  if (is_direct) {
    grs_radix_sort::sort_directly(nullptr, records.arrays(), others.arrays(), n, scratch.begin());
  } else {
    grs_radix_sort::sort_indirectly(nullptr, records.arrays(), others.arrays(), n, scratch.begin());
  }
  cuda_ok(cudaDeviceSynchronize());
  EXPECT_TRUE(scratch.intact());
  records.expect(input, is_direct ? order : as_it_was);
  if (!is_direct) others.expect(input, order);
}

constexpr std::size_t tile = papers::grs_items_per_tile;
constexpr distribution hard[] = {distribution::uniform,
                                 distribution::few_distinct,
                                 distribution::all_equal,
                                 distribution::sorted,
                                 distribution::reverse,
                                 distribution::staggered,
                                 distribution::randomized_duplicates};

/// Expects all sizes around a tile and two to be sorted, by all field counts; the distributions
/// take turns.
void expect_all_sorted(layout how, moves what) {
  std::size_t turn = 0;
  for (const int fields : {1, 2, 3, 4, 5, 7, 16, 20}) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, tile - 1, tile, tile + 1,
                                2 * tile - 1, 2 * tile, 2 * tile + 1}) {
      const distribution d = hard[turn % std::size(hard)];
      ASSERT_NO_FATAL_FAILURE(expect_sorted(how, what, d, n, fields, turn % 5));
      ++turn;
    }
  }
  for (const std::size_t n : medium_sizes()) {
    for (const int fields : {1, 4, 6}) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(how, what, distribution::uniform, n, fields, 0));
      ASSERT_NO_FATAL_FAILURE(expect_sorted(how, what, distribution::few_distinct, n, fields, 2));
    }
  }
}

class paper_002 : public gpu_test {};

TEST_F(paper_002, by_field_directly) { expect_all_sorted(layout::by_field, moves::directly); }
TEST_F(paper_002, by_field_indirectly) { expect_all_sorted(layout::by_field, moves::indirectly); }
TEST_F(paper_002, by_record_directly) { expect_all_sorted(layout::by_record, moves::directly); }
TEST_F(paper_002, by_record_indirectly) { expect_all_sorted(layout::by_record, moves::indirectly); }
TEST_F(paper_002, hybrid_directly) { expect_all_sorted(layout::hybrid, moves::directly); }
TEST_F(paper_002, hybrid_indirectly) { expect_all_sorted(layout::hybrid, moves::indirectly); }

TEST_F(paper_002, no_records_need_no_memory) {
  const record_arrays nothing = record_arrays::by_record(nullptr, 4);
  EXPECT_EQ(grs_radix_sort::direct_scratch_bytes(0), 0u);
  EXPECT_EQ(grs_radix_sort::indirect_scratch_bytes(0), 0u);
  grs_radix_sort::sort_directly(nullptr, nothing, nothing, 0, nullptr);
  grs_radix_sort::sort_indirectly(nullptr, nothing, nothing, 0, nullptr);
}

TEST_F(paper_002, refuses_what_its_offsets_do_not_count) {
  EXPECT_THROW(grs_radix_sort::direct_scratch_bytes(std::uint64_t{1} << 32), std::invalid_argument);
  EXPECT_THROW(record_arrays::by_field(nullptr, 21), std::invalid_argument);
}

}  // namespace
}  // namespace kit
