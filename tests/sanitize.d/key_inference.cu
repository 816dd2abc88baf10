// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/key_inference.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

struct fields {
  std::uint32_t key;  // below 2^13: some are equal
  std::uint32_t id;
  std::uint32_t more[6];
};

struct by_key_then_id {
  __host__ __device__ bool operator()(const fields& a, const fields& b) const {
    return a.key < b.key || (a.key == b.key && a.id > b.id);
  }
};

// The member that is compared is found, unless the sample misleads; then nothing is sorted here.
SANITIZE_CASE(key_inference, "infer_order_kernel", "extract_words_kernel", "order_ties_kernel",
              "copy_back_and_verify_kernel") {
  using sort = gpusort::detail::key_inference<fields, 4, by_key_then_id>;
  constexpr std::size_t n = 20011;
  std::vector<fields> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = {static_cast<std::uint32_t>(kit::random_at(kit::seed(), i) >> 51),
                 static_cast<std::uint32_t>(i),
                 {}};
  }
  const device_array<fields> data(values);
  const scratch result(gpusort::detail::key_inference_result(nullptr).bytes);
  const scratch memory(sort::scratch_bytes(n));
  sort::run(nullptr, data.data(), n, {}, gpusort::detail::key_inference_result(result.data()),
            memory.data(), sort::scratch_bytes(n));
  std::vector<std::uint32_t> ids;
  for (const fields& f : data.read()) ids.push_back(f.id);
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < n; ++i) expect(ids[i] == i, "not a permutation");
}

}  // namespace
}  // namespace sanitize
