// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs made against the library by someone who has read it and knows the seed, and an adversary
// that makes the input up while it is sorted: all are sorted, with no more comparisons than merge
// sort and one distribution make (docs/reference/semantics.md).
#include <algorithm>
#include <cstdio>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <numeric>

#include "../kit/few_sample_sort.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;
using u32 = std::uint32_t;

class hostile_inputs : public gpu_test {};

/// Bounds the comparisons in a sort of n elements, whatever the input: for the distribution that
/// was in vain, and to merge sort in pairs, 3.2 log2(n) of each were counted together. Every
/// block sorts the same sample besides where there are few.
double most_calls(std::size_t n) {
  constexpr std::size_t most_in_one_launch = 1 << 18;
  return (n <= most_in_one_launch ? 8.0 : 3.5) * detail::ceil_log2(n) * static_cast<double>(n);
}

/// Makes values of which the sample of 2^log_samples by `sample_seed` has the smallest: all others
/// fall into the last bucket of the first level.
template <class T>
column<T> with_misleading_samples(std::size_t n, int log_samples, std::uint64_t sample_seed) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = make_value<T>(std::uint64_t{1} << 63 | random_at(seed(), i), i);
  }
  for (std::uint64_t i = 0; i < std::uint64_t{1} << log_samples; ++i) {
    const auto index = detail::tile::sample_index(i, log_samples, n, sample_seed);
    values[index] = make_value<T>(index << 32, index);
  }
  return values;
}

std::vector<std::uint64_t> sample_seeds() {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < (small_sizes_only() ? 2 : 4); ++i) {
    seeds.push_back(random_at(seed(), 77 + i));
  }
  return seeds;
}

template <class T>
using stored_array = detail::key_array<detail::wide_stored_t<T>>;
using opaque_order = detail::by_stored_value<opaque>;
template <class T>
using few_sort = few_sample_sort<stored_array<T>, opaque_order>;
template <class T>
using level_sort = detail::sample_sort<stored_array<T>, opaque_order>;

/// Sorts at most `max_n` elements whose samples mislead.
template <class T, class Sort>
void sort_misled(std::size_t max_n, std::initializer_list<std::size_t> sizes) {
  using array = stored_array<T>;
  const shared_counter counter;
  double worst = 0;
  for (std::size_t n : sizes) {
    if (n > max_n) continue;
    const buffer<unsigned char> scratch(Sort::scratch_bytes(n), 0);
    // The cluster's sample is 2^6; of all others every size, as long as few elements are in it.
    for (int log_samples = 6; log_samples <= 14 && n >> log_samples >= 8;
         log_samples += device_is_cpu ? 2 : 1) {
      for (std::uint64_t sample_seed : sample_seeds()) {
        const auto input = with_misleading_samples<T>(n, log_samples, sample_seed);
        const buffer<T> range(input, 0);
        const array keys{reinterpret_cast<detail::wide_stored_t<T>*>(range.begin())};
        *counter.get() = 0;
        Sort::run(detail::call_stream{nullptr, nullptr, sample_seed}, keys, keys, n,
                  {opaque(behavior::counting, 0, counter.get())}, scratch.data());
        cuda_ok(cudaDeviceSynchronize());
        const auto calls = static_cast<double>(*counter.get());
        findings f = examine(input, range.read(), opaque{}, promise::order);
        f.zones_intact = range.intact() && scratch.intact();
        ASSERT_TRUE(f.ok()) << "n = " << n << ", sample of 2^" << log_samples << ": " << f;
        ASSERT_LE(calls, most_calls(n)) << "n = " << n << ", sample of 2^" << log_samples;
        worst = std::max(worst, calls / most_calls(n));
      }
    }
  }
  std::printf("at most %.2f of the comparisons that are allowed\n", worst);
}

