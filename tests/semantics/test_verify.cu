// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes of verify find in results that are not right, on the device: corrupted ranges,
// ranges that are read in pieces, segments, places.
#include <algorithm>
#include <cstring>
#include <gpusort/segmented_sort.hpp>
#include <gpusort/sort.hpp>
#include <numeric>
#include <vector>

#include "../kit/device.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;

constexpr std::uint64_t nothing = std::uint64_t{1} << 62;

template <class Call>
std::uint64_t place_found_by(Call call) {
  try {
    call();
  } catch (const gpusort::verification_failed& e) {
    return e.position();
  }
  return nothing;
}

struct padded {
  unsigned char key;
  int payload;
};
struct by_padded_key {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

/// Returns what verify says of a call that makes `after` of `before`.
template <class T, class Policy, class Compare, class Segments>
std::uint64_t found_in(const Policy& policy, memory_kind kind, const std::vector<T>& before,
                       const std::vector<T>& after, const Compare& compare,
                       const Segments& segments) {
  const buffer<T> range(before.size(), 1, gpu_memory{kind});
  gpu_memory{kind}.copy(range.data(), before.data(), before.size() * sizeof(T));
  const auto found = place_found_by([&] {
    const auto proof = detail::proof_in_place(detail::columns<T*>{{range.data()}, before.size()},
                                              segments, compare);
    detail::run_proven(detail::call_of(policy), proof, [&](const auto&) {
      gpu_memory{kind}.copy(range.data(), after.data(), after.size() * sizeof(T));
    });
  });
  EXPECT_TRUE(range.intact());
  return found;
}

class verify_passes : public gpu_test {
 protected:
  static constexpr std::uint64_t npos = gpusort::verification_failed::npos;

  template <class T, class Policy, class Compare>
  void expect_corruptions_found(const Policy& policy, memory_kind kind, std::vector<T> sorted,
                                const Compare& compare) {
    const std::size_t n = sorted.size();
    std::vector<T> before(sorted.rbegin(), sorted.rend());
    const auto found = [&](const std::vector<T>& after) {
      return found_in(policy, kind, before, after, compare, detail::no_offsets{});
    };
    EXPECT_EQ(found(sorted), nothing);
    std::vector<std::size_t> places{n / 2, n - 1};
    for (std::size_t i = 1; i < 20; ++i) places.push_back(i);  // everywhere in a vector
    for (const std::size_t i : places) {
      if (i >= n) continue;
      auto after = sorted;
      std::swap(after[i - 1], after[i]);
      EXPECT_EQ(found(after), i);
      after = sorted;
      after[i] = after[i - 1];
      EXPECT_EQ(found(after), npos);
    }
    auto after = sorted;
    std::reverse(after.begin() + n / 2, after.end());
    EXPECT_EQ(found(after), n / 2 + 1);
  }
};

TEST_F(verify_passes, find_what_was_corrupted) {
  const auto policy = gpusort::par_gpu.with(gpusort::verify);
  for (const std::size_t n : {std::size_t{3}, std::size_t{2048}, std::size_t{40001}}) {
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 7);
    expect_corruptions_found(policy, memory_kind::device, numbers, gpusort::less{});
    const std::vector<double> doubles(numbers.begin(), numbers.end());
    expect_corruptions_found(policy, memory_kind::managed, doubles, gpusort::less{});
    const std::vector<std::uint16_t> shorts(numbers.begin(), numbers.end());
    expect_corruptions_found(policy, memory_kind::device, shorts, gpusort::less{});
  }
  std::vector<padded> records(200);
  std::memset(static_cast<void*>(records.data()), 0x5A, 200 * sizeof(padded));
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].key = static_cast<unsigned char>(i);
    records[i].payload = -static_cast<int>(i);
  }
  expect_corruptions_found(policy, memory_kind::device, records, by_padded_key{});
}

// With memory for little, what has to be copied is read in pieces.
TEST_F(verify_passes, find_it_in_pieces) {
  const buffer<unsigned char> memory(4096);
  const auto policy =
      gpusort::par_gpu.with(gpusort::verify, gpusort::scratch(memory.data(), memory.size()));
  for (const std::size_t n : {std::size_t{3}, std::size_t{700}, std::size_t{20001}}) {
    std::vector<int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 7);
    expect_corruptions_found(policy, memory_kind::pageable, numbers, gpusort::less{});
    expect_corruptions_found(policy, memory_kind::pinned, numbers, gpusort::less{});
  }
}

