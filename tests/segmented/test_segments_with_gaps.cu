// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments that are given by where they begin and where they end, on a device.
#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/segments_with_gaps.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

class segments_with_gaps : public gpu_test {};

TEST_F(segments_with_gaps, are_sorted_and_the_rest_stays) {
  for (std::size_t n : {0, 1, 100, 20000}) {
    segments_hold(par_gpu, n, gpu_memory{});
    segments_hold(par_gpu.with(gpusort::verify), n, gpu_memory{});
  }
  for (memory_kind kind : every_memory_kind) {
    segments_hold(par_gpu.with(gpusort::keep_input), 3000, gpu_memory{kind});
  }
}

TEST_F(segments_with_gaps, of_the_host_are_refused_where_they_overlap) {
  wrong_segments_are_refused(par_gpu);
}

TEST_F(segments_with_gaps, of_the_device_are_not_sorted_where_they_overlap) {
  const auto in = generate<std::uint32_t>(distribution::uniform, 10, seed());
  const auto column_of = [](const offsets32& offsets) {
    column<std::uint32_t> c(offsets.size());
    std::copy(offsets.begin(), offsets.end(), c.begin());
    return c;
  };
  for (const gapped_segments& s : wrong_segments()) {
    const buffer<std::uint32_t> data(in, 1), begins(column_of(s.begins), 1),
        ends(column_of(s.ends), 0);
    gpusort::segmented_sort(par_gpu, data.begin(), data.end(), begins.begin(), begins.end(),
                            ends.begin());
    expect_column(data, in, "wrong segments");
    // Begins of the host, ends of the device: the host cannot tell.
    gpusort::segmented_sort(par_gpu, data.begin(), data.end(), s.begins.begin(), s.begins.end(),
                            ends.begin());
    expect_column(data, in, "wrong segments, half of them of the host");
  }
}

}  // namespace
}  // namespace kit
