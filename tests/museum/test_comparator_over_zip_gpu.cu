// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys in two arrays, sorted as a zip by a comparator that reads both, with indices as values
// (NVIDIA/thrust#1341: one of the arrays came back with elements that had never been there).
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/sort.hpp>
#include <numeric>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/random.hpp"

namespace kit {

class comparator_over_zip : public gpu_test {};

/// Describes a particle: a type and a number, of which the order takes both.
struct particle_info {
  std::uint16_t type;
  std::uint16_t flags;
  std::uint32_t number;

  friend bool operator==(const particle_info& a, const particle_info& b) {
    return a.type == b.type && a.flags == b.flags && a.number == b.number;
  }
};

using particle_key = thrust::tuple<std::uint32_t, particle_info>;

struct by_cell_and_type {
  __host__ __device__ bool operator()(const particle_key& a, const particle_key& b) const {
    const std::uint32_t cell_a = thrust::get<0>(a), cell_b = thrust::get<0>(b);
    if (cell_a != cell_b) return cell_a < cell_b;
    const particle_info &x = thrust::get<1>(a), &y = thrust::get<1>(b);
    return x.type != y.type ? x.type < y.type : x.number < y.number;
  }
};

TEST_F(comparator_over_zip, keeps_both_keys_and_their_indices) {
  for (std::size_t n : {100, 64656, small_sizes_only() ? 5000 : 1000003}) {
    std::vector<std::uint32_t> cells(n), order(n);
    std::vector<particle_info> infos(n);
    for (std::size_t i = 0; i < n; ++i) {
      cells[i] = static_cast<std::uint32_t>(random_at(seed(), i) % (n / 20 + 1));
      infos[i] = {static_cast<std::uint16_t>(random_at(seed() + 1, i) % 3), 255,
                  static_cast<std::uint32_t>(i)};
    }
    thrust::device_vector<std::uint32_t> device_cells(cells.begin(), cells.end()), indices(n);
    thrust::device_vector<particle_info> device_infos(infos.begin(), infos.end());
    std::iota(order.begin(), order.end(), 0u);
    thrust::copy(order.begin(), order.end(), indices.begin());
    const auto keys = thrust::make_zip_iterator(device_cells.begin(), device_infos.begin());
    gpusort::sort_by_key(gpusort::par_gpu, keys, keys + static_cast<std::ptrdiff_t>(n),
                         indices.begin(), by_cell_and_type());

    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return by_cell_and_type()(particle_key(cells[i], infos[i]), particle_key(cells[j], infos[j]));
    });
    std::vector<std::uint32_t> found_cells(n), found_indices(n);
    std::vector<particle_info> found_infos(n);
    thrust::copy(device_cells.begin(), device_cells.end(), found_cells.begin());
    thrust::copy(device_infos.begin(), device_infos.end(), found_infos.begin());
    thrust::copy(indices.begin(), indices.end(), found_indices.begin());
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(found_indices[i], order[i]) << "n = " << n << ", i = " << i;
      ASSERT_EQ(found_cells[i], cells[order[i]]) << "n = " << n << ", i = " << i;
      ASSERT_TRUE(found_infos[i] == infos[order[i]]) << "n = " << n << ", i = " << i;
    }
  }
}

}  // namespace kit