TEST_F(hostile_inputs, small_values_where_samples_of_few_elements_are_taken) {
  // Sizes of one cluster and of one launch.
  const auto sort = [](auto zero, std::initializer_list<std::size_t> sizes) {
    using element = decltype(zero);
    sort_misled<element, few_sort<element>>(few_sort<element>::max_n(), sizes);
  };
  sort(u32{}, {1025, 4096, 8191, 8192, 8193, 12000, 16384, 20000, 60000, 131072, 200003, 1 << 18});
  sort(std::uint64_t{}, {600, 4200, 5000, 8000, 8192, 8193, 16384, 100000, 200003, 1 << 18});
  sort(record<16>{}, {600, 4096, 8192, 100000, 200003});
  sort(record<64>{}, {600, 2048, 3000});
}

TEST_F(hostile_inputs, small_values_where_samples_of_levels_are_taken) {
  const auto sort = [](auto zero, std::initializer_list<std::size_t> sizes) {
    using element = decltype(zero);
    sort_misled<element, level_sort<element>>(device_is_cpu ? 60001 : SIZE_MAX, sizes);
  };
  sort(u32{}, {20000, 70001, 300007, 1 << 20, 1 << 21, (1 << 23) + 5});
  sort(std::uint64_t{}, {60001, 300007, 1 << 21});
  sort(record<16>{}, {60001, 1 << 20});
}

/// Returns the comparisons of a sort of `input`.
template <class Sort>
double calls_of(const column<u32>& input, Sort sort) {
  const shared_counter counter;
  const opaque order(behavior::counting, 0, counter.get());
  const buffer<u32> range(input, 0);
  sort(range.begin(), range.end(), order);
  cuda_ok(cudaDeviceSynchronize());
  EXPECT_TRUE(examine(input, range.read(), opaque{}, promise::order).ok());
  return static_cast<double>(*counter.get());
}

/// Keys that mislead sample sort with one seed mislead no public call, deterministic ones neither.
TEST_F(hostile_inputs, seeds_of_calls_are_their_own) {
  using namespace gpusort;
  using array = stored_array<u32>;
  using algorithm = few_sort<u32>;
  const std::size_t n = std::min<std::size_t>(device_is_cpu ? 60000 : 1 << 18, algorithm::max_n());
  constexpr std::uint64_t known_seed = 7;
  const buffer<unsigned char> scratch(algorithm::scratch_bytes(n), 0);
  const auto sort_with_known_seed = [&](u32* first, u32*, const opaque& comp) {
    const array keys{reinterpret_cast<detail::wide_stored_t<u32>*>(first)};
    algorithm::run(detail::call_stream{nullptr, nullptr, known_seed}, keys, keys, n, {comp},
                   scratch.data());
  };
  double most = 0;  // of whichever sample is taken
  column<u32> caught;
  for (int log_samples = 6; log_samples <= 12; ++log_samples) {
    const auto input = with_misleading_samples<u32>(n, log_samples, known_seed);
    const double calls = calls_of(input, sort_with_known_seed);
    if (calls > most) most = calls, caught = input;
  }
  const auto expect_fewer = [&](const char* what, const auto& sort) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_LT(calls_of(caught, sort), 0.8 * most) << what;
    }
  };
  expect_fewer("sort", [](auto first, auto last, auto comp) { sort(par_gpu, first, last, comp); });
  expect_fewer("stable_sort",
               [](auto first, auto last, auto comp) { stable_sort(par_gpu, first, last, comp); });
  expect_fewer("sort_by_key", [n](auto first, auto last, auto comp) {
    const buffer<u32> values(n);
    sort_by_key(par_gpu, first, last, values.begin(), comp);
  });
  expect_fewer("sort, deterministic", [](auto first, auto last, auto comp) {
    sort(par_gpu.with(deterministic), first, last, comp);
  });
}

/// Nor do keys that mislead the seed that the process will take next: levels add the clock.
TEST_F(hostile_inputs, a_known_seed_is_not_all_that_a_sample_depends_on) {
  using algorithm = level_sort<u32>;
  const std::size_t n = device_is_cpu ? 60001 : 1 << 20;
  detail::sample_seed seed_of_call(7);
  const buffer<unsigned char> scratch(algorithm::scratch_bytes(n), 0);
  const auto sort = [&](u32* first, u32*, const opaque& comp) {
    const stored_array<u32> keys{reinterpret_cast<detail::wide_stored_t<u32>*>(first)};
    algorithm::run(detail::call_stream{nullptr, nullptr, seed_of_call}, keys, keys, n, {comp},
                   scratch.data());
  };
  double most = 0;  // of whichever sample is taken
  column<u32> caught;
  for (int log_samples = 6; log_samples <= 14; ++log_samples) {
    const auto input = with_misleading_samples<u32>(n, log_samples, seed_of_call.bits);
    const double calls = calls_of(input, sort);
    if (calls > most) most = calls, caught = input;
  }
  seed_of_call.is_chosen = false;
  for (int repeat = 0; repeat < 3; ++repeat) EXPECT_LT(calls_of(caught, sort), 0.8 * most);
}

