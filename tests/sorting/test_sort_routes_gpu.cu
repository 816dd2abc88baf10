// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What single routes do that no type or size by itself would show.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <tuple>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/expect_sorted.hpp"
#include "../kit/generate.hpp"
#include "../kit/places.hpp"
#include "../kit/random.hpp"
#include "../kit/red_zones.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

class routes : public gpu_test {};

/// Makes values by a function of the place.
template <class T, class Make>
column<T> tabulate(std::size_t n, Make make) {
  return make_all(n, [&](std::size_t i, std::size_t) { return static_cast<T>(make(i)); });
}

template <class T>
bool same(const column<T>& a, const column<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// Makes values on the device by a function of the place, somewhere inside an allocation.
template <class T, class Make>
buffer<T> on_device(std::size_t n, Make make) {
  return buffer<T>(tabulate<T>(n, make), 1);
}

template <class T, class Compare>
void copy_sorted_at_offsets(Compare compare) {
  std::vector<std::size_t> sizes = {2, 3, 257, 4095, 4096, 4097, 16384, 16385};
  if (!small_sizes_only()) sizes.insert(sizes.end(), {70001, 262144, 262145, 300007});
  for (std::size_t n : sizes) {
    const auto input = generate<T>(distribution::uniform, n, seed());
    column<T> expected = input;
    std::sort(expected.begin(), expected.end(), compare);
    for (std::size_t from : {0, 1, 3}) {
      for (std::size_t to : {0, 2, 5}) {
        const buffer<T> source(input, from);
        const buffer<T> target(n, to);
        gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(), target.begin(), compare);
        ASSERT_TRUE(same(source.read(), input) && source.intact()) << "n = " << n;
        ASSERT_TRUE(same(target.read(), expected) && target.intact()) << "n = " << n;
      }
    }
  }
}

TEST_F(routes, short_keys_to_another_range) {
  copy_sorted_at_offsets<std::uint8_t>(gpusort::less{});
  copy_sorted_at_offsets<std::int8_t>(gpusort::greater{});
  copy_sorted_at_offsets<std::uint16_t>(gpusort::less{});
  copy_sorted_at_offsets<std::int16_t>(gpusort::greater{});
}

TEST_F(routes, argsort_of_bytes) {
  const std::size_t n = 1000;
  const auto input = generate<std::uint8_t>(distribution::uniform, n, seed());
  const buffer<std::uint8_t> keys(input, 1);
  const buffer<std::uint32_t> places(n);
  gpusort::argsort(gpusort::par_gpu, keys.begin(), keys.end(), places.begin());
  EXPECT_TRUE(ordered_by_places(input, places.read(), reference_less{}, promise::stability));
  EXPECT_TRUE(keys.intact() && places.intact());
}

TEST_F(routes, half_keys_with_short_values) {
  for (std::size_t n : {2, 1000, 1025, 8192, 8193, 50000}) {
    const auto number = [&](std::size_t i) { return int(random_at(seed(), i) % 2001) - 1000; };
    const auto input =
        tabulate<__half>(n, [&](std::size_t i) { return __float2half(float(number(i))); });
    const buffer<__half> keys(input, 1);
    const buffer<std::uint16_t> values(places_of<std::uint16_t>(n), 1);
    gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin());
    EXPECT_TRUE(
        moved_with_places(input, keys.read(), values.read(), reference_less{}, promise::order));
    EXPECT_TRUE(keys.intact() && values.intact());
  }
}

/// Makes numbers of two bytes by their bits.
template <class Key, class Bits>
column<Key> numbers_of_bits(std::size_t n, Bits bits) {
  return tabulate<Key>(n, [&](std::size_t i) {
    const auto word = static_cast<std::uint16_t>(bits(i));
    Key key;
    std::memcpy(static_cast<void*>(&key), &word, sizeof(key));
    return key;
  });
}

template <class Key>
void sort_either_way(const buffer<Key>& range, bool is_descending) {
  if (is_descending) {
    gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), gpusort::greater{});
  } else {
    gpusort::sort(gpusort::par_gpu, range.begin(), range.end());
  }
}

