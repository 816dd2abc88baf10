// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts that first guess which member a comparator compares.
#include <algorithm>
#include <cstring>
#include <gpusort/detail/algorithm/key_inference.hpp>
#include <gpusort/gpusort.hpp>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/environment.hpp"
#include "../kit/graph.hpp"
#include "../kit/random.hpp"

namespace kit {
namespace {

template <int Bytes>
struct fields {
  std::int32_t number;
  float real;
  std::uint32_t small;  // below 2^24: some are equal
  std::uint32_t id;
  double wide_real;
  std::int64_t wide_number;
  unsigned char more[Bytes - 32];
};

enum class by {
  number,
  number_descending,
  real,
  real_descending,
  wide_real,
  wide_number_descending,
  small_then_id,  // equal words, which their elements tell apart
  small_then_id_descending,
  number_but_few,     // misleading: the last bits of a word count the other way round
  few_distinct,       // too few for words to be worth while
  product,            // of no word
  nothing,            // all are equivalent
  random,             // not an order
  random_and_number,  // not an order, and seems to be one
};

struct by_field {
  by field;
  std::uint64_t seed = 7;

  template <class T>
  __noinline__ __host__ __device__ bool operator()(const T& x, const T& y) const {
    switch (field) {
      case by::number:
        return x.number < y.number;
      case by::number_descending:
        return x.number > y.number;
      case by::real:
        return x.real < y.real;
      case by::real_descending:
        return x.real > y.real;
      case by::wide_real:
        return x.wide_real < y.wide_real;
      case by::wide_number_descending:
        return x.wide_number > y.wide_number;
      case by::small_then_id:
        return x.small < y.small || (x.small == y.small && x.id > y.id);
      case by::small_then_id_descending:
        return y.small < x.small || (y.small == x.small && y.id > x.id);
      case by::number_but_few:
        return (x.number ^ 255) < (y.number ^ 255);
      case by::few_distinct:
        return x.small % 16 < y.small % 16;
      case by::product:
        return x.id * 2654435769u < y.id * 2654435769u;
      case by::nothing:
        return false;
      case by::random:
        return random_at(seed ^ x.id, y.id) & 1;
      case by::random_and_number:
        return (x.number < y.number) != (random_at(seed ^ x.id, y.id) % 100000 == 0);
    }
    return false;
  }
};

constexpr by every_order[] = {by::number,        by::number_descending,
                              by::real,          by::real_descending,
                              by::wide_real,     by::wide_number_descending,
                              by::small_then_id, by::number_but_few,
                              by::few_distinct,  by::product,
                              by::nothing};

template <int Bytes>
__host__ __device__ fields<Bytes> element_at(std::uint64_t i, std::uint64_t seed) {
  fields<Bytes> x;
  const auto random = [&](int k) { return random_at(seed + k, i); };
  x.number = static_cast<std::int32_t>(random(0));
  x.real = static_cast<float>(static_cast<std::int32_t>(random(1))) * 1e-5f;
  x.small = static_cast<std::uint32_t>(random(2) >> 40);
  x.id = static_cast<std::uint32_t>(i);
  x.wide_real = static_cast<double>(static_cast<std::int64_t>(random(3))) * 1e-9;
  x.wide_number = static_cast<std::int64_t>(random(4));
  for (auto& byte : x.more) byte = static_cast<unsigned char>(i * 7);
  return x;
}

template <int Bytes>
__global__ void generate_kernel(fields<Bytes>* out, std::size_t n, std::uint64_t seed) {
  const std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x;
  if (i < n) out[i] = element_at<Bytes>(i, seed);
}

/// Counts elements that are before the one in front of them, marks each id, and counts those that
/// are not what was made.
template <int Bytes>
__global__ void examine_kernel(const fields<Bytes>* elements, std::size_t n, by_field before,
                               std::uint64_t seed, std::uint32_t* seen,
                               unsigned long long* results) {
  const std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x;
  if (i >= n) return;
  const fields<Bytes> x = elements[i], made = element_at<Bytes>(x.id, seed);
  if (i + 1 < n && before(elements[i + 1], x)) atomicAdd(results, 1ull);
  bool is_whole = x.id < n && x.number == made.number && x.real == made.real &&
                  x.small == made.small && x.wide_real == made.wide_real &&
                  x.wide_number == made.wide_number;
  for (int k = 0; k < Bytes - 32; ++k) is_whole &= x.more[k] == made.more[k];
  if (!is_whole || atomicAdd(seen + x.id, 1u) != 0) atomicAdd(results + 1, 1ull);
}

template <class T>
struct device_array {
  explicit device_array(std::size_t n) { cuda_ok(cudaMalloc(&data, n * sizeof(T))); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data); }
  T* data = nullptr;
};

struct examined {
  unsigned long long disorders, losses;
};

// Not the kit's, which changes: what a sample teaches is expected of these elements.
constexpr std::uint64_t data_seed = 20;

template <int Bytes>
void generate(const device_array<fields<Bytes>>& elements, std::size_t n) {
  launch((n + 255) / 256, 256, 0, generate_kernel<Bytes>, elements.data, n, data_seed);
  cuda_ok(cudaDeviceSynchronize());
}

template <int Bytes>
examined examine(const fields<Bytes>* elements, std::size_t n, by_field before) {
  const device_array<std::uint32_t> seen(n);
  const device_array<unsigned long long> results(2);
  cuda_ok(cudaMemset(seen.data, 0, n * sizeof(std::uint32_t)));
  cuda_ok(cudaMemset(results.data, 0, 2 * sizeof(unsigned long long)));
  launch((n + 255) / 256, 256, 0, examine_kernel<Bytes>, elements, n, before, data_seed, seen.data,
         results.data);
  examined found{};
  cuda_ok(cudaMemcpy(&found, results.data, sizeof(found), cudaMemcpyDeviceToHost));
  return found;
}

class key_inference : public gpu_test {};

/// Tells what is inferred of an order.
struct expectation {
  by order;
  // 0: nothing. 8: or, where two elements of the sample are equivalent, the upper half alone.
  std::uint32_t word_bytes;
  std::uint32_t offset;
  bool is_descending;
  bool is_sorted;  // by what was inferred
};

constexpr expectation expectations[] = {
    {by::number, 4, 0, false, true},
    {by::number_descending, 4, 0, true, true},
    // With the number in the lower half.
    {by::real, 8, 0, false, true},
    {by::real_descending, 8, 0, true, true},
    {by::wide_real, 8, 16, false, true},
    {by::wide_number_descending, 8, 24, true, true},
    {by::small_then_id, 4, 8, false, true},
    {by::number_but_few, 4, 0, false, false},
    {by::few_distinct, 0, 0, false, false},
    {by::product, 0, 0, false, false},
    {by::random, 0, 0, false, false},
};

/// The order that a comparator of 64-byte elements follows is inferred, they are sorted by it, and
/// it is known afterwards whether that was all.
TEST_F(key_inference, what_is_inferred) {
  using element = fields<64>;
  using stored = gpusort::detail::wide_stored_t<element>;
  using order = gpusort::detail::by_stored_value<by_field>;
  using algorithm = gpusort::detail::key_inference<stored, alignof(element), order>;
  for (std::size_t n : {4096, 4097, 20000, 70001}) {
    const device_array<element> elements(n);
    const std::size_t bytes = algorithm::scratch_bytes(n);
    const device_array<unsigned char> scratch(bytes);
    const device_array<unsigned char> results(gpusort::detail::key_inference_result(nullptr).bytes);
    const gpusort::detail::key_inference_result found(results.data);
    cuda_ok(cudaMemset(results.data, 0, found.bytes));  // it is read as a whole
    for (const expectation& e : expectations) {
      generate(elements, n);
      algorithm::run(nullptr, reinterpret_cast<stored*>(elements.data), n, {{e.order}}, found,
                     scratch.data, bytes);
      gpusort::detail::kernel::inferred inferred;
      cuda_ok(cudaMemcpy(&inferred, found.inferred, sizeof(inferred), cudaMemcpyDeviceToHost));
      std::vector<std::uint32_t> violations(found.probe.blocks);
      cuda_ok(cudaMemcpy(violations.data(), found.probe.violations, 4 * violations.size(),
                         cudaMemcpyDeviceToHost));
      std::uint32_t all = 0;
      for (std::uint32_t v : violations) all |= v;
      const examined after = examine(elements.data, n, {e.order});
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", order " << static_cast<int>(e.order));
      const bool is_half = e.word_bytes == 8 && inferred.order.word_bytes == 4;
      EXPECT_EQ(inferred.order.word_bytes, is_half ? 4 : e.word_bytes);
      EXPECT_EQ(inferred.is_any, e.word_bytes != 0);
      if (e.word_bytes != 0) {
        EXPECT_EQ(inferred.order.offset, e.offset + (is_half ? 4 : 0));
        EXPECT_EQ(inferred.order.is_descending, e.is_descending);
      }
      EXPECT_EQ(after.losses, 0u);
      // Few of so few elements have words that differ in the last bits only.
      if (e.is_sorted) {
        EXPECT_EQ(after.disorders, 0u);
        EXPECT_EQ(all & gpusort::detail::kernel::not_ascending, 0u);
      }
      EXPECT_EQ(after.disorders != 0, (all & gpusort::detail::kernel::not_ascending) != 0);
    }
  }
}

