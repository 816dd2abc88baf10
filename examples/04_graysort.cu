// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The task of the sort benchmark (sortbenchmark.org): records of 100 bytes, of which the first 10
// are the key, compared byte by byte. Makes them, sorts them, and checks the result as its valsort
// does.
//
//   04_graysort [number of records]
#include <gpusort/gpusort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "example.hpp"
#include "graysort.hpp"

/// Record with its key read as three big-endian numbers, which order as the bytes do.
struct numbered_record {
  std::uint32_t key_high, key_middle;
  std::uint16_t key_low;
  std::uint8_t payload[90];
};
static_assert(sizeof(numbered_record) == 100, "records are packed");

struct to_numbers {
  __host__ __device__ numbered_record operator()(const record& r) const {
    numbered_record result;
    result.key_high = number<std::uint32_t>(r.key);
    result.key_middle = number<std::uint32_t>(r.key + 4);
    result.key_low = number<std::uint16_t>(r.key + 8);
    for (int i = 0; i < 90; ++i) result.payload[i] = r.payload[i];
    return result;
  }

  template <class Number>
  __host__ __device__ static Number number(const std::uint8_t* bytes) {
    Number result = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      result = static_cast<Number>(result << 8 | bytes[i]);
    }
    return result;
  }
};

struct to_bytes {
  __host__ __device__ record operator()(const numbered_record& r) const {
    record result;
    for (int i = 0; i < 4; ++i) {
      result.key[i] = static_cast<std::uint8_t>(r.key_high >> (24 - 8 * i));
      result.key[4 + i] = static_cast<std::uint8_t>(r.key_middle >> (24 - 8 * i));
    }
    result.key[8] = static_cast<std::uint8_t>(r.key_low >> 8);
    result.key[9] = static_cast<std::uint8_t>(r.key_low);
    for (int i = 0; i < 90; ++i) result.payload[i] = r.payload[i];
    return result;
  }
};

struct equal_keys {
  __host__ __device__ std::uint64_t operator()(const record& a, const record& b) const {
    return !by_key{}(a, b) && !by_key{}(b, a);
  }
};

struct out_of_order {
  __host__ __device__ std::uint64_t operator()(const record& a, const record& b) const {
    return by_key{}(b, a);
  }
};

/// Returns the sum of all hashes: it does not depend on their order.
template <class Records>
std::uint64_t checksum(const Records& records) {
  return thrust::transform_reduce(records.begin(), records.end(), hash_of{}, std::uint64_t{0},
                                  thrust::plus<std::uint64_t>{});
}

/// Counts in how many places `relation` holds between a record and the next.
template <class Records, class Relation>
std::uint64_t count_neighbours(const Records& records, Relation relation) {
  return thrust::inner_product(records.begin(), records.end() - 1, records.begin() + 1,
                               std::uint64_t{0}, thrust::plus<std::uint64_t>{}, relation);
}

/// Validates as the benchmark's valsort does.
template <class Records>
void validate(const char* what, const Records& records, std::uint64_t expected_checksum) {
  const std::uint64_t unordered = count_neighbours(records, out_of_order{});
  const std::uint64_t sum = checksum(records);
  std::printf("  %s: checksum %016llx, %llu duplicate keys, %llu records out of order\n", what,
              static_cast<unsigned long long>(sum),
              static_cast<unsigned long long>(count_neighbours(records, equal_keys{})),
              static_cast<unsigned long long>(unordered));
  example::verify(unordered == 0, "all records are in order");
  example::verify(sum == expected_checksum, "the records are those of the input");
}

void sort_with_peer(thrust::device_vector<record>& records) {
  thrust::sort(thrust::cuda::par, records.begin(), records.end(), by_key{});
}

void sort_with_peer(std::vector<record>& records) {
  std::sort(records.begin(), records.end(), by_key{});
}

/// Sorts records in a `Vector`, thrust::device_vector or std::vector: they are made, sorted and
/// checked where they are. `peer` names what sort_with_peer calls.
template <template <class...> class Vector>
void graysort(std::size_t n, const char* peer) {
  using gpusort::par_gpu;
  Vector<record> input(n), records(n);
  thrust::tabulate(input.begin(), input.end(), make_record{});
  const std::uint64_t expected_checksum = checksum(input);
  const auto restore = [&] { thrust::copy(input.begin(), input.end(), records.begin()); };

  const double peer_ms = example::milliseconds(restore, [&] { sort_with_peer(records); });
  const double bytes_ms = example::milliseconds(
      restore, [&] { gpusort::sort(par_gpu, records.begin(), records.end(), by_key{}); });
  validate("comparator", records, expected_checksum);

  // The library cannot look into a comparator, but it can into this order.
  const auto by_numbers = gpusort::order_by(gpusort::asc<&numbered_record::key_high>(),
                                            gpusort::asc<&numbered_record::key_middle>(),
                                            gpusort::asc<&numbered_record::key_low>());
  Vector<numbered_record> numbered(n);
  const double numbers_ms = example::milliseconds(
      [&] { thrust::transform(input.begin(), input.end(), numbered.begin(), to_numbers{}); },
      [&] { gpusort::sort(par_gpu, numbered.begin(), numbered.end(), by_numbers); });
  thrust::transform(numbered.begin(), numbered.end(), records.begin(), to_bytes{});
  validate("order_by  ", records, expected_checksum);

  const auto print = [&](const char* what, double ms) {
    std::printf("  %-38s %9.2f ms %7.2f GB/s %7.2f x %s\n", what, ms,
                1e-6 * static_cast<double>(n * sizeof(record)) / ms, peer_ms / ms, peer);
  };
  print("gpusort::sort, order_by three numbers", numbers_ms);
  print("gpusort::sort, comparator on ten bytes", bytes_ms);
  print(peer, peer_ms);
}

/// Returns a gigabyte, or what the device has room for: three copies of the input, and scratch.
std::size_t default_count_on_device() {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return std::min<std::size_t>(10'000'000, free / (6 * sizeof(record)));
}

std::size_t parse_count(const char* text) {
  char* end = nullptr;
  const unsigned long long count = std::strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
  if (!is_number || count == 0) throw std::invalid_argument("usage: 04_graysort [records]");
  return count;
}

int main(int argc, char** argv) try {
  const bool has_device = example::has_device();
  if (!has_device) std::puts("No GPU on this machine: on the CPU, with fewer records.");
  const std::size_t n = argc > 1     ? parse_count(argv[1])
                        : has_device ? default_count_on_device()
                                     : 500'000;
  std::printf("%zu records of %zu bytes\n", n, sizeof(record));
  if (has_device) {
    graysort<thrust::device_vector>(n, "thrust::sort");
  } else {
    graysort<std::vector>(n, "std::sort");
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "04_graysort: %s\n", e.what());
  return EXIT_FAILURE;
}