/// Counts the comparisons of each block apart.
struct counting_by_block {
  static constexpr int counters = 1 << 14;
  unsigned long long* calls;

  __host__ __device__ bool operator()(u32 a, u32 b) const {
#if defined(__CUDA_ARCH__)
    atomicAdd(calls + blockIdx.x % counters, 1ull);
#endif
    return a < b;
  }
};

TEST_F(hostile_inputs, what_samples_misjudge_is_sorted_by_many_blocks) {
  if (device_is_cpu) GTEST_SKIP() << "blocks take turns there";
  using array = detail::key_array<detail::wide_stored_t<u32>>;
  using order = detail::by_stored_value<counting_by_block>;
  using algorithm = detail::sample_sort<array, order>;
  const std::size_t n = (1 << 20) + 11;
  const buffer<unsigned char> scratch(algorithm::scratch_bytes(n), 0);
  double all = 0;
  for (int log_samples = 6; log_samples <= 14; ++log_samples) {
    const std::uint64_t sample_seed = random_at(seed(), 5);
    const auto input = with_misleading_samples<u32>(n, log_samples, sample_seed);
    const buffer<u32> range(input, 0);
    const buffer<unsigned long long> calls(column<unsigned long long>(counting_by_block::counters),
                                           0);
    cuda_ok(cudaMemset(calls.begin(), 0, calls.size() * sizeof(unsigned long long)));
    const array keys{reinterpret_cast<detail::wide_stored_t<u32>*>(range.begin())};
    algorithm::run(detail::call_stream{nullptr, nullptr, sample_seed}, keys, keys, n,
                   {counting_by_block{calls.begin()}}, scratch.data());
    cuda_ok(cudaDeviceSynchronize());
    const auto counts = calls.read();
    double sum = 0, largest = 0;
    for (unsigned long long count : counts) {
      sum += static_cast<double>(count);
      largest = std::max(largest, static_cast<double>(count));
    }
    EXPECT_LE(largest, 0.1 * sum) << "sample of 2^" << log_samples;
    all = std::max(all, sum / static_cast<double>(n));
  }
  EXPECT_GE(all, 30) << "no sample was misled";
}

/// McIlroy's adversary ("A Killer Adversary for Quicksort", 1999): elements have no value until a
/// comparison needs one, and then the least favourable. Consistent as long as comparisons happen
/// one after the other; where threads race, nearly.
struct adversary {
  static constexpr u32 gas = 0xffffffff;

  u32* values;
  u32* solid;      // values given away
  u32* candidate;  // the gas that was last compared with a solid
  unsigned long long* calls;

  __host__ __device__ static u32 look(const u32* p) { return *static_cast<const volatile u32*>(p); }
  __host__ __device__ void freeze(u32 element) const {
#if defined(__CUDA_ARCH__)
    if (look(values + element) == gas) atomicMin(values + element, atomicAdd(solid, 1u));
#else
    if (values[element] == gas) values[element] = (*solid)++;
#endif
  }
  __host__ __device__ bool operator()(u32 a, u32 b) const {
#if defined(__CUDA_ARCH__)
    atomicAdd(calls, 1ull);
#else
    ++*calls;
#endif
    if (look(values + a) == gas && look(values + b) == gas) freeze(look(candidate) == a ? a : b);
    const u32 x = look(values + a), y = look(values + b);
    if (x == gas && y != gas) *candidate = a;
    if (y == gas && x != gas) *candidate = b;
    return x < y;
  }
};

struct game {
  explicit game(std::size_t n)
      : values(all_gas(n), 0), words(column<u32>{0, 0}, 0), ids(ids_of(n), 0) {}

