// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify and keep_input as calls on a device: memory of every kind, captures, little scratch.
#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/verifying.hpp"

namespace kit {
namespace {

class verify_calls : public gpu_test {};

TEST_F(verify_calls, every_kind_of_memory) {
  const std::size_t n = small_sizes_only() ? 20011 : 10000019;
  const auto input = random_ints(n);
  for (const memory_kind kind : every_memory_kind) {
    const buffer<int> range(n, 1, gpu_memory{kind});
    const auto write = [&] { gpu_memory{kind}.copy(range.data(), input.data(), n * sizeof(int)); };
    write();
    gpusort::sort(verifying, range.begin(), range.end());
    write();
    gpusort::stable_sort(keeping_and_verifying, range.begin(), range.end(), ordinary{});
    write();
    EXPECT_LT(place_found_by(
                  [&] { gpusort::sort(verifying, range.begin(), range.begin() + 2000, lies); }),
              2000u)
        << name_of(kind);
    EXPECT_TRUE(range.intact());
  }
}

TEST_F(verify_calls, refuse_a_stream_under_capture_before_anything_is_touched) {
  const stream s;
  const buffer<int> range(1000);
  const auto input = random_ints(1000);
  gpu_memory{}.copy(range.data(), input.data(), 1000 * sizeof(int));
  bool refused = false;
  const graph recorded(s, [&] {
    try {
      gpusort::sort(gpusort::par_gpu_nosync.on(s).with(gpusort::verify), range.begin(),
                    range.end());
    } catch (const gpusort::cuda_error& e) {
      refused = e.code() == cudaErrorStreamCaptureUnsupported;
    }
  });
  EXPECT_TRUE(refused);
  const auto output = range.read();
  EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
}

TEST_F(verify_calls, take_no_more_than_scratch_bytes) {
  for (const std::size_t n : {std::size_t{100}, std::size_t{300007}}) {
    const auto input = random_ints(n);
    const buffer<int> range(n);
    gpu_memory{}.copy(range.data(), input.data(), n * sizeof(int));
    const std::size_t bytes = gpusort::scratch_bytes(verifying, range.begin(), range.end());
    EXPECT_GT(bytes, 0u);
    const buffer<unsigned char> memory(bytes);
    gpusort::sort(verifying.with(gpusort::scratch(memory.data(), bytes)), range.begin(),
                  range.end());
    EXPECT_TRUE(memory.intact());
    gpu_memory{}.copy(range.data(), input.data(), n * sizeof(int));
    EXPECT_THROW(gpusort::sort(verifying.with(gpusort::scratch(memory.data(), 0)), range.begin(),
                               range.end()),
                 gpusort::out_of_memory);
    const auto output = range.read();
    EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
  }
}

}  // namespace
}  // namespace kit