TEST_F(verify_passes, find_values_that_changed_their_keys) {
  std::vector<int> keys(5000), values(5000);
  for (int i = 0; i < 5000; ++i) {
    keys[i] = i / 3;
    values[i] = i;
  }
  const buffer<int> k(keys.size(), 1), v(values.size(), 1);
  gpu_memory{}.copy(k.data(), keys.data(), keys.size() * sizeof(int));
  gpu_memory{}.copy(v.data(), values.data(), values.size() * sizeof(int));
  const auto found_after_swap = [&](std::size_t i) {
    return place_found_by([&] {
      const auto proof =
          detail::proof_in_place(detail::columns<int*, int*>{{k.data(), v.data()}, keys.size()},
                                 detail::no_offsets{}, gpusort::less{});
      const auto call = detail::call_of(gpusort::par_gpu.with(gpusort::verify));
      detail::run_proven(call, proof, [&](const auto&) {
        std::swap(values[i], values[i + 1]);
        gpu_memory{}.copy(v.data(), values.data(), values.size() * sizeof(int));
      });
    });
  };
  EXPECT_EQ(found_after_swap(3), nothing);  // of equal keys
  EXPECT_EQ(found_after_swap(5), npos);
}

TEST_F(verify_passes, compare_within_segments_only) {
  const auto policy = gpusort::par_gpu.with(gpusort::verify);
  std::vector<int> numbers(3000);
  std::iota(numbers.rbegin(), numbers.rend(), 0);
  const std::vector<std::uint32_t> offsets = {500, 1000, 1000, 1001, 2999};
  auto sorted = numbers;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::sort(sorted.begin() + offsets[s], sorted.begin() + offsets[s + 1]);
  }
  const buffer<std::uint32_t> on_device(offsets.size());
  gpu_memory{}.copy(on_device.data(), offsets.data(), offsets.size() * sizeof(offsets[0]));
  const auto between = [&](const std::uint32_t* first) {
    using iterator = const std::uint32_t*;
    return detail::segment_bounds<true, iterator, iterator>{first, first + 1, offsets.size() - 1};
  };
  const auto found = [&](const std::vector<int>& after) {
    const auto there = found_in(policy, memory_kind::device, numbers, after, gpusort::less{},
                                between(on_device.data()));
    const auto here = found_in(policy, memory_kind::device, numbers, after, gpusort::less{},
                               between(offsets.data()));
    EXPECT_EQ(here, there);
    return there;
  };
  EXPECT_EQ(found(sorted), nothing);
  EXPECT_EQ(found(numbers), 501u);
  std::swap(sorted[2998], sorted[2997]);
  EXPECT_EQ(found(sorted), 2998u);
}

// A comparator that calls equal elements less, on the device.
struct lies {
  __host__ __device__ bool operator()(int a, int b) const { return a <= b; }
};

TEST_F(verify_passes, calls_on_the_device) {
  const std::size_t n = 5000;
  std::vector<int> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<int>(i * 7919 % 101);
  const buffer<int> range(n, 1);
  const buffer<std::uint32_t> places(n, 1);
  const auto write = [&] { gpu_memory{}.copy(range.data(), numbers.data(), n * sizeof(int)); };
  write();
  const stream s;
  const auto policy = gpusort::par_gpu_nosync.on(s).with(gpusort::verify);
  gpusort::argsort(policy, range.data(), range.data() + n, places.data());
  EXPECT_EQ(place_found_by([&] {
              gpusort::argsort(policy, range.data(), range.data() + n, places.data(), lies{});
            }) < n,
            true);
  gpusort::sort(policy, range.data(), range.data() + n);
  write();
  EXPECT_LT(place_found_by([&] { gpusort::sort(policy, range.data(), range.data() + n, lies{}); }),
            n);
  EXPECT_TRUE(range.intact());
}

// Host memory is as it was where the result does not come to be.
TEST_F(verify_passes, keep_input_keeps) {
  std::vector<int> numbers(5000);
  std::iota(numbers.rbegin(), numbers.rend(), 0);
  for (int& x : numbers) x /= 2;
  const auto input = numbers;
  const auto policy = gpusort::par_gpu.with(gpusort::keep_input);
  EXPECT_THROW(gpusort::sort(policy.with(gpusort::verify), numbers.begin(), numbers.end(), lies{}),
               gpusort::verification_failed);
  EXPECT_EQ(numbers, input);
  gpusort::sort(policy, numbers.begin(), numbers.end(), lies{});
  EXPECT_NE(numbers, input);
}

}  // namespace
}  // namespace kit
