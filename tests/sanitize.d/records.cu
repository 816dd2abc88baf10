// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <cuda/std/tuple>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/encoded_sample_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/gpusort.hpp>
#include <iterator>

#include "case.hpp"

namespace sanitize {
namespace {

struct record {
  std::uint32_t key;
  std::uint32_t more[5];
};

__global__ void make_padded_kernel(cuda::std::tuple<char, int>* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  cuda::std::get<0>(out[i]) = static_cast<char>(i * 7 % 100);
  cuda::std::get<1>(out[i]) = i * 7919 % 10007;
}

__global__ void take_keys_kernel(const cuda::std::tuple<char, int>* in, int n, int* keys) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) keys[i] = cuda::std::get<0>(in[i]) * 20000 + cuda::std::get<1>(in[i]);
}

// Conditional moves are those of a presorted range, of which this is the part.
SANITIZE_CASE(records, "encode_kernel", "iota_kernel", "gather_kernel", "copy_pieces_kernel") {
  using gpusort::detail::permutation_scratch;
  constexpr std::size_t n = 5003;
  std::vector<record> values(n);
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < n; ++i) {
    values[i].key = static_cast<std::uint32_t>(kit::random_at(kit::seed(), i));
    keys.push_back(values[i].key);
  }
  const auto expect_order = [&](const device_array<record>& data) {
    std::vector<std::uint32_t> found;
    for (const record& r : data.read()) found.push_back(r.key);
    expect(found == sorted(keys), "not sorted");
  };
  auto order = gpusort::order_by(gpusort::asc(&record::key));
  using sort = gpusort::detail::encoded_radix_sort<record, decltype(order), std::uint32_t>;
  const device_array<record> data(values);
  using move = gpusort::detail::gather<record, std::uint32_t>;
  permutation_scratch moving{n, sizeof(record), sizeof(std::uint32_t), 0};
  moving.bytes = std::max(permutation_scratch::bytes_for(n, sizeof(record), sizeof(std::uint32_t)),
                          sort::order_scratch_bytes(n));
  const scratch places(moving.bytes);
  sort::order(nullptr, data.data(), n, order, places.data(), moving.bytes);
  move::run_in_place(nullptr, data.data(), moving, places.data());
  expect_order(data);

  gpusort::detail::iota(
      nullptr, reinterpret_cast<std::uint32_t*>(places.data() + moving.first_index_byte()), n);
  const device_array<std::uint32_t> wanted(std::vector<std::uint32_t>{1});
  move::run_in_place(nullptr, data.data(), moving, places.data(), {wanted.data()});
  expect_order(data);
}

struct named {
  char name[61];
};

SANITIZE_CASE(long_keys, "encode_long_kernel") {
  std::vector<named> records(1003);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t bits = kit::random_at(kit::seed(), i);
    std::memcpy(records[i].name + 53 * (i % 2), &bits, 8);
  }
  const auto order = gpusort::order_by(gpusort::asc(&named::name));
  using key = gpusort::detail::long_key_t<std::decay_t<decltype(order)>, named>;
  const device_array<named> data(records);
  const device_array<key> keys{std::vector<key>(records.size())};
  gpusort::detail::encode_long_keys(nullptr, {}, data.data(), records.size(), order, keys.data());
  const std::vector<key> found = keys.read();
  for (std::size_t i = 1; i < records.size(); ++i) {
    const bool is_less = std::memcmp(records[i - 1].name, records[i].name, sizeof(named)) < 0;
    expect(is_less == (found[i - 1] < found[i]), "keys are ordered otherwise than records");
  }
}

// Bytes between the members of a tuple are moved with them, so initcheck wants them written, as it
// does for any copy of a whole object (NVIDIA/cccl#2224); the order does not depend on them.
SANITIZE_CASE(padded_tuples, "cluster_sample_sort_kernel") {
  using padded = cuda::std::tuple<char, int>;
  static_assert(sizeof(padded) > sizeof(char) + sizeof(int));
  for (std::size_t n : {700, 5003}) {
    const device_array<int> keys{std::vector<int>(n)};
    std::vector<int> found;
    for (unsigned char padding : {0, 255}) {
      const device_array<unsigned char> memory{
          std::vector<unsigned char>(n * sizeof(padded), padding)};
      auto* const data = reinterpret_cast<padded*>(memory.data());
      make_padded_kernel<<<static_cast<unsigned>(n / 256 + 1), 256>>>(data, static_cast<int>(n));
      gpusort::sort(gpusort::par_gpu, data, data + n);
      take_keys_kernel<<<static_cast<unsigned>(n / 256 + 1), 256>>>(data, static_cast<int>(n),
                                                                    keys.data());
      if (padding == 0) found = keys.read();
    }
    expect(std::is_sorted(found.begin(), found.end()), "not sorted");
    expect(keys.read() == found, "another order with other padding");
  }
}

SANITIZE_CASE(is_sorted, "is_sorted_kernel", "copy_range_kernel") {
  const device_array<std::uint32_t> data(sorted(random_values(5003)));
  const auto is_sorted = [](auto first, auto last) {
    return gpusort::is_sorted(gpusort::par_gpu, first, last, opaque{});
  };
  expect(is_sorted(data.data(), data.end()), "sorted, and it is said not to be");
  expect(
      !is_sorted(std::make_reverse_iterator(data.end()), std::make_reverse_iterator(data.data())),
      "the other way round it is not");
}

}  // namespace
}  // namespace sanitize
