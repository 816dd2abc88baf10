// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All fields in columns.
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <utility>

#include "session.hpp"
#include "thrust_indirect.hpp"

namespace record_bench {
namespace {

template <class Policy, std::size_t... Columns>
void sort_columns(const Policy& policy, const papers::record_arrays& records, std::size_t n,
                  std::index_sequence<Columns...>) {
  word* const keys = records.columns[0];
  if constexpr (sizeof...(Columns) == 0) {
    gpusort::sort(policy, keys, keys + n);
  } else {
    gpusort::sort_by_key(policy, keys, keys + n, records.columns[Columns + 1]...);
  }
}

template <std::size_t... Columns>
void thrust_sort_columns(const papers::record_arrays& records, std::size_t n,
                         std::index_sequence<Columns...>) {
  word* const keys = records.columns[0];
  if constexpr (sizeof...(Columns) == 0) {
    thrust::sort(thrust::cuda::par, keys, keys + n);
  } else if constexpr (sizeof...(Columns) == 1) {
    thrust::sort_by_key(thrust::cuda::par, keys, keys + n, records.columns[1]);
  } else {
    thrust::sort_by_key(
        thrust::cuda::par, keys, keys + n,
        thrust::make_zip_iterator(thrust::make_tuple(records.columns[Columns + 1]...)));
  }
}

/// Sorts into new columns.
void thrust_sort_indirectly(const papers::record_arrays& in, const papers::record_arrays& out,
                            std::size_t n, word* indices) {
  bench::check(
      cudaMemcpyAsync(out.columns[0], in.columns[0], n * sizeof(word), cudaMemcpyDeviceToDevice),
      "copying keys");
  sorted_indices(out.columns[0], n, indices);
  for (int i = 1; i < in.column_count; ++i) {
    gather_rows(indices, n, in.columns[i], out.columns[i]);
  }
}

template <int Fields>
void measure_columns_of(session& s) {
  constexpr std::make_index_sequence<Fields - 1> others{};
  s.measure(layout::by_field, Fields, "gpusort_sample", [=](const record_memory& m) {
    sort_columns(gpusort::par_gpu.with(gpusort::algorithm::sample_sort), m.shape.arrays(m.records),
                 m.n(), others);
    return m.records;
  });
  s.measure(layout::by_field, Fields, "gpusort_radix", [=](const record_memory& m) {
    sort_columns(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), m.shape.arrays(m.records),
                 m.n(), others);
    return m.records;
  });
  if constexpr (Fields <= 4) {  // more columns take minutes to compile
    s.measure(layout::by_field, Fields, "thrust", [=](const record_memory& m) {
      thrust_sort_columns(m.shape.arrays(m.records), m.n(), others);
      return m.records;
    });
  }
  if (Fields == 1) return;
  auto* const indices = static_cast<word*>(s.scratch(s.n() * sizeof(word)));
  s.measure(layout::by_field, Fields, "thrust_indirect", [=](const record_memory& m) {
    thrust_sort_indirectly(m.shape.arrays(m.records), m.shape.arrays(m.spare), m.n(), indices);
    return m.spare;
  });
}

}  // namespace

void measure_columns(session& s) {
  measure_columns_of<1>(s);
  measure_columns_of<2>(s);
  measure_columns_of<3>(s);
  measure_columns_of<4>(s);
  measure_columns_of<6>(s);
  measure_columns_of<8>(s);
  measure_columns_of<12>(s);
  measure_columns_of<16>(s);
  measure_columns_of<20>(s);
}

}  // namespace record_bench
