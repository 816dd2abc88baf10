// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sort of one type, LEDGER_PROGRAM of elements.hpp. Reads lines `log2n order`, where order is
// random, in_order or equal_words, and answers each with the median time of a call in microseconds,
// from the call to its return. bench/ledger/run talks to it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "elements.hpp"

#ifndef LEDGER_PROGRAM
#define LEDGER_PROGRAM u32_less
#endif

namespace ledger {

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", doing, cudaGetErrorString(status));
  std::exit(1);
}

template <class T>
__global__ void make_kernel(T* out, u64 n, input order) {
  const u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = made<T>::from(i, order);
}

template <class T, class Order>
__global__ void count_descents_kernel(const T* sorted, u64 n, Order order, unsigned* descents) {
  const u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 < n && order(sorted[i + 1], sorted[i])) atomicAdd(descents, 1u);
}

unsigned blocks_of(u64 n) { return static_cast<unsigned>((n + 255) / 256); }

by_table u32_by_table::order() {
  static u32* table = nullptr;
  if (table == nullptr) {
    check(cudaMalloc(&table, by_table::entries * sizeof(u32)), "allocating a table");
    make_kernel<<<blocks_of(by_table::entries), 256>>>(table, by_table::entries, input::random);
  }
  return {table};
}

template <class T>
T* allocated(u64 n) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, n * sizeof(T)), "allocating elements");
  return memory;
}

template <class Program>
class measured_sort {
  using element = typename Program::element;

 public:
  double microseconds(int log2n, input order) {
    const bool is_first = log2n != log2n_ || order != order_;
    if (is_first) make(log2n, order);
    const int calls = log2n <= 20 ? 21 : log2n <= 25 ? 5 : 1;
    for (int warm_up = 0; is_first && warm_up < 2; ++warm_up) once();
    if (is_first) expect_sorted();
    std::vector<double> times(static_cast<std::size_t>(calls));
    for (double& t : times) t = once();
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

 private:
  int log2n_ = -1;
  input order_ = input::random;
  u64 n_ = 0;
  element *input_ = nullptr, *work_ = nullptr;
  std::size_t scratch_bytes_ = 0;
  unsigned char* scratch_ = nullptr;

  void make(int log2n, input order) {
    check(cudaFree(input_), "freeing");
    check(cudaFree(work_), "freeing");
    check(cudaFree(scratch_), "freeing");
    log2n_ = log2n;
    order_ = order;
    n_ = u64{1} << log2n;
    input_ = allocated<element>(n_);
    work_ = allocated<element>(n_);
    // A copy of the range and an eighth.
    scratch_bytes_ = Program::has_little_scratch ? n_ * sizeof(element) / 8 * 9 + (1 << 20) : 0;
    scratch_ = allocated<unsigned char>(scratch_bytes_ + 1);
    make_kernel<<<blocks_of(n_), 256>>>(input_, n_, order);
    check(cudaDeviceSynchronize(), "making the input");
  }

  double once() {
    check(cudaMemcpy(work_, input_, n_ * sizeof(element), cudaMemcpyDeviceToDevice), "copying");
    check(cudaDeviceSynchronize(), "copying");
    const auto order = Program::order();
    const auto begin = std::chrono::steady_clock::now();
    if constexpr (Program::has_little_scratch) {
      gpusort::sort(gpusort::par_gpu.with(gpusort::scratch(scratch_, scratch_bytes_)), work_,
                    work_ + n_, order);
    } else {
      gpusort::sort(gpusort::par_gpu, work_, work_ + n_, order);
    }
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(end - begin).count();
  }

  void expect_sorted() {
    unsigned* const descents = allocated<unsigned>(1);
    check(cudaMemset(descents, 0, sizeof(unsigned)), "clearing");
    count_descents_kernel<<<blocks_of(n_), 256>>>(work_, n_, Program::order(), descents);
    unsigned count = 0;
    check(cudaMemcpy(&count, descents, sizeof(count), cudaMemcpyDeviceToHost), "counting");
    check(cudaFree(descents), "freeing");
    if (count == 0) return;
    std::fprintf(stderr, "%u descents in 2^%d sorted elements\n", count, log2n_);
    std::exit(1);
  }
};

}  // namespace ledger

int main() {
  ledger::measured_sort<ledger::LEDGER_PROGRAM> sort;
  char order[16];
  int log2n;
  while (std::scanf("%d %15s", &log2n, order) == 2) {
    using ledger::input;
    const input wanted = std::strcmp(order, "in_order") == 0      ? input::in_order
                         : std::strcmp(order, "equal_words") == 0 ? input::equal_words
                                                                  : input::random;
    std::printf("%.2f\n", sort.microseconds(log2n, wanted));
    std::fflush(stdout);
  }
}
