// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting without a container, by three lambdas: fetch(i) makes a key of what is at index i,
// compare orders keys, and swap(i, j) exchanges two elements, whatever they are.
//
// First the particles of a simulation, a structure of arrays, by the cell of a grid that they are
// in, so that neighbours in space become neighbours in memory. No key is stored anywhere: fetch
// computes it. Then a sparse matrix in CSR form, the entries of each row by column, all rows in one
// call: the key is the row above the column, and finding the row of an entry is fetch's business.
#include <gpusort/gpusort.hpp>
#include <gpusort/index_sort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "example.hpp"

template <class T>
__host__ __device__ void exchange(T& a, T& b) {
  const T held = a;
  a = b;
  b = held;
}

/// Particles in the unit cube. `Vector` is thrust::device_vector or thrust::host_vector.
template <template <class...> class Vector>
struct particles {
  Vector<float> x, y, z;
  Vector<double> mass;
  Vector<std::uint32_t> id;
};

constexpr std::uint32_t cells_per_side = 64;

__host__ __device__ std::uint32_t cell_of(float x, float y, float z) {
  const auto along = [](float t) { return static_cast<std::uint32_t>(t * cells_per_side); };
  return (along(z) * cells_per_side + along(y)) * cells_per_side + along(x);
}

/// Returns what belongs to an id, so that it can be told whether it is still there.
double mass_of(std::uint32_t id) { return 1.0 + 1.0 / (1 + id); }

particles<thrust::host_vector> make_particles(std::size_t n) {
  std::mt19937 random(2026);
  std::uniform_real_distribution<float> coordinate(0.0f, 0.999f);
  particles<thrust::host_vector> p;
  for (std::uint32_t id = 0; id < n; ++id) {
    p.x.push_back(coordinate(random));
    p.y.push_back(coordinate(random));
    p.z.push_back(coordinate(random));
    p.mass.push_back(mass_of(id));
    p.id.push_back(id);
  }
  return p;
}

void verify(const particles<thrust::host_vector>& before,
            const particles<thrust::host_vector>& after) {
  const std::size_t n = before.id.size();
  std::vector<bool> seen(n);
  std::uint32_t last_cell = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t id = after.id[i];
    example::verify(id < n && !seen[id], "every particle is there once");
    seen[id] = true;
    example::verify(after.x[i] == before.x[id] && after.y[i] == before.y[id] &&
                        after.z[i] == before.z[id] && after.mass[i] == mass_of(id),
                    "and has what it had");
    const std::uint32_t cell = cell_of(after.x[i], after.y[i], after.z[i]);
    example::verify(last_cell <= cell, "particles are in the order of their cells");
    last_cell = cell;
  }
}

template <template <class...> class Vector>
void sort_particles(std::size_t n) {
  const particles<thrust::host_vector> input = make_particles(n);
  particles<Vector> p{input.x, input.y, input.z, input.mass, input.id};
  float* const x = thrust::raw_pointer_cast(p.x.data());
  float* const y = thrust::raw_pointer_cast(p.y.data());
  float* const z = thrust::raw_pointer_cast(p.z.data());
  double* const mass = thrust::raw_pointer_cast(p.mass.data());
  std::uint32_t* const id = thrust::raw_pointer_cast(p.id.data());

  const auto fetch = [=] __host__ __device__(std::size_t i) -> std::uint32_t {
    return cell_of(x[i], y[i], z[i]);
  };
  const auto swap = [=] __host__ __device__(std::size_t i, std::size_t j) -> void {
    exchange(x[i], x[j]);
    exchange(y[i], y[j]);
    exchange(z[i], z[j]);
    exchange(mass[i], mass[j]);
    exchange(id[i], id[j]);
  };
  const auto restore = [&] {  // to where it was: the lambdas hold pointers
    thrust::copy(input.x.begin(), input.x.end(), p.x.begin());
    thrust::copy(input.y.begin(), input.y.end(), p.y.begin());
    thrust::copy(input.z.begin(), input.z.end(), p.z.begin());
    thrust::copy(input.mass.begin(), input.mass.end(), p.mass.begin());
    thrust::copy(input.id.begin(), input.id.end(), p.id.begin());
  };
  const auto check = [&] { verify(input, {p.x, p.y, p.z, p.mass, p.id}); };

  std::printf("%zu particles by cell, a structure of five arrays\n", n);
  const double fast = example::milliseconds(restore, [&] {
    gpusort::sort(gpusort::par_gpu, std::size_t{0}, n, fetch, gpusort::less{}, swap);
  });
  check();
  std::printf("  %-40s %9.2f ms\n", "sort", fast);

  // Sorts without memory besides the arrays.
  const auto in_place = gpusort::par_gpu.with(gpusort::in_place);
  const double without = example::milliseconds(
      restore, [&] { gpusort::sort(in_place, std::size_t{0}, n, fetch, gpusort::less{}, swap); });
  check();
  std::printf("  %-40s %9.2f ms\n", "sort, in place", without);
}

