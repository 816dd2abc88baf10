// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts, by key too, by orders over tables of 8-byte indices.
#include "calls_over_tables.hpp"

namespace over_tables {
namespace {

class sorts_over_long_tables : public kit::gpu_test {};

TEST_F(sorts_over_long_tables, sorts) { sort_rows<std::int64_t>(); }
TEST_F(sorts_over_long_tables, by_key) { sort_rows_by_key<std::int64_t>(); }

}  // namespace
}  // namespace over_tables
