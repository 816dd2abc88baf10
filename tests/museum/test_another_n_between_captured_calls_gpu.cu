// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary memory that a later, larger call replaces, while a captured one still uses it
// (NVIDIA/warp#1373): a graph must own its scratch, or find it again.
#include "../kit/graph.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

class captured_calls : public gpu_test {};

using sorted = subject<std::uint32_t, opaque>;

TEST_F(captured_calls, survive_calls_of_other_sizes) {
  const stream s;
  call how;
  how.nosync = true;
  how.stream = s;
  const std::size_t n = small_sizes_only() ? 30011 : 700001;
  const buffer<std::uint32_t> range(n, 1);
  const graph recorded(s, [&] { sorted::run(how, range.begin(), range.end(), opaque{}); });
  for (std::size_t other : {n / 100, 3 * n, n, std::size_t{7}, 9 * n}) {
    const buffer<std::uint32_t> between(other, 2);
    sorted::generate(between.data(), other, distribution::uniform, seed() + other);
    const checksum before_between = sorted::sum(between.data(), other);
    sorted::run(call{}, between.begin(), between.end(), opaque{});
    if (other == n) gpusort::release_scratch();
    sorted::generate(range.data(), n, distribution::uniform, seed());
    const checksum before = sorted::sum(range.data(), n);
    recorded.launch(s);
    const findings f = sorted::examine(before, range.data(), n, opaque{}, promise::order);
    const findings g =
        sorted::examine(before_between, between.data(), other, opaque{}, promise::order);
    ASSERT_TRUE(f.ok() && g.ok() && range.intact() && between.intact())
        << "after a sort of " << other << ": " << f << g;
  }
}

}  // namespace
}  // namespace kit
