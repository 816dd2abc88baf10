// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first program to compile: no CUDA is needed, and a C++ compiler takes seconds for it. It
// runs on a GPU when nvcc compiles it; here its sorts use all cores of the CPU.
#include <gpusort/gpusort.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

struct trade {
  std::uint32_t stock;
  double price;
};

int main() {
  constexpr std::size_t n = 1 << 22;
  std::minstd_rand random(2026);
  std::vector<trade> trades(n);
  for (trade& t : trades) {
    t.stock = static_cast<std::uint32_t>(random() % 1000);
    t.price = static_cast<double>(random() % 100000) / 100;
  }

  const auto by_stock =
      gpusort::order_by(gpusort::asc<&trade::stock>(), gpusort::desc<&trade::price>());
  const auto start = std::chrono::steady_clock::now();
  gpusort::sort(gpusort::par_gpu, trades.begin(), trades.end(), by_stock);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  std::printf("%zu trades by stock, the dearest first: %.0f ms on %u threads of the CPU\n", n,
              1e3 * elapsed.count(), std::thread::hardware_concurrency());
  for (int i = 0; i < 3; ++i) std::printf("  stock %u at %.2f\n", trades[i].stock, trades[i].price);
  if (!gpusort::is_sorted(gpusort::par_gpu, trades.begin(), trades.end(), by_stock)) {
    std::fputs("FAILED: trades are in order\n", stderr);
    return EXIT_FAILURE;
  }
  std::puts("Sorted. The other examples do such things on a GPU.");
}