/// Sorts numbers of two bytes whose bits are bits(i), and compares what comes out with what
/// counting on the host says.
template <class Key, class Bits>
void count_short_keys(std::size_t n, Bits bits, bool is_descending = true) {
  const auto input = numbers_of_bits<Key>(n, bits);
  std::vector<std::size_t> counts(1 << 16);
  const auto number = [](Key key) {
    return static_cast<std::size_t>(static_cast<int>(key) - int{std::numeric_limits<Key>::min()});
  };
  for (std::size_t i = 0; i < n; ++i) ++counts[number(input[i])];
  const buffer<Key> range(input, 1);
  sort_either_way(range, is_descending);
  const auto sorted = range.read();
  std::size_t place = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::size_t v = is_descending ? counts.size() - 1 - k : k;
    for (std::size_t i = 0; i < counts[v]; ++i, ++place) ASSERT_EQ(number(sorted[place]), v);
  }
  EXPECT_TRUE(range.intact());
  if (is_descending) count_short_keys<Key>(n, bits, false);
}

// A block counts some n / 132 keys in counters of 16 bits, two in a word.
TEST_F(routes, short_keys_that_outgrow_their_counters) {
  const std::size_t n = small_sizes_only() ? 300007 : 40000003;
  const auto random = [](std::size_t i) { return random_at(11, i); };
  count_short_keys<std::uint16_t>(n, [](std::size_t) { return 6; });
  count_short_keys<std::uint16_t>(n, [](std::size_t) { return 0xffff; });
  count_short_keys<std::uint16_t>(n, [](std::size_t i) { return 6 + i % 2; });
  count_short_keys<std::uint16_t>(n, [&](std::size_t i) { return 6 + random(i) % 2; });
  count_short_keys<std::int16_t>(n, [&](std::size_t i) { return 0xfffe + random(i) % 4; });
  count_short_keys<std::int16_t>(n, [](std::size_t i) { return i / 40 % 3; });
  count_short_keys<std::uint16_t>(n, [&](std::size_t i) { return random(i) % 50 ? 7 : i; });
}

TEST_F(routes, short_keys_of_few_and_of_all_values) {
  int processors = 0;
  cuda_ok(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  const auto one_launch = static_cast<std::size_t>(512 * processors);
  for (std::size_t n : {std::size_t{4097}, std::size_t{5000}, std::size_t{65536}, one_launch,
                        one_launch + 1, std::size_t{131073}}) {
    const auto random = [](std::size_t i) { return random_at(12, i); };
    count_short_keys<std::uint16_t>(n, [](std::size_t i) { return i; });
    count_short_keys<std::int16_t>(n, [&](std::size_t i) { return random(i); });
    count_short_keys<std::uint16_t>(n, [](std::size_t) { return 0; });
    count_short_keys<std::uint16_t>(n, [](std::size_t) { return 0xffff; });
    // One key of each segment of counters, and all others the same.
    count_short_keys<std::uint16_t>(n, [](std::size_t i) { return i < 128 ? 512 * i : 70; });
    count_short_keys<std::uint16_t>(n, [](std::size_t i) { return i < 9 ? 0xffff : 0; });
  }
}

/// Sorts every pattern of 16 bits, NaNs and both zeros among them, which comes out as often as it
/// went in, and in order.
template <class Key>
void sort_every_pattern(std::size_t n) {
  for (bool is_descending : {false, true}) {
    const auto input = numbers_of_bits<Key>(
        n, [](std::size_t i) { return i < 65536 ? i * 40503 : random_at(15, i); });
    const buffer<Key> range(input, 1);
    sort_either_way(range, is_descending);
    const auto sorted = range.read();
    std::vector<int> counts(1 << 16);
    const auto bits = [](const Key& key) {
      std::uint16_t word;
      std::memcpy(&word, &key, sizeof(word));
      return word;
    };
    for (std::size_t i = 0; i < n; ++i) {
      ++counts[bits(input[i])];
      --counts[bits(sorted[i])];
      if (i == 0) continue;
      const auto a = gpusort::detail::order_bits(sorted[i - 1]);
      const auto b = gpusort::detail::order_bits(sorted[i]);
      ASSERT_TRUE(is_descending ? a >= b : a <= b) << i;
    }
    EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](int count) { return count == 0; }));
    EXPECT_TRUE(range.intact());
  }
}

TEST_F(routes, short_floats_of_every_pattern) {
  for (std::size_t n : {65537, 131073, 300007}) {
    sort_every_pattern<__half>(n);
    sort_every_pattern<__nv_bfloat16>(n);
  }
}

