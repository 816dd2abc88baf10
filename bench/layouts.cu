// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are not one array of numbers or structs: columns that are ordered together, tuples
// by default, a key with four columns, and records under a permutation.
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

#include <cuda/std/tuple>

#include <cstdint>
#include <gpusort/detail/algorithm/gather_column.hpp>
#include <gpusort/permutation.hpp>
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>
#include <kit/random.hpp>
#include <string>

#include "kit/program.hpp"
#include "kit/types.hpp"

namespace {

using u32 = std::uint32_t;
using pair_of_words = cuda::std::tuple<int, float>;

constexpr int columns = 5;

/// Orders by both elements, of tuples of any library.
struct by_both {
  template <class A, class B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    using cuda::std::get;
    using thrust::get;
    return get<0>(a) != get<0>(b) ? get<0>(a) < get<0>(b) : get<1>(a) < get<1>(b);
  }
};

/// Fills words, the first ones of few values, so that the second ones decide.
__global__ void fill_words_kernel(u32* to, u32 n, u32 column) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const std::uint64_t r = kit::random_at(20260201 + column, i);
    to[i] = static_cast<u32>(column == 0 ? r & 4095 : r >> 32);
  }
}
__global__ void fill_tuples_kernel(pair_of_words* to, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const std::uint64_t r = kit::random_at(20260202, i);
    to[i] = pair_of_words(static_cast<int>(r & 4095), static_cast<float>(r >> 40));
  }
}
/// Fills a permutation of 2^k indices: an odd multiplier, and bits that are turned round.
__global__ void fill_indices_kernel(u32* to, u32 n) {
  const int unused = __clz(static_cast<int>(n)) + 1;
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    to[i] = __brev((i * 2654435761u & (n - 1)) << unused);
  }
}

/// Counts neighbours that are not in order, and adds up all words.
template <class Less>
__global__ void inspect_kernel(Less less, const u32* words, std::size_t count, u32 n,
                               unsigned long long* sum_and_disorder) {
  unsigned long long sum = 0, disorder = 0;
  const u32 stride = gridDim.x * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += kit::scramble(words[i]);
  }
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i + 1 < n; i += stride) {
    disorder += less(i + 1, i);
  }
  atomicAdd(sum_and_disorder, sum);
  atomicAdd(sum_and_disorder + 1, disorder);
}

/// Rows of the columns, and tuples, by index.
struct row_less {
  const u32 *first, *second;
  __device__ bool operator()(u32 x, u32 y) const {
    return first[x] != first[y] ? first[x] < first[y] : second[x] < second[y];
  }
};
struct key_less {
  const u32* keys;
  __device__ bool operator()(u32 x, u32 y) const { return keys[x] < keys[y]; }
};
struct tuple_less {
  const pair_of_words* tuples;
  __device__ bool operator()(u32 x, u32 y) const { return by_both{}(tuples[x], tuples[y]); }
};

struct alignas(16) record_words {
  u32 words[8];
};

/// The memory of all cases.
class memory {
 public:
  u32* input(std::size_t words) { return input_.reserve_for<u32>(words); }
  u32* data(std::size_t words) { return data_.reserve_for<u32>(words); }
  u32* indices(std::size_t n) { return indices_.reserve_for<u32>(n); }

  template <class Less>
  unsigned long long sum(const Less& less, const u32* words, std::size_t count, u32 n,
                         unsigned long long* disorder) {
    auto* const found = found_.reserve_for<unsigned long long>(2);
    unsigned long long got[2];
    bench::check(cudaMemset(found, 0, sizeof(got)), "cudaMemset");
    inspect_kernel<<<2048, 256>>>(less, words, count, n, found);
    bench::check(cudaMemcpy(got, found, sizeof(got), cudaMemcpyDeviceToHost), "inspecting");
    *disorder = got[1];
    return got[0];
  }

 private:
  bench::buffer input_, data_, indices_, found_;
};