  static column<u32> all_gas(std::size_t n) {
    column<u32> values(n);
    std::fill(values.begin(), values.end(), adversary::gas);
    return values;
  }
  static column<u32> ids_of(std::size_t n) {
    column<u32> ids(n);
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
  }
  adversary player() const {
    return {values.begin(), words.begin(), words.begin() + 1, counter.get()};
  }

  /// Examines: nothing lost, few comparisons, and in order unless threads raced.
  void examine(const char* what) const {
    cuda_ok(cudaDeviceSynchronize());
    const std::size_t n = ids.size();
    const auto sorted = ids.read(), value = values.read();
    ASSERT_TRUE(same_multiset(ids_of(n), sorted)) << what;
    const auto calls = static_cast<double>(*counter.get());
    std::printf("%-14s n = %-8zu %5.2f calls for each element, %4.2f of what is allowed\n", what, n,
                calls / static_cast<double>(n), calls / most_calls(n));
    EXPECT_LE(calls, most_calls(n)) << what << ", n = " << n;
    if constexpr (device_is_cpu) {
      for (std::size_t i = 1; i < n; ++i) {
        ASSERT_LE(value[sorted[i - 1]], value[sorted[i]]) << what << ", at " << i;
      }
    }
  }

  buffer<u32> values, words, ids;
  shared_counter counter;
};

std::vector<std::size_t> sizes_of_games() {
  if (small_sizes_only()) return {1000, 3000, 20000};
  return {1000, 4096, 8192, 16384, 65536, 1 << 18, 300007, 1 << 20, 1 << 22};
}

TEST_F(hostile_inputs, an_adversary_that_answers_so_as_to_make_work) {
  using namespace gpusort;
  const auto play = [](const char* what, const auto& sort) {
    for (std::size_t n : sizes_of_games()) {
      const game g(n);
      sort(g.ids.begin(), g.ids.end(), g.player());
      g.examine(what);
    }
  };
  play("sort", [](auto first, auto last, auto comp) { sort(par_gpu, first, last, comp); });
  play("stable_sort",
       [](auto first, auto last, auto comp) { stable_sort(par_gpu, first, last, comp); });
  play("quicksort", [](auto first, auto last, auto comp) {
    sort(par_gpu.with(algorithm::quicksort), first, last, comp);
  });
  play("segmented_sort", [](auto first, auto last, auto comp) {
    const buffer<u32> offsets(column<u32>{0, static_cast<u32>(last - first)}, 0);
    segmented_sort(par_gpu, first, last, offsets.begin(), offsets.begin() + 2, comp);
  });
}

/// `<` but for one element in a thousand, which is before all others: of nearly every tile a guess
/// that it is `<` is wrong.
struct nearly_less {
  unsigned long long* calls;
  __host__ __device__ static std::uint64_t rank(u32 x) {
    return x % 1000 == 7 ? x : std::uint64_t{1} << 32 | x;
  }
  __host__ __device__ bool operator()(u32 a, u32 b) const {
#if defined(__CUDA_ARCH__)
    atomicAdd(calls, 1ull);
#else
    ++*calls;
#endif
    return rank(a) < rank(b);
  }
};

TEST_F(hostile_inputs, an_order_that_is_nearly_less) {
  for (std::size_t n : {std::size_t{8192}, std::size_t{20000}, beyond_one_launch,
                        small_sizes_only() ? std::size_t{3} : std::size_t{1} << 22}) {
    const shared_counter counter;
    const auto input = generate<u32>(distribution::uniform, n, seed());
    const buffer<u32> range(input, 1);
    const nearly_less order{counter.get()};
    gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), order);
    const double each = static_cast<double>(*counter.get()) / static_cast<double>(n);
    std::printf("n = %zu: %.2f calls for each element\n", n, each);
    EXPECT_LE(each, most_calls(n) / static_cast<double>(n)) << "n = " << n;
    const findings f = examine(input, range.read(), order, promise::order);
    EXPECT_TRUE(f.ok() && range.intact()) << "n = " << n << ": " << f;
  }
}

}  // namespace
}  // namespace kit
