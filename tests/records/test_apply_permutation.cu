// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation applied by swaps: what ends where, how many swaps, and that those which run at the
// same time have no place in common. Permutations of every kind of cycle.
#include <algorithm>
#include <gpusort/detail/algorithm/apply_permutation.hpp>
#include <numeric>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/random.hpp"
#include "../kit/stream_test.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using permutation = std::vector<std::uint64_t>;

std::uint64_t random_below(std::uint64_t limit, std::uint64_t position) {
  return random_at(seed(), position) % limit;
}

permutation identity(std::size_t n) {
  permutation p(n);
  std::iota(p.begin(), p.end(), 0);
  return p;
}

permutation shuffled(std::size_t n) {
  permutation p = identity(n);
  for (std::size_t i = n; i > 1; --i) std::swap(p[i - 1], p[random_below(i, i)]);
  return p;
}

/// Makes cycles of `length` places, the last one shorter, of places in the order of `places`.
permutation cycles_of(const permutation& places, std::size_t length) {
  permutation p(places.size());
  for (std::size_t begin = 0; begin < places.size(); begin += length) {
    const std::size_t end = std::min(begin + length, places.size());
    for (std::size_t i = begin; i < end; ++i) p[places[i]] = places[i + 1 < end ? i + 1 : begin];
  }
  return p;
}

permutation reversed(permutation p) {
  std::reverse(p.begin(), p.end());
  return p;
}

struct named_permutation {
  const char* name;
  permutation places;
};

std::vector<named_permutation> every_kind(std::size_t n) {
  const permutation straight = identity(n), random = shuffled(n);
  std::vector<named_permutation> all;
  all.push_back({"identity", straight});
  all.push_back({"reverse", reversed(straight)});
  all.push_back({"random", random});
  all.push_back({"one cycle, to the next place", cycles_of(straight, n + 1)});
  all.push_back({"one cycle, to the place before", cycles_of(reversed(straight), n + 1)});
  all.push_back({"one random cycle", cycles_of(random, n + 1)});
  all.push_back({"half a random cycle", cycles_of(random, n / 2 + 1)});
  for (std::size_t length : {2, 3, 16, 100, 1000}) {
    all.push_back({"cycles of neighbours", cycles_of(straight, length)});
    all.push_back({"random cycles", cycles_of(random, length)});
  }
  permutation almost = straight;
  if (n > 2) std::swap(almost[1], almost[n - 1]);
  all.push_back({"one swap", almost});
  return all;
}

std::uint64_t count_cycles(const permutation& p) {
  std::vector<bool> seen(p.size());
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (seen[i]) continue;
    ++cycles;
    for (std::size_t j = i; !seen[j]; j = p[j]) seen[j] = true;
  }
  return cycles;
}

struct report {
  unsigned long long swaps;
  unsigned long long mistakes;  // places out of the range, or of two swaps at a time
};

/// Swaps values, and takes notice.
struct watched_swap {
  std::uint32_t* values;
  std::uint32_t* busy;
  std::uint64_t n;
  report* noted;

  template <class Place>
  __device__ void operator()(Place i, Place j) const {
    atomicAdd(&noted->swaps, 1ull);
    if (i >= n || j >= n || i == j) {
      atomicAdd(&noted->mistakes, 1ull);
      return;
    }
    if (atomicExch(&busy[i], 1u) + atomicExch(&busy[j], 1u) != 0) atomicAdd(&noted->mistakes, 1ull);
    const std::uint32_t value = values[i];
    values[i] = values[j];
    values[j] = value;
    __threadfence();
    atomicExch(&busy[i], 0u);
    atomicExch(&busy[j], 0u);
  }
};

template <class Place>
class workplace {
 public:
  using apply = detail::apply_permutation<Place, watched_swap>;

  explicit workplace(std::size_t n)
      : n_(n),
        order_(n, 0),
        values_(n, 1),
        busy_(n, 2),
        noted_(1, 3),
        scratch_(apply::scratch_bytes(n), 0) {}