/// Adds a sort of `count` columns of n words, or tuples: filled by `fill(input, n)`, sorted by
/// `sort(data, n)`.
template <class Fill, class Less, class Sort>
void add_sort(bench::program& p, memory& m, bench::case_name name, int count, Fill fill,
              Less (*less_of)(const u32*, std::size_t), Sort sort) {
  const double budget = p.budget();
  p.add_case(name, [=, &m](benchmark::State& state) {
    const std::size_t n = std::size_t{1} << name.log2n, words = n * static_cast<std::size_t>(count);
    u32 *const input = m.input(words), *const data = m.data(words);
    fill(input, static_cast<u32>(n));
    const bench::timing time = bench::measure(
        budget,
        [&] {
          bench::check(cudaMemcpy(data, input, words * sizeof(u32), cudaMemcpyDefault),
                       "restoring");
        },
        [&] { sort(data, n); });
    unsigned long long before = 0, disorder = 0;
    const auto rows = static_cast<u32>(n);
    const auto sum = m.sum(less_of(input, n), input, words, rows, &before);
    if (m.sum(less_of(data, n), data, words, rows, &disorder) != sum || disorder != 0) {
      return state.SkipWithError("not sorted, or other elements");
    }
    bench::report(state, time, n, sizeof(u32) * static_cast<std::size_t>(count));
  });
}

void fill_columns(u32* input, u32 n, int count) {
  for (int c = 0; c < count; ++c) {
    fill_words_kernel<<<2048, 256>>>(input + std::size_t{n} * static_cast<unsigned>(c), n,
                                     static_cast<u32>(c));
  }
}

auto rows_of(u32* data, std::size_t n) { return thrust::make_zip_iterator(data, data + n); }

void add_two_columns(bench::program& p, memory& m, int log2n) {
  const auto add = [&](const char* implementation, auto sort) {
    add_sort(
        p, m, {"sort", implementation, "two_columns", "both", "uniform", log2n}, 2,
        [](u32* input, u32 n) { fill_columns(input, n, 2); },
        +[](const u32* data, std::size_t n) {
          return row_less{data, data + n};
        },
        sort);
  };
  add("gpusort", [](u32* data, std::size_t n) {
    using gpusort::asc;
    using gpusort::element;
    gpusort::sort(gpusort::par_gpu, rows_of(data, n), rows_of(data, n) + n,
                  gpusort::order_by(asc(element<0>), asc(element<1>)));
  });
  add("thrust", [](u32* data, std::size_t n) {
    thrust::sort(thrust::cuda::par, rows_of(data, n), rows_of(data, n) + n, by_both{});
  });
}

void add_tuples(bench::program& p, memory& m, int log2n) {
  const auto add = [&](const char* implementation, auto sort) {
    add_sort(
        p, m, {"sort", implementation, "tuple_int_float", "default", "uniform", log2n}, 2,
        [](u32* input, u32 n) {
          fill_tuples_kernel<<<2048, 256>>>(reinterpret_cast<pair_of_words*>(input), n);
        },
        +[](const u32* data, std::size_t) {
          return tuple_less{reinterpret_cast<const pair_of_words*>(data)};
        },
        [sort](u32* data, std::size_t n) { sort(reinterpret_cast<pair_of_words*>(data), n); });
  };
  add("gpusort",
      [](pair_of_words* data, std::size_t n) { gpusort::sort(gpusort::par_gpu, data, data + n); });
  add("thrust", [](pair_of_words* data, std::size_t n) {
    thrust::sort(thrust::cuda::par, data, data + n, by_both{});
  });
}

