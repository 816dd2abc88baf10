// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argsorts, merges and index sorts, by orders over tables of 4-byte indices.
#include "calls_over_tables.hpp"

namespace over_tables {
namespace {

class merges_over_tables : public kit::gpu_test {};

TEST_F(merges_over_tables, argsort) { argsort_rows<std::int32_t>(); }
TEST_F(merges_over_tables, segments_and_merges) { merge_rows<std::int32_t>(); }
TEST_F(merges_over_tables, index_sorts) { sort_rows_by_index<std::int32_t>(); }

}  // namespace
}  // namespace over_tables
