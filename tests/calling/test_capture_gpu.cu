// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every route can be captured into a CUDA graph and launched again on other data; what cannot be
// captured says so and leaves the capture alone.
#include "../kit/graph.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class capture : public gpu_test {};

using subjects =
    ::testing::Types<subject<std::uint32_t, gpusort::less>, subject<std::uint64_t, gpusort::less>,
                     subject<uint128, gpusort::greater>, subject<float, gpusort::greater>,
                     subject<std::uint8_t, gpusort::less>, subject<std::int16_t, gpusort::less>,
                     subject<std::uint32_t, opaque>, subject<std::uint64_t, opaque>,
                     subject<record<12>, opaque>, subject<record<64>, opaque>,
                     subject<record<128>, opaque>>;
TYPED_TEST_SUITE(capture, subjects);

TYPED_TEST(capture, every_route_launched_twice) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  const stream s;
  auto sizes = route_sizes();
  sizes.push_back(0);
  for (std::size_t n : sizes) {
    for (call how : every_route<value, compare>(n)) {
      how.nosync = true;
      how.stream = s;
      const buffer<value> range(n, 1);
      const graph recorded(s, [&] { TypeParam::run(how, range.begin(), range.end(), compare{}); });
      for (auto d : {distribution::uniform, distribution::few_distinct, distribution::reverse}) {
        TypeParam::generate(range.data(), n, d, seed());
        const checksum before = TypeParam::sum(range.data(), n);
        recorded.launch(s);
        findings f = TypeParam::examine(before, range.data(), n, compare{}, promise_of(how));
        f.zones_intact = range.intact();
        ASSERT_TRUE(f.ok()) << how << " of " << d << ", n = " << n << ": " << f;
      }
    }
  }
}

TYPED_TEST(capture, two_sorts_in_one_graph) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  const stream s;
  call how;
  how.nosync = true;
  how.stream = s;
  const std::size_t n = small_sizes_only() ? 3000 : 200003;
  const buffer<value> a(n, 1);
  const buffer<value> b(n / 3, 2);
  const graph recorded(s, [&] {
    TypeParam::run(how, a.begin(), a.end(), compare{});
    TypeParam::run(how, b.begin(), b.end(), compare{});
  });
  for (int round = 0; round < 2; ++round) {
    for (const auto* range : {&a, &b}) {
      TypeParam::generate(range->data(), range->size(), distribution::gaussian, seed() + round);
    }
    const checksum before_a = TypeParam::sum(a.data(), a.size());
    const checksum before_b = TypeParam::sum(b.data(), b.size());
    recorded.launch(s);
    EXPECT_TRUE(TypeParam::examine(before_a, a.data(), a.size(), compare{}, promise::order).ok());
    EXPECT_TRUE(TypeParam::examine(before_b, b.data(), b.size(), compare{}, promise::order).ok());
    EXPECT_TRUE(a.intact() && b.intact());
  }
}

/// Calls `call` on a capturing stream, expects one of the library's exceptions, and that the
/// capture is alive afterwards.
template <class Call>
void expect_refused_under_capture(cudaStream_t s, Call refused) {
  cudaGraph_t graph = nullptr;
  cuda_ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  bool thrown = false;
  try {
    refused();
  } catch (const gpusort::cuda_error&) {
    thrown = true;
  } catch (const std::invalid_argument&) {
    thrown = true;
  }
  EXPECT_TRUE(thrown);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  EXPECT_EQ(cudaStreamIsCapturing(s, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaStreamEndCapture(s, &graph), cudaSuccess);
  if (graph != nullptr) cudaGraphDestroy(graph);
}

TYPED_TEST(capture, refuses_what_has_to_wait) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  const stream s;
  for (std::size_t n : {100, 5000}) {
    for (auto kind : every_memory_kind) {
      sort_case c = make_case(distribution::uniform, n);
      c.memory = kind;
      const auto range = make_input<TypeParam>(c);
      call how;
      how.stream = s;
      for (bool nosync : {false, true}) {
        how.nosync = nosync;
        if (nosync && kind != memory_kind::pageable) continue;  // these can be captured
        expect_refused_under_capture(
            s, [&] { TypeParam::run(how, range.begin(), range.end(), compare{}); });
        const auto input = generate<value>(c.data, n, seed());
        const auto output = range.read();
        for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(same_bytes(input[i], output[i]));
      }
    }
  }
}

}  // namespace
}  // namespace kit