/// Sorts keys of which many are the last there is, as what a tile is filled up with.
template <class T, class Order>
void sort_last_keys() {
  std::vector<std::size_t> sizes = {2, 31, 255, 257, 500, 513, 1023, 1025, 3000, 8191, 20011};
  if (!small_sizes_only()) sizes.insert(sizes.end(), {100003, 300007});
  for (std::size_t n : sizes) {
    const auto input = tabulate<T>(n, [](std::size_t i) {
      const T ends[] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
      return random_at(13, i) % 3 == 0 ? static_cast<T>(random_at(14, i)) : ends[i % 5 == 0];
    });
    expect_sorts<subject<T, Order>>(input);
  }
}

TEST_F(routes, keys_that_are_the_last_there_is) {
  sort_last_keys<std::uint16_t, gpusort::greater>();
  sort_last_keys<std::int16_t, gpusort::less>();
  sort_last_keys<std::int32_t, gpusort::less>();
  sort_last_keys<std::uint32_t, gpusort::less>();
  sort_last_keys<std::uint32_t, gpusort::greater>();
  sort_last_keys<std::int64_t, gpusort::greater>();
  sort_last_keys<std::uint64_t, gpusort::less>();
}

/// Counts its calls.
struct counting_less {
  unsigned long long* calls;
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    atomicAdd(calls, 1ull);
    return a < b;
  }
};

unsigned long long comparisons(const column<std::uint32_t>& input) {
  const buffer<unsigned long long> calls =
      on_device<unsigned long long>(1, [](std::size_t) { return 0; });
  const buffer<std::uint32_t> range(input, 1);
  gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), counting_less{calls.begin()});
  const auto sorted = range.read();
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  return calls.read()[0];
}

TEST_F(routes, ordered_inputs_take_few_comparisons) {
  const std::size_t n = (1 << 18) + 3;
  const auto ascending = tabulate<std::uint32_t>(n, [](std::size_t i) { return i / 3; });
  const auto descending = tabulate<std::uint32_t>(n, [&](std::size_t i) { return n - i; });
  const auto equal = tabulate<std::uint32_t>(n, [](std::size_t) { return 7; });
  const auto uniform = generate<std::uint32_t>(distribution::uniform, n, seed());
  // One for each pair of neighbours, and those that sort the sample.
  EXPECT_LE(comparisons(ascending), 2 * n);
  EXPECT_LE(comparisons(descending), 2 * n);
  EXPECT_LE(comparisons(equal), 2 * n);
  EXPECT_GT(comparisons(uniform), 10 * n);
}

TEST_F(routes, ordered_inputs_with_several_ranges_of_values) {
  for (std::size_t n : {300006, 300007}) {
    for (bool is_descending : {false, true}) {
      const auto place = [&](std::size_t i) { return is_descending ? n - 1 - i : i; };
      const buffer<std::uint64_t> keys = on_device<std::uint64_t>(n, place);
      const buffer<std::uint32_t> a = on_device<std::uint32_t>(n, place);
      const buffer<std::uint64_t> b = on_device<std::uint64_t>(n, place);
      gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), a.begin(), b.begin(),
                           opaque{});
      const auto k = keys.read();
      const auto v = a.read();
      const auto w = b.read();
      for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(k[i] == i && v[i] == i && w[i] == i);
      EXPECT_TRUE(keys.intact() && a.intact() && b.intact());
    }
  }
}

TEST_F(routes, ordered_numbers_to_another_range) {
  for (std::size_t n : {300006, 300007}) {
    for (bool is_descending : {false, true}) {
      const auto input =
          tabulate<double>(n, [&](std::size_t i) { return double(is_descending ? n - 1 - i : i); });
      const buffer<double> source(input, 1);
      const buffer<double> target(n, 2);
      gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(), target.begin());
      const auto sorted = target.read();
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sorted[i], double(i));
      EXPECT_TRUE(same(source.read(), input) && target.intact());
    }
  }
}

/// 16 bytes that need not begin at a multiple of 16.
struct pair_of_words {
  std::uint64_t key;
  std::uint64_t id;
};

struct by_word {
  __host__ __device__ bool operator()(const pair_of_words& a, const pair_of_words& b) const {
    return a.key < b.key;
  }
};

