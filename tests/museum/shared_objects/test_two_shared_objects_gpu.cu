// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two shared objects of one program with the same templates, compiled for other architectures and
// with other flags: where the loader takes one's kernels for the other's, launches fail
// (NVIDIA/cccl#655).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "../../kit/device.hpp"
#include "../../kit/random.hpp"
#include "sorts.hpp"

namespace {

class two_shared_objects : public kit::gpu_test {};

TEST_F(two_shared_objects, each_sort_by_kernels_of_their_own) {
  for (std::size_t n : {3, 800, 5000, 60000, 700000}) {
    kit::column<double> input(n);
    for (std::size_t i = 0; i < n; ++i) {
      input[i] = static_cast<double>(kit::random_at(kit::seed(), i) % 1000000) / 997;
    }
    for (auto* sort : {sort_in_first_object, sort_in_second_object, sort_in_first_object}) {
      for (bool is_host : {false, true}) {
        const kit::memory_kind kind =
            is_host ? kit::memory_kind::pageable : kit::memory_kind::device;
        const kit::buffer<double> range(input, 0, kit::gpu_memory{kind});
        sort(range.begin(), range.end(), is_host);
        const auto found = range.read();
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end(), by_fraction{}) && range.intact())
            << n << ", " << is_host;
      }
    }
  }
}

}  // namespace