void add_key_with_columns(bench::program& p, memory& m, int log2n) {
  const auto add = [&](const char* implementation, auto sort) {
    add_sort(
        p, m, {"sort_by_key", implementation, "u32_four_u32", "less", "uniform", log2n}, columns,
        [](u32* input, u32 n) {
          fill_columns(input, n, columns);
          fill_words_kernel<<<2048, 256>>>(input, n, columns);  // keys of 32 bits
        },
        +[](const u32* data, std::size_t) { return key_less{data}; }, sort);
  };
  add("gpusort", [](u32* keys, std::size_t n) {
    gpusort::sort_by_key(gpusort::par_gpu, keys, keys + n, keys + n, keys + 2 * n, keys + 3 * n,
                         keys + 4 * n);
  });
  add("thrust", [](u32* keys, std::size_t n) {
    thrust::sort_by_key(
        thrust::cuda::par, keys, keys + n,
        thrust::make_zip_iterator(keys + n, keys + 2 * n, keys + 3 * n, keys + 4 * n));
  });
}

/// Records under random indices; next to it what a copy of them takes.
template <class Record>
void add_permutation(bench::program& p, memory& m, int log2n) {
  const double budget = p.budget();
  const std::string type = "record" + std::to_string(sizeof(Record));
  const auto add = [&](const char* implementation, auto move) {
    const bench::case_name name{"permutation", implementation, type, "", "uniform", log2n};
    p.add_case(name, [=, &m](benchmark::State& state) {
      const std::size_t n = std::size_t{1} << log2n, words = n * sizeof(Record) / sizeof(u32);
      u32* const indices = m.indices(n);
      fill_indices_kernel<<<2048, 256>>>(indices, static_cast<u32>(n));
      fill_columns(m.input(words), static_cast<u32>(n), static_cast<int>(words / n));
      auto* const from = reinterpret_cast<Record*>(m.input(words));
      auto* const to = reinterpret_cast<Record*>(m.data(words));
      unsigned long long unused = 0;
      const key_less none{indices};
      const auto before = m.sum(none, m.input(words), words, 0, &unused);
      const bench::timing time = bench::measure(
          budget, [] {}, [&] { move(from, to, indices, n); });
      const u32* const result = move.is_in_place ? m.input(words) : m.data(words);
      if (m.sum(none, result, words, 0, &unused) != before) {
        return state.SkipWithError("other elements");
      }
      bench::report(state, time, n, sizeof(Record));
    });
  };
  struct applied {
    bool is_in_place = true;
    void operator()(Record* from, Record*, const u32* indices, std::size_t n) const {
      gpusort::apply_permutation(gpusort::par_gpu, from, from + n, indices);
    }
  };
  struct gathered {
    bool is_in_place = false;
    void operator()(const Record* from, Record* to, const u32* indices, std::size_t n) const {
      thrust::gather(thrust::cuda::par, indices, indices + n, from, to);
    }
  };
  struct gathered_here {
    bool is_in_place = false;
    void operator()(const Record* from, Record* to, const u32* indices, std::size_t n) const {
      gpusort::detail::gather_column<u32>::bytes(nullptr, from, sizeof(Record), indices, n, to);
      bench::check(cudaStreamSynchronize(nullptr), "gathering");
    }
  };
  struct copied {
    bool is_in_place = false;
    void operator()(const Record* from, Record* to, const u32*, std::size_t n) const {
      bench::check(cudaMemcpyAsync(to, from, n * sizeof(Record), cudaMemcpyDefault), "copying");
      bench::check(cudaStreamSynchronize(nullptr), "copying");
    }
  };
  add("gpusort", applied{});
  add("gpusort_gather", gathered_here{});
  add("thrust", gathered{});
  add("copy", copied{});
}

}  // namespace

int main(int argc, char** argv) {
  memory m;
  return bench::run(argc, argv, [&](bench::program& p) {
    for (int log2n : {16, 20, 24, 26}) {
      if (p.quick() && log2n != 26) continue;
      add_two_columns(p, m, log2n);
      add_tuples(p, m, log2n);
      add_key_with_columns(p, m, log2n);
    }
    for (int log2n : {20, 24}) {
      add_permutation<record_words>(p, m, log2n);
      add_permutation<bench::record<64>>(p, m, log2n);
      add_permutation<bench::record<128>>(p, m, log2n);
    }
  });
}