/// Elements of other sizes and alignments, each of which knows its place.
template <int Bytes, int Alignment>
struct alignas(Alignment) numbered {
  std::uint32_t key;
  std::uint32_t place;
  std::uint32_t more[Bytes / 4 - 2];
};

/// Orders by key, but for a share of the answers, which are different each time.
struct by_key_or_clock {
  std::uint64_t one_in;  // 0: always by key

  template <class T>
  __noinline__ __host__ __device__ bool operator()(const T& x, const T& y) const {
#if defined(__CUDA_ARCH__)
    const std::uint64_t now = random_at(clock64(), threadIdx.x);
    if (one_in != 0 && now % one_in == 0) return now >> 63;
#endif
    return x.key < y.key;
  }
};

/// Infers by key inference alone: it may be led astray, and loses nothing.
template <int Bytes, int Alignment>
void infer_numbered(std::size_t offset) {
  using element = numbered<Bytes, Alignment>;
  using stored = gpusort::detail::stored_t<element>;
  using order = gpusort::detail::by_stored_value<by_key_or_clock>;
  using algorithm = gpusort::detail::key_inference<stored, Alignment, order>;
  for (std::size_t n : {4097, 20000}) {
    std::vector<element> made(n), sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
      made[i].key = static_cast<std::uint32_t>(random_at(data_seed, i));
      made[i].place = static_cast<std::uint32_t>(i);
      for (auto& word : made[i].more) word = static_cast<std::uint32_t>(i * 3);
    }
    const device_array<element> memory(n + offset);
    element* const elements = memory.data + offset;
    const std::size_t bytes = algorithm::scratch_bytes(n);
    const device_array<unsigned char> scratch(bytes);
    const device_array<unsigned char> results(gpusort::detail::key_inference_result(nullptr).bytes);
    for (std::uint64_t one_in : {0, 1, 2, 1000, 1000000}) {
      cuda_ok(cudaMemcpy(elements, made.data(), n * sizeof(element), cudaMemcpyHostToDevice));
      algorithm::run(nullptr, reinterpret_cast<stored*>(elements), n, {{one_in}},
                     gpusort::detail::key_inference_result(results.data), scratch.data, bytes);
      cuda_ok(cudaMemcpy(sorted.data(), elements, n * sizeof(element), cudaMemcpyDeviceToHost));
      std::vector<bool> seen(n);
      for (std::size_t i = 0; i < n; ++i) {
        const element& x = sorted[i];
        ASSERT_TRUE(x.place < n && !seen[x.place]) << Bytes << " bytes, " << i;
        seen[x.place] = true;
        ASSERT_EQ(std::memcmp(&x, &made[x.place], sizeof(x)), 0) << Bytes << " bytes, " << i;
        if (one_in == 0 && i > 0) ASSERT_LE(sorted[i - 1].key, x.key) << Bytes << " bytes, " << i;
      }
    }
  }
}

