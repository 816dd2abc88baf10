// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All fields of a record together: a struct.
#pragma once

#include <thrust/transform.h>

#include <gpusort/execution_policy.hpp>
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

#include "session.hpp"
#include "thrust_indirect.hpp"

namespace record_bench {

template <int Fields>
struct record {
  word key;
  word others[Fields - 1];
};
template <>
struct record<1> {
  word key;
};

struct key_of {
  template <class Record>
  GPUSORT_HOST_DEVICE word operator()(const Record& r) const {
    return r.key;
  }
};

struct before {
  template <class Record>
  GPUSORT_HOST_DEVICE bool operator()(const Record& a, const Record& b) const {
    return a.key < b.key;
  }
};

template <int Fields>
void measure_records_of(session& s) {
  using type = record<Fields>;
  const auto by_key = gpusort::order_by(gpusort::asc(&type::key));
  // Sorts by `sort(first, last)` what is sorted where it is.
  const auto measure = [&](const char* name, auto sort) {
    s.measure(layout::by_record, Fields, name, [=](const record_memory& m) {
      auto* const first = reinterpret_cast<type*>(m.records);
      sort(first, first + m.n());
      return m.records;
    });
  };
  measure("gpusort_sample", [=](type* first, type* last) {
    gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::sample_sort), first, last, by_key);
  });
  measure("gpusort_radix", [=](type* first, type* last) {
    gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), first, last, by_key);
  });
  measure("gpusort_comparator",
          [=](type* first, type* last) { gpusort::sort(gpusort::par_gpu, first, last, before{}); });
  measure("thrust",
          [=](type* first, type* last) { thrust::sort(thrust::cuda::par, first, last, before{}); });
  auto* const keys = static_cast<word*>(s.scratch(2 * s.n() * sizeof(word)));
  s.measure(layout::by_record, Fields, "thrust_indirect", [=](const record_memory& m) {
    const auto* const first = reinterpret_cast<const type*>(m.records);
    thrust::transform(thrust::cuda::par_nosync, first, first + m.n(), keys, key_of{});
    gather_rows(sorted_indices(keys, m.n(), keys + m.n()), m.n(), first,
                reinterpret_cast<type*>(m.spare));
    return m.spare;
  });
}

}  // namespace record_bench
