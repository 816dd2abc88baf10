// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparators that are slow, look keys up, or are nearly `<`, at every power of two.
#include "kit/matrix.hpp"

namespace {

/// `<`, by enough instructions more that comparisons are all that counts.
struct slow_less {
  static constexpr int rounds = 30;

  GPUSORT_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const {
    // No compiler knows that this changes nothing: a state that is not 0 never becomes 0.
    return (a | vanishes(a)) < (b | vanishes(b));
  }

 private:
  static GPUSORT_HOST_DEVICE std::uint32_t vanishes(std::uint32_t x) {
    std::uint64_t state = x | std::uint64_t{1} << 32;
    for (int i = 0; i < rounds; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
    }
    return state == 0 ? 1 : 0;
  }
};

constexpr int log_table = 22;
__device__ std::uint32_t table[1 << log_table];

__global__ void fill_table_kernel() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = static_cast<std::uint32_t>(kit::random_at(7, i));
}

/// Orders by what a table of 16 MB says of a key.
struct by_table {
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return table[a >> (32 - log_table)] < table[b >> (32 - log_table)];
  }
};

/// `<`, but that one key in a thousand is below all others.
struct nearly_less {
  static GPUSORT_HOST_DEVICE std::uint64_t rank(std::uint32_t key) {
    return key % 1000 == 7 ? key : std::uint64_t{1} << 32 | key;
  }
  GPUSORT_HOST_DEVICE bool operator()(std::uint32_t a, std::uint32_t b) const {
    return rank(a) < rank(b);
  }
};

template <bool Stable, class Compare>
void add_sorts(bench::program& p, const char* order) {
  using key = std::uint32_t;
  using bench::no_value;
  const bench::case_name name{Stable ? "stable_sort" : "sort", "", "u32", order, "", 0};
  for (int log2n = 10; log2n <= 26; ++log2n) {
    const bench::input where{kit::distribution::uniform, log2n};
    p.add<bench::gpusort_sorter, Stable, key, no_value>(name, where, Compare{});
    p.add<bench::thrust_sorter, Stable, key, no_value>(name, where, Compare{});
  }
}

}  // namespace

template <>
inline constexpr bool bench::is_another_order<by_table> = true;
template <>
inline constexpr bool bench::is_another_order<nearly_less> = true;

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](bench::program& p) {
    fill_table_kernel<<<(1 << log_table) / 256, 256>>>();
    add_sorts<false, slow_less>(p, "slow");
    add_sorts<true, slow_less>(p, "slow");
    add_sorts<false, by_table>(p, "by_table");
    add_sorts<true, by_table>(p, "by_table");
    add_sorts<false, nearly_less>(p, "nearly_less");
    add_sorts<true, nearly_less>(p, "nearly_less");
  });
}
