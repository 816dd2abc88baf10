// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a table whose columns are known at run time, against the same order compiled.
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cstdint>
#include <gpusort/sort.hpp>
#include <gpusort/table.hpp>
#include <kit/random.hpp>

#include "kit/program.hpp"

namespace {

using u32 = std::uint32_t;

/// A row with its nulls as members: what a program makes of such a table that knows its columns.
struct row {
  std::uint8_t lacks_a, lacks_b, c;
  std::uint16_t d;
  std::int32_t a;
  float b;
};

/// Holds the rows in columns, two of which have nulls.
struct columns {
  std::int32_t* a;
  float* b;
  std::uint8_t* c;
  std::uint16_t* d;
  u32 *has_a, *has_b;

  /// Orders a ascending and b descending, nulls last, then c and d; then the index, so that rows
  /// differ.
  __host__ __device__ bool operator()(u32 x, u32 y) const {
    const auto has = [](const u32* bits, u32 i) { return (bits[i / 32] >> (i % 32) & 1) != 0; };
    if (has(has_a, x) != has(has_a, y)) return has(has_a, x);
    if (has(has_a, x) && a[x] != a[y]) return a[x] < a[y];
    if (has(has_b, x) != has(has_b, y)) return has(has_b, x);
    if (has(has_b, x) && b[x] != b[y]) return b[x] > b[y];
    if (c[x] != c[y]) return c[x] < c[y];
    if (d[x] != d[y]) return d[x] < d[y];
    return x < y;
  }
};

/// One column without nulls.
struct by_a {
  const std::int32_t* a;
  __host__ __device__ bool operator()(u32 x, u32 y) const {
    return a[x] != a[y] ? a[x] < a[y] : x < y;
  }
};

__global__ void fill_kernel(columns t, row* rows, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i / 32 * 32 < n;
       i += gridDim.x * blockDim.x) {
    const std::uint64_t r = kit::random_at(20260101, i);
    const bool has_a = r % 16 != 0, has_b = r / 16 % 16 != 0;
    const u32 a_bits = __ballot_sync(~0u, has_a), b_bits = __ballot_sync(~0u, has_b);
    t.has_a[i / 32] = a_bits;
    t.has_b[i / 32] = b_bits;
    if (i >= n) continue;
    t.a[i] = static_cast<std::int32_t>(r >> 8 & 1023) - 512;
    t.b[i] = static_cast<float>(r >> 20 & 1023) / 8;
    t.c[i] = static_cast<std::uint8_t>(r >> 40 & 7);
    t.d[i] = static_cast<std::uint16_t>(r >> 48);
    rows[i] = {!has_a, !has_b, t.c[i], t.d[i], has_a ? t.a[i] : 0, has_b ? t.b[i] : 0};
  }
}

/// Finds disorder; rows all differ, so that those which ascend are all of them.
template <class Less>
__global__ void find_disorder_kernel(const u32* order, u32 n, Less less, u32* found) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const bool is_row = order[i] < n && (i == 0 || order[i - 1] < n);
    if (!is_row || (i > 0 && !less(order[i - 1], order[i]))) *found = 1;
  }
}

/// The memory of all cases.
class tables {
 public:
  void make(std::size_t n) {
    all_ = {a_.reserve_for<std::int32_t>(n),     b_.reserve_for<float>(n),
            c_.reserve_for<std::uint8_t>(n),     d_.reserve_for<std::uint16_t>(n),
            has_a_.reserve_for<u32>(n / 32 + 1), has_b_.reserve_for<u32>(n / 32 + 1)};
    order_.reserve_for<u32>(n);
    fill_kernel<<<2048, 256>>>(all_, rows_.reserve_for<row>(n), static_cast<u32>(n));
    bench::check(cudaDeviceSynchronize(), "making a table");
  }

  const columns& all() const { return all_; }
  const row* rows() { return rows_.reserve_for<row>(0); }
  u32* order() { return order_.reserve_for<u32>(0); }

