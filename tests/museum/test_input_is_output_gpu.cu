// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort of keys onto themselves on a device (NVIDIA/cccl#4733): of few keys by a route of its own,
// and of as many as failed there.
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/random.hpp"

namespace kit {

class input_is_output : public gpu_test {};

TEST_F(input_is_output, of_sort_copy_is_sorted) {
  for (std::size_t n : {1, 3000, 100003, small_sizes_only() ? 2 : 2000000}) {
    std::vector<std::uint32_t> in(n), out(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(random_at(seed(), i));
    thrust::device_vector<std::uint32_t> keys(in.begin(), in.end());
    gpusort::sort_copy(gpusort::par_gpu, keys.begin(), keys.end(), keys.begin());
    thrust::copy(keys.begin(), keys.end(), out.begin());
    std::sort(in.begin(), in.end());
    EXPECT_EQ(out, in) << n;
  }
}

}  // namespace kit
