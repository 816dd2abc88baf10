// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argsorts, merges and index sorts, by orders over tables of unsigned indices.
#include "calls_over_tables.hpp"

namespace over_tables {
namespace {

class merges_over_unsigned_tables : public kit::gpu_test {};

TEST_F(merges_over_unsigned_tables, argsort) { argsort_rows<std::uint32_t>(); }
TEST_F(merges_over_unsigned_tables, segments_and_merges) { merge_rows<std::uint32_t>(); }
TEST_F(merges_over_unsigned_tables, index_sorts) { sort_rows_by_index<std::uint32_t>(); }

}  // namespace
}  // namespace over_tables