TEST_F(key_inference, elements_of_many_sizes) {
  infer_numbered<28, 4>(0);
  infer_numbered<36, 4>(1);
  infer_numbered<48, 16>(1);
  infer_numbered<72, 8>(1);
  infer_numbered<100, 4>(3);
  infer_numbered<4096, 8>(0);
}

/// The places of elements in runs of equal words, by what the elements say: runs of up to 32.
TEST_F(key_inference, elements_with_equal_words) {
  namespace kernel = gpusort::detail::kernel;
  using element = numbered<32, 4>;
  std::vector<std::uint32_t> run_of;
  for (int length : {1, 2, 31, 32, 33, 1, 100, 3, 32}) {
    const std::uint32_t run = run_of.empty() ? 5 : run_of.back() + 1;
    run_of.insert(run_of.end(), length, run);
  }
  const std::size_t n = run_of.size();
  std::vector<element> elements(n);
  std::vector<std::uint64_t> packed(n), numbers(n);
  std::vector<std::uint32_t> places(n), found(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t place = i * 89 % n;  // n is 235
    places[i] = static_cast<std::uint32_t>(place);
    numbers[i] = std::uint64_t{run_of[i]} << 33;
    packed[i] = std::uint64_t{run_of[i]} << 32 | place;
    elements[place].key = static_cast<std::uint32_t>(random_at(data_seed, place));
  }
  std::vector<std::uint32_t> expected = places;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && run_of[end] == run_of[begin]) ++end;
    if (end - begin > 32) continue;
    std::sort(expected.begin() + begin, expected.begin() + end,
              [&](auto a, auto b) { return elements[a].key < elements[b].key; });
  }
  const device_array<element> device_elements(n);
  const device_array<std::uint64_t> words(n);
  const device_array<std::uint32_t> out(n);
  const auto fetch = [&](const std::vector<std::uint64_t>& from, const kernel::sorted_words& sorted,
                         std::uint64_t one_in) {
    cuda_ok(cudaMemcpy(device_elements.data, elements.data(), n * sizeof(element),
                       cudaMemcpyHostToDevice));
    cuda_ok(cudaMemcpy(words.data, from.data(), 8 * n, cudaMemcpyHostToDevice));
    cuda_ok(cudaMemcpy(out.data, places.data(), 4 * n, cudaMemcpyHostToDevice));
    launch(3, 64, 0, kernel::order_ties_kernel<64, element, by_key_or_clock>, sorted, n,
           device_elements.data, out.data, gpusort::detail::kernel::predicate{},
           by_key_or_clock{one_in});
    cuda_ok(cudaMemcpy(found.data(), out.data, 4 * n, cudaMemcpyDeviceToHost));
  };
  fetch(packed, kernel::sorted_words{words.data, nullptr}, 0);
  EXPECT_EQ(found, expected);
  fetch(numbers, kernel::sorted_words{words.data, out.data}, 0);
  EXPECT_EQ(found, expected);
  fetch(packed, kernel::sorted_words{words.data, nullptr}, 2);
  EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), expected.begin()));
}

