// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys in a column, the other fields of a record together: from 3 fields on, since with fewer they
// lie as by field.
#include <cstdio>

#include "session.hpp"
#include "thrust_indirect.hpp"

namespace record_bench {
namespace {

template <int Words>
struct row {
  word fields[Words];
};

template <int Fields>
void measure_hybrid_of(session& s) {
  using type = row<Fields - 1>;
  const auto rows_of = [](const record_shape& shape, word* base) {
    return reinterpret_cast<type*>(shape.arrays(base).rows);
  };
  // Sorts by `sort(first, last, rows)` what is sorted where it is.
  const auto measure = [&](const char* name, auto sort) {
    s.measure(layout::hybrid, Fields, name, [=](const record_memory& m) {
      sort(m.records, m.records + m.n(), rows_of(m.shape, m.records));
      return m.records;
    });
  };
  if constexpr (sizeof(type) + sizeof(word) <= 64) {
    measure("gpusort_sample_direct", [](word* first, word* last, type* rows) {
      gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::sample_sort), first, last,
                           rows);
    });
  } else {
    std::printf("hybrid     %2d fields  gpusort_sample_direct: elements of up to 64 bytes\n",
                Fields);
  }
  measure("gpusort_radix", [](word* first, word* last, type* rows) {
    gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), first, last, rows);
  });
  measure("thrust", [](word* first, word* last, type* rows) {
    thrust::sort_by_key(thrust::cuda::par, first, last, rows);
  });
  // Sorts keys with indices by `order(keys, n, indices)`, and moves rows to a new array.
  const auto measure_indirect = [&](const char* name, auto order) {
    auto* const indices = static_cast<word*>(s.scratch(s.n() * sizeof(word)));
    s.measure(layout::hybrid, Fields, name, [=](const record_memory& m) {
      bench::check(
          cudaMemcpyAsync(m.spare, m.records, m.n() * sizeof(word), cudaMemcpyDeviceToDevice),
          "copying keys");
      gather_rows(order(m.spare, m.n(), indices), m.n(),
                  static_cast<const type*>(rows_of(m.shape, m.records)), rows_of(m.shape, m.spare));
      return m.spare;
    });
  };
  measure_indirect("thrust_indirect", sorted_indices);
  measure_indirect("gpusort_sample_indirect", indices_by_sample_sort);
}

}  // namespace

void measure_hybrid_records(session& s) {
  measure_hybrid_of<3>(s);
  measure_hybrid_of<4>(s);
  measure_hybrid_of<6>(s);
  measure_hybrid_of<8>(s);
  measure_hybrid_of<12>(s);
  measure_hybrid_of<16>(s);
  measure_hybrid_of<20>(s);
}

}  // namespace record_bench
