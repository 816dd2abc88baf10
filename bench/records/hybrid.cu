// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys in a column, the other fields of a record together: from 3 fields on, since with fewer they
// lie as by field.
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>

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
  measure("gpusort_sample", [](word* first, word* last, type* rows) {
    gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::sample_sort), first, last, rows);
  });
  measure("gpusort_radix", [](word* first, word* last, type* rows) {
    gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), first, last, rows);
  });
  measure("thrust", [](word* first, word* last, type* rows) {
    thrust::sort_by_key(thrust::cuda::par, first, last, rows);
  });
  auto* const indices = static_cast<word*>(s.scratch(s.n() * sizeof(word)));
  s.measure(layout::hybrid, Fields, "thrust_indirect", [=](const record_memory& m) {
    bench::check(
        cudaMemcpyAsync(m.spare, m.records, m.n() * sizeof(word), cudaMemcpyDeviceToDevice),
        "copying keys");
    gather_rows(sorted_indices(m.spare, m.n(), indices), m.n(),
                static_cast<const type*>(rows_of(m.shape, m.records)), rows_of(m.shape, m.spare));
    return m.spare;
  });
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