/// Row r has the entries [offsets[r], offsets[r + 1]).
template <template <class...> class Vector>
struct matrix {
  Vector<std::uint64_t> offsets;
  Vector<std::uint32_t> columns;
  Vector<float> values;
};

float value_at(std::uint64_t row, std::uint32_t column) {
  return static_cast<float>((row * 31 + column) % 1024);
}

/// Makes rows of very different lengths, the columns of each in any order, as a transposition or a
/// product of matrices leaves them.
matrix<thrust::host_vector> make_matrix(std::uint64_t rows) {
  std::mt19937 random(7);
  matrix<thrust::host_vector> m;
  m.offsets.push_back(0);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint32_t length = row % 1000 == 0 ? 5000 : random() % 64;
    for (std::uint32_t k = 0; k < length; ++k) {
      const std::uint32_t column = random() % 100'000;
      m.columns.push_back(column);
      m.values.push_back(value_at(row, column));
    }
    m.offsets.push_back(m.columns.size());
  }
  return m;
}

void verify(const matrix<thrust::host_vector>& before, const matrix<thrust::host_vector>& after) {
  for (std::size_t row = 0; row + 1 < before.offsets.size(); ++row) {
    const auto begin = before.offsets[row], end = before.offsets[row + 1];
    std::vector<std::uint32_t> columns(before.columns.begin() + begin,
                                       before.columns.begin() + end);
    std::sort(columns.begin(), columns.end());
    for (std::uint64_t i = begin; i < end; ++i) {
      example::verify(after.columns[i] == columns[i - begin], "a row has its columns, in order");
      example::verify(after.values[i] == value_at(row, after.columns[i]), "and their values");
    }
  }
}

template <template <class...> class Vector>
void sort_rows(std::uint64_t rows) {
  const matrix<thrust::host_vector> input = make_matrix(rows);
  matrix<Vector> m{input.offsets, input.columns, input.values};
  const std::uint64_t* const offsets = thrust::raw_pointer_cast(m.offsets.data());
  std::uint32_t* const columns = thrust::raw_pointer_cast(m.columns.data());
  float* const values = thrust::raw_pointer_cast(m.values.data());
  const std::uint64_t entries = m.columns.size();

  // The row that has entry i: the last one that begins at i or before it.
  const auto fetch = [=] __host__ __device__(std::uint64_t i) -> std::uint64_t {
    std::uint64_t low = 0, high = rows;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (offsets[middle] <= i ? low : high) = middle;
    }
    return low << 32 | columns[i];
  };
  const auto swap = [=] __host__ __device__(std::uint64_t i, std::uint64_t j) -> void {
    exchange(columns[i], columns[j]);
    exchange(values[i], values[j]);
  };
  const double time = example::milliseconds(
      [&] {
        thrust::copy(input.columns.begin(), input.columns.end(), m.columns.begin());
        thrust::copy(input.values.begin(), input.values.end(), m.values.begin());
      },
      [&] { gpusort::sort(gpusort::par_gpu, 0, entries, fetch, gpusort::less{}, swap); });
  verify(input, {m.offsets, m.columns, m.values});
  std::printf("%llu rows with %llu entries by column\n  %-40s %9.2f ms\n",
              static_cast<unsigned long long>(rows), static_cast<unsigned long long>(entries),
              "sort, all rows at once", time);
}

int main() try {
  if (example::has_device()) {
    sort_particles<thrust::device_vector>(4'000'000);
    sort_rows<thrust::device_vector>(100'000);
  } else {
    std::puts("No GPU on this machine: on the CPU, and less of everything.");
    sort_particles<thrust::host_vector>(50'000);
    sort_rows<thrust::host_vector>(2'000);
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "07_lambda_sort: %s\n", e.what());
  return EXIT_FAILURE;
}