TEST_F(routes, scratch_bytes_is_enough_for_a_range_between_alignments) {
  const std::size_t n = 100000;
  const buffer<std::uint64_t> words(2 * n + 1, 0);
  auto* first = reinterpret_cast<pair_of_words*>(words.begin());
  if (reinterpret_cast<std::uintptr_t>(first) % 16 == 0) {
    first = reinterpret_cast<pair_of_words*>(words.begin() + 1);
  }
  const auto values = tabulate<pair_of_words>(n, [](std::size_t i) {
    return pair_of_words{random_at(3, i) % 1000, i};
  });
  cuda_ok(cudaMemcpy(first, values.begin(), n * sizeof(pair_of_words), cudaMemcpyDefault));
  const by_word compare;
  const std::size_t bytes = gpusort::scratch_bytes(gpusort::par_gpu, first, first + n, compare);
  const buffer<unsigned char> memory(bytes);
  gpusort::stable_sort(gpusort::par_gpu.with(gpusort::scratch(memory.begin(), bytes)), first,
                       first + n, compare);
  column<pair_of_words> sorted(n);
  cuda_ok(cudaMemcpy(sorted.begin(), first, n * sizeof(pair_of_words), cudaMemcpyDefault));
  for (std::size_t i = 1; i < n; ++i) {
    ASSERT_TRUE(sorted[i - 1].key < sorted[i].key ||
                (sorted[i - 1].key == sorted[i].key && sorted[i - 1].id < sorted[i].id));
  }
  EXPECT_TRUE(memory.intact());
}

struct row {
  std::uint32_t group;
  std::uint32_t id;
};

TEST_F(routes, few_records_by_packed_keys_with_values) {
  for (std::size_t n : {2, 3, 1000, 4096, 4097, 8192, 8193, 131072, 131073, 262144, 262145}) {
    const buffer<row> rows = on_device<row>(n, [](std::size_t i) {
      return row{static_cast<std::uint32_t>(random_at(5, i) % 100), static_cast<std::uint32_t>(i)};
    });
    const buffer<std::uint32_t> a = on_device<std::uint32_t>(n, [](std::size_t i) { return i; });
    const buffer<std::uint64_t> b = on_device<std::uint64_t>(n, [](std::size_t i) { return ~i; });
    gpusort::stable_sort_by_key(gpusort::par_gpu, rows.begin(), rows.end(), a.begin(), b.begin(),
                                gpusort::order_by(gpusort::desc(&row::group)));
    const auto r = rows.read();
    const auto v = a.read();
    const auto w = b.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(v[i] == r[i].id && w[i] == ~std::uint64_t{r[i].id}) << "n = " << n;
      ASSERT_TRUE(i == 0 || r[i - 1].group > r[i].group ||
                  (r[i - 1].group == r[i].group && r[i - 1].id < r[i].id))
          << "n = " << n;
    }
    EXPECT_TRUE(rows.intact() && a.intact() && b.intact());
  }
}

struct measurement {
  double value;
  std::int32_t station;
  std::uint32_t id;
};

TEST_F(routes, few_records_by_keys_of_more_than_a_word) {
  for (std::size_t n : {2, 1000, 4096, 4097, 131072, 131073, 200003}) {
    const auto make = [](std::size_t i) {
      const auto r = random_at(9, i);
      return measurement{double(r % 50) - 25, static_cast<std::int32_t>(r >> 60) - 8,
                         static_cast<std::uint32_t>(i)};
    };
    const buffer<measurement> range = on_device<measurement>(n, make);
    const buffer<std::int64_t> places(n);
    const auto order =
        gpusort::order_by(gpusort::asc(&measurement::value), gpusort::desc(&measurement::station));
    gpusort::argsort(gpusort::par_gpu, range.begin(), range.end(), places.begin(), order);
    gpusort::stable_sort(gpusort::par_gpu, range.begin(), range.end(), order);
    const auto sorted = range.read();
    const auto p = places.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(p[i], std::int64_t{sorted[i].id}) << "n = " << n;
      const auto key = [](const measurement& m) {
        return std::make_tuple(m.value, -m.station, m.id);
      };
      ASSERT_TRUE(i == 0 || key(sorted[i - 1]) < key(sorted[i])) << "n = " << n;
    }
    EXPECT_TRUE(range.intact() && places.intact());
  }
}

}  // namespace
}  // namespace kit