  template <class Less>
  bool is_ordered(std::size_t n, Less less) {
    u32* const found = found_.reserve_for<u32>(1);
    bench::check(cudaMemset(found, 0, sizeof(u32)), "cudaMemset");
    find_disorder_kernel<<<2048, 256>>>(order(), static_cast<u32>(n), less, found);
    u32 is_wrong = 1;
    bench::check(cudaMemcpy(&is_wrong, found, sizeof(u32), cudaMemcpyDeviceToHost), "inspecting");
    return is_wrong == 0;
  }

 private:
  bench::buffer a_, b_, c_, d_, has_a_, has_b_, rows_, order_, found_;
  columns all_{};
};

template <class Less, class Argsort>
void add_case(bench::program& p, tables& t, const char* implementation, const char* type, int log2n,
              std::size_t row_bytes, Less (*less_of)(const columns&), Argsort argsort) {
  const bench::case_name name{"argsort_table", implementation, type, "less", "uniform", log2n};
  const double budget = p.budget();
  p.add_case(name, [=, &t](benchmark::State& state) {
    const std::size_t n = std::size_t{1} << log2n;
    t.make(n);
    const Less less = less_of(t.all());
    const bench::timing time = bench::measure(
        budget, [] {}, [&] { argsort(n, less); });
    if (!t.is_ordered(n, less)) return state.SkipWithError("the rows are not in order");
    bench::report(state, time, n, row_bytes);
  });
}

template <class Less>
void sort_with_thrust(tables& t, std::size_t n, Less less) {
  thrust::sequence(thrust::cuda::par, t.order(), t.order() + n);
  thrust::sort(thrust::cuda::par, t.order(), t.order() + n, less);
}

void add_four(bench::program& p, tables& t, int log2n) {
  const auto less_of = +[](const columns& all) { return all; };
  const auto add = [&](const char* implementation, auto argsort) {
    add_case(p, t, implementation, "four_columns", log2n, 12, less_of, argsort);
  };
  add("gpusort", [&t](std::size_t n, const columns& all) {
    using gpusort::column;
    gpusort::table_order order;
    order.asc(column::of(all.a).with_validity(all.has_a))
        .desc(column::of(all.b).with_validity(all.has_b))
        .asc(column::of(all.c))
        .asc(column::of(all.d));
    gpusort::argsort_table(gpusort::par_gpu, order, n, t.order());
  });
  add("gpusort_compiled", [&t](std::size_t n, const columns&) {
    using gpusort::asc;
    const auto order = gpusort::order_by(asc(&row::lacks_a), asc(&row::a), asc(&row::lacks_b),
                                         gpusort::desc(&row::b), asc(&row::c), asc(&row::d));
    gpusort::argsort(gpusort::par_gpu, t.rows(), t.rows() + n, t.order(), order);
  });
  add("thrust", [&t](std::size_t n, const columns& all) { sort_with_thrust(t, n, all); });
}

void add_one(bench::program& p, tables& t, int log2n) {
  const auto less_of = +[](const columns& all) { return by_a{all.a}; };
  const auto add = [&](const char* implementation, auto argsort) {
    add_case(p, t, implementation, "i32", log2n, sizeof(std::int32_t), less_of, argsort);
  };
  add("gpusort", [&t](std::size_t n, by_a) {
    gpusort::table_order order;
    order.asc(gpusort::column::of(t.all().a));
    gpusort::argsort_table(gpusort::par_gpu, order, n, t.order());
  });
  add("gpusort_compiled", [&t](std::size_t n, by_a) {
    gpusort::argsort(gpusort::par_gpu, t.all().a, t.all().a + n, t.order());
  });
  add("thrust", [&t](std::size_t n, by_a less) { sort_with_thrust(t, n, less); });
}

}  // namespace

int main(int argc, char** argv) {
  tables t;
  return bench::run(argc, argv, [&](bench::program& p) {
    for (int log2n : {10, 16, 20, 24, 26}) {
      if (p.quick() && log2n % 10 != 0 && log2n != 26) continue;
      add_four(p, t, log2n);
      add_one(p, t, log2n);
    }
  });
}