template <int Bytes>
void sort_by_every_order(std::size_t n) {
  if (small_sizes_only()) GTEST_SKIP() << "elements are sorted by words from 2^20 on";
  const device_array<fields<Bytes>> elements(n);
  fields<Bytes>* const first = elements.data;
  for (by order : every_order) {
    generate(elements, n);
    // The second sort finds its input in order.
    for (int round = 0; round < 2; ++round) {
      gpusort::sort(gpusort::par_gpu, first, first + n, by_field{order});
      const examined after = examine(first, n, {order});
      ASSERT_EQ(after.disorders, 0u) << static_cast<int>(order) << ", round " << round;
      ASSERT_EQ(after.losses, 0u) << static_cast<int>(order) << ", round " << round;
    }
  }
  for (by inconsistent : {by::random, by::random_and_number}) {
    generate(elements, n);
    gpusort::sort(gpusort::par_gpu, first, first + n, by_field{inconsistent});
    ASSERT_EQ(examine(first, n, {inconsistent}).losses, 0u) << static_cast<int>(inconsistent);
  }
}

TEST_F(key_inference, elements_that_are_moved) { sort_by_every_order<64>((1 << 22) + 5); }

TEST_F(key_inference, elements_that_are_represented_by_places) {
  sort_by_every_order<128>((1 << 20) + 5);
}

