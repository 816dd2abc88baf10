// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of all sizes whose first level is in pages; test_sample_sort.cu has 4 and 8 bytes.
#include "../kit/paged_sort.hpp"

namespace kit {
namespace {

class pages : public gpu_test {};

template <class T>
void sort_type() {
  sort_in_pages<T, small_pages<gpusort::detail::tuning::sample_sort<sizeof(T)>, 2>>(opaque{});
}

TEST_F(pages, of_1_byte) { sort_type<std::uint8_t>(); }
TEST_F(pages, of_2_bytes) { sort_type<std::int16_t>(); }
TEST_F(pages, of_3_bytes) { sort_type<record<3>>(); }
TEST_F(pages, of_5_bytes) { sort_type<record<5>>(); }
TEST_F(pages, of_6_bytes) { sort_type<record<6>>(); }
TEST_F(pages, of_7_bytes) { sort_type<record<7>>(); }

}  // namespace
}  // namespace kit
