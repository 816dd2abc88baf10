// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparators that read records of more than 64 bytes to their ends: copies are compared.
#include <cstring>

#include "../kit/expect_sorted.hpp"

namespace kit {
namespace {

struct long_comparisons : gpu_test {};

struct listed {
  char name[120];
  std::uint32_t id;
  std::uint32_t words[1];
};
static_assert(sizeof(listed) == 128);

struct by_name {
  __host__ __device__ bool operator()(const listed& a, const listed& b) const {
    for (int i = 0; i < 120; ++i) {
      if (a.name[i] != b.name[i]) return a.name[i] < b.name[i];
    }
    return false;
  }
};

/// Makes names of which the last 8 bytes differ, among `names`.
auto named(std::uint64_t names) {
  return [names](std::uint64_t i, std::uint64_t) {
    listed x{};
    const std::uint64_t last = random_at(seed(), i) % names;
    std::memcpy(x.name + 112, &last, 8);
    x.id = static_cast<std::uint32_t>(i);
    return x;
  };
}

// Where records are aligned for wide loads, and where they are not.
TEST_F(long_comparisons, of_records_at_multiples_of_16_and_of_4_bytes) {
  constexpr std::size_t words = sizeof(listed) / 4;
  const std::size_t n = small_sizes_only() ? 3000 : 600011;
  for (std::uint64_t names : {std::uint64_t{1000}, ~std::uint64_t{0}}) {
    const column<listed> input = make_all(n, named(names));
    for (std::size_t words_before : {0, 1}) {
      column<std::uint32_t> bytes(n * words);
      std::memcpy(bytes.data(), input.data(), n * sizeof(listed));
      const buffer<std::uint32_t> range(bytes, words_before);
      auto* const first = reinterpret_cast<listed*>(range.begin());
      gpusort::sort(gpusort::par_gpu, first, first + n, by_name{});

      bytes = range.read();
      column<listed> output(n);
      std::memcpy(static_cast<void*>(output.data()), bytes.data(), n * sizeof(listed));
      findings f = examine(input, output, by_name{}, promise::order, std::size_t{1} << 20);
      f.zones_intact = range.intact();
      EXPECT_TRUE(f.ok()) << names << " names, " << words_before << " words before: " << f;
    }
  }
}

struct titled {
  char name[111];
};

struct by_title {
  __host__ __device__ bool operator()(const titled& a, const titled& b) const {
    for (int i = 0; i < 111; ++i) {
      if (a.name[i] != b.name[i]) return a.name[i] < b.name[i];
    }
    return false;
  }
};

/// Compares each record with the next, all by copies.
template <class T, class Compare>
__global__ void compare_neighbors(const T* records, std::size_t pairs, bool* is_before) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  gpusort::detail::copies_where_slow<Compare> compare{{}, true};
  if (i < pairs) is_before[i] = compare(records[i], records[i + 1]);
}

template <class T, class Compare>
void expect_copies_compared(const column<T>& records, std::size_t bytes_before) {
  column<unsigned char> bytes(records.size() * sizeof(T));
  std::memcpy(bytes.data(), records.data(), bytes.size());
  const buffer<unsigned char> range(bytes, bytes_before);
  const std::size_t pairs = records.size() - 1;
  const buffer<bool> is_before(pairs, 0);
  gpusort::detail::launch(compare_neighbors<T, Compare>, pairs / 256 + 1, 256, 0, nullptr,
                          reinterpret_cast<const T*>(range.begin()), pairs, is_before.begin());
  cuda_ok(cudaDeviceSynchronize());
  const auto found = is_before.read();
  for (std::size_t i = 0; i < pairs; ++i) {
    ASSERT_EQ(found[i], Compare{}(records[i], records[i + 1])) << i << ", " << bytes_before;
  }
}

TEST_F(long_comparisons, of_copies) {
  const column<listed> records = make_all(3001, named(1000));
  for (std::size_t bytes_before : {0, 4, 8}) {
    expect_copies_compared<listed, by_name>(records, bytes_before);
  }
  column<titled> titles(records.size());
  for (std::size_t i = 0; i < titles.size(); ++i) {
    std::memcpy(titles[i].name, records[i].name + 9, sizeof titles[i].name);
  }
  for (std::size_t bytes_before : {0, 1}) {
    expect_copies_compared<titled, by_title>(titles, bytes_before);
  }
}

// One block sorts few indices of records, a cluster of blocks more.
TEST_F(long_comparisons, of_few_records) {
  for (std::size_t n : {2, 127, 128, 129, 130, 255, 256, 257, 511, 512, 513, 1023}) {
    for (std::uint64_t names : {std::uint64_t{1}, std::uint64_t{30}, ~std::uint64_t{0}}) {
      expect_sorted(make_all(n, named(names)), by_name{}, by_name{});
    }
  }
}

}  // namespace
}  // namespace kit