TEST_F(key_inference, strictly_descending) {
  const std::size_t n = (1 << 20) + 5;
  const device_array<fields<128>> elements(n);
  generate(elements, n);
  // The second order is the opposite of the first, and no elements are equivalent.
  for (by order : {by::small_then_id, by::small_then_id_descending}) {
    gpusort::sort(gpusort::par_gpu, elements.data, elements.data + n, by_field{order});
    const examined after = examine(elements.data, n, {order});
    ASSERT_EQ(after.disorders, 0u);
    ASSERT_EQ(after.losses, 0u);
  }
}

TEST_F(key_inference, to_another_range) {
  const std::size_t n = (1 << 20) + 5;
  const device_array<fields<128>> in(n), out(n);
  for (by order : {by::real_descending, by::number_but_few, by::product}) {
    generate(in, n);
    gpusort::sort_copy(gpusort::par_gpu, in.data, in.data + n, out.data, by_field{order});
    const examined after = examine(out.data, n, {order});
    ASSERT_EQ(after.disorders, 0u) << static_cast<int>(order);
    ASSERT_EQ(after.losses, 0u) << static_cast<int>(order);
    ASSERT_EQ(examine(in.data, n, {order}).losses, 0u) << "the input has changed";
  }
}

// Where there is scratch for sample sort only, that is what sorts.
TEST_F(key_inference, with_less_scratch) {
  const std::size_t n = (1 << 22) + 5;
  const device_array<fields<64>> elements(n);
  const auto policy = gpusort::par_gpu;
  const std::size_t enough =
      gpusort::scratch_bytes(policy, elements.data, elements.data + n, by_field{by::number});
  const device_array<unsigned char> scratch(enough);
  for (std::size_t bytes : {enough, enough - (1 << 20)}) {
    generate(elements, n);
    gpusort::sort(policy.with(gpusort::scratch(scratch.data, bytes)), elements.data,
                  elements.data + n, by_field{by::number});
    const examined after = examine(elements.data, n, {by::number});
    ASSERT_EQ(after.disorders, 0u) << bytes;
    ASSERT_EQ(after.losses, 0u) << bytes;
  }
}

TEST_F(key_inference, captured) {
  const std::size_t n = (1 << 20) + 5;
  const device_array<fields<128>> elements(n);
  const stream s;
  for (by order : {by::wide_real, by::number_but_few, by::product}) {
    const graph recorded(s, [&] {
      gpusort::sort(gpusort::par_gpu_nosync.on(s), elements.data, elements.data + n,
                    by_field{order});
    });
    for (int round = 0; round < 2; ++round) {
      generate(elements, n);
      recorded.launch(s);
      const examined after = examine(elements.data, n, {order});
      ASSERT_EQ(after.disorders, 0u) << static_cast<int>(order);
      ASSERT_EQ(after.losses, 0u) << static_cast<int>(order);
    }
  }
}

}  // namespace
}  // namespace kit
