// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argsorts, merges and index sorts, by orders over tables of 8-byte indices.
#include "calls_over_tables.hpp"

namespace over_tables {
namespace {

class merges_over_long_tables : public kit::gpu_test {};

TEST_F(merges_over_long_tables, argsort) { argsort_rows<std::int64_t>(); }
TEST_F(merges_over_long_tables, segments_and_merges) { merge_rows<std::int64_t>(); }
TEST_F(merges_over_long_tables, index_sorts) { sort_rows_by_index<std::int64_t>(); }

}  // namespace
}  // namespace over_tables