  void prepare(const permutation& p) {
    column<Place> order(n_);
    column<std::uint32_t> values(n_), busy(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      order[i] = static_cast<Place>(p[i]);
      values[i] = static_cast<std::uint32_t>(i);
      busy[i] = 0;
    }
    column<report> noted(1);
    noted[0] = {0, 0};
    order_.write(order);
    values_.write(values);
    busy_.write(busy);
    noted_.write(noted);
  }

  void run(cudaStream_t stream) const {
    apply::run(stream, order_.data(), n_,
               watched_swap{values_.data(), busy_.data(), n_, noted_.data()}, scratch_.data());
  }

  ::testing::AssertionResult is_applied(const permutation& p) const {
    const auto values = values_.read();
    for (std::size_t i = 0; i < n_; ++i) {
      if (values[i] != p[i]) {
        return ::testing::AssertionFailure()
               << "place " << i << " has " << values[i] << ", not " << p[i];
      }
    }
    const report noted = noted_.read()[0];
    if (noted.mistakes != 0) return ::testing::AssertionFailure() << noted.mistakes << " mistakes";
    if (noted.swaps != n_ - count_cycles(p)) {
      return ::testing::AssertionFailure() << noted.swaps << " swaps, not " << n_ - count_cycles(p);
    }
    if (!order_.intact() || !values_.intact() || !scratch_.intact()) {
      return ::testing::AssertionFailure() << "written outside";
    }
    return ::testing::AssertionSuccess();
  }

 private:
  std::size_t n_;
  buffer<Place> order_;
  buffer<std::uint32_t> values_, busy_;
  buffer<report> noted_;
  buffer<unsigned char> scratch_;
};

template <class Place>
class apply_permutation : public stream_test {};

using places = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(apply_permutation, places);

TYPED_TEST(apply_permutation, of_every_kind_of_cycle) {
  std::vector<std::size_t> sizes = {0,    1,    2,    3,     31,    1000,  1023,
                                    4095, 4096, 4097, 20000, 65535, 65536, 65537};
  if (!small_sizes_only()) sizes.insert(sizes.end(), {131073, 262144, 1000003});
  for (std::size_t n : sizes) {
    workplace<TypeParam> place(n);
    for (const auto& [name, p] : every_kind(n)) {
      place.prepare(p);
      place.run(this->stream_);
      cuda_ok(cudaStreamSynchronize(this->stream_));
      ASSERT_TRUE(place.is_applied(p)) << name << ", n = " << n;
    }
  }
}

TYPED_TEST(apply_permutation, launches_what_it_says) {
  for (std::size_t n : {0, 1, 2, 4096, 4097, 32768, 32769, 600000}) {
    const workplace<TypeParam> place(n);
    cudaGraph_t recorded = nullptr;
    std::size_t nodes = 0;
    cuda_ok(cudaStreamBeginCapture(this->stream_, cudaStreamCaptureModeGlobal));
    place.run(this->stream_);
    cuda_ok(cudaStreamEndCapture(this->stream_, &recorded));
    cuda_ok(cudaGraphGetNodes(recorded, nullptr, &nodes));
    cuda_ok(cudaGraphDestroy(recorded));
    EXPECT_EQ(static_cast<std::size_t>(workplace<TypeParam>::apply::launches(n)), nodes) << n;
  }
}

TYPED_TEST(apply_permutation, in_a_graph) {
  for (std::size_t n : {100, 5000, 100000}) {
    workplace<TypeParam> place(n);
    const graph recorded(this->stream_, [&] { place.run(this->stream_); });
    for (const permutation& p : {shuffled(n), cycles_of(identity(n), n + 1)}) {
      place.prepare(p);
      recorded.launch(this->stream_);
      ASSERT_TRUE(place.is_applied(p)) << "n = " << n;
    }
  }
}

}  // namespace
}  // namespace kit
