// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/gather_together.hpp>
#include <gpusort/permutation.hpp>
#include <numeric>

#include "case.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(permutations, "check_permutation_kernel", "invert_permutation_kernel",
              "gather_kernel", "copy_pieces_kernel") {
  constexpr std::size_t n = 5003;
  std::vector<std::uint32_t> indices(n);
  std::iota(indices.begin(), indices.end(), 0u);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(indices[i - 1], indices[kit::random_at(kit::seed(), i) % i]);
  }
  const auto values = random_values<std::uint64_t>(n);
  device_array<std::uint32_t> order(indices);
  device_array<std::uint64_t> data(values);
  const auto there_and_back = [&](const auto& policy) {
    gpusort::apply_permutation(policy, data.data(), data.end(), order.data());
    const auto found = data.read();
    for (std::size_t i = 0; i < n; ++i) expect(found[i] == values[indices[i]], "not permuted");
    gpusort::apply_inverse_permutation(policy, data.data(), data.end(), order.data());
    expect(data.read() == values, "not brought back");
  };
  there_and_back(gpusort::par_gpu);
  there_and_back(gpusort::par_gpu.with(gpusort::in_place));

  indices[7] = n;
  const device_array<std::uint32_t> wrong(indices);
  gpusort::apply_permutation(gpusort::par_gpu, data.data(), data.end(), wrong.data());
  gpusort::apply_inverse_permutation(gpusort::par_gpu, data.data(), data.end(), wrong.data());
  expect(data.read() == values, "moved by indices that are none");
}

SANITIZE_CASE(columns_together, "pack_rows_kernel", "gather_rows_kernel") {
  constexpr std::size_t n = 5003;
  using algorithm = gpusort::detail::gather_together<std::uint32_t, std::uint32_t, std::uint32_t>;
  std::vector<std::uint32_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint32_t>(i * 1999 % n);
  const auto first = random_values<std::uint32_t>(n);
  const device_array<std::uint32_t> order(indices), a(first), b(indices);
  const scratch rows(algorithm::scratch_bytes(n));
  algorithm::run(nullptr, order.data(), n, rows.data(), a.data(), b.data());
  const auto found = a.read(), found_beside = b.read();
  for (std::size_t i = 0; i < n; ++i) {
    expect(found[i] == first[indices[i]] && found_beside[i] == indices[indices[i]], "not gathered");
  }
}

}  // namespace
}  // namespace sanitize
