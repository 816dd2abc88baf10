// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts, by key too, by orders over tables of unsigned indices.
#include "calls_over_tables.hpp"

namespace over_tables {
namespace {

class sorts_over_unsigned_tables : public kit::gpu_test {};

TEST_F(sorts_over_unsigned_tables, sorts) { sort_rows<std::uint32_t>(); }
TEST_F(sorts_over_unsigned_tables, by_key) { sort_rows_by_key<std::uint32_t>(); }

}  // namespace
}  // namespace over_tables
