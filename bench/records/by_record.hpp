// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All fields of a record together: a struct.
#pragma once

#include <thrust/transform.h>

#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/tuple>
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

/// Reads what a radix sort of whole records reads.
struct key_digits {
  template <class Record>
  GPUSORT_HOST_DEVICE cuda::std::tuple<word&> operator()(Record& r) const {
    return {r.key};
  }
};

/// Sorts records by CUB's radix sort, which moves them in each pass; where they are then. Its
/// scratch is at hand, as CUB wants it from the caller. Records have up to 48 bytes: CUB's
/// histogram has room in shared memory for the digits of every byte of a record, whatever the
/// decomposer reads.
template <class Record>
Record* sort_directly_by_radix(session& s, Record* records, Record* spare, std::size_t n) {
  cub::DoubleBuffer<Record> buffers(records, spare);
  std::size_t bytes = 0;
  const auto sort = [&](void* scratch) {
    bench::check(cub::DeviceRadixSort::SortKeys(scratch, bytes, buffers, n, key_digits{}),
                 "cub::DeviceRadixSort");
  };
  sort(nullptr);
  sort(s.scratch(bytes));
  return buffers.Current();
}

/// Measures the comparator's order and that of a known member, records moved; and keys with
/// indices, then records moved once. The library moves elements of up to 64 bytes.
template <int Fields>
void measure_by_record(session& s) {
  using type = record<Fields>;
  const auto sampling = gpusort::par_gpu.with(gpusort::algorithm::sample_sort);
  // Sorts by `sort(first, last)` what is sorted where it is.
  const auto measure = [&](const char* name, auto sort) {
    s.measure(layout::by_record, Fields, name, [=](const record_memory& m) {
      auto* const first = reinterpret_cast<type*>(m.records);
      sort(first, first + m.n());
      return m.records;
    });
  };
  if constexpr (sizeof(type) <= 64) {
    measure("gpusort_sample_direct",
            [=](type* first, type* last) { gpusort::sort(sampling, first, last, before{}); });
    measure("gpusort_sample_direct_asc", [=](type* first, type* last) {
      gpusort::sort(sampling, first, last, gpusort::order_by(gpusort::asc<&type::key>()));
    });
  } else {
    std::printf(
        "by_record  %2d fields  skipped: gpusort_sample_direct, elements of up to 64 bytes\n",
        Fields);
  }
  measure("gpusort_radix_indirect", [=](type* first, type* last) {
    gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), first, last,
                  gpusort::order_by(gpusort::asc(&type::key)));
  });
  measure("gpusort_comparator",
          [=](type* first, type* last) { gpusort::sort(gpusort::par_gpu, first, last, before{}); });
  measure("thrust",
          [=](type* first, type* last) { thrust::sort(thrust::cuda::par, first, last, before{}); });
  if constexpr (sizeof(type) <= 48) {
    s.measure(layout::by_record, Fields, "cub_radix_direct", [=, &s](const record_memory& m) {
      return reinterpret_cast<word*>(sort_directly_by_radix(
          s, reinterpret_cast<type*>(m.records), reinterpret_cast<type*>(m.spare), m.n()));
    });
  } else {
    std::printf("by_record  %2d fields  skipped: cub_radix_direct, records of up to 48 bytes\n",
                Fields);
  }
  // Sorts keys with indices by `order(keys, n, indices)`, and moves records to a new array.
  const auto measure_indirect = [&](const char* name, auto order) {
    auto* const keys = static_cast<word*>(s.scratch(2 * s.n() * sizeof(word)));
    s.measure(layout::by_record, Fields, name, [=](const record_memory& m) {
      const auto* const first = reinterpret_cast<const type*>(m.records);
      thrust::transform(thrust::cuda::par_nosync, first, first + m.n(), keys, key_of{});
      gather_rows(order(keys, m.n(), keys + m.n()), m.n(), first, reinterpret_cast<type*>(m.spare));
      return m.spare;
    });
  };
  measure_indirect("thrust_indirect", sorted_indices);
  measure_indirect("gpusort_sample_indirect", indices_by_sample_sort);
}

}  // namespace record_bench
